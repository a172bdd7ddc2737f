// What the page and the practice worker say to each other. The game itself speaks the protocol of
// every other channel (docs/protocol.md), inside `text`.

export interface File {
  /** Relative to the built scripts. */
  name: string;
  /** As it is unpacked, and as it travels. */
  bytes: number;
  travels: number;
  /** SHA-256 of what it holds, in Base64. */
  sum: string;
}

export type Files = Record<"python.js" | "python.wasm" | "python.zip" | "penultima.zip", File>;

export interface Wish {
  name: string;
  bots: string[];
  /** In notation: `classic stacking=same`. */
  rules: string;
  fast: boolean;
}

export type ToWorker =
  | { do: "boot"; files: Files; info: object; base: string }
  | { do: "begin"; wish: Wish; keep: boolean }
  | { do: "resume" }
  | { do: "open" }
  | { do: "text"; text: string }
  /** Time stands still: a menu is open, or the page is hidden. */
  | { do: "freeze"; on: boolean }
  | { do: "keep"; on: boolean }
  /** Is it still there? */
  | { do: "echo" }
  | { do: "forget" };

export type Failure = "files" | "forbidden" | "start" | "broken";

export type FromWorker =
  /** Bytes that travelled, of all that must; nothing is said when all is on the device already. */
  | { say: "loading"; bytes: number; of: number }
  | { say: "loaded" }
  /** `remembered`: out of Python's memory of an earlier start, which is many times as fast. */
  | { say: "ready"; remembered: boolean }
  | { say: "failed"; why: Failure; text: string }
  | { say: "begun"; key: string }
  /** The device is full, or forbids it, or another table keeps its game there. */
  | { say: "not kept" }
  | { say: "echo" }
  | { say: "trouble"; code: string; field: string | null }
  | { say: "open" }
  | { say: "text"; text: string };
