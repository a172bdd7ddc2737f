// The practice table's worker: Python by Pyodide, our engine, bots and table inside it. What lives
// here is what Python does not have: files, the clock, timers, the device's memory.
import { loadPyodide } from "pyodide";
import { Failed, gather, wrapped } from "./files";
import * as kept from "./kept";
import { expanded, MEMORY, squeezed } from "./memory";
import { Slices } from "./slices";
import type { Files, FromWorker, ToWorker } from "./talk";

/** src/penultima/offline/practice.py */
interface Game {
  key: string;
  faults: string;
  connect(now: number): string;
  receive(text: string, now: number): string;
  tick(now: number): string;
  think(): boolean;
  destroy(): void;
}

interface Door {
  Practice: {
    begin(wish: string, seed: string, now: number): Game;
    resume(journal: readonly string[], key: string, now: number): Game;
  };
}

interface Said {
  out: string[];
  journal: string[];
  due?: number;
}

const GAME = "/lib/penultima.zip";
const page = self as unknown as {
  postMessage(message: FromWorker): void;
  addEventListener(kind: "message", act: (event: MessageEvent<ToWorker>) => void): void;
};

const say = (message: FromWorker): void => page.postMessage(message);

// ----------------------------------------------------------------------------------------- start

/** When keeping Python's memory disturbs nobody: the cards are dealt. */
const LATER_MS = 3_000;

let door: Door | null = null;

/** Python's memory from an earlier start; what is not whole is as good as not there. */
async function remembered(url: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const found = await (await caches.open(MEMORY)).match(url);
    return found === undefined ? null : expanded(new Uint8Array(await found.arrayBuffer()));
  } catch {
    return null;
  }
}

/** Whoever has said something meanwhile is heard first. */
const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

async function remember(url: string, memory: Uint8Array<ArrayBuffer>): Promise<void> {
  try {
    const cache = await caches.open(MEMORY);
    for (const old of await cache.keys()) await cache.delete(old);
    await cache.put(url, wrapped("memory", await squeezed(memory, breathe)));
  } catch (error) {
    console.info(`the next start will take as long: ${String(error)}`);
  }
}

const forgetMemory = (): Promise<unknown> => caches.delete(MEMORY).catch(() => {});

/** Starts Python with our packages; whether out of its memory of an earlier start. */
async function boot(files: Files, info: object, base: string): Promise<boolean> {
  try {
    // Eight bytes that are the smallest module. Without 'wasm-unsafe-eval' in the page's policy
    // this throws, while Pyodide would wait for ever.
    new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  } catch (error) {
    throw new Failed("forbidden", String(error));
  }
  const names = Object.values(files).map((file) => file.name.replace(/^.*\//, ""));
  const memoryUrl = new URL(`memory-${names.join("-")}`, base).href;
  const remembering = remembered(memoryUrl);
  const open = await gather(files, base, (bytes, of) => say({ say: "loading", bytes, of }));
  say({ say: "loaded" });
  const game = open["penultima.zip"]().then(async (answer) => new Uint8Array(await answer.arrayBuffer()));
  const script = import(/* @vite-ignore */ new URL(files["python.js"].name, base).href) as Promise<{
    default: unknown;
  }>;
  // Pyodide asks for its files by their own names.
  const network = self.fetch;
  self.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (url.endsWith("/pyodide.asm.wasm")) return open["python.wasm"]();
    if (url.endsWith("/python_stdlib.zip")) return open["python.zip"]();
    return network(input, init);
  };
  const load = (more: object): ReturnType<typeof loadPyodide> =>
    loadPyodide({
      indexURL: base,
      stdLibURL: new URL("python_stdlib.zip", base).href,
      // A promise will do: the script is read while the module is being compiled.
      createPyodideModule: script.then((module) => module.default) as never,
      // No packages, and so nothing that would ever be asked of a stranger.
      lockFileContents: JSON.stringify({ info, packages: {} }),
      packageBaseUrl: base,
      env: { PYTHONPATH: GAME, PYTHONDONTWRITEBYTECODE: "1" },
      fsInit: async (FS: { writeFile(path: string, content: Uint8Array): void }) =>
        FS.writeFile(GAME, await game),
      stdout: (line: string) => console.info(line),
      stderr: (line: string) => console.warn(line),
      ...more,
    });
  const memory = await remembering;
  if (memory !== null) {
    try {
      door = (await load({ _loadSnapshot: memory })).pyimport("penultima.offline") as Door;
    } catch (error) {
      console.info(`starting anew: ${String(error).slice(0, 2000)}`);
      await forgetMemory();
    }
  }
  const fromMemory = door !== null;
  if (door === null) {
    const python = await load({ _makeSnapshot: true });
    // Nothing of JavaScript may hang on it yet: what that was could not be kept.
    python.runPython("import penultima.offline");
    const fresh = snapshot(python);
    door = python.pyimport("penultima.offline") as Door;
    if (fresh !== null) setTimeout(() => void remember(memoryUrl, fresh), LATER_MS);
  }
  self.fetch = network;
  return fromMemory;
}

/** Its memory as it is now, where there is a place to keep it. */
function snapshot(python: Awaited<ReturnType<typeof loadPyodide>>): Uint8Array<ArrayBuffer> | null {
  if (!("caches" in self)) return null;
  try {
    return (python as unknown as { makeMemorySnapshot(): Uint8Array<ArrayBuffer> }).makeMemorySnapshot();
  } catch (error) {
    console.info(`the next start will take as long: ${String(error).slice(0, 2000)}`);
    return null;
  }
}

// ----------------------------------------------------------------------------------------- clock

let frozenAt: number | null = null;
/** Milliseconds that stood still. */
let stood = 0;

/** Seconds during which somebody could play. */
const now = (): number => ((frozenAt ?? performance.now()) - stood) / 1000;

function freeze(on: boolean): void {
  if (on === (frozenAt !== null)) return;
  if (on) {
    frozenAt = performance.now();
    clearTimeout(timer);
  } else {
    stood += performance.now() - frozenAt!;
    frozenAt = null;
    wait();
    ponder();
  }
}

// ------------------------------------------------------------------------------------------ game

let game: Game | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let due: number | undefined;
let faults = "";

let keeping = false;
/** All records so far, so that the player may still decide to keep the game. */
let journal: string[] = [];
let about: kept.About | null = null;
/** Writes follow each other. */
let writing: Promise<void> = Promise.resolve();

function write(work: () => Promise<void>): void {
  writing = writing.then(work).catch((error: unknown) => {
    console.warn(`the game is not kept: ${String(error)}`);
    // Several may have been on their way; the player is told once.
    if (keeping) say({ say: "not kept" });
    keeping = false;
  });
}

function told(text: string): void {
  const said = JSON.parse(text) as Said;
  journal.push(...said.journal);
  // As on a host: what is shown has been written.
  if (keeping && said.journal.length > 0) {
    const { owner } = about!;
    write(async () => {
      // It may have turned out meanwhile that nothing is kept here.
      if (keeping) await kept.add(owner, said.journal);
    });
  }
  const from = game;
  writing = writing.then(() => {
    // Another game may have begun meanwhile.
    if (game === from) for (const each of said.out) say({ say: "text", text: each });
  });
  due = said.due;
  wait();
  ponder();
  if (game !== null && game.faults !== faults) {
    faults = game.faults;
    console.warn(faults);
  }
}

function wait(): void {
  clearTimeout(timer);
  if (due === undefined || frozenAt !== null) return;
  timer = setTimeout(
    () => {
      if (game !== null && frozenAt === null) told(game.tick(now()));
    },
    Math.max(0, (due - now()) * 1000),
  );
}

// A bot thinks in slices, and the page is heard between any two of them.
const slices = new Slices(() => game !== null && frozenAt === null && game.think());

function ponder(): void {
  if (game !== null && frozenAt === null) slices.go();
}

function keep(on: boolean): void {
  if (on && about !== null && !keeping) {
    const soFar = [...journal];
    const what = about;
    write(() => kept.begin(what, soFar));
  }
  if (!on && keeping) {
    const { owner } = about!;
    write(() => kept.forget(owner));
  }
  keeping = on;
}

function end(): void {
  clearTimeout(timer);
  game?.destroy();
  game = null;
  due = undefined;
  journal = [];
  about = null;
  keeping = false;
}

/** A name that no other table has. */
const fresh = (): string => hex(crypto.getRandomValues(new Uint8Array(8)));

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** What Python raised, told in its last line: `penultima.offline.practice.Trouble: bad_rules teams`. */
function trouble(error: unknown): void {
  const line = String((error as Error).message).trim().split("\n").at(-1) ?? "";
  const found = /Trouble: (\w+)(?: (\w+))?$/.exec(line);
  if (found === null) throw error;
  say({ say: "trouble", code: found[1]!, field: found[2] ?? null });
}

async function act(asked: ToWorker): Promise<void> {
  switch (asked.do) {
    case "boot":
      say({ say: "ready", remembered: await boot(asked.files, asked.info, asked.base) });
      return;
    case "begin": {
      const { wish } = asked;
      let begun: Game;
      try {
        begun = door!.Practice.begin(JSON.stringify(wish), hex(crypto.getRandomValues(new Uint8Array(32))), now());
      } catch (error) {
        return trouble(error);
      }
      end();
      game = begun;
      about = { key: game.key, at: Date.now(), bots: wish.bots.length, rules: wish.rules, owner: fresh() };
      keep(asked.keep);
      say({ say: "begun", key: game.key });
      return;
    }
    case "resume": {
      end();
      await writing;
      const before = await kept.about();
      // What cannot be read at this moment is not deleted: it may be there the next time.
      const lines = before === null ? null : await kept.lines().catch(() => null);
      if (before === null || lines === null) return say({ say: "trouble", code: "not_kept", field: null });
      try {
        game = door!.Practice.resume(lines, before.key, now());
      } catch (error) {
        write(() => kept.forget(before.owner));
        return trouble(error);
      }
      about = { ...before, owner: fresh() };
      journal = lines;
      // From here on this table writes it, and no other one that has it open.
      keep(true);
      say({ say: "begun", key: about.key });
      return;
    }
    case "open":
      if (game === null) return;
      say({ say: "open" });
      told(game.connect(now()));
      return;
    case "text":
      if (game !== null) told(game.receive(asked.text, now()));
      return;
    case "freeze":
      freeze(asked.on);
      return;
    case "keep":
      keep(asked.on);
      return;
    case "echo":
      say({ say: "echo" });
      return;
    case "forget":
      keep(false);
      end();
      return;
  }
}

page.addEventListener("message", (event) => {
  act(event.data).catch((error: unknown) => {
    const starting = event.data.do === "boot";
    const why = error instanceof Failed ? error.why : starting ? "start" : "broken";
    // Pyodide's own errors may carry a million characters of source.
    say({ say: "failed", why, text: String((error as Error)?.message ?? error).slice(0, 2000) });
  });
});
