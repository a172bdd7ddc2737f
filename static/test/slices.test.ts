// While a bot thinks, its page is heard: after each slice comes what was said meanwhile.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Slices } from "../src/offline/slices";

/** What waits to be handled, as a worker's own queue: first come, first served. */
let queue: (() => void)[] = [];

class Channel {
  port1: { onmessage: (() => void) | null } = { onmessage: null };
  port2 = { postMessage: () => void queue.push(() => this.port1.onmessage?.()) };
}

beforeEach(() => {
  queue = [];
  vi.stubGlobal("MessageChannel", Channel);
});
afterEach(() => vi.unstubAllGlobals());

/** Handles one thing after another; whether there was one. */
function handle(): boolean {
  const next = queue.shift();
  next?.();
  return next !== undefined;
}

describe("work in slices", () => {
  it("hears a message between two slices", () => {
    const said: string[] = [];
    const slices = new Slices(() => said.push("slice") < 5);
    slices.go();
    expect(said).toEqual([]);
    handle();
    queue.push(() => said.push("pause"));
    while (handle());
    expect(said).toEqual(["slice", "slice", "pause", "slice", "slice"]);
  });

  it("stops when a message has taken the work away", () => {
    let left = 1000;
    const slices = new Slices(() => left > 0 && left-- > 0);
    slices.go();
    handle();
    queue.push(() => void (left = 0));
    while (handle());
    expect(left).toBe(0);
  });

  it("does one slice at a time, however often it is told to go", () => {
    let done = 0;
    const slices = new Slices(() => ++done < 3);
    slices.go();
    slices.go();
    expect(queue.length).toBe(1);
    while (handle()) expect(queue.length).toBeLessThan(2);
    expect(done).toBe(3);
    slices.go();
    handle();
    expect(done).toBe(4);
  });
});
