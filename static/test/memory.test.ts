// What is kept of Python's memory is the memory.
import { describe, expect, it } from "vitest";
import { expanded, squeezed } from "../src/offline/memory";

const PAGE = 65_536;
const never = async (): Promise<void> => {};

function memory(length: number, ...set: [number, number][]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (const [at, value] of set) bytes[at] = value;
  return bytes;
}

describe("a memory", () => {
  it("comes back as it was, whatever its length", async () => {
    for (const whole of [
      memory(0),
      memory(3, [2, 9]),
      memory(PAGE, [0, 1]),
      memory(5 * PAGE, [2 * PAGE - 1, 1], [4 * PAGE, 255]),
      memory(3 * PAGE + 5, [3 * PAGE + 4, 7]),
    ]) {
      const again = expanded(await squeezed(whole, never));
      expect(again.length).toBe(whole.length);
      expect(again.findIndex((byte, at) => byte !== whole[at])).toBe(-1);
    }
  });

  it("takes no room for pages of zeros", async () => {
    const kept = await squeezed(memory(40 * PAGE, [7 * PAGE, 1], [9 * PAGE, 1]), never);
    expect(kept.length).toBe(8 + 40 + 2 * PAGE);
  });

  it("is refused when it is not whole", async () => {
    const kept = await squeezed(memory(3 * PAGE, [0, 1], [PAGE, 1]), never);
    expect(() => expanded(kept.slice(0, -1))).toThrow(RangeError);
    for (const at of [5, 9, 100, kept.length - 1]) {
      const spoilt = kept.slice();
      spoilt[at]! ^= 1;
      expect(() => expanded(spoilt)).toThrow(RangeError);
    }
    expect(() => expanded(new Uint8Array(2))).toThrow(RangeError);
    expect(() => expanded(new Uint8Array(0))).toThrow(RangeError);
  });

  it("is squeezed in stretches, and the player is heard between any two", async () => {
    const pages = 64;
    const full = memory(pages * PAGE);
    full.fill(7);
    let breaths = 0;
    const kept = await squeezed(full, async () => void breaths++);
    expect(expanded(kept).every((byte) => byte === 7)).toBe(true);
    // Twice through all pages, no more than eight at a time.
    expect(breaths).toBeGreaterThanOrEqual((2 * pages) / 8);
  });
});
