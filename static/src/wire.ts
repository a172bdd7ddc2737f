// What crosses between this page and the table: docs/protocol.md as types, and nothing else.

export type Colour = "r" | "y" | "g" | "b";
export type Phase = "lobby" | "round" | "between" | "over";
export type Wait = "free" | "drawn" | "answer" | "colour" | "over";
export type Presence = "away" | "hidden" | "standin" | "out" | "next";
export type Level = "easy" | "normal" | "hard" | "random";

export interface SeatView {
  name: string;
  cards?: number;
  score?: number;
  bot?: string;
  state?: Presence;
  left?: number;
  called?: boolean;
  claim?: boolean;
}

export interface Shown {
  of: number;
  cards: string[];
  guilty?: string[];
}

export interface Result {
  winner?: number;
  points?: number;
  gained?: number[];
  hands?: string[][];
  why?: string;
}

export interface Custom {
  text: string;
  effect: string;
}

export interface Vote {
  by: number;
  value: string;
  yes?: number[];
  no?: number[];
}

/** Section 5: fields with their usual value are left out. */
export interface View {
  phase: Phase;
  title?: string;
  you?: number;
  host?: number;
  locked?: boolean;
  rules?: string;
  custom?: Custom[];
  agreed?: string[];
  seats?: (SeatView | null)[];
  paused?: string[];
  resume?: number;
  round?: number;
  dealer?: number;
  turn?: number;
  wait?: Wait;
  top?: string;
  colour?: Colour;
  dir?: 1 | -1;
  pile?: number;
  discard?: number;
  under?: string[];
  pending?: number;
  opener?: number;
  challengeable?: boolean;
  exposed?: number[];
  hand?: string[];
  drawn?: string;
  legal?: string[];
  targets?: number[];
  shown?: Shown;
  result?: Result;
  winners?: number[];
  vote?: Vote;
}

/** An event of the game or of the table; its fields depend on its kind `e`. */
export interface Happened {
  e: string;
  seat?: number;
  card?: string;
  cards?: string[];
  guilty?: string[];
  colour?: Colour;
  player?: number;
  how?: string;
  count?: number;
  cause?: string;
  owed?: number;
  extra?: number;
  blocked?: boolean;
  direction?: number;
  opener?: number;
  bluff?: boolean;
  of?: number;
  by?: number;
  back?: boolean;
  round?: number;
  dealer?: number;
  size?: number;
  seats?: number[];
  winner?: number;
  hands?: string[][];
  points?: number;
  gained?: number[];
  scores?: number[];
  winners?: number[];
  name?: string;
  value?: unknown;
  code?: string;
}

export type FromTable =
  | {
      t: "welcome";
      v: number;
      conn: number;
      seat: number | null;
      host?: boolean;
      n: number;
      link?: string;
      languages?: string[];
    }
  | { t: "seated"; n: number; seat: number; key: string }
  | { t: "view"; seq: number; v: View; e?: Happened[] }
  | { t: "done"; n: number; seq: number }
  | { t: "refused"; n: number; code: string; field?: string }
  | { t: "closed"; code: string }
  | { t: "pong"; i: number }
  | { t: "ping"; i: number }
  | { t: "answer"; id: string; sdp: string }
  | { t: "no_channel"; id: string; code?: string };

/** Requests that change something; the session numbers them. */
export type Request =
  | { t: "sit"; name: string }
  | { t: "act"; seq: number; a: string }
  | { t: "host"; do: string; seat?: number; value?: unknown }
  | { t: "vote"; value: string }
  | { t: "leave" }
  | { t: "claim"; seat: number };

export type FromPage =
  | {
      t: "hello";
      v: 1;
      secret: string;
      key?: string;
      host?: string;
      lang?: string;
      watch?: boolean;
    }
  | (Request & { n: number })
  | { t: "status"; hidden: boolean }
  | { t: "ping"; i: number; seq: number }
  | { t: "pong"; i: number }
  | { t: "offer"; id: string; sdp: string }
  | { t: "candidate"; id: string; candidate: string; mid: string | null };
