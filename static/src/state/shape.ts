// What the one state is made of, what may be put in, and what comes out to be done.
import type { Cause, Doing, Step as FarStep } from "../channel/far";
import type { Trouble } from "../device/probe";
import type { Key, Lang, Params } from "../i18n";
import type { Colour, FromTable, Happened, Request, Shown, View } from "../wire";
import type { Sort } from "./cards";
import type { Link } from "./link";
import type { Table } from "./model";
import type { Entry } from "./story";

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
  | "vote"
  | "remove"
  | "take_out";

/** Whom a sheet is about, and the sheet that it came from. */
export interface About {
  seat: number;
  name: string;
  from: Sheet | null;
}

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
  /** What is asked of the table. */
  body: Request;
  /** Cards of a run that are still to follow. */
  rest: string[];
  /** Not the first card of a run. */
  inRun: boolean;
  colour: Colour | null;
  player: number | null;
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
  about: About | null;
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
  /** Until then a finger may still mean the button of the screen before. */
  freshUntil: number;
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
    about: null,
    sent: [],
    note: null,
    rulesTrouble: null,
    look: null,
    seen: false,
    revealed: true,
    catchFrom: 0,
    freshUntil: 0,
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
  | { on: "about"; sheet: "remove" | "take_out"; seat: number }
  | { on: "back" }
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
  | { k: "link"; link: Link; known: string | null; returning: boolean; ask?: Ask | null; log?: Entry[] }
  | { k: "note over"; id: number }
  | { k: "lots over" }
  | { k: "reveal"; seq: number };

export type Effect =
  | { do: "request"; id: number; body: Request }
  | { do: "dial"; key: "tab" | "device" | "none" }
  | { do: "keep"; seat: number; key: string }
  | { do: "named"; name: string }
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

/** A catch of nobody costs as long without the button. */
export const CATCH_MS = 2000;

/** Is a turn action of mine on its way? Then nothing else may follow it. */
export const isBusy = (state: State): boolean => state.sent.some((each) => each.what === "turn");

/** Whether nobody is asked for a name yet: the seat may come with the first answer of the table. */
export const isReturning = (state: State): boolean =>
  state.table === null &&
  (state.returning || state.seat !== null || (state.known !== null && state.link?.hostKey != null && !state.welcomed));

/** Whether the table of a round is on the screen: until the last card has been looked at. */
export const isPlaying = ({ closed, link, revealed, seat, table }: State): boolean =>
  table !== null && seat !== null && link !== null && closed === null && table.phase !== "lobby" && (table.phase === "round" || !revealed);

/** Something is open, or a round is on: a back button pressed by mistake should not lose that. */
export const isHeld = (state: State): boolean => {
  if (state.closed !== null || state.seat === null || state.note?.key === "back.again") return false;
  return state.sheet !== null || state.ask !== null || state.table?.phase === "round";
};

/** To be read until something else is done about it, however long that takes. */
export const stays = (note: Note | null): boolean => isAboutName(note) || note?.key === "enter.gone";

export const isAboutName = (note: Note | null): boolean => note?.code?.startsWith("name_") ?? false;
