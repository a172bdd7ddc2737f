// Any two of the four colours stay apart for every eye. The eyes are those of
// Machado, Oliveira and Fernandes (2009) without any cone of the kind; distances are CIEDE2000.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BODY } from "../src/cards/glyphs";

type Three = [number, number, number];

const css = readFileSync(new URL("../src/look/colours.css", import.meta.url), "utf-8");
const hex = (name: string): string => new RegExp(`--${name}: (#[0-9a-f]{6})`, "i").exec(css)![1]!;
const linear = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const light = (text: string): Three => [1, 3, 5].map((at) => linear(parseInt(text.slice(at, at + 2), 16) / 255)) as Three;
const times = (m: Three[], v: Three): Three => m.map((row) => row.reduce((sum, each, k) => sum + each * v[k]!, 0)) as Three;

// On linear RGB.
const EYES: Record<"protan" | "deutan" | "tritan", Three[]> = {
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const seen = (kind: keyof typeof EYES, rgb: Three): Three => times(EYES[kind], rgb);

function lab(rgb: Three): Three {
  const [r, g, b] = rgb.map((each) => Math.min(1, Math.max(0, each))) as Three;
  const x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047;
  const y = 0.2126729 * r + 0.7151522 * g + 0.072175 * b;
  const z = (0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883;
  const f = (v: number): number => (v > 216 / 24389 ? Math.cbrt(v) : (24389 / 27 / 116) * v + 16 / 116);
  return [116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))];
}

/** CIEDE2000, after Sharma, Wu and Dalal (2005). */
function distance([l1, a1, b1]: Three, [l2, a2, b2]: Three): number {
  const rad = Math.PI / 180;
  const mean = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7)));
  const polar = (a: number, b: number): [number, number] => {
    const h = Math.atan2(b, a * (1 + g)) / rad;
    return [Math.hypot(a * (1 + g), b), h < 0 ? h + 360 : h];
  };
  const [c1, h1] = polar(a1, b1);
  const [c2, h2] = polar(a2, b2);
  let dh = c1 * c2 === 0 ? 0 : h2 - h1;
  if (dh > 180) dh -= 360;
  if (dh < -180) dh += 360;
  const dH = 2 * Math.sqrt(c1 * c2) * Math.sin((dh / 2) * rad);
  const l = (l1 + l2) / 2;
  const c = (c1 + c2) / 2;
  let h = h1 + h2;
  if (c1 * c2 !== 0) h = Math.abs(h1 - h2) <= 180 ? h / 2 : h < 360 ? (h + 360) / 2 : (h - 360) / 2;
  const t =
    1 - 0.17 * Math.cos((h - 30) * rad) + 0.24 * Math.cos(2 * h * rad) + 0.32 * Math.cos((3 * h + 6) * rad) - 0.2 * Math.cos((4 * h - 63) * rad);
  const sl = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2);
  const sc = 1 + 0.045 * c;
  const sh = 1 + 0.015 * c * t;
  const turn = -Math.sin(2 * 30 * Math.exp(-(((h - 275) / 25) ** 2)) * rad) * 2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7));
  const [x, y, z] = [(l2 - l1) / sl, (c2 - c1) / sc, dH / sh];
  return Math.sqrt(x * x + y * y + z * z + turn * y * z);
}

const COLOURS = [BODY.r, BODY.y, BODY.g, BODY.b];
const pairs = COLOURS.flatMap((a, k) => COLOURS.slice(k + 1).map((b): [string, string] => [a, b]));

describe("the four colours", () => {
  it("are those of the style sheet", () => {
    expect(COLOURS.map((each) => each.toLowerCase())).toEqual(["red", "yellow", "green", "blue"].map((name) => hex(name).toLowerCase()));
  });

  it("are measured rightly", () => {
    // From the test data of Sharma, Wu and Dalal.
    expect(distance([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4);
    expect(distance([50, 2.5, 0], [73, 25, -18])).toBeCloseTo(27.1492, 4);
    expect(distance([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514])).toBeCloseTo(0.9082, 4);
    // White and greys are the same for every eye.
    for (const kind of ["protan", "deutan", "tritan"] as const) {
      for (const each of seen(kind, [0.5, 0.5, 0.5])) expect(each).toBeCloseTo(0.5, 2);
    }
  });

  it.each(["protan", "deutan", "tritan"] as const)("are 15 apart or more for a %s eye", (kind) => {
    const least = Math.min(...pairs.map(([a, b]) => distance(lab(seen(kind, light(a))), lab(seen(kind, light(b))))));
    expect(least).toBeGreaterThanOrEqual(15);
  });

  it("would not be with a usual set", () => {
    const usual = ["#ff5555", "#ffaa00", "#55aa55", "#5555ff"];
    const apart = usual.flatMap((a, k) => usual.slice(k + 1).map((b) => distance(lab(seen("deutan", light(a))), lab(seen("deutan", light(b))))));
    expect(Math.min(...apart)).toBeLessThan(15);
  });
});
