// The one state of the page and the one function that writes it. No clock, no DOM, no network:
// what is to be done outside comes back as effects.
import type { Cause, Doing, Step as FarStep } from "../channel/far";
import type { Trouble } from "../device/probe";
import type { Key, Lang, Params } from "../i18n";
import type { Colour, FromTable, Happened, Request, Shown, View } from "../wire";
import { cardOf, face, type Sort } from "./cards";
import { writePlay } from "./forms";
import type { Link } from "./link";
import { alive, nameOf, readView, type Table } from "./model";
import { type Entry, isTold } from "./story";

export interface Prefs {
  name: string;
  lang: Lang | null;
  sound: boolean;
  oneTap: boolean;
  sort: Sort;
  keys: boolean;
  calm: boolean;
}

export const PREFS: Prefs = {
  name: "",
  lang: null,
  sound: true,
  oneTap: false,
  sort: "colour",
  keys: true,
  calm: false,
};

export type Sheet =
  | "menu"
  | "log"
  | "rules"
  | "invite"
  | "screen"
  | "report"
  | "link"
  | "leave"
  | "host"
  | "end"
  | "vote";

/** A choice that a card needs before it can be sent. `now` is what the sheet asks for. */
export interface Ask {
  now: "colour" | "player" | "catch";
  keys: string[];
  colour: Colour | null;
  player: number | null;
}

export interface Note {
  id: number;
  key: Key;
  params: Params;
  code?: string;
}

/** A request in the air, so that its answer can be understood. */
export interface Sent {
  id: number;
  what: "turn" | "call" | "catch" | "sit" | "rules" | "claim" | "other";
  /** Cards of a run that are still to follow. */
  rest: string[];
  /** Not the first card of a run. */
  inRun: boolean;
  colour: Colour | null;
}

export interface State {
  link: Link | null;
  prefs: Prefs;
  /** `replaced`, `removed`, ... once the table has ended this connection. */
  closed: string | null;
  online: boolean;
  /** Since when there is no connection, on the page's clock. */
  lostAt: number | null;
  rtc: boolean;
  /** Since when the connection is as it is. */
  onlineAt: number | null;
  /** Why there is none, as far as this page can find out. */
  trouble: Trouble | null;
  /** Far from the host: what is being done to reach the table, and why the last attempt failed. */
  far: { doing: Doing; cause: Cause | null } | null;
  welcomed: boolean;
  seat: number | null;
  isHost: boolean;
  guestLink: string;
  /** All of them, on the host's page. */
  guestLinks: string[];
  /** A seat this device holds a key for, to be confirmed ("¿Sigues como Ana?"). */
  known: string | null;
  /** A key of this very tab is being tried: nobody is asked for a name meanwhile. */
  returning: boolean;
  claiming: number | null;
  seq: number;
  table: Table | null;
  raw: View | null;
  /** When the view came, on the page's clock: its seconds count down from there. */
  viewAt: number;
  log: Entry[];
  happening: Entry[];
  /** What everybody has just drawn for the deal, by seat; after a tie there are several (RULES 2.2). */
  lots: Record<number, string[]> | null;
  marked: string[];
  ask: Ask | null;
  sheet: Sheet | null;
  sent: Sent[];
  note: Note | null;
  rulesTrouble: { field: string } | null;
  /** The challenged hand, until it has been looked at: the table itself takes it away with the next
   * move, which may come before anybody can read it. */
  look: Shown | null;
  seen: boolean;
  /** The result may cover the table: two seconds after the last card. */
  revealed: boolean;
  catchFrom: number;
  nextId: number;
}

export function initial(link: Link | null, prefs: Prefs): State {
  return {
    link,
    prefs,
    closed: null,
    online: false,
    lostAt: null,
    rtc: false,
    onlineAt: null,
    trouble: null,
    far: null,
    welcomed: false,
    seat: null,
    isHost: false,
    guestLink: "",
    guestLinks: [],
    known: null,
    returning: false,
    claiming: null,
    seq: -1,
    table: null,
    raw: null,
    viewAt: 0,
    log: [],
    happening: [],
    lots: null,
    marked: [],
    ask: null,
    sheet: null,
    sent: [],
    note: null,
    rulesTrouble: null,
    look: null,
    seen: false,
    revealed: true,
    catchFrom: 0,
    nextId: 1,
  };
}

export type Tap =
  | { on: "card"; key: string }
  | { on: "fling"; key: string }
  | { on: "play" }
  | { on: "draw" }
  | { on: "pass" }
  | { on: "uno" }
  | { on: "catch"; seat?: number }
  | { on: "accept" }
  | { on: "challenge" }
  | { on: "seen" }
  | { on: "colour"; colour: Colour }
  | { on: "player"; seat: number }
  | { on: "cancel" }
  | { on: "sheet"; sheet: Sheet | null }
  | { on: "sit"; name: string }
  | { on: "naming" }
  | { on: "claim"; seat: number }
  | { on: "urge"; seat: number }
  | { on: "host"; do: string; seat?: number; value?: unknown }
  | { on: "vote"; value: string }
  | { on: "leave" }
  | { on: "again" }
  | { on: "known"; yes: boolean }
  | { on: "prefs"; change: Partial<Prefs> };

export type Input =
  | { k: "from"; message: FromTable }
  | { k: "answer"; id: number; ok: boolean; code?: string; field?: string | undefined }
  | { k: "tap"; tap: Tap }
  | { k: "path"; online: boolean; rtc: boolean; since?: number | undefined }
  | { k: "far"; step: FarStep }
  | { k: "wonder"; since: number }
  | { k: "trouble"; trouble: Trouble }
  | { k: "link"; link: Link; known: string | null; returning: boolean; ask?: Ask | null }
  | { k: "note over"; id: number }
  | { k: "lots over" }
  | { k: "reveal"; seq: number };

export type Effect =
  | { do: "request"; id: number; body: Request }
  | { do: "dial"; key: "tab" | "device" | "none" }
  | { do: "keep"; seat: number; key: string }
  | { do: "forget" }
  | { do: "save"; prefs: Prefs }
  | { do: "after"; ms: number; input: Input }
  | { do: "viewed"; before: Table | null; after: Table; events: Happened[] }
  | { do: "probe" }
  | { do: "refused"; code: string };

export interface Step {
  state: State;
  effects: Effect[];
}

/** So long without a connection, and the page asks what is wrong; and again after so long. */
export const WONDER_MS = 5000;
const WONDER_AGAIN_MS = 8000;
const REVEAL_MS = 2200;
const NOTE_MS = 3200;
const LOTS_MS = 1600;
const CATCH_MS = 2000;
const LOG_LENGTH = 400;

/** Is a turn action of mine on its way? Then nothing else may follow it. */
export const isBusy = (state: State): boolean => state.sent.some((each) => each.what === "turn");

export function step(state: State, input: Input, now: number): Step {
  const effects: Effect[] = [];
  const next = { ...state };
  const draft = new Draft(next, effects, now);
  switch (input.k) {
    case "from":
      received(draft, input.message);
      if (next.seat !== null && isAboutName(next.note)) next.note = null;
      break;
    case "answer":
      answered(draft, input);
      break;
    case "tap":
      tapped(draft, input.tap);
      // A question that opens says itself what is wanted.
      if (next.ask !== null && next.ask !== state.ask) next.note = null;
      break;
    case "path":
      if (input.online) {
        if (!state.online || input.rtc !== state.rtc) next.onlineAt = now;
        next.far = next.trouble = next.lostAt = null;
      } else if (next.lostAt === null) {
        const since = (next.lostAt = input.since ?? now);
        effects.push({ do: "after", ms: Math.max(0, since + WONDER_MS - now), input: { k: "wonder", since } });
      }
      next.online = input.online;
      next.rtc = input.rtc;
      break;
    case "wonder":
      // By way of a PeerServer, or alone, there is nobody else to ask.
      if (state.online || state.closed !== null || state.link === null) break;
      if (state.link.far !== null || state.link.code === "alone") break;
      if (state.lostAt !== null && state.lostAt !== input.since) break;
      effects.push({ do: "probe" }, { do: "after", ms: WONDER_AGAIN_MS, input });
      break;
    case "trouble":
      if (!state.online) next.trouble = input.trouble;
      break;
    case "far":
      next.far = { doing: "signalling", cause: null, ...state.far, ...input.step };
      break;
    case "link":
      next.link = input.link;
      next.known = input.known;
      next.returning = input.returning;
      // The first view drops it, if it is not to be asked any more.
      next.ask = input.ask ?? null;
      next.marked = next.ask?.keys ?? [];
      effects.push({ do: "dial", key: input.returning ? "tab" : "none" });
      if (input.link.far === null) effects.push({ do: "after", ms: WONDER_MS, input: { k: "wonder", since: now } });
      break;
    case "note over":
      // What is wrong with a name is to be read until it is another one.
      if (next.note?.id === input.id && !(next.seat === null && isAboutName(next.note))) next.note = null;
      break;
    case "lots over":
      next.lots = null;
      break;
    case "reveal":
      if (next.table?.phase !== "round") next.revealed = true;
      break;
  }
  return { state: next, effects };
}

const isAboutName = (note: Note | null): boolean => note?.code?.startsWith("name_") ?? false;

/** The state being written, and the few things that more than one input does to it. */
class Draft {
  constructor(
    readonly s: State,
    readonly effects: Effect[],
    readonly now: number,
  ) {}

  note(key: Key, params: Params = {}, code?: string): void {
    const id = this.s.nextId++;
    this.s.note = code === undefined ? { id, key, params } : { id, key, params, code };
    this.effects.push({ do: "after", ms: NOTE_MS, input: { k: "note over", id } });
  }

  refuse(code: string, params: Params = {}): void {
    this.effects.push({ do: "refused", code });
    this.note(`why.${code}` as Key, params, code);
  }

  send(body: Request, what: Sent["what"] = "other", more: Partial<Sent> = {}): void {
    const id = this.s.nextId++;
    this.s.sent = [...this.s.sent, { id, what, rest: [], inRun: false, colour: null, ...more }];
    this.effects.push({ do: "request", id, body });
  }

  act(a: string, what: Sent["what"], more: Partial<Sent> = {}): void {
    this.send({ t: "act", seq: this.s.seq, a }, what, more);
  }
}

function received({ s, effects, now }: Draft, message: FromTable): void {
  switch (message.t) {
    case "welcome":
      s.welcomed = true;
      s.closed = null;
      s.isHost = message.host ?? false;
      s.guestLink = message.link ?? s.guestLink;
      s.guestLinks = [];
      if (s.returning && message.seat === null) effects.push({ do: "forget" });
      s.seat = message.seat;
      if (message.seat !== null) s.known = null;
      s.returning = false;
      s.seq = -1;
      break;
    case "links":
      s.guestLinks = message.links;
      s.guestLink = message.links[0] ?? s.guestLink;
      break;
    case "seated":
      s.seat = message.seat;
      s.known = null;
      s.claiming = null;
      effects.push({ do: "keep", seat: message.seat, key: message.key });
      break;
    case "closed":
      s.closed = message.code;
      s.online = false;
      if (["removed", "left", "table_closed", "bad_hello"].includes(message.code)) {
        effects.push({ do: "forget" });
        s.seat = null;
        s.sheet = null;
      }
      break;
    case "notice":
      // Until the next view, which says how it really is.
      if (s.table !== null) s.table = { ...s.table, paused: [...s.table.paused, message.code] };
      break;
    case "view":
      s.viewAt = now;
      viewed(s, effects, message.seq, message.v, message.e ?? []);
      break;
  }
}

function viewed(s: State, effects: Effect[], seq: number, raw: View, events: Happened[]): void {
  const before = s.table;
  const table = readView(raw, before);
  s.seq = seq;
  s.raw = raw;
  s.table = table;
  if (table.you !== null) s.seat = table.you;
  const names: Record<number, string> = {};
  for (const each of before?.seats ?? []) names[each.seat] = each.name;
  for (const each of table.seats) names[each.seat] = each.name;
  const entries = events
    .filter(isTold)
    .map((event): Entry => ({ id: s.nextId++, event, names, you: table.you }));
  if (entries.length > 0) {
    s.happening = entries;
    s.log = [...s.log, ...entries].slice(-LOG_LENGTH);
  }
  if (table.round !== before?.round && table.phase === "round") s.happening = entries;

  const lots: Record<number, string[]> = {};
  for (const { e, seat, card } of events) {
    if (e === "dealer_drawn" && seat !== undefined && card !== undefined) (lots[seat] ??= []).push(card);
  }
  if (Object.keys(lots).length > 0) {
    s.lots = lots;
    effects.push({ do: "after", ms: LOTS_MS, input: { k: "lots over" } });
  }

  // What was chosen on the older view, and still makes sense.
  const held = new Map(table.hand.map((each) => [each.key, each]));
  s.marked = s.marked.filter((key) => held.has(key));
  const first = s.marked[0] === undefined ? undefined : held.get(s.marked[0]);
  if (first !== undefined && !alive(table, first)) s.marked = [];
  if (s.ask !== null && s.ask.now !== "catch") {
    const asked = held.get(s.ask.keys[0] ?? "");
    if (asked === undefined || !alive(table, asked)) s.ask = null;
  }
  if (s.ask?.now === "catch" && catchable(table).length === 0) s.ask = null;
  if (table.wait === "drawn" && table.mine && before?.wait !== "drawn" && table.drawn !== null) {
    const drawn = table.hand.findLast((each) => each.card === table.drawn);
    if (drawn !== undefined && alive(table, drawn)) s.marked = [drawn.key];
  }
  if (table.shown !== null && table.shown.of !== table.you) s.look = table.shown;
  else if (s.seen || table.phase !== "round" || (table.mine && before?.mine === false)) s.look = null;
  if (s.look === null) s.seen = false;
  if (table.phase === "between" || table.phase === "over") {
    if (before?.phase === "round") {
      s.revealed = false;
      s.sheet = null;
      effects.push({ do: "after", ms: REVEAL_MS, input: { k: "reveal", seq } });
    }
  } else {
    s.revealed = true;
    if (s.sheet === "vote") s.sheet = null;
  }
  if (table.phase !== "round") {
    s.marked = [];
    s.ask = null;
  }
  effects.push({ do: "viewed", before, after: table, events });
}

function answered(draft: Draft, answer: Extract<Input, { k: "answer" }>): void {
  const { s } = draft;
  const sent = s.sent.find((each) => each.id === answer.id);
  if (sent === undefined) return;
  s.sent = s.sent.filter((each) => each !== sent);
  if (sent.what === "claim") s.claiming = null;
  if (answer.ok) {
    // Something went well since: nobody needs to be told any more what did not.
    if (s.note !== null && s.note.id < sent.id) s.note = null;
    if (sent.what === "turn") s.marked = s.marked.filter((key) => sent.rest.includes(key));
    if (sent.what === "rules") s.rulesTrouble = null;
    const [following, ...rest] = sent.rest;
    if (following !== undefined) {
      const form = s.table?.may.plays.get(cardOf(following));
      const needs = form?.colour ?? face(cardOf(following)).colour === null;
      draft.act(writePlay(cardOf(following), needs ? (sent.colour ?? "r") : null, null), "turn", {
        rest,
        inRun: true,
        colour: sent.colour,
      });
    }
    return;
  }
  const code = answer.code ?? "bad_move";
  if (sent.what === "rules") {
    s.rulesTrouble = { field: answer.field ?? "" };
    draft.refuse(code, { field: answer.field ?? "" });
    return;
  }
  if (sent.what === "claim" && code === "not_allowed") {
    draft.note("enter.claim.no", {}, code);
    return;
  }
  if (sent.what === "turn") s.marked = [];
  if (sent.what === "catch" && code === "not_exposed") s.catchFrom = draft.now + CATCH_MS;
  if (sent.what === "turn" && sent.inRun && isCut(code)) {
    const turn = s.happening.at(-1)?.event.seat;
    const n = sent.rest.length + 1;
    if (s.table !== null && turn !== undefined && turn !== s.table.you) draft.note("run.cut", { name: nameOf(s.table, turn), n }, code);
    else draft.note("run.cut.plain", { n }, code);
    return;
  }
  draft.refuse(code, { field: answer.field ?? "", n: s.table?.pending ?? 0, code });
}

const isCut = (code: string): boolean => ["too_late", "not_your_turn", "stale", "must_answer"].includes(code);

/** Seats I could catch now, as the table says. */
export function catchable(table: Table): number[] {
  return table.exposed.filter((seat) => seat !== table.you);
}

/** Why a card that is dimmed does not go, as far as the view tells: a code of the table's own. */
export function whyNot(table: Table): { code: string; params: Params } {
  if (table.paused.length > 0) return { code: "paused", params: {} };
  if (table.phase !== "round") return { code: "round_over", params: {} };
  if (!table.mine) return { code: "not_your_turn", params: {} };
  if (table.wait === "drawn") return { code: "only_drawn_card", params: {} };
  if (table.wait === "answer") return { code: "must_answer", params: { n: table.pending } };
  if (table.wait === "colour") return { code: "choose_colour", params: {} };
  if (table.hand.length === 1 && table.set.finish === "number") return { code: "not_last_card", params: {} };
  return { code: "no_match", params: {} };
}

/** With runs or twins on, may `card` be lined up behind `last`? The table decides in the end. */
function follows(table: Table, last: string, card: string): boolean {
  if (table.set.twins === true && last === card) return true;
  const runs = table.set.runs;
  if (runs !== "rank" && runs !== "rank_or_sequence") return false;
  const a = face(last);
  const b = face(card);
  if (a.rank === b.rank) return true;
  return runs === "rank_or_sequence" && a.colour === b.colour && Number(b.rank) === Number(a.rank) + 1;
}

function tapped(draft: Draft, tap: Tap): void {
  const { s } = draft;
  const table = s.table;
  switch (tap.on) {
    case "sheet":
      s.sheet = tap.sheet;
      if (tap.sheet !== null) s.note = null;
      return;
    case "naming":
      if (isAboutName(s.note)) s.note = null;
      return;
    case "prefs":
      s.prefs = { ...s.prefs, ...tap.change };
      draft.effects.push({ do: "save", prefs: s.prefs });
      return;
    case "sit": {
      const name = tap.name.trim();
      if (name === "") return draft.refuse("name_empty");
      // So long that the table would not even read the message.
      if (name.length > 1000) return draft.refuse("name_long");
      if (s.sent.some((each) => each.what === "sit")) return;
      s.prefs = { ...s.prefs, name };
      draft.effects.push({ do: "save", prefs: s.prefs });
      draft.send({ t: "sit", name }, "sit");
      return;
    }
    case "urge":
      draft.send({ t: "urge", seat: tap.seat });
      return;
    case "claim":
      s.claiming = tap.seat;
      draft.send({ t: "claim", seat: tap.seat }, "claim");
      return;
    case "known":
      s.known = null;
      if (tap.yes) {
        s.returning = true;
        draft.effects.push({ do: "dial", key: "device" });
      } else draft.effects.push({ do: "forget" });
      return;
    case "again": {
      const tab = s.closed === "replaced";
      s.closed = null;
      s.returning = tab;
      draft.effects.push({ do: "dial", key: tab ? "tab" : "none" });
      return;
    }
    case "leave":
      s.sheet = null;
      draft.send({ t: "leave" });
      return;
    case "host":
      draft.send(
        {
          t: "host",
          do: tap.do,
          ...(tap.seat === undefined ? {} : { seat: tap.seat }),
          ...(tap.value === undefined ? {} : { value: tap.value }),
        },
        ["rules", "custom", "agreed"].includes(tap.do) ? "rules" : "other",
      );
      return;
    case "vote":
      s.sheet = null;
      draft.send({ t: "vote", value: tap.value });
      return;
  }
  if (table === null) return;
  const may = table.may;
  switch (tap.on) {
    case "card":
      return tappedCard(draft, table, tap.key);
    case "fling": {
      const held = table.hand.find((each) => each.key === tap.key);
      if (held === undefined || isBusy(s)) return;
      if (!alive(table, held)) return tellWhy(draft, table);
      if (!s.marked.includes(tap.key)) s.marked = [tap.key];
      return play(draft, table, s.marked);
    }
    case "play":
      if (s.marked.length > 0) play(draft, table, s.marked);
      return;
    case "draw":
      if (isBusy(s)) return;
      if (may.draw) return draft.act("draw", "turn");
      if (may.accept) return draft.act("accept", "turn");
      return tellWhy(draft, table);
    case "pass":
      if (isBusy(s)) return;
      if (may.pass) return draft.act("pass", "turn");
      return draft.refuse(table.mine ? "nothing_drawn" : whyNot(table).code);
    case "accept":
    case "challenge":
      if (!isBusy(s) && may[tap.on]) draft.act(tap.on, "turn");
      return;
    case "uno":
      if (s.sent.some((each) => each.what === "call")) return;
      if (may.uno) return draft.act("uno", "call");
      return draft.refuse(table.paused.length > 0 ? "paused" : "cannot_call");
    case "catch": {
      if (draft.now < s.catchFrom || s.sent.some((each) => each.what === "catch")) return;
      const seats = catchable(table);
      if (tap.seat !== undefined) {
        s.ask = null;
        return draft.act(`catch ${tap.seat}`, "catch");
      }
      if (seats.length === 1) return draft.act(`catch ${seats[0]}`, "catch");
      if (seats.length > 1) {
        s.ask = { now: "catch", keys: [], colour: null, player: null };
        return;
      }
      s.catchFrom = draft.now + CATCH_MS;
      draft.effects.push({ do: "after", ms: CATCH_MS, input: { k: "note over", id: 0 } });
      return draft.refuse("not_exposed");
    }
    case "seen":
      s.seen = true;
      return;
    case "colour":
      if (s.ask?.now === "colour") {
        const ask = { ...s.ask, colour: tap.colour };
        s.ask = null;
        return proceed(draft, table, ask);
      }
      if (may.colour && !isBusy(s)) draft.act(`colour ${tap.colour}`, "turn");
      return;
    case "player":
      if (s.ask?.now === "catch") {
        s.ask = null;
        return draft.act(`catch ${tap.seat}`, "catch");
      }
      if (s.ask?.now === "player") {
        const ask = { ...s.ask, player: tap.seat };
        s.ask = null;
        return proceed(draft, table, ask);
      }
      return;
    case "cancel":
      if (s.ask !== null) s.ask = null;
      else s.marked = [];
      return;
  }
}

function tellWhy(draft: Draft, table: Table): void {
  const { code, params } = whyNot(table);
  draft.refuse(code, params);
}

function tappedCard(draft: Draft, table: Table, key: string): void {
  const { s } = draft;
  const held = table.hand.find((each) => each.key === key);
  if (held === undefined || isBusy(s)) return;
  if (s.marked.includes(key)) {
    if (s.marked.at(-1) === key || s.marked.length === 1) return play(draft, table, s.marked);
    s.marked = s.marked.slice(0, s.marked.indexOf(key) + 1);
    return;
  }
  const last = s.marked.at(-1);
  if (last !== undefined && follows(table, cardOf(last), held.card)) {
    s.marked = [...s.marked, key];
    s.ask = null;
    return;
  }
  if (!alive(table, held)) return tellWhy(draft, table);
  s.ask = null;
  s.marked = [key];
  const lonely = !table.hand.some((each) => each.key !== key && follows(table, held.card, each.card));
  if (s.prefs.oneTap && lonely) play(draft, table, s.marked);
}

function play(draft: Draft, table: Table, keys: readonly string[]): void {
  if (isBusy(draft.s)) return;
  proceed(draft, table, { now: "colour", keys: [...keys], colour: null, player: null });
}

/** Sends the play, or asks for the next thing it needs. */
function proceed(draft: Draft, table: Table, ask: Ask): void {
  const { s } = draft;
  const [first, ...rest] = ask.keys;
  if (first === undefined) return;
  const form = table.may.plays.get(cardOf(first));
  if (form === undefined) return tellWhy(draft, table);
  if (form.player && ask.player === null) {
    if (table.targets.length === 1) ask = { ...ask, player: table.targets[0]! };
    else {
      s.ask = { ...ask, now: "player" };
      return;
    }
  }
  if (form.colour && ask.colour === null) {
    s.ask = { ...ask, now: "colour" };
    return;
  }
  draft.act(writePlay(cardOf(first), form.colour ? ask.colour : null, form.player ? ask.player : null), "turn", {
    rest,
    colour: ask.colour,
  });
}
