// The club's page and its club: one socket, dialled again for as long as the page is open. What is
// known of the club is one signal; nothing here draws.
import { signal } from "@preact/signals";
import type { Club, ClubTable, FromClub } from "../wire";

const FRAGMENT = /^#([a-z])\.([a-z2-9]{24})$/;
const BEAT_MS = 5000;
const DEAD_MS = 12_000;
const AGAIN_MS = [500, 1000, 2000, 4000, 8000];

export type Line = "wait" | "open" | "lost" | "bad" | "many";
export interface Answer {
  ok: boolean;
  /** Of the table that was opened or closed, or of the refusal. */
  code: string;
}

/** How the line to the club is. */
export const line = signal<Line>("wait");
/** The newest list; `null` before the first. */
export const club = signal<Club | null>(null);

export interface Key {
  node: string;
  key: string;
}

export function readKey(fragment: string): Key | null {
  const parts = FRAGMENT.exec(fragment);
  return parts === null ? null : { node: parts[1]!, key: parts[2]! };
}

let socket: WebSocket | null = null;
let tries = 0;
let number = 0;
let over = false;
const waiting = new Map<number, (answer: Answer) => void>();

export function dial(me: Key): void {
  const address = new URL(`ws/${me.node}.club`, document.baseURI);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.hash = "";
  const mine = new WebSocket(address);
  socket = mine;
  let heard = performance.now();
  const beat = setInterval(() => {
    if (performance.now() - heard > DEAD_MS) down();
    else if (mine.readyState === WebSocket.OPEN) mine.send(JSON.stringify({ t: "ping", i: 0, seq: -1 }));
  }, BEAT_MS);

  function down(): void {
    if (socket !== mine) return;
    socket = null;
    clearInterval(beat);
    mine.close();
    // What was asked may have been done: the next list says so.
    for (const answer of waiting.values()) answer({ ok: false, code: "other" });
    waiting.clear();
    if (over) return;
    line.value = "lost";
    setTimeout(() => dial(me), AGAIN_MS[Math.min(tries++, AGAIN_MS.length - 1)]! * (0.75 + Math.random() / 2));
  }

  mine.onopen = () => mine.send(JSON.stringify({ t: "hello", v: 1, key: me.key }));
  mine.onclose = down;
  mine.onerror = down;
  mine.onmessage = (event: MessageEvent<unknown>) => {
    heard = performance.now();
    if (typeof event.data === "string") take(JSON.parse(event.data) as FromClub);
  };
}

function take(message: FromClub): void {
  switch (message.t) {
    case "club":
      club.value = message;
      line.value = "open";
      tries = 0;
      break;
    // The next list says it too, but in a large club that may take a moment.
    case "opened":
      listed(message.table.code, [message.table]);
      settle(message.n, { ok: true, code: message.table.code });
      break;
    case "ended":
      listed(message.code, []);
      settle(message.n, { ok: true, code: message.code });
      break;
    case "refused":
      settle(message.n, { ok: false, code: message.code });
      break;
    case "closed":
      // A good key is never turned away for good; a club that ends says nothing and is dialled again.
      over = true;
      line.value = message.code === "too_many" ? "many" : "bad";
      break;
  }
}

/** The list with this instead of that table. */
function listed(code: string, instead: ClubTable[]): void {
  const told = club.value;
  if (told !== null) club.value = { ...told, tables: [...instead, ...told.tables.filter((each) => each.code !== code)] };
}

function settle(n: number, answer: Answer): void {
  waiting.get(n)?.(answer);
  waiting.delete(n);
}

function ask(body: { t: "open"; title: string; rules: string } | { t: "close"; code: string }): Promise<Answer> {
  const open = socket;
  if (open === null || open.readyState !== WebSocket.OPEN) return Promise.resolve({ ok: false, code: "other" });
  const n = ++number;
  return new Promise((answer) => {
    waiting.set(n, answer);
    open.send(JSON.stringify({ ...body, n }));
  });
}

export const openTable = (title: string, rules: string): Promise<Answer> => ask({ t: "open", title, rules });
export const closeTable = (code: string): Promise<Answer> => ask({ t: "close", code });
