import { describe, expect, it } from "vitest";
import { layoutHand, TAP } from "../src/screens/hand-layout";
import { around, places } from "../src/screens/places";
import { qr } from "../src/device/qr";

describe("a hand of cards", () => {
  it.each([344, 374, 752])("leaves each of up to twelve 44 px to be tapped, %d px wide", (width) => {
    for (let n = 1; n <= 12; n++) {
      const { at, w, h, height } = layoutHand(n, width, 340);
      expect(at).toHaveLength(n);
      expect(height).toBeLessThanOrEqual(340);
      at.forEach((spot, k) => {
        const next = at[k + 1];
        const sameRow = next !== undefined && next.y === spot.y;
        expect(sameRow ? next.x - spot.x : w).toBeGreaterThanOrEqual(TAP);
        const below = at.find((other) => other.y > spot.y);
        expect(below === undefined ? h : below.y - spot.y).toBeGreaterThanOrEqual(TAP);
        expect(spot.x).toBeGreaterThanOrEqual(0);
        expect(spot.x + w).toBeLessThanOrEqual(width + 1);
      });
    }
  });

  it("shows 25 cards in four rows at 360 px without scrolling", () => {
    const { mode, at, w, height } = layoutHand(25, 344, 264);
    expect(mode).toBe("grid");
    expect(w).toBe(44);
    expect(new Set(at.map((spot) => spot.y)).size).toBe(4);
    expect(height).toBeLessThanOrEqual(272);
  });

  it("takes more than its fair share only when it must", () => {
    const small = layoutHand(25, 344, 356, 282);
    expect(small.height).toBeLessThanOrEqual(282);
    expect(layoutHand(30, 344, 356, 282).height).toBeLessThanOrEqual(356);
  });

  it("is there even when there is no card in it", () => {
    expect(layoutHand(0, 344, 300).at).toEqual([]);
  });
});

describe("the others' places", () => {
  it("take everybody, from one to nine", () => {
    for (let n = 1; n <= 9; n++) {
      const { left, top, right } = places(n);
      expect(left + top + right).toBe(n);
      expect(top).toBeLessThanOrEqual(5);
    }
  });

  it("go around the whole table on the shared screen, for two to ten", () => {
    for (let n = 2; n <= 10; n++) {
      const { bottom, left, top, right } = around(n);
      expect(bottom + left + top + right).toBe(n);
      expect(left).toBe(right);
      expect(top - bottom).toBeLessThanOrEqual(1);
      expect(Math.max(top, bottom)).toBeLessThanOrEqual(4);
    }
  });
});

describe("a QR code", () => {
  it("grows with the text and has its three eyes", () => {
    const code = qr("http://192.168.1.23:8770/#kfb3nq.abcdefghjkmnpqrs")!;
    expect((code.length - 17) % 4).toBe(0);
    const eye = [true, true, true, true, true, true, true];
    expect(code[0]!.slice(0, 7)).toEqual(eye);
    expect(code[0]!.slice(-7)).toEqual(eye);
    expect(code.at(-1)!.slice(0, 7)).toEqual(eye);
  });

  it("is refused for what does not fit", () => {
    expect(qr("x".repeat(272))).toBeNull();
    expect(qr("x".repeat(271))).not.toBeNull();
  });
});
