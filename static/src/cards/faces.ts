// What is drawn on each card, as a few flat shapes in a box of 100 x 141. No DOM: card.tsx shows them.
import { COLOURS, face } from "../state/cards";
import { BODY, DEEP, HOPPED, INK, NIGHT, PAPER, SIGNS, STROKES, WIDE } from "./glyphs";
import { disc, HEIGHT, placed, type Placing, slab, twice, WIDTH } from "./paths";

/** A filled path, or one drawn with a line of this width. */
export interface Shape {
  d: string;
  paint: string;
  line?: number;
  opacity?: number;
}

const CARD = slab(0, 0, WIDTH, HEIGHT, 13);

/** A rank in a box of 40 x 60, or 64 x 60 if it is WIDE, drawn where `at` puts it. */
function rank(name: string, at: Placing, line: number, paint: string, put = placed): Shape[] {
  const { scale = 1 } = at;
  const d = name.startsWith("+") ? STROKES["+"]! + placed(STROKES[name.slice(1)]!, { x: 34, y: 0 }) : STROKES[name]!;
  const shapes: Shape[] = [{ d: put(d, at), paint, line: line * scale }];
  // Upside down they are each other.
  if (name === "6" || name === "9") shapes.push({ d: put("M9 69h22", at), paint, line: line * scale * 0.55 });
  if (name === "S") shapes.push({ d: put(disc(HOPPED.x, HOPPED.y, HOPPED.r), at), paint });
  return shapes;
}

function coloured(colour: (typeof COLOURS)[number], name: string): Shape[] {
  const wide = WIDE.has(name);
  const front = colour === "y" ? INK : PAPER;
  const below = name === "6" || name === "9" ? 46 : wide ? 36 : 42;
  return [
    { d: CARD, paint: BODY[colour] },
    { d: placed(SIGNS[colour], { x: 4, y: 24.5, scale: 0.92 }), paint: DEEP[colour] },
    ...rank(name, wide ? { x: 18.5, y: 42, scale: 0.98 } : { x: 27, y: 35.5, scale: 1.15 }, 10.5, front),
    ...rank(name, wide ? { x: 8, y: 9, scale: 0.37 } : { x: 9, y: 9, scale: 0.47 }, 11, front, twice),
    { d: twice(SIGNS[colour], { x: wide ? 11 : 10, y: below, scale: 0.17 }), paint: front },
  ];
}

/** The four signs, each on its colour, in a square; in both corners with `twice`. */
function four(size: number, x: number, y: number, put = placed): Shape[] {
  const half = size / 2;
  return COLOURS.flatMap((colour, k): Shape[] => {
    const left = x + (k % 2) * half;
    const top = y + Math.floor(k / 2) * half;
    const tile = put(slab(0, 0, half * 0.9, half * 0.9, half * 0.22), { x: left + half * 0.05, y: top + half * 0.05 });
    return [
      { d: tile, paint: BODY[colour] },
      { d: tile, paint: PAPER, line: 1, opacity: 0.35 },
      { d: put(SIGNS[colour], { x: left + half * 0.22, y: top + half * 0.22, scale: half * 0.0056 }), paint: colour === "y" ? INK : PAPER },
    ];
  });
}

/** Four little cards held as a fan, and the number over them. */
function fan(): Shape[] {
  const number = { x: 21, y: 63, scale: 0.86 };
  return [
    ...COLOURS.flatMap((colour, k): Shape[] => {
      const turned = { turn: -21 + k * 14, around: [50, 130] as const };
      const little = placed(slab(0, 0, 34, 48, 5), { x: 33, y: 30, ...turned });
      return [
        { d: little, paint: BODY[colour] },
        { d: little, paint: PAPER, line: 1.2, opacity: 0.6 },
        { d: placed(SIGNS[colour], { x: 43, y: 34, scale: 0.14, ...turned }), paint: colour === "y" ? INK : PAPER },
      ];
    }),
    ...rank("+4", number, 21, NIGHT),
    ...rank("+4", number, 11.5, PAPER),
  ];
}

/** Two ways that cross: every hand goes somewhere else. */
const CROSSED: Shape[] = [
  { d: "M18 52h12c18 0 22 37 40 37h10M72 79l10 10-10 10", paint: BODY.y, line: 8 },
  { d: "M18 89h12c18 0 22-37 40-37h10M72 42l10 10-10 10", paint: PAPER, line: 8 },
];

/** A pen: what it does is written by the table. */
const PEN: Shape[] = [
  { d: "M50 38c13 14 18 26 18 38L57 94H43L32 76c0-12 5-24 18-38ZM50 42v27", paint: PAPER, line: 6 },
  { d: disc(50, 75, 4.5), paint: PAPER },
  { d: "M40 106h20", paint: BODY.y, line: 6 },
];

function wild(name: string): Shape[] {
  const custom = name.startsWith("WC");
  return [
    { d: CARD, paint: NIGHT },
    { d: slab(3.5, 3.5, 93, 134, 10.5), paint: PAPER, line: 1.5, opacity: 0.3 },
    ...(name === "W" ? four(70, 15, 35.5) : name === "W+4" ? fan() : custom ? PEN : CROSSED),
    ...(name === "W+4"
      ? rank("+4", { x: 8, y: 9, scale: 0.42 }, 11, PAPER, twice)
      : custom
        ? rank(name.slice(2), { x: 9, y: 9, scale: 0.46 }, 11, PAPER, twice)
        : four(24, 7, 8, twice)),
  ];
}

const drawn = new Map<string, readonly Shape[]>();

/** The shapes of a card's face, reckoned once for each of the 57 there are. */
export function shapes(card: string): readonly Shape[] {
  let found = drawn.get(card);
  if (found === undefined) {
    const { colour, rank: name } = face(card);
    found = colour === null ? wild(name) : coloured(colour, name);
    drawn.set(card, found);
  }
  return found;
}

/** Four bars, the last but one raised: the sign of the house. As one path where they are all of one colour. */
export const bar = (k: number): string => slab(6 + k * 23, k === 2 ? 12 : 30, 19, 58, 6);

export const BACK: readonly Shape[] = [
  { d: CARD, paint: PAPER },
  { d: slab(6, 6, 88, 129, 8), paint: "#6A2C5F" },
  {
    d: "M6 46 46 6M6 86 86 6M6 126 94 38M14 135 94 55M54 135 94 95M94 46 54 6M94 86 14 6M94 126 6 38M86 135 6 55M46 135 6 95",
    paint: "#FF9E7A",
    line: 2.5,
    opacity: 0.34,
  },
  { d: disc(50, 70.5, 29), paint: "#4C1D47" },
  { d: disc(50, 70.5, 29), paint: "#FF9E7A", line: 2, opacity: 0.6 },
  { d: [0, 1, 3].map((k) => placed(bar(k), { x: 29, y: 49, scale: 0.42 })).join(""), paint: PAPER, opacity: 0.4 },
  { d: placed(bar(2), { x: 29, y: 49, scale: 0.42 }), paint: PAPER, opacity: 0.95 },
];
