// The files that the practice table is made of: from the device, or from the network and then kept.
// What arrives is looked at before it is believed: a hotel's log-in page answers 200, too, and so do
// servers that have a page for everything that is not there.
import type { Failure, File, Files } from "./talk";

/** Shared with the service worker. */
const CACHE = "penultima-files";

type Name = keyof Files;
type Bytes = Uint8Array<ArrayBuffer>;

export class Failed extends Error {
  constructor(
    readonly why: Failure,
    text: string,
  ) {
    super(text);
  }
}

/** Where a secure page may keep files; elsewhere the browser's own cache has to do. */
async function shelf(): Promise<Cache | null> {
  try {
    return await caches.open(CACHE);
  } catch {
    return null;
  }
}

const found = (cache: Cache | null, url: string): Promise<Response | undefined> =>
  cache === null ? Promise.resolve(undefined) : cache.match(url).catch(() => undefined);

/** All files, from the device or from the network. What comes from there is counted and kept;
 * `told` are bytes that travelled, of all that must. */
export async function gather(
  files: Files,
  base: string,
  told: (bytes: number, of: number) => void,
): Promise<Record<Name, () => Promise<Response>>> {
  const cache = await shelf();
  const entries = Object.entries(files) as [Name, File][];
  const urls = new Map(entries.map(([name, file]) => [name, new URL(file.name, base).href]));
  const here = await Promise.all(entries.map(([name]) => found(cache, urls.get(name)!)));
  const missing = entries.filter((_, at) => here[at] === undefined);
  let of = missing.reduce((sum, [, file]) => sum + file.travels, 0);
  let bytes = 0;
  let last = -Infinity;
  const tell = (): void => {
    last = performance.now();
    told(Math.min(bytes, of), of);
  };
  const count = (more: number, all = 0): void => {
    bytes += more;
    of += all;
    if (performance.now() - last >= 100 || bytes >= of) tell();
  };
  if (missing.length > 0) count(0);
  const fetched = new Map<Name, Bytes>();
  await Promise.all(
    missing.map(async ([name, file]) => {
      const url = urls.get(name)!;
      const content = await download(url, file, count);
      // Where the next byte is long in coming, all that has come is said.
      tell();
      try {
        if (cache === null) throw new Error("no place");
        await cache.put(url, wrapped(name, content));
      } catch {
        // A device that is full, or keeps nothing: then it is played out of this.
        fetched.set(name, content);
      }
    }),
  );
  const open = async (name: Name): Promise<Response> => {
    const content = fetched.get(name);
    if (content !== undefined) return wrapped(name, content);
    // The module by a request of its own: only so does a browser remember it compiled. Not every
    // server knows what to call it, and then no browser takes it.
    if (name === "python.wasm") {
      const asked = await fetch(urls.get(name)!).catch(() => null);
      if (asked?.ok === true && asked.headers.get("Content-Type") === WASM) return asked;
    }
    // Anew each time: a start that fails is followed by another, and an answer is read once.
    const kept = await found(cache, urls.get(name)!);
    if (kept !== undefined) return wrapped(name, kept.body);
    // Another version has tidied up meanwhile, or the device has.
    return wrapped(name, await download(urls.get(name)!, files[name], () => {}));
  };
  return Object.fromEntries(entries.map(([name]) => [name, () => open(name)])) as Record<
    Name,
    () => Promise<Response>
  >;
}

/** Throws away what is kept and not what was built; whether anything was. */
export async function mend(files: Files, base: string): Promise<boolean> {
  const cache = await shelf();
  let spoilt = false;
  for (const file of Object.values(files)) {
    const url = new URL(file.name, base).href;
    const kept = await found(cache, url);
    if (kept === undefined) continue;
    const content = await kept.arrayBuffer().catch(() => new ArrayBuffer(0));
    const runs = !file.name.endsWith(".js") || /javascript/.test(kept.headers.get("Content-Type") ?? "");
    if (runs && (await isRight(file, new Uint8Array(content)))) continue;
    spoilt = true;
    await cache?.delete(url);
  }
  return spoilt;
}

const WASM = "application/wasm";
const SCRIPT = "text/javascript";

const typeOf = (name: string): string =>
  name.endsWith(".wasm") ? WASM : name.endsWith(".js") ? SCRIPT : "application/octet-stream";

/** As a browser takes it, whatever the server said of it. */
export function wrapped(name: string, content: Bytes | ReadableStream | null): Response {
  return new Response(content, { headers: { "Content-Type": typeOf(name) } });
}

async function isRight(file: File, content: Bytes): Promise<boolean> {
  if (content.length !== file.bytes) return false;
  // Browsers reckon it on secure origins only, which are also the only ones to keep anything.
  const subtle = (globalThis.crypto as { subtle?: SubtleCrypto }).subtle;
  if (subtle === undefined) return true;
  const sum = new Uint8Array(await subtle.digest("SHA-256", content));
  return btoa(String.fromCharCode(...sum)) === file.sum;
}

type Count = (more: number, all?: number) => void;

/** A file as it was built. What is not it may lie in the browser's own cache: once more, past that. */
async function download(url: string, file: File, count: Count): Promise<Bytes> {
  for (const cache of ["default", "reload"] as const) {
    const answer = await fetch(url, { cache }).catch((error: unknown) => {
      throw new Failed("files", `${url}: ${String(error)}`);
    });
    if (!answer.ok) throw new Failed("files", `${answer.status} ${url}`);
    let counts = 0;
    const more = (all: number): void => {
      count(all - counts);
      counts = all;
    };
    // A browser tells unpacked bytes: they are scaled to what travels, which is all of them where the
    // server does not compress.
    const travels = answer.headers.has("Content-Encoding") ? file.travels : file.bytes;
    count(0, travels - file.travels);
    const content = await read(answer, file, (at) => more(Math.round((at / file.bytes) * travels)));
    if (content !== null && (await isRight(file, content))) return content;
    more(0);
    count(0, file.travels - travels);
  }
  throw new Failed("files", `${file.name} is something else, or broke off`);
}

/** Reads it all; `null` if it is too long. */
async function read(answer: Response, file: File, told: (bytes: number) => void): Promise<Bytes | null> {
  const content = new Uint8Array(file.bytes);
  // An answer that is there and empty (204).
  if (answer.body === null) return content.subarray(0, 0);
  const reader = answer.body.getReader();
  let at = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw new Failed("files", String(error));
    });
    if (done) return content.subarray(0, at);
    if (at + value.length > file.bytes) {
      void reader.cancel().catch(() => {});
      return null;
    }
    content.set(value, at);
    at += value.length;
    told(at);
  }
}
