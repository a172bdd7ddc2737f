// The interrupted game on this device: the records of its table, in the order they were made.
// Nothing is written unless the player has asked for it. A device that does not answer is one that refuses:
// nobody waits for it for ever.
import { within } from "./patience";

/** For a memory that is slow, or asleep. */
const ANSWER_S = 5;

const NAME = "penultima";
const RECORDS = "records";
const ABOUT = "about";

export interface About {
  key: string;
  at: number;
  bots: number;
  rules: string;
  /** Who writes it. There is one kept game on a device, and there may be two tables open. */
  owner: string;
}

/** What is there may be of another version, or of anybody's making. */
function isAbout(value: unknown): value is About {
  const { key, bots } = (value ?? {}) as Partial<Record<keyof About, unknown>>;
  return typeof key === "string" && Number.isInteger(bots) && Number(bots) >= 1 && Number(bots) <= 3;
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("storage"));
  });
}

let base: Promise<IDBDatabase> | null = null;

/** One connection for as long as this page or worker lives: a move is not to wait for another. */
function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(RECORDS, { autoIncrement: true });
    request.result.createObjectStore(ABOUT);
  };
  return done(request).then((opened) => {
    opened.onclose = () => {
      base = null;
    };
    // Another page deletes it, or makes a newer one of it.
    opened.onversionchange = () => {
      opened.close();
      base = null;
    };
    return opened;
  });
}

const connected = (): Promise<IDBDatabase> =>
  (base ??= open().catch((error: unknown) => {
    base = null;
    throw error;
  }));

type Work = (records: IDBObjectStore, about: IDBObjectStore, commit: () => void) => void;

/** A transaction over both; resolves when it is on the disk. */
const change = (work: Work): Promise<void> => within(ANSWER_S, changed(work));

async function changed(work: Work): Promise<void> {
  const transaction = (await connected()).transaction([RECORDS, ABOUT], "readwrite");
  const written = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = transaction.onabort = () => reject(transaction.error ?? new Error("storage"));
  });
  work(transaction.objectStore(RECORDS), transaction.objectStore(ABOUT), () => transaction.commit());
  await written;
}

/** In place of whatever was kept before, and whoever wrote it. */
export const begin = (about: About, lines: readonly string[]): Promise<void> =>
  change((records, place, commit) => {
    records.clear();
    for (const line of lines) records.add(line);
    place.put(about, "game");
    commit();
  });

/** Writes on. Rejects when it is another table's game by now: two in one would be neither. */
export const add = (owner: string, lines: readonly string[]): Promise<void> =>
  change((records, place, commit) =>
    whose(place, (found) => {
      if (found !== owner) return place.transaction.abort();
      for (const line of lines) records.add(line);
      commit();
    }),
  );

/** Deletes it: the owner's own only, or (`null`) whatever there is. */
export const forget = (owner: string | null): Promise<void> =>
  change((records, place, commit) =>
    whose(place, (found) => {
      if (owner === null || found === owner) {
        records.clear();
        place.clear();
      }
      commit();
    }),
  );

function whose(place: IDBObjectStore, act: (owner: unknown) => void): void {
  const request: IDBRequest<Partial<About> | undefined> = place.get("game");
  request.onsuccess = () => act(request.result?.owner);
}

/** What there is to continue, `null` when there is nothing or storage is forbidden. */
export const about = (): Promise<About | null> => within(ANSWER_S, found()).catch(() => null);

async function found(): Promise<About | null> {
  // Asking must not create it: by default nothing is left behind.
  if (indexedDB.databases !== undefined) {
    const all = await indexedDB.databases();
    if (!all.some((each) => each.name === NAME)) return null;
  }
  const store = (await connected()).transaction(ABOUT).objectStore(ABOUT);
  const game: unknown = await done(store.get("game"));
  return isAbout(game) ? game : null;
}

export const lines = (): Promise<string[]> => within(ANSWER_S, records());

async function records(): Promise<string[]> {
  const store = (await connected()).transaction(RECORDS).objectStore(RECORDS);
  return (await done(store.getAll())) as string[];
}
