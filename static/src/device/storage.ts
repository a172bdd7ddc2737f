// What this device remembers: preferences, and per table the key that gives a seat back. Storage
// may be forbidden or full; then nothing is remembered and all else works.
import { isLang } from "../i18n";
import { type Ask, PREFS, type Prefs } from "../state/shape";
import type { Entry } from "../state/story";

const KEEP_MS = 24 * 3600 * 1000;
const LOG_KEPT = 120;

export interface SavedSeat {
  key: string;
  name: string;
}

function read(store: () => Storage, name: string): string | null {
  try {
    return store().getItem(name);
  } catch {
    return null;
  }
}

function write(store: () => Storage, name: string, value: string | null): void {
  try {
    if (value === null) store().removeItem(name);
    else store().setItem(name, value);
  } catch {
    // See above.
  }
}

const tab = (): Storage => window.sessionStorage;
const device = (): Storage => window.localStorage;

export function loadPrefs(): Prefs {
  try {
    const saved = JSON.parse(read(device, "penultima.prefs") ?? "{}") as Partial<Prefs>;
    const prefs = { ...PREFS, ...saved };
    if (prefs.lang !== null && !isLang(prefs.lang)) prefs.lang = null;
    return prefs;
  } catch {
    return PREFS;
  }
}

export function savePrefs(prefs: Prefs): void {
  write(device, "penultima.prefs", JSON.stringify(prefs));
}

export function keepSeat(code: string, seat: SavedSeat): void {
  write(tab, `penultima.key.${code}`, seat.key);
  write(device, `penultima.seat.${code}`, JSON.stringify({ ...seat, until: Date.now() + KEEP_MS }));
}

/** The seat that is kept, if any, is called so. */
export function nameSeat(code: string, name: string): void {
  const kept = deviceSeat(code);
  if (kept !== null) write(device, `penultima.seat.${code}`, JSON.stringify({ ...kept, name }));
}

export function forgetSeat(code: string): void {
  write(tab, `penultima.key.${code}`, null);
  write(tab, `penultima.id.${code}`, null);
  write(tab, `penultima.log.${code}`, null);
  write(device, `penultima.seat.${code}`, null);
}

const random = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(36).padStart(2, "0")).join("");

/** Where nothing can be kept, at least this page is always the same. */
const unkept = random();

/** Sitting down twice, because the first answer was lost, is sitting down once: also after a reload. */
export function tabId(code: string): string {
  const name = `penultima.id.${code}`;
  if (read(tab, name) === null) write(tab, name, random());
  return read(tab, name) ?? unkept;
}

/** The question that a card has opened, so that a reload asks it again. */
export function keepAsk(code: string, ask: Ask | null): void {
  write(tab, `penultima.ask.${code}`, ask === null ? null : JSON.stringify(ask));
}

export function tabAsk(code: string): Ask | null {
  try {
    return JSON.parse(read(tab, `penultima.ask.${code}`) ?? "null") as Ask | null;
  } catch {
    return null;
  }
}

/** What happened, as far as this page has seen it, so that a reload goes on with it. */
export function keepLog(code: string, log: Entry[]): void {
  write(tab, `penultima.log.${code}`, JSON.stringify(log.slice(-LOG_KEPT)));
}

export function tabLog(code: string): Entry[] {
  try {
    const kept = JSON.parse(read(tab, `penultima.log.${code}`) ?? "[]") as Entry[];
    // An older page may have written it.
    return kept.filter((each) => typeof each.event.e === "string" && typeof each.names === "object" && Number.isInteger(each.id));
  } catch {
    return [];
  }
}

export const tabKey = (code: string): string | null => read(tab, `penultima.key.${code}`);

export function deviceSeat(code: string): SavedSeat | null {
  try {
    const saved = JSON.parse(read(device, `penultima.seat.${code}`) ?? "null") as
      | (SavedSeat & { until: number })
      | null;
    if (saved === null || saved.until < Date.now() || typeof saved.key !== "string") return null;
    return { key: saved.key, name: saved.name };
  } catch {
    return null;
  }
}
