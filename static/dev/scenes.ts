// Made-up moments of a table, for looking at every screen without a host. Never part of the build.
import { readLink } from "../src/state/link";
import { initial, PREFS, type State } from "../src/state/shape";
import { step } from "../src/state/state";
import type { FromTable, Happened, SeatView, View } from "../src/wire";

const NAMES = ["Ana", "Beto", "Carla", "Dani", "María José", "Fer", "Guille", "Héctor", "Inés", "Maximiliano"];

export function seats(n: number, change: Record<number, Partial<SeatView>> = {}): SeatView[] {
  return NAMES.slice(0, n).map((name, k) => ({
    name,
    cards: [7, 5, 3, 8, 2, 6, 4, 12, 7, 9][k]!,
    score: [120, 45, 310, 0, 88, 210, 15, 167, 32, 250][k]!,
    ...change[k],
  }));
}

const DECK = "r0 r3 r7 rS r+2 y1 y4 y4 y9 yR g2 g5 g8 gS g+2 b0 b3 b6 b9 bR W W W+4 W+4 r1 r2 y2 y3 y7 g0 g1 g6 b1 b2 b4 b5 b7 b8 rR".split(" ");

const HAND = ["r3", "r7", "y4", "g7", "gS", "b+2", "W"];

function round(change: Partial<View> = {}): View {
  return {
    phase: "round",
    title: "La casa de Ana",
    you: 0,
    host: 0,
    rules: "classic",
    seats: seats(4),
    round: 3,
    dealer: 3,
    turn: 0,
    wait: "free",
    top: "g4",
    colour: "g",
    dir: 1,
    pile: 61,
    discard: 18,
    under: ["b4", "b9", "y9"],
    hand: HAND,
    legal: ["y4", "g7", "gS", "W=", "draw"],
    ...change,
  };
}

const PLAYED: Happened[] = [{ e: "played", seat: 3, card: "g4", how: "turn" }];

const LOTS = (n: number): Happened[] => [
  ...seats(n).map((_, seat): Happened => ({ e: "dealer_drawn", seat, card: ["r9", "yS", "b9", "W+4", "g3", "r0", "y5", "y6", "b1", "g8"][seat]! })),
  { e: "dealer_drawn", seat: 0, card: "r5" },
  { e: "dealer_drawn", seat: 2, card: "g7" },
];

function at(view: View, events: Happened[] = [], more: Partial<State> = {}): State {
  const link = readLink("#kfb3nq.abcdefghjkmnpqrs");
  let state: State = { ...initial(link, { ...PREFS, name: "Ana" }), online: true, isHost: true };
  const messages: FromTable[] = [
    { t: "welcome", v: 1, conn: 1, seat: view.you ?? null, host: true, n: 0, link: "http://192.168.1.23:8770/#kfb3nq.abcdefghjkmnpqrs" },
    { t: "view", seq: 5, v: view, e: events },
  ];
  for (const message of messages) state = step(state, { k: "from", message }, 0).state;
  return { ...state, ...more };
}

const lobby = (n: number): View => ({ phase: "lobby", title: "La casa de Ana", you: 0, host: 0, rules: "party hand_size=5", seats: seats(n, { 1: { bot: "normal", name: "Robo Pepe" }, 2: { state: "hidden" } }) });

export const SCENES: Record<string, () => State> = {
  "nolink": () => ({ ...at(lobby(2)), link: null }),
  "enter": () => at({ ...lobby(3), you: undefined } as unknown as View, [], { seat: null }),
  "enter-still": () => at({ ...lobby(3), you: undefined } as unknown as View, [], { seat: null, known: "Ana" }),
  "enter-bad": () => at({ ...lobby(0), you: undefined } as unknown as View, [], { seat: null, note: { id: 1, key: "why.name_empty", params: {}, code: "name_empty" } }),
  "closed": () => at(lobby(3), [], { closed: "replaced" }),
  "lobby": () => at(lobby(4)),
  "lobby-10": () => at(lobby(10)),
  "lobby-guest": () => at({ ...lobby(3), you: 2 }, [], { isHost: false }),
  "menu": () => at(lobby(3), [], { sheet: "menu" }),
  "screen": () => at(lobby(3), [], { sheet: "screen" }),
  "host": () => at(lobby(3), [], { sheet: "host" }),
  "rules": () => at(lobby(3), [], { sheet: "rules" }),
  "rules-112": () => at({ ...lobby(3), rules: "classic deck=112", custom: [{ text: "Canta una canción", effect: "all_draw" }, { text: "", effect: "none" }, { text: "", effect: "swap" }], agreed: ["Quien gane sirve la próxima"] }, [], { sheet: "rules", rulesTrouble: { field: "teams" } }),
  "table": () => at(round(), PLAYED),
  "deal": () => at(round({ seats: seats(4), round: 1, top: "g4", dealer: 2 }), LOTS(4)),
  "deal-10": () => at(round({ seats: seats(10), round: 1, dealer: 0 }), LOTS(10)),
  "table-2": () => at(round({ seats: seats(2), turn: 1, legal: [] }), [{ e: "played", seat: 0, card: "gR" }, { e: "skipped", seat: 1 }]),
  "table-6": () => at(round({ seats: seats(6), turn: 2, dir: -1, legal: [], top: "W", colour: "b" }), [{ e: "played", seat: 4, card: "W", colour: "b" }]),
  "table-10": () => at(round({ seats: seats(10, { 2: { called: true, cards: 1 }, 5: { state: "away", left: 320 }, 6: { state: "hidden" }, 7: { bot: "normal" }, 8: { state: "standin", bot: "normal" } }) }), PLAYED),
  "raised": () => at(round(), PLAYED, { marked: ["g7#0"] }),
  "hand-1": () => at(round({ hand: ["g7"], seats: seats(4, { 0: { cards: 1 } }), exposed: [0], legal: ["uno"], turn: 1 }), PLAYED),
  "hand-2": () => at(round({ hand: ["g7", "b2"], legal: ["g7", "draw", "uno"] }), PLAYED),
  "hand-9": () => at(round({ hand: DECK.slice(0, 9) }), PLAYED),
  "hand-12": () => at(round({ hand: DECK.slice(0, 12) }), PLAYED),
  "hand-25": () => at(round({ hand: DECK.slice(0, 25), seats: seats(10) }), PLAYED),
  "hand-40": () => at(round({ hand: DECK.slice(0, 40), seats: seats(10) }), PLAYED),
  "why": () => at(round(), PLAYED, { note: { id: 1, key: "why.no_match", params: {} } }),
  "colour": () => at(round(), PLAYED, { ask: { now: "colour", keys: ["W#0"], colour: null, player: null }, marked: ["W#0"] }),
  "player": () => at(round({ seats: seats(10), hand: ["r7", "g7"], legal: ["g7>"], targets: [1, 2, 3, 4, 5, 6, 7, 8, 9] }), PLAYED, { ask: { now: "player", keys: ["g7#0"], colour: null, player: null } }),
  "four": () => at(round({ top: "W+4", colour: "b", under: ["y9", "g4"], wait: "answer", pending: 4, opener: 3, challengeable: true, legal: ["accept", "challenge"] }), [{ e: "played", seat: 3, card: "W+4", colour: "b" }]),
  "shown": () => at(round({ top: "W+4", colour: "b", shown: { of: 3, cards: ["r1", "g9", "g2", "b5", "W", "y8", "rS"], guilty: ["g9", "g2"] } }), [{ e: "challenged", seat: 0, opener: 3, bluff: true }, { e: "drew", seat: 3, count: 4, cause: "bluff", owed: 4 }]),
  "stack": () => at(round({ top: "g+2", colour: "g", wait: "answer", pending: 6, opener: 1, hand: ["r3", "b+2", "W+4", "g7"], legal: ["b+2", "accept"], rules: "party" }), [{ e: "played", seat: 3, card: "g+2", how: "answer" }]),
  "drawn": () => at(round({ wait: "drawn", drawn: "g1", hand: [...HAND, "g1"], legal: ["g1", "pass"], under: ["b4"] }), [{ e: "drew", seat: 0, count: 1, cause: "turn", cards: ["g1"] }], { marked: ["g1#0"] }),
  "run": () => at(round({ rules: "icebreaker", hand: ["r4", "b4", "y4", "g9", "W"], legal: ["r4", "b4", "y4", "g9", "W=", "draw"] }), PLAYED, { marked: ["r4#0", "b4#0", "y4#0"] }),
  "catch": () => at(round({ turn: 2, legal: ["catch 1"], exposed: [1], seats: seats(4, { 1: { cards: 1 } }), top: "b1", colour: "b" }), [{ e: "played", seat: 1, card: "b1" }]),
  "catch-many": () => at(round({ turn: 2, legal: ["catch 1", "catch 3"], exposed: [1, 3], seats: seats(4, { 1: { cards: 1 }, 3: { cards: 1 } }) }), [{ e: "rotated", direction: 1 }], { ask: { now: "catch", keys: [], colour: null, player: null } }),
  "paused": () => at(round({ paused: ["away"], seats: seats(4, { 2: { state: "away", left: 540, urge: 0 } }), legal: [] }), [{ e: "away", seat: 2 }]),
  "long": () => at(round(), [{ e: "challenged", seat: 3, opener: 4, bluff: false }, { e: "drew", seat: 3, count: 10, cause: "challenge", owed: 10, extra: 2 }, { e: "skipped", seat: 3 }], {}),
  "pairs": () => at(round({ rules: "classic teams=pairs" }), PLAYED),
  "table-menu": () => at(round(), PLAYED, { sheet: "menu" }),
  "table-host": () => at(round({ seats: seats(6, { 2: { state: "away", left: 100 } }) }), PLAYED, { sheet: "host" }),
  "table-log": () => at(round(), [...PLAYED, { e: "drew", seat: 1, count: 6, cause: "challenge", owed: 6, extra: 2 }, { e: "called", seat: 2 }, { e: "turned", direction: -1 }], { sheet: "log" }),
  "report": () => at(round(), PLAYED, { sheet: "report" }),
  "watching": () => at({ ...round({ legal: [], hand: [] }), you: 0, seats: seats(4, { 0: { state: "next" } }) }, PLAYED),
  "conn-bar": () => at(round(), PLAYED, { lostAt: performance.now() - 5000, online: false }),
  "conn-sheet": () => at(round(), PLAYED, { lostAt: performance.now() - 25000, online: false }),
  "link-panel": () => at(round(), PLAYED, { sheet: "link", onlineAt: performance.now() - 190_000 }),
  "link-rtc": () => at(lobby(3), [], { sheet: "link", rtc: true, onlineAt: performance.now() - 30_000 }),
  "trouble-offline": () => at(round(), PLAYED, { lostAt: performance.now() - 25000, online: false, trouble: "offline" }),
  "trouble-unreachable": () => at(round(), PLAYED, { lostAt: performance.now() - 25000, online: false, trouble: "unreachable" }),
  "trouble-stopped": () => ({ ...at(lobby(2), [], { online: false, trouble: "stopped", seat: null }), table: null }),
  "trouble-blocked": () => ({ ...at(lobby(2), [], { online: false, trouble: "blocked", seat: null }), table: null }),
  "round-end": () => at({ ...round(), phase: "between", wait: "over", legal: [], result: { winner: 2, points: 87, gained: [0, 0, 87, 0], hands: [HAND, ["r1", "g4", "y+2", "W"], [], ["b3", "b4", "r5", "y2", "gS", "r0", "y7", "y9"]] } }),
  "match-end": () => at({ ...round(), phase: "over", wait: "over", legal: [], winners: [0], seats: seats(4, { 0: { score: 532 } }), result: { winner: 0, points: 87, gained: [87, 0, 0, 0], hands: [[], ["r1", "g4"], ["b3", "b4"], ["b3", "r5", "y2", "gS"]] } }),
  "vote": () => at({ ...round(), rules: "icebreaker", phase: "between", wait: "over", legal: [], vote: { by: 2, value: "stacking=cross", yes: [1] }, result: { winner: 2, points: 20, gained: [0, 0, 20, 0], hands: [["r1"], ["g4"], [], ["b3"]] } }),
};
