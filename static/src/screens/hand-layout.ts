// Where the cards of a hand lie. Up to twelve overlap, each with 44 px of its own to be tapped, in
// one row or, where that would make them small, in two; more lie in a grid.

export interface HandLayout {
  mode: "row" | "rows" | "grid";
  w: number;
  h: number;
  at: { x: number; y: number }[];
  /** Of everything; more than `maxHeight` only in a grid, which then scrolls. */
  height: number;
}

export const TAP = 44;
export const RATIO = 1.41;
/** Room above the first row for a raised card. */
export const LIFT = 14;
const GAP = 3;
/** Two rows of these are as high as the hand always is (look/hand.css). */
const ROWS_WIDE = 84;
/** A single row of narrower cards than this gives way to two. */
const ROW_LEAST = 72;

/** `maxHeight` is what the table can spare, `fair` what it likes to give. */
export function layoutHand(n: number, width: number, maxHeight: number, fair = maxHeight): HandLayout {
  const room = Math.max(maxHeight, TAP * RATIO + LIFT);
  const tallest = Math.min(width >= 600 ? 126 : 118, (room - LIFT) / RATIO);
  if (n <= 12) {
    const w = Math.min(tallest, n <= 1 ? tallest : width - (n - 1) * TAP);
    if (w >= ROW_LEAST) return rows(n, 1, Math.floor(w), width);
    const per = Math.ceil(n / 2);
    const shown = TAP + 10;
    const wide = Math.min(tallest, ROWS_WIDE, width - (per - 1) * TAP, (room - LIFT - shown) / RATIO);
    if (wide >= 54) return rows(n, 2, Math.floor(wide), width);
    if (w >= 54) return rows(n, 1, Math.floor(w), width);
  }
  const wanted = grid(n, width, Math.min(room, fair));
  return wanted.height <= fair ? wanted : grid(n, width, room);
}

function rows(n: number, count: number, w: number, width: number): HandLayout {
  const h = Math.round(w * RATIO);
  const per = Math.ceil(n / count);
  const down = count === 1 ? 0 : Math.max(TAP + 10, Math.round(h * 0.55));
  const at: { x: number; y: number }[] = [];
  for (let row = 0; row < count; row++) {
    const here = Math.min(per, n - row * per);
    const step = here <= 1 ? 0 : Math.min(w + 6, (width - w) / (here - 1));
    const left = (width - (step * (here - 1) + w)) / 2;
    for (let k = 0; k < here; k++) at.push({ x: Math.round(left + k * step), y: LIFT + row * down });
  }
  return { mode: count === 1 ? "row" : "rows", w, h, at, height: LIFT + (count - 1) * down + h };
}

function grid(n: number, width: number, room: number): HandLayout {
  let w = Math.min(72, width);
  let cols = 1;
  for (; w >= TAP; w--) {
    cols = Math.max(1, Math.floor((width + GAP) / (w + GAP)));
    if (LIFT + Math.ceil(n / cols) * (Math.round(w * RATIO) + GAP) - GAP <= room) break;
  }
  if (w < TAP) {
    w = TAP;
    cols = Math.max(1, Math.floor((width + GAP) / (w + GAP)));
  }
  const h = Math.round(w * RATIO);
  const used = Math.min(n, cols);
  const left = (width - (used * (w + GAP) - GAP)) / 2;
  const at = Array.from({ length: n }, (_, k) => ({
    x: Math.round(left + (k % cols) * (w + GAP)),
    y: LIFT + Math.floor(k / cols) * (h + GAP),
  }));
  return { mode: "grid", w, h, at, height: LIFT + Math.ceil(n / cols) * (h + GAP) - GAP };
}
