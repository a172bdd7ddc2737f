// Registers the service worker, late enough not to be in anybody's way, and says when a new
// version waits. It takes over when the player says so, never in the middle of a game.
import { effect, signal } from "@preact/signals";
import { practice } from "../offline/gate";
import { state } from "../store";

/** A new version is on the device, and waits. */
export const waiting = signal<ServiceWorker | null>(null);

/** The player wanted the new version while a round is on in another page. */
export const elsewhere = signal(false);

/** Another page has let the new version take over: this one is from before. */
const stale = signal(false);

/** Held by every page in which a round is on. Not every browser of the last years has locks. */
const ROUND = "penultima-round";
const locks = (navigator as { locks?: LockManager }).locks;

/** On the way into a table nothing else is to be loaded. */
const LATE_MS = 15_000;
const SOON_MS = 1_000;
const AGAIN_MS = 3_600_000;
const MISSED_MS = 60_000;
const AHEAD_MS = 4 * MISSED_MS;

export const canInstall = (): boolean => isSecureContext && "serviceWorker" in navigator;

/** Whether a reload now would cost the player nothing. */
export function isCalm(): boolean {
  const { table } = state.value;
  if (table === null) return true;
  if (practice.value !== null) return table.phase !== "round" && table.phase !== "between";
  return table.phase !== "round";
}

export function register(): void {
  if (!canInstall() || import.meta.env.DEV) return;
  const wait = state.value.link === null ? SOON_MS : LATE_MS;
  guardRounds();
  const begin = (): void => void setTimeout(() => void install(), wait);
  if (document.readyState === "complete") begin();
  else addEventListener("load", begin, { once: true });
}

/** While a round is on in this page, none of the others lets a new version take over. */
function guardRounds(): void {
  let release: (() => void) | null = null;
  effect(() => {
    const calm = isCalm();
    if (calm === (release === null)) return;
    if (calm) {
      release!();
      release = null;
      return;
    }
    const over = new Promise<void>((resolve) => {
      release = resolve;
    });
    locks?.request(ROUND, { mode: "shared" }, () => over).catch(() => {});
  });
}

async function install(): Promise<void> {
  const controlled = navigator.serviceWorker.controller !== null;
  let claimed = controlled;
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    // The first one takes care of this page; any later one is a new version.
    if (claimed) stale.value = true;
    claimed = true;
  });
  effect(() => {
    if (stale.value && isCalm()) location.reload();
  });
  await ask();
  document.addEventListener("visibilitychange", askIfDue);
  if (state.value.link === null) fetchAhead();
}

let registration: ServiceWorkerRegistration | null = null;
/** The newest that is being installed, as far as this page knows. */
let followed: ServiceWorker | null = null;
/** Installations, or questions for a new version, that came to nothing since one did not. */
let misses = 0;
let due = Infinity;
let timer: ReturnType<typeof setTimeout> | undefined;

/** When it is asked again: after an hour, when somebody comes back to the page; and sooner after it came to
 * nothing. The network may have broken off, or the new version was being put in its place at that very moment. */
function plan(): void {
  clearTimeout(timer);
  const wait = misses === 0 ? AGAIN_MS : Math.min(MISSED_MS * 2 ** (misses - 1), AGAIN_MS);
  due = performance.now() + wait;
  if (misses > 0) timer = setTimeout(askIfDue, wait + 50);
}

/** A page that nobody looks at asks when somebody does. */
function askIfDue(): void {
  if (document.visibilityState === "visible" && performance.now() >= due) void ask();
}

function came(whole: boolean): void {
  misses = whole ? 0 : misses + 1;
  plan();
}

async function ask(): Promise<void> {
  plan();
  try {
    // What never came to be installed is not registered any more.
    if (registration?.active) await registration.update();
    else {
      registration = await navigator.serviceWorker.register(new URL("sw.js", document.baseURI));
      registration.addEventListener("updatefound", follow);
    }
    follow();
    if (registration.installing === null) came(true);
  } catch (error) {
    console.info(`no service worker: ${String(error)}`);
    came(false);
  }
}

function look(): void {
  waiting.value = navigator.serviceWorker.controller === null ? null : (registration?.waiting ?? null);
}

/** What becomes of the version that is being installed, whichever page has asked for it. */
function follow(): void {
  look();
  const worker = registration?.installing ?? null;
  if (worker === null || worker === followed) return;
  followed = worker;
  let whole = false;
  worker.addEventListener("statechange", () => {
    look();
    if (worker.state === "installed") came((whole = true));
    else if (worker.state === "redundant" && !whole) came(false);
  });
}

/** Lets the new version take over, and all pages are loaded again: unless one is in a round. */
export function takeOver(): void {
  const next = waiting.value;
  const go = (lock?: Lock | null): void => {
    elsewhere.value = lock === null;
    if (lock !== null) next?.postMessage({ do: "take over" });
  };
  if (locks === undefined) go();
  else void locks.request(ROUND, { ifAvailable: true }, go);
}

/** Keeps all that the practice table needs on this device. */
export async function keepPractice(): Promise<boolean> {
  if (!canInstall() || import.meta.env.DEV) return false;
  const registration = await navigator.serviceWorker.ready;
  return new Promise((resolve) => {
    const hear = (event: MessageEvent<{ say?: string }>): void => {
      if (event.data.say !== "practice kept" && event.data.say !== "practice not kept") return;
      navigator.serviceWorker.removeEventListener("message", hear);
      resolve(event.data.say === "practice kept");
    };
    navigator.serviceWorker.addEventListener("message", hear);
    registration.active?.postMessage({ do: "keep practice" });
  });
}

/** Who opened the page without a table may want to play alone, later and without a network. */
function fetchAhead(): void {
  const network = (navigator as { connection?: { saveData?: boolean; effectiveType?: string } }).connection;
  if (network?.saveData === true || /2g/.test(network?.effectiveType ?? "")) return;
  // Who has opened it by now is fetching it already. What breaks off is tried again, but not for ever: the
  // device may be full.
  let wait = MISSED_MS;
  const begin = async (): Promise<void> => {
    if (practice.value !== null || (await keepPractice()) || wait > AHEAD_MS) return;
    setTimeout(begin, wait);
    wait *= 2;
  };
  if ("requestIdleCallback" in window) requestIdleCallback(begin, { timeout: 10_000 });
  else setTimeout(begin, 3_000);
}
