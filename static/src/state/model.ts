// The view as the rest of the page reads it: every field present, look-ups made once.
import type { Colour, Custom, Phase, Presence, Result, SeatView, Shown, View, Vote, Wait } from "../wire";
import { type HandCard, keyed } from "./cards";
import { type May, readLegal } from "./forms";
import { readRules, type RuleSet } from "./rules";

export interface Seat {
  seat: number;
  name: string;
  cards: number;
  score: number;
  bot: string | null;
  state: Presence | null;
  left: number;
  /** Seconds until anybody may ask the host to decide, where that will be so. */
  urge: number | null;
  called: boolean;
  claim: boolean;
  /** Somebody has asked the host to decide about a person who is away. */
  urged: boolean;
  partner: boolean;
  exposed: boolean;
  turn: boolean;
}

export interface Table {
  phase: Phase;
  /** Empty for a table that nobody named. */
  title: string;
  you: number | null;
  host: number | null;
  locked: boolean;
  /** Seconds of `catch_grace`. */
  grace: number;
  fast: boolean;
  rules: string;
  preset: string;
  set: RuleSet;
  custom: Custom[];
  agreed: string[];
  /** In seat order, without places that nobody has; with who left in this match, for the score. */
  seats: Seat[];
  paused: string[];
  resume: number;
  round: number;
  dealer: number | null;
  turn: number | null;
  wait: Wait;
  top: string | null;
  colour: Colour | null;
  dir: 1 | -1;
  pile: number;
  discard: number;
  under: string[];
  pending: number;
  opener: number | null;
  challengeable: boolean;
  exposed: number[];
  hand: HandCard[];
  drawn: string | null;
  legal: string[];
  may: May;
  targets: number[];
  shown: Shown | null;
  result: Result | null;
  winners: number[];
  vote: Vote | null;
  mine: boolean;
}

/** `before`: seats in which nothing has changed stay the very same objects, so that they are not drawn again. */
export function readView(v: View, before: Table | null = null): Table {
  const { preset, set } = readRules(v.rules ?? "classic");
  const you = v.you ?? null;
  const exposed = v.exposed ?? [];
  const taken = (v.seats ?? []).flatMap((each, seat): [number, SeatView][] =>
    each === null ? [] : [[seat, each]],
  );
  const mine = taken.findIndex(([seat]) => seat === you);
  const partner =
    set.teams === "pairs" && taken.length === 4 && mine >= 0 ? taken[(mine + 2) % 4]?.[0] : undefined;
  const turn = v.turn ?? null;
  return {
    phase: v.phase,
    title: v.title ?? "",
    you,
    host: v.host ?? null,
    locked: v.locked ?? false,
    grace: v.grace ?? 0,
    fast: v.fast ?? false,
    rules: v.rules ?? "classic",
    preset,
    set,
    custom: v.custom ?? [],
    agreed: v.agreed ?? [],
    seats: taken.map(([seat, each]) => kept(before, {
      seat,
      name: each.name,
      cards: each.cards ?? 0,
      score: each.score ?? 0,
      bot: each.bot ?? null,
      state: each.state ?? null,
      left: each.left ?? 0,
      urge: each.urge ?? null,
      called: each.called ?? false,
      claim: Boolean(each.claim),
      urged: Boolean(each.urged),
      partner: seat === partner,
      exposed: exposed.includes(seat),
      turn: seat === turn && v.phase === "round",
    })),
    paused: v.paused ?? [],
    resume: v.resume ?? 0,
    round: v.round ?? 0,
    dealer: v.dealer ?? null,
    turn,
    wait: v.wait ?? "free",
    top: v.top ?? null,
    colour: v.colour ?? null,
    dir: v.dir ?? 1,
    pile: v.pile ?? 0,
    discard: v.discard ?? 0,
    under: v.under ?? [],
    pending: v.pending ?? 0,
    opener: v.opener ?? null,
    challengeable: v.challengeable ?? false,
    exposed,
    hand: keyed(v.hand ?? []),
    drawn: v.drawn ?? null,
    legal: v.legal ?? [],
    may: readLegal(v.legal ?? []),
    targets: v.targets ?? [],
    shown: v.shown ?? null,
    result: v.result ?? null,
    winners: v.winners ?? [],
    vote: v.vote ?? null,
    mine: you !== null && turn === you && v.phase === "round",
  };
}

function kept(before: Table | null, now: Seat): Seat {
  const old = before?.seats.find((each) => each.seat === now.seat);
  return old !== undefined && (Object.keys(now) as (keyof Seat)[]).every((each) => old[each] === now[each]) ? old : now;
}

export function seatOf(table: Table, seat: number | null): Seat | null {
  return table.seats.find((each) => each.seat === seat) ?? null;
}

export function nameOf(table: Table, seat: number | null | undefined): string {
  return table.seats.find((each) => each.seat === seat)?.name ?? "?";
}

/** Whether a seat has cards to lose. */
export const holdsCards = (table: Table, seat: number | null): boolean => (seatOf(table, seat)?.cards ?? 0) > 0 && table.phase === "round";

/** Who is at the table: without those who have left it. */
export const present = (table: Table): Seat[] => table.seats.filter((each) => each.state !== "gone");

const OUTSIDE: readonly (Presence | null)[] = ["out", "eliminated", "gone", "next"];

/** Whether a seat has a hand in this round. */
export const inRound = (seat: Seat): boolean => !OUTSIDE.includes(seat.state);

/** Who may have been cut off, and may ask for the seat back from another page. */
export const claimable = (seat: Seat): boolean => seat.state === "away" || seat.state === "standin" || seat.state === "out";

/** The others, starting with the one to my left; for a watcher, everybody. */
export function rivals(table: Table): Seat[] {
  const seats = present(table);
  const at = seats.findIndex((each) => each.seat === table.you);
  return at < 0 ? seats : [...seats.slice(at + 1), ...seats.slice(0, at)];
}

/** With whom a hand may be swapped: told with the forms that ask for it; for a card further along a run, all
 * others in the round. */
export function swappable(table: Table): number[] {
  return table.targets.length > 0 ? table.targets : rivals(table).filter(inRound).map((each) => each.seat);
}

/** Which of my cards the table would take now, as keys. */
export function alive(table: Table, held: HandCard): boolean {
  if (!table.may.plays.has(held.card)) return false;
  return table.wait !== "drawn" || !table.mine || table.drawn === null || held.card === table.drawn;
}

/** A call that is of some use: to make up for one, or for a card that can be played now. */
export function callable(table: Table): boolean {
  return table.may.uno && (table.may.plays.size > 0 || (seatOf(table, table.you)?.exposed ?? false));
}

/** How the button for ¡UNO! stands: always there (UX 3). */
export type UnoState = "muted" | "ready" | "armed" | "urgent";

export function unoState(table: Table): UnoState {
  const me = seatOf(table, table.you);
  if (me !== null && me.exposed) return "urgent";
  if (me !== null && me.called) return "armed";
  return callable(table) ? "ready" : "muted";
}

/** Seats I could catch now, as the table says. */
export function catchable(table: Table): number[] {
  return table.exposed.filter((seat) => seat !== table.you);
}
