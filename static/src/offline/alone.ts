// The practice table, seen from the page: its worker, how far it has come, and the channel over
// which the same client plays as with a host.
import { computed, effect, signal } from "@preact/signals";
import { FILES, INFO } from "virtual:practice-files";
import type { Channel, Listener } from "../channel/channel";
import { playAlone, state } from "../store";
import { mend } from "./files";
import { HASH, keeping, practice, unkept } from "./gate";
import * as kept from "./kept";
import { MEMORY } from "./memory";
import { Patience } from "./patience";
import type { Failure, FromWorker, ToWorker, Wish } from "./talk";

export type Boot =
  | { at: "off" }
  | { at: "loading"; bytes: number; of: number }
  | { at: "starting" }
  | { at: "ready"; remembered: boolean }
  | { at: "failed"; why: Failure };

export const boot = signal<Boot>({ at: "off" });
/** What is wrong with the options, in the table's own codes. */
export const trouble = signal<{ code: string; field: string | null } | null>(null);
/** The interrupted game that can be continued. */
export const interrupted = signal<kept.About | null>(null);
/** A game was played to its end since the page was opened. */
export const finished = signal(false);

/** A download that brings nothing for so long has stalled. */
const STALLED_S = 30;
/** A slow phone takes 4 s to start Python. One that takes this long never will. */
const START_S = 45;
/** A table that says nothing for so long is stuck, or the device has let its worker die without a word. */
const MUTE_S = 20;

const BASE = new URL(".", import.meta.url).href;

let worker: Worker | null = null;
const patience = new Patience();
/** Who listens, and who will from the moment that the worker has opened the new way. */
let listener: Listener | null = null;
let coming: Listener | null = null;
/** What is to be done as soon as the worker is ready. */
let next: (() => void) | null = null;

function tell(message: ToWorker): void {
  worker?.postMessage(message);
}

function fail(why: Failure, text: string): void {
  console.warn(`practice: ${why}: ${text}`);
  stop();
  boot.value = { at: "failed", why };
  // Whatever it was, the next start shall not be out of the same memory, nor of files that a device
  // has spoilt.
  if (why === "start") {
    if ("caches" in globalThis) void caches.delete(MEMORY).catch(() => {});
    void mend(FILES, BASE).then((spoilt) => {
      const now = boot.value;
      if (spoilt && now.at === "failed" && now.why === why) boot.value = { at: "failed", why: "files" };
    });
  }
  // A table behind which nobody is any more would never say so.
  if (practice.value === "table") leave();
}

function expect(seconds: number, why: Failure): void {
  patience.wait(seconds, () => fail(why, `nothing for ${seconds} s`));
}

/** Tells the table something, and expects a sign of life. */
function ask(message: ToWorker): void {
  tell(message);
  if (boot.value.at !== "ready" || patience.isWaiting) return;
  tell({ do: "echo" });
  expect(MUTE_S, "broken");
}

/** Fetches and starts Python, unless that is done or on its way. */
export function start(): void {
  if (worker !== null) return;
  boot.value = { at: "starting" };
  let mine: Worker;
  try {
    mine = new Worker(new URL("./practice.worker.ts", import.meta.url), { type: "module", name: "practice" });
  } catch (error) {
    // A browser without, or one that forbids it. Not at once: who asked is to see that it was tried.
    setTimeout(() => fail("start", String(error)), 0);
    return;
  }
  worker = mine;
  mine.onmessage = (event: MessageEvent<FromWorker>) => {
    if (worker === mine) hear(event.data);
  };
  mine.onerror = (event) => {
    if (worker === mine) fail(boot.value.at === "ready" ? "broken" : "files", event.message);
  };
  expect(STALLED_S, "files");
  const message: ToWorker = { do: "boot", files: FILES, info: INFO, base: BASE };
  tell(message);
  tell({ do: "freeze", on: frozen.value });
}

/** Ends the worker and whatever was played in it. */
export function stop(): void {
  patience.end();
  worker?.terminate();
  worker = null;
  listener = coming = null;
  next = null;
  boot.value = { at: "off" };
}

function hear(message: FromWorker): void {
  if (boot.value.at === "ready") patience.end();
  switch (message.say) {
    case "loading":
      boot.value = { at: "loading", bytes: message.bytes, of: message.of };
      expect(STALLED_S, "files");
      return;
    case "loaded":
      boot.value = { at: "starting" };
      expect(START_S, "start");
      return;
    case "ready":
      patience.end();
      boot.value = { at: "ready", remembered: message.remembered };
      next?.();
      next = null;
      return;
    case "failed":
      fail(message.why, message.text);
      return;
    case "not kept":
      keeping.value = false;
      unkept.value = true;
      return;
    case "trouble":
      trouble.value = { code: message.code, field: message.field };
      void kept.about().then((about) => (interrupted.value = about));
      return;
    case "begun":
      trouble.value = null;
      practice.value = "table";
      playAlone({ key: message.key, open });
      return;
    case "open":
      listener = coming;
      coming = null;
      listener?.open();
      return;
    case "text":
      listener?.text(message.text);
      return;
    case "echo":
      return;
  }
}

/** A channel like any other; a new one takes the place of the old. */
function open(to: Listener): Channel {
  let closed = false;
  listener = null;
  coming = to;
  ask({ do: "open" });
  return {
    kind: "worker",
    send(text) {
      if (!closed) ask({ do: "text", text });
    },
    close() {
      closed = true;
      if (listener === to) listener = null;
      if (coming === to) coming = null;
    },
  };
}

function whenReady(act: () => void): void {
  start();
  if (boot.value.at === "ready") act();
  else next = act;
}

export function begin(wish: Wish): void {
  trouble.value = null;
  unkept.value = false;
  whenReady(() => ask({ do: "begin", wish, keep: keeping.value }));
}

export function resume(): void {
  keeping.value = true;
  unkept.value = false;
  whenReady(() => ask({ do: "resume" }));
}

/** Back to the options; a kept game stays kept. */
export function leave(): void {
  playAlone(null);
  practice.value = "setup";
  if (location.hash !== HASH) location.hash = HASH;
  void look();
}

/** Away from practising, to the page's first screen. */
export function home(): void {
  stop();
  playAlone(null);
  practice.value = null;
  if (location.hash === HASH) location.hash = "";
}

/** Without it nothing stays on this device, and what is there goes. */
export function keep(on: boolean): void {
  keeping.value = on;
  unkept.value = false;
  if (!on) forget();
}

/** It is offered until it is gone from the device: who reloads at once does not find it again. */
export function forget(): void {
  looks++;
  void kept.forget(null).then(
    () => {
      interrupted.value = null;
    },
    () => {},
  );
}

/** What was read before the newest wish is not true any more. */
let looks = 0;

/** What this device has kept. */
export async function look(): Promise<void> {
  const mine = ++looks;
  const found = await kept.about();
  if (mine !== looks) return;
  interrupted.value = found;
  if (interrupted.value !== null && !unkept.value) keeping.value = true;
}

// Time stands still while nobody can see the table: the page is hidden, a menu lies over it, or the
// player has gone back to the options.
const hidden = signal(document.hidden);
document.addEventListener("visibilitychange", () => {
  hidden.value = document.hidden;
});
const frozen = computed(() => {
  const { sheet, table } = state.value;
  return practice.value !== "table" || hidden.value || (sheet !== null && table?.phase === "round");
});
effect(() => tell({ do: "freeze", on: frozen.value }));

// A game that is over is not an interrupted one; the next one at the same table is. Away from the
// table nothing changes: what has been left stays as it was.
const phase = computed(() => (practice.value === "table" ? (state.value.table?.phase ?? null) : null));
effect(() => {
  if (phase.value === "over") finished.value = true;
  if (phase.value !== null) tell({ do: "keep", on: keeping.value && phase.value !== "over" });
});
