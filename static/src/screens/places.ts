/** How the others sit: some on the left, most at the top, some on the right. */
export function places(n: number): { left: number; top: number; right: number } {
  if (n <= 4) return { left: 0, top: n, right: 0 };
  const side = n <= 6 ? 1 : 2;
  return { left: side, top: n - 2 * side, right: side };
}
