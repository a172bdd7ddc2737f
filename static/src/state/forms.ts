// The forms of `legal`: actions with their choices left open (docs/protocol.md, 5).
import type { Colour } from "../wire";

export type Form =
  | { kind: "play"; card: string; colour: boolean; player: boolean }
  | { kind: "colour" }
  | { kind: "catch"; seat: number | null }
  | { kind: "simple"; word: "draw" | "pass" | "accept" | "challenge" | "uno" };

const SIMPLE = new Set(["draw", "pass", "accept", "challenge", "uno"]);
const PLAY = /^((?:[rygb](?:[0-9]|S|R|\+2))|W\+4|WH|WC[1-3]|W)(=[rygb]?)?(>\d*)?$/;

/** `null` for a form of a newer table, which this page leaves alone. */
export function parseForm(text: string): Form | null {
  if (SIMPLE.has(text)) return { kind: "simple", word: text as "draw" };
  if (text.startsWith("colour")) return { kind: "colour" };
  if (text.startsWith("catch")) {
    const seat = text.slice(5).trim();
    return { kind: "catch", seat: seat === "" ? null : Number(seat) };
  }
  const parts = PLAY.exec(text);
  if (parts === null) return null;
  return {
    kind: "play",
    card: parts[1]!,
    colour: parts[2] !== undefined,
    player: parts[3] !== undefined,
  };
}

/** All that the table says I may do, arranged for look-ups. */
export interface May {
  plays: ReadonlyMap<string, { colour: boolean; player: boolean }>;
  draw: boolean;
  pass: boolean;
  accept: boolean;
  challenge: boolean;
  uno: boolean;
  colour: boolean;
  catches: boolean;
}

export function readLegal(legal: readonly string[]): May {
  const plays = new Map<string, { colour: boolean; player: boolean }>();
  const may = {
    plays,
    draw: false,
    pass: false,
    accept: false,
    challenge: false,
    uno: false,
    colour: false,
    catches: false,
  };
  for (const text of legal) {
    const form = parseForm(text);
    if (form === null) continue;
    if (form.kind === "play") plays.set(form.card, { colour: form.colour, player: form.player });
    else if (form.kind === "colour") may.colour = true;
    else if (form.kind === "catch") may.catches = true;
    else may[form.word] = true;
  }
  return may;
}

export function writePlay(card: string, colour: Colour | null, player: number | null): string {
  return card + (colour === null ? "" : `=${colour}`) + (player === null ? "" : `>${player}`);
}
