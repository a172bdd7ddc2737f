// A card as the page needs it: its parts for drawing and naming, an order for sorting.
import type { Colour, Shown } from "../wire";

export const COLOURS: readonly Colour[] = ["r", "y", "g", "b"];

export interface Face {
  /** `null` for a wild. */
  colour: Colour | null;
  /** `0`-`9`, `S`, `R`, `+2`, or the whole name of a wild. */
  rank: string;
}

export function face(card: string): Face {
  const first = card[0];
  return first === "W" || first === undefined
    ? { colour: null, rank: card }
    : { colour: first as Colour, rank: card.slice(1) };
}

const RANKS = "0 1 2 3 4 5 6 7 8 9 S R +2 W W+4 WH WC1 WC2 WC3".split(" ");

export type Sort = "colour" | "number" | "none";

export function sorted(hand: readonly HandCard[], by: Sort): HandCard[] {
  if (by === "none") return [...hand];
  const weight = (held: HandCard): number => {
    const { colour, rank } = face(held.card);
    const c = colour === null ? 4 : COLOURS.indexOf(colour);
    const r = RANKS.indexOf(rank);
    return by === "colour" || colour === null ? c * 100 + r : r * 10 + c;
  };
  return [...hand].sort((a, b) => weight(a) - weight(b));
}

/** A card of the own hand. Equal faces are told apart by a count: `r7#0`, `r7#1`. */
export interface HandCard {
  card: string;
  key: string;
}

/** A hand that a challenge shows: what proves the bluff first, so that no screen is too low for it, then by colour. */
export function evidence({ cards, guilty = [] }: Pick<Shown, "cards" | "guilty">): { card: string; guilty: boolean }[] {
  const left = [...guilty];
  const marked = sorted(keyed(cards), "colour").map(({ card }) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return { card, guilty: at >= 0 };
  });
  return marked.sort((a, b) => Number(b.guilty) - Number(a.guilty));
}

export function keyed(cards: readonly string[]): HandCard[] {
  const seen = new Map<string, number>();
  return cards.map((card) => {
    const k = seen.get(card) ?? 0;
    seen.set(card, k + 1);
    return { card, key: `${card}#${k}` };
  });
}

export const cardOf = (key: string): string => key.slice(0, key.lastIndexOf("#"));
