// The service worker: what it keeps, and when a new version takes over. `LIST` is put before this
// text by the build (offline-build/plugin.ts), computed from the files that were built.
//
// Files whose names hold their contents are kept in one place for all versions, so an update
// fetches only what changed. The few that have plain names (the page, the icons) are kept for each
// version. A new version waits: it takes over when the player says so, or when every page of the
// old one is closed (register.ts), and never in the middle of a round.
//
// What is kept is given out for as long as its name lives, so it is looked at first: a hotel's
// log-in page answers 200, and so does a server that has a page for everything that is not there. Other
// pages of the same origin may be other copies of this one: theirs is left alone.

interface List {
  version: string;
  /** Needed by every screen. */
  shell: string[];
  /** Needed by the practice table alone: kept from the day that somebody opens it. */
  practice: string[];
  /** Files with plain names. */
  named: string[];
  /** What the page itself must speak of, or it is another one: the script that it begins with. */
  entry: string;
  /** For each file whose name holds its contents: what they are (`integrity`). */
  sums: Record<string, string>;
}

declare const LIST: List;

// What TypeScript knows of workers does not go together with what it knows of pages.
interface Waits extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Waits {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Told extends Waits {
  data: unknown;
  source: { postMessage(message: unknown): void } | null;
}

const FILES = "penultima-files";
const NAMED = "penultima-named-";

const worker = self as unknown as {
  registration: { scope: string };
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(kind: "install" | "activate", act: (event: Waits) => void): void;
  addEventListener(kind: "fetch", act: (event: Fetching) => void): void;
  addEventListener(kind: "message", act: (event: Told) => void): void;
};

const address = (name: string): string => new URL(name, worker.registration.scope).href;

const shell = new Set(LIST.shell.map(address));
const hashed = new Set([...shell, ...LIST.practice.map(address)]);
const assets = address("assets/");
const named = new Set(LIST.named.map(address));
const index = address("index.html");
/** Addresses at which the page itself is served. */
const pages = new Set([address(""), index, address("mesa")]);

async function fetched(url: string, how: RequestInit): Promise<Response> {
  const answer = await fetch(url, { credentials: "same-origin", ...how });
  if (!answer.ok) throw new Error(`${answer.status} ${url}`);
  // A redirected answer may not be given to a navigation.
  return answer.redirected ? new Response(answer.body, { headers: answer.headers }) : answer;
}

/** A file as it was built, past the browser's own cache if another lies there. */
async function whole(name: string): Promise<Response> {
  const url = address(name);
  const integrity = LIST.sums[name]!;
  const answer = await fetched(url, { integrity }).catch(() => fetched(url, { integrity, cache: "reload" }));
  // Not every server knows what to call it, and then no browser takes it.
  return name.endsWith(".wasm")
    ? new Response(answer.body, { headers: { "Content-Type": "application/wasm" } })
    : answer;
}

/** A file whose name says nothing about its contents. */
async function plain(name: string): Promise<Response> {
  const answer = await fetched(address(name), { cache: "no-cache" });
  const isPage = (answer.headers.get("Content-Type") ?? "").startsWith("text/html");
  if (isPage !== (name === "index.html")) throw new Error(`${name} is something else`);
  if (isPage && !(await answer.clone().text()).includes(LIST.entry)) throw new Error("another page");
  return answer;
}

async function keep(cache: Cache, names: readonly string[]): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      const url = address(name);
      if ((await cache.match(url)) === undefined) await cache.put(url, await whole(name));
    }),
  );
}

async function install(): Promise<void> {
  const files = await caches.open(FILES);
  const others = await caches.open(NAMED + LIST.version);
  await keep(files, LIST.shell);
  await Promise.all(LIST.named.map(async (name) => others.put(address(name), await plain(name))));
  // Whoever has the practice table keeps it through an update.
  if (await hasPractice(files)) await keep(files, LIST.practice);
}

/** All of it, the page too: a device may have lost what it had when this was installed. */
async function keepPractice(): Promise<void> {
  await keep(await caches.open(FILES), [...LIST.shell, ...LIST.practice]);
  const others = await caches.open(NAMED + LIST.version);
  await Promise.all(
    LIST.named.map(async (name) => {
      const url = address(name);
      if ((await others.match(url)) === undefined) await others.put(url, await plain(name));
    }),
  );
}

async function hasPractice(files: Cache): Promise<boolean> {
  return (await files.keys()).some(({ url }) => url.startsWith(assets) && url.endsWith(".wasm"));
}

async function activate(): Promise<void> {
  for (const name of await caches.keys()) {
    if (!name.startsWith(NAMED) || name === NAMED + LIST.version) continue;
    const cache = await caches.open(name);
    const keys = await cache.keys();
    const mine = keys.filter(({ url }) => named.has(url));
    if (mine.length === keys.length) await caches.delete(name);
    else await Promise.all(mine.map((request) => cache.delete(request)));
  }
  const files = await caches.open(FILES);
  for (const request of await files.keys()) {
    if (request.url.startsWith(assets) && !hashed.has(request.url)) await files.delete(request);
  }
  await worker.clients.claim();
}

async function answer(request: Request, url: string): Promise<Response> {
  const isPage = pages.has(url);
  try {
    const cache = await caches.open(hashed.has(url) ? FILES : NAMED + LIST.version);
    const kept = await cache.match(isPage ? index : url);
    if (kept !== undefined) return kept;
    // Lost since; or another version, taking over while this one was being fetched, did not know of it.
    if (shell.has(url)) {
      const found = await whole(url.slice(worker.registration.scope.length));
      await cache.put(url, found.clone()).catch(() => {});
      return found;
    }
  } catch {
    // A device that has lost its cache may still have a network.
  }
  return fetch(request);
}

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const url = new URL(request.url);
  url.hash = url.search = "";
  const ours = hashed.has(url.href) || named.has(url.href);
  if (ours || (request.mode === "navigate" && pages.has(url.href))) {
    event.respondWith(answer(request, url.href));
  }
});

worker.addEventListener("message", (event) => {
  const asked = event.data as { do?: string } | null;
  if (asked?.do === "take over") event.waitUntil(worker.skipWaiting());
  if (asked?.do === "keep practice") {
    const source = event.source;
    event.waitUntil(
      keepPractice().then(
        () => source?.postMessage({ say: "practice kept" }),
        () => source?.postMessage({ say: "practice not kept" }),
      ),
    );
  }
});
