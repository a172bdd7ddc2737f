// Arithmetic of who sits where; nothing is drawn here.

/** How all sit around the table of the shared screen, where nobody's place is the lower edge. */
export function around(n: number): { bottom: number; left: number; top: number; right: number } {
  const side = n < 3 ? 0 : n < 9 ? 1 : 2;
  const rest = n - 2 * side;
  const bottom = Math.floor(rest / 2);
  return { bottom, left: side, top: rest - bottom, right: side };
}

/** How the others sit: some on the left, most at the top, some on the right. */
export function places(n: number): { left: number; top: number; right: number } {
  if (n <= 4) return { left: 0, top: n, right: 0 };
  const side = n <= 6 ? 1 : 2;
  return { left: side, top: n - 2 * side, right: side };
}
