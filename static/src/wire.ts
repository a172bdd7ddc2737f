// What crosses between this page and the table: docs/protocol.md as types, and nothing else.
// Written by `python -m penultima.wire.typescript` from the models in src/penultima/wire: change
// them, then run it again.

export type Colour = "r" | "y" | "g" | "b";
export type Phase = "lobby" | "round" | "between" | "over";
export type Wait = "free" | "drawn" | "answer" | "colour" | "over";
export type Presence = "away" | "hidden" | "standin" | "out" | "eliminated" | "gone" | "next";
export type Level = "easy" | "normal" | "hard" | "random";

/** Answers `hello`. `n` is the newest number that the table has from this sender. */
export interface Welcome {
  t: "welcome";
  v: number;
  conn: number;
  seat: number | null;
  host?: boolean;
  n: number;
  link?: string;
}

/** Answers `sit`, or a `claim` that was approved. The key gives the seat back. */
export interface Seated {
  t: "seated";
  n: number;
  seat: number;
  key: string;
}

/** A Custom card (RULES 10.2). */
export interface Custom {
  text: string;
  effect: string;
}

/** One seat, as everybody sees it. */
export interface SeatView {
  name: string;
  cards?: number;
  score?: number;
  bot?: Level;
  state?: Presence;
  left?: number;
  urge?: number;
  called?: boolean;
  claim?: boolean;
  urged?: boolean;
}

/** The challenged hand, to the challenger alone. */
export interface Shown {
  of: number;
  cards: string[];
  guilty?: string[];
}

/** How the last round ended; lists by seat. */
export interface Result {
  winner?: number;
  points?: number;
  gained?: number[];
  hands?: string[][];
  why?: "won" | "blocked" | "void";
}

/** The winner's proposal, while it is open. */
export interface Vote {
  by: number;
  value: string;
  yes?: number[];
  no?: number[];
}

/** Everything one seat may know. Fields with their usual value are left out. */
export interface View {
  phase: Phase;
  title?: string;
  you?: number;
  host?: number;
  locked?: boolean;
  grace?: number;
  fast?: boolean;
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
  value?: string;
  passed?: boolean;
}

/** The whole view at `seq`, and what happened since the last one, for animation only. */
export interface ViewUpdate {
  t: "view";
  seq: number;
  v: View;
  e?: Happened[];
}

/** Trouble of the host's, from outside the game: `disk` (nothing can be kept, so nothing goes on), `resting` (the program ends, the match is kept). The next view ends it. */
export interface Notice {
  t: "notice";
  code: "disk" | "resting";
}

/** The request was carried out. */
export interface Done {
  t: "done";
  n: number;
  seq: number;
}

/** It was not, and nothing changed. `n` is 0 for what could not be read. */
export interface Refused {
  t: "refused";
  n: number;
  code: string;
  field?: string;
}

/** This connection is over. */
export interface Closed {
  t: "closed";
  code: string;
}

export interface Pong {
  t: "pong";
  i: number;
}

/** The table's heartbeat. */
export interface Ping {
  t: "ping";
  i: number;
}

/** A STUN or TURN server, as a browser takes it. */
export interface IceServer {
  urls: string[];
  username?: string;
  credential?: string;
}

/** Which servers may be asked when a data channel is offered. Comes before `welcome` and `seated` where there are any, and anew before its credentials expire. */
export interface Ice {
  t: "ice";
  servers: IceServer[];
}

/** The guests' links to this table, best first: all of them for the host's page, the best alone for the others once it has changed. */
export interface Links {
  t: "links";
  links: string[];
}

/** A data channel's other half. */
export interface Answer {
  t: "answer";
  id: string;
  sdp: string;
}

/** The offer was not taken; the WebSocket carries on. */
export interface NoChannel {
  t: "no_channel";
  id: string;
  code?: string;
}

/** First on a connection. `key` of a session, `host` of the host, `watch` for a screen. */
export interface Hello {
  t: "hello";
  v: number;
  secret: string;
  key?: string;
  host?: string;
  lang?: string;
  watch?: boolean;
}

/** Take a free seat. `id`: random, kept by the page; the same again is the same seat. */
export interface Sit {
  t: "sit";
  n: number;
  name: string;
  id?: string;
}

/** An action in notation, chosen on the view numbered `seq`. */
export interface Act {
  t: "act";
  n: number;
  seq: number;
  a: string;
}

/** One of the host's powers (section 6). */
export interface HostDo {
  t: "host";
  n: number;
  do: string;
  seat?: number;
  value?: unknown;
}

/** A proposal of the round's winner, or `yes` or `no` to one. */
export interface VoteFor {
  t: "vote";
  n: number;
  value: string;
}

/** Give the seat up; its key is no good any more. */
export interface Leave {
  t: "leave";
  n: number;
}

/** Say to be the person of a seat that is away; the host decides. */
export interface Claim {
  t: "claim";
  n: number;
  seat: number;
}

/** Ask the host to decide about a person who has been away for a minute. */
export interface Urge {
  t: "urge";
  n: number;
  seat: number;
}

/** The page went to the background or came back. */
export interface Status {
  t: "status";
  hidden: boolean;
}

/** The page's heartbeat, with the newest `seq` that it holds. */
export interface Beating {
  t: "ping";
  i: number;
  seq: number;
}

/** The answer to the table's heartbeat. */
export interface Heard {
  t: "pong";
  i: number;
}

/** A data channel is offered. */
export interface Offer {
  t: "offer";
  id: string;
  sdp: string;
}

/** One more way to the page's end of a data channel. */
export interface Candidate {
  t: "candidate";
  id: string;
  candidate: string;
  mid: string | null;
}

/** Answers `knock`. One offer may follow, with this `id`; it asks these servers. */
export interface Opened {
  t: "opened";
  id: string;
  ice: IceServer[];
}

/** Answers `knock`: not now (`busy`), or not with this page (`version`). */
export interface Shut {
  t: "shut";
  code: "busy" | "version";
}

/** Somebody who has the table's link is there. */
export interface Knock {
  t: "knock";
  v: number;
}

/** Somebody at a table. */
export interface Member {
  name: string;
  bot?: boolean;
  state?: Presence;
}

/** A table of the club. `resting`: in the journal until somebody comes; then what is said of it may be older. */
export interface ClubTable {
  code: string;
  title: string;
  phase?: Phase;
  round?: number;
  players: Member[];
  resting?: boolean;
  guests: string;
  host: string;
}

/** All tables, whenever something is different. `most`: how many may be at work at a time. */
export interface Club {
  t: "club";
  node: string;
  most: number;
  working: number;
  tables: ClubTable[];
}

/** The table is there; the next list has it too. */
export interface TableOpened {
  t: "opened";
  n: number;
  table: ClubTable;
}

/** The table is closed. */
export interface TableEnded {
  t: "ended";
  n: number;
  code: string;
}

/** First on a connection: the club's key. */
export interface ClubHello {
  t: "hello";
  v: number;
  key: string;
}

/** A new table. `rules` in notation. */
export interface OpenTable {
  t: "open";
  n: number;
  title: string;
  rules: string;
}

/** Close a table for good: its link leads nowhere any more. */
export interface CloseTable {
  t: "close";
  n: number;
  code: string;
}

export type FromTable =
  | Welcome
  | Seated
  | ViewUpdate
  | Notice
  | Done
  | Refused
  | Closed
  | Pong
  | Ping
  | Ice
  | Links
  | Answer
  | NoChannel;

type Unnumbered<T> = T extends unknown ? Omit<T, "n"> : never;

/** Requests that change something; the session numbers them. */
export type Request = Unnumbered<Sit | Act | HostDo | VoteFor | Leave | Claim | Urge>;

export type FromPage =
  | Hello
  | (Request & { n: number })
  | Status
  | Beating
  | Heard
  | Offer
  | Candidate;

export type ToGuest =
  | Opened
  | Shut
  | Answer
  | NoChannel;

export type FromGuest =
  | Knock
  | Offer
  | Candidate;

export type FromClub =
  | Club
  | TableOpened
  | TableEnded
  | Refused
  | Closed
  | Ping
  | Pong;

export type FromClubPage =
  | ClubHello
  | OpenTable
  | CloseTable
  | Beating
  | Heard;
