// Our own numerals and signs. Numerals are strokes in a box of 40 x 60, signs are filled shapes in
// a box of 100 x 100. No font is involved, so every phone shows the same card.
import type { Colour } from "../wire";

export const STROKES: Record<string, string> = {
  "0": "M20 5C9 5 5 14 5 30s4 25 15 25 15-9 15-25S31 5 20 5Z",
  "1": "M9 16 23 5v50",
  "2": "M6 18C6 9 12 5 20 5s15 5 15 14c0 13-22 20-29 36h29",
  "3": "M7 5h27L20 24c9 0 15 6 15 15s-6 16-16 16c-7 0-12-3-14-9",
  "4": "M28 55V5L5 41h31",
  "5": "M33 5H10L8 27c3-3 7-4 12-4 9 0 15 6 15 16s-6 16-16 16c-7 0-12-3-14-9",
  "6": "M28 5C14 11 5 23 5 39M5 39a15 16 0 1 1 30 0a15 16 0 1 1-30 0",
  "7": "M5 5h30L15 55",
  "8": "M20 28c-8 0-13-4-13-11.5S12 5 20 5s13 4 13 11.5S28 28 20 28Zm0 0c-9 0-15 6-15 13.5S11 55 20 55s15-6 15-13.5S29 28 20 28Z",
  "9": "M12 55C26 49 35 37 35 21M35 21a15 16 0 1 1-30 0a15 16 0 1 1 30 0",
  "+": "M4 32h24M16 20v24",
  // A hop over the one in between.
  "S": "M5 46C6 22 16 11 29 11c14 0 22 10 24 29M42 31l11 11 9-12",
  // A bend back to where it came from.
  "R": "M14 52h19c12 0 20-8 20-18.5S45 15 33 15H10M21 3 9 15l12 12",
};

/** Wider than a numeral: 64 instead of 40. */
export const WIDE = new Set(["S", "R", "+2", "+4"]);

/** The dot that the hop of `S` clears. */
export const HOPPED = { x: 29, y: 44, r: 8 };

export const SIGNS: Record<Colour, string> = {
  r: "M50 3 91 50 50 97 9 50Z",
  y: "M50 3 64.5 33 97 37.5 73.5 61 79 94 50 78.5 21 94 26.5 61 3 37.5 35.5 33Z",
  g: "M10 24a9 9 0 0 1 18 0v60a9 9 0 0 1-18 0ZM41 16a9 9 0 0 1 18 0v60a9 9 0 0 1-18 0ZM72 24a9 9 0 0 1 18 0v60a9 9 0 0 1-18 0Z",
  b: "M66 5A46 46 0 1 0 93 70 37 37 0 0 1 66 5Z",
};

export const BODY: Record<Colour, string> = { r: "#B3261E", y: "#FFD60A", g: "#117A65", b: "#303F9F" };
export const DEEP: Record<Colour, string> = { r: "#8A1710", y: "#E3B500", g: "#0A5848", b: "#1F2B7B" };
export const PAPER = "#FFF6E6";
export const INK = "#14161A";
export const NIGHT = "#1B1420";
