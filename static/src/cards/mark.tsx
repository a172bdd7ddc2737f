// The word "Penúltima" in our own letters, and the sign of the house beside it.
import type { JSX } from "preact";
import { Bars } from "./card";

const LETTERS: [d: string, width: number][] = [
  ["M0 62V8h15c11 0 18 6 18 16s-7 16-18 16H0", 33], // P
  ["M2 44h27c0-10-5-17-14-17S0 34 0 45s6 17 16 17c6 0 10-2 12-5", 29], // e
  ["M0 62V27M0 41c2-9 7-14 14-14 8 0 12 5 12 13v22", 26], // n
  ["M0 27v21c0 9 4 14 12 14 7 0 12-5 14-14M26 27v35M11 14 19 3", 26], // u with its accent
  ["M0 4v49c0 6 3 9 8 9", 8], // l
  ["M6 12v41c0 6 3 9 9 9M-1 27h17", 16], // t
  ["M0 27v35M0 12v.01", 0], // i
  ["M0 62V27M0 40c2-8 6-13 12-13 7 0 10 5 10 12v23M22 40c2-8 6-13 12-13 7 0 10 5 10 12v23", 44], // m
  ["M27 27v35M27 45c0-11-5-18-13-18S0 34 0 45s6 17 14 17 13-6 13-17", 27], // a
];

export function Wordmark(): JSX.Element {
  let x = 6;
  const letters = LETTERS.map(([d, width], k) => {
    const at = x;
    x += width + 13;
    return <path key={k} d={d} transform={`translate(${at} 0)`} />;
  });
  return (
    <svg class="wordmark" viewBox={`0 -3 ${x - 7} 72`} role="img" aria-label="Penúltima">
      <g fill="none" stroke="currentColor" stroke-width="9" stroke-linecap="round" stroke-linejoin="round">
        {letters}
      </g>
    </svg>
  );
}

export function Mark(): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 100 100" aria-hidden="true">
      <Bars />
    </svg>
  );
}
