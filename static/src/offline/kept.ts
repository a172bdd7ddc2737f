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

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(RECORDS, { autoIncrement: true });
    request.result.createObjectStore(ABOUT);
  };
  return done(request);
}

/** A transaction over both; resolves when it is on the disk. */
async function change(work: (records: IDBObjectStore, about: IDBObjectStore) => void): Promise<void> {
  const base = await open();
  try {
    const transaction = base.transaction([RECORDS, ABOUT], "readwrite");
    work(transaction.objectStore(RECORDS), transaction.objectStore(ABOUT));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onerror = transaction.onabort = () => reject(transaction.error ?? new Error("storage"));
    });
  } finally {
    base.close();
  }
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
    const base = await open();
    try {
      const found: unknown = await done(base.transaction(ABOUT).objectStore(ABOUT).get("game"));
      return (found as About | undefined) ?? null;
    } finally {
      base.close();
    }
  } catch {
    return null;
  }
}

export async function lines(): Promise<string[]> {
  const base = await open();
  try {
    return (await done(base.transaction(RECORDS).objectStore(RECORDS).getAll())) as string[];
  } finally {
    base.close();
  }
}
