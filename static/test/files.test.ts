// The practice table's files: from the device or the network, looked at before they are believed.
import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { gather } from "../src/offline/files";
import type { File, Files } from "../src/offline/talk";

const BASE = "https://host.example/assets/";
const NAMES = ["python.js", "python.wasm", "python.zip", "penultima.zip"] as const;

const content = (name: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(`this is ${name}`);

const file = (name: string): File => ({
  name: `./${name}`,
  bytes: content(name).length,
  travels: content(name).length,
  sum: createHash("sha256").update(content(name)).digest("base64"),
});

const FILES = Object.fromEntries(NAMES.map((name) => [name, file(name)])) as Files;

/** What the server answers, by address. */
let served: Map<string, () => Response>;
let kept: Map<string, Response>;

beforeEach(() => {
  served = new Map(NAMES.map((name) => [BASE + name, () => new Response(content(name))]));
  kept = new Map();
  vi.stubGlobal("fetch", async (url: string) => served.get(url)?.() ?? new Response("", { status: 404 }));
  vi.stubGlobal("caches", {
    open: async () => ({
      match: async (url: string) => kept.get(url)?.clone(),
      put: async (url: string, answer: Response) => void kept.set(url, answer),
      delete: async (url: string) => kept.delete(url),
    }),
  });
});
afterEach(() => vi.unstubAllGlobals());

const text = async (answer: Promise<Response>): Promise<string> => (await answer).text();

it("come from the network, are kept, and come from the device the next time", async () => {
  await gather(FILES, BASE, () => {});
  expect([...kept.keys()].sort()).toEqual(NAMES.map((name) => BASE + name).sort());
  served.clear();
  const open = await gather(FILES, BASE, () => {});
  for (const name of NAMES) expect(await text(open[name]())).toBe(`this is ${name}`);
});

it("are read as often as Python has to be started", async () => {
  await gather(FILES, BASE, () => {});
  const open = await gather(FILES, BASE, () => {});
  for (let k = 0; k < 2; k++) expect(await text(open["python.zip"]())).toBe("this is python.zip");
});

it.each([
  ["a log-in page", () => new Response("<html>Welcome to the hotel")],
  ["another file of the same length", () => new Response("that is python.zip")],
  ["nothing", () => new Response(null, { status: 204 })],
  ["half of it", () => new Response("this is")],
  ["a refusal", () => new Response("", { status: 503 })],
])("are not believed where the server sends %s", async (_, answer) => {
  served.set(`${BASE}python.zip`, answer);
  await expect(gather(FILES, BASE, () => {})).rejects.toMatchObject({ why: "files" });
  expect(kept.has(`${BASE}python.zip`)).toBe(false);
});
