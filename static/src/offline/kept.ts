// The interrupted game on this device: the records of its table, in the order they were made.
// Nothing is written unless the player has asked for it.

const NAME = "penultima";
const RECORDS = "records";
const ABOUT = "about";

export interface About {
  key: string;
  at: number;
  bots: number;
  rules: string;
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
    return opened;
  });
}

const connected = (): Promise<IDBDatabase> =>
  (base ??= open().catch((error: unknown) => {
    base = null;
    throw error;
  }));

/** A transaction over both; resolves when it is on the disk. */
async function change(work: (records: IDBObjectStore, about: IDBObjectStore) => void): Promise<void> {
  const transaction = (await connected()).transaction([RECORDS, ABOUT], "readwrite");
  const written = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = transaction.onabort = () => reject(transaction.error ?? new Error("storage"));
  });
  work(transaction.objectStore(RECORDS), transaction.objectStore(ABOUT));
  transaction.commit();
  await written;
}

export const begin = (about: About, lines: readonly string[]): Promise<void> =>
  change((records, place) => {
    records.clear();
    for (const line of lines) records.add(line);
    place.put(about, "game");
  });

export const add = (lines: readonly string[]): Promise<void> =>
  change((records) => {
    for (const line of lines) records.add(line);
  });

export const forget = (): Promise<void> =>
  change((records, place) => {
    records.clear();
    place.clear();
  });

/** What there is to continue, `null` when there is nothing or storage is forbidden. */
export async function about(): Promise<About | null> {
  try {
    // Asking must not create it: by default nothing is left behind.
    if (indexedDB.databases !== undefined) {
      const all = await indexedDB.databases();
      if (!all.some((each) => each.name === NAME)) return null;
    }
    const store = (await connected()).transaction(ABOUT).objectStore(ABOUT);
    const found: unknown = await done(store.get("game"));
    return (found as About | undefined) ?? null;
  } catch {
    return null;
  }
}

export async function lines(): Promise<string[]> {
  const store = (await connected()).transaction(RECORDS).objectStore(RECORDS);
  return (await done(store.getAll())) as string[];
}
