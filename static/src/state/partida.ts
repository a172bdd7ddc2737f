// A `.partida` of what this seat knows (docs/notation.md), to report a problem with. It is written
// from the view alone: the own hand and everything public are true, the cards of the others and the
// pile are made up of those that could be there. The same as `of_view` in engine/writing.py.
import type { View } from "../wire";
import { COLOURS, face } from "./cards";
import { readRules } from "./rules";

const RANKS = [..."0123456789SR", "+2"];

function deckOf(size: number): string[] {
  const cards: string[] = [];
  for (const colour of COLOURS) for (const rank of RANKS) cards.push(...Array<string>(rank === "0" ? 1 : 2).fill(colour + rank));
  for (const wild of ["W", "W+4"]) cards.push(...Array<string>(4).fill(wild));
  if (size === 112) cards.push("WH", "WC1", "WC2", "WC3");
  return cards;
}

/** Names as a file can have them: no white space, nothing reserved, no two alike. */
export function fitNames(names: readonly string[]): string[] {
  const fitted: string[] = [];
  for (const name of names) {
    let fit = name.trim().split(/\s+/).join("_") || "_";
    if (["|", "=", "-"].includes(fit) || fit.startsWith("#")) fit = `_${fit}`;
    let unique = fit;
    for (let number = 2; fitted.includes(unique); number++) unique = `${fit}_${number}`;
    fitted.push(unique);
  }
  return fitted;
}

function unseen(v: View, known: readonly string[], hidden: number): string[] {
  const { set } = readRules(v.rules ?? "classic");
  const deck = Number(set.deck);
  const players = (v.seats ?? []).length;
  const size = Number(set.hand_size);
  const whole = Math.ceil((players * size + 1) / deck);
  const times = players === 10 && size === 10 ? Math.max(whole, 2) : whole;
  const rest = Array.from({ length: times }, () => deckOf(deck)).flat().sort();
  for (const card of known) {
    const at = rest.indexOf(card);
    if (at >= 0) rest.splice(at, 1);
  }
  // Spread, so that nobody is made to hold one colour only.
  const spread = [0, 1, 2, 3, 4, 5, 6].flatMap((step) => rest.filter((_, k) => k % 7 === step));
  // A position set up by hand may have more cards than its deck.
  const numbers = deckOf(deck).filter((card) => /^[rygb]\d$/.test(card));
  while (spread.length < hidden) spread.push(...numbers);
  return spread;
}

const written = (held: readonly string[]): string => held.join(" ") || "-";

/** `null` outside a round: there is no position then. */
export function partida(v: View): string | null {
  const seats = (v.seats ?? []).filter((each) => each !== null);
  if (v.top === undefined || v.turn === undefined || v.phase !== "round") return null;
  const names = fitNames(seats.map((each) => each.name));
  const name = (seat: number): string => names[seat] ?? "_";
  const you = v.you ?? null;
  const mine = [...(v.hand ?? [])];
  const discard = [...(v.under ?? []), v.top];
  const counts = seats.map((each) => (each.state === "next" ? 0 : (each.cards ?? 0)));
  const pileSize = v.pile ?? 0;
  const hidden = counts.reduce((sum, count) => sum + count, 0) + pileSize;
  const rest = unseen(v, [...mine, ...discard], hidden);
  const hands = counts.map((count, seat) => (seat === you && mine.length > 0 ? mine : rest.splice(0, count)));
  let pile = rest.slice(0, pileSize);

  const who = you === null ? null : name(you);
  const notes = [who === null ? "A view: cards that this seat cannot know are made up." : `The view of ${who}: the cards of the others are made up.`];
  const moves: string[] = [];
  if (v.drawn !== undefined && you !== null) {
    const held = [...mine];
    held.splice(held.lastIndexOf(v.drawn), 1);
    hands[you] = held;
    pile = [v.drawn, ...pile];
    moves.push(`${who} draw`);
  }
  if ((v.exposed ?? []).length > 0) notes.push(`exposed: ${v.exposed!.map(name).join(" ")}`);
  const called = seats.flatMap((each, seat) => (each.called ? [name(seat)] : []));
  if (called.length > 0) notes.push(`called: ${called.join(" ")}`);
  if (v.wait === "colour") notes.push(`${name(v.turn)} owes a colour.`);
  if (v.wait === "drawn" && v.drawn === undefined) notes.push(`${name(v.turn)} has drawn a card that may be played.`);
  if (v.challengeable) notes.push("Whether the Wild Draw Four was a bluff is not known.");

  const lines = notes.map((note) => `# ${note}`);
  lines.push(`rules: ${v.rules ?? "classic"}`, `players: ${names.join(" ")}`);
  lines.push(`hands: ${hands.map((hand, seat) => `${name(seat)} ${written(hand)}`).join(" | ")}`);
  lines.push(`discard: ${written(discard)}`);
  if (face(v.top).colour === null) lines.push(`colour: ${v.colour ?? "r"}`);
  lines.push(`draw: ${pile.join(" ")}`.trimEnd(), `turn: ${name(v.turn)}`);
  if (v.dealer !== undefined) lines.push(`dealer: ${name(v.dealer)}`);
  if (v.dir === -1) lines.push("direction: right");
  const scores = seats.flatMap((each, seat) => (each.score ? [`${name(seat)} ${each.score}`] : []));
  if (scores.length > 0) lines.push(`scores: ${scores.join(" | ")}`);
  if (v.pending && v.opener !== undefined) lines.push(`pending: ${v.pending} ${name(v.opener)}${v.challengeable ? " legal" : ""}`);
  lines.push("", ...moves, ...offered(v, who, mine));
  return `${lines.join("\n")}\n`;
}

/** The turn actions that this seat was offered, as claims. */
function offered(v: View, who: string | null, mine: readonly string[]): string[] {
  if (who === null || v.turn !== v.you || v.wait === "colour") return [];
  const may = new Set<string>();
  for (const form of v.legal ?? []) {
    const word = form.replace(/[=>].*$/, "");
    if (!/^(catch|colour|uno)/.test(word)) may.add(word);
  }
  const refused = [...new Set(mine.filter((card) => !may.has(card)))];
  return [
    ...(may.size > 0 ? [`= may ${who} ${[...may].join(" ")}`] : []),
    ...(refused.length > 0 ? [`= may-not ${who} ${refused.join(" ")}`] : []),
  ];
}
