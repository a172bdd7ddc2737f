import { describe, expect, it } from "vitest";
import { BACK, shapes } from "../src/cards/faces";
import { disc, placed, slab, twice } from "../src/cards/paths";

const CARDS = [..."rygb"].flatMap((colour) => [..."0123456789SR", "+2"].map((rank) => colour + rank));
const ALL = [...CARDS, "W", "W+4", "WH", "WC1", "WC2", "WC3"];

/** Every point that a path goes through, by hand: absolute and relative commands. */
function points(d: string): [number, number][] {
  const found: [number, number][] = [];
  let [x, y] = [0, 0];
  for (const [, command, text] of d.matchAll(/([a-z])([^a-z]*)/gi)) {
    const v = (text!.match(/-?\d*\.?\d+/g) ?? []).map(Number);
    const per = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, A: 7, Z: 0 }[command!.toUpperCase()]!;
    const relative = command! >= "a";
    for (let k = 0; per > 0 && k < v.length; k += per) {
      const last = v.slice(k + per - 2, k + per) as [number, number];
      if (per === 1 && command!.toUpperCase() === "H") x = relative ? x + v[k]! : v[k]!;
      else if (per === 1) y = relative ? y + v[k]! : v[k]!;
      else [x, y] = relative ? [x + last[0], y + last[1]] : last;
      found.push([x, y]);
    }
  }
  return found;
}

describe("a path put in its place", () => {
  it("moves and scales what is absolute, and only scales what is a step", () => {
    expect(placed("M1 2l3 4H9v2a5 6 0 1 0 7 8Z", { x: 10, y: 20, scale: 2 })).toBe("M12 24l6 8H28l0 4a10 12 0 1 0 14 16Z");
  });

  it("is upside down around the middle of the card", () => {
    expect(placed("M10 20h5", { x: 0, y: 0, turn: 180 })).toBe("M90 121l-5 0");
    expect(placed("M10 20V40", { x: 0, y: 0, turn: 180 })).toBe("M90 121V101");
  });

  it("is turned by any angle around any point", () => {
    expect(placed("M50 30l0 10", { x: 0, y: 0, turn: 90, around: [50, 130] })).toBe("M150 130l-10 0");
  });
});

describe("the faces", () => {
  it.each(ALL)("%s stays inside the card", (card) => {
    for (const { d } of shapes(card)) {
      for (const [x, y] of points(d)) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(100);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y).toBeLessThanOrEqual(141);
      }
    }
  });

  it("are few flat shapes, all different", () => {
    const seen = ALL.filter((card) => !card.startsWith("WC")).map((card) => JSON.stringify(shapes(card)));
    expect(new Set(seen).size).toBe(seen.length);
    for (const card of CARDS) expect(shapes(card).length).toBeLessThanOrEqual(9);
    expect(BACK.length).toBeLessThanOrEqual(8);
  });

  it("have the same in both corners", () => {
    const corner = twice(disc(10, 10, 2), { x: 0, y: 0 }) + twice(slab(5, 5, 4, 4, 1), { x: 0, y: 0 });
    const at = points(corner).map(([x, y]) => [Math.round(x), Math.round(y)].join());
    for (const each of points(corner)) expect(at).toContain([Math.round(100 - each[0]), Math.round(141 - each[1])].join());
  });
});
