// A QR code of a short text (bytes, error correction L or M, versions 1-10: up to 271 bytes).

// Per version: [data codewords, check codewords per block, blocks] for L, then for M.
const LEVELS: [number, number, number][][] = [
  [[19, 7, 1], [34, 10, 1], [55, 15, 1], [80, 20, 1], [108, 26, 1], [136, 18, 2], [156, 20, 2], [194, 24, 2], [232, 30, 2], [274, 18, 4]],
  [[16, 10, 1], [28, 16, 1], [44, 26, 1], [64, 18, 2], [86, 24, 2], [108, 16, 4], [124, 18, 4], [154, 22, 4], [182, 22, 5], [216, 26, 5]],
];
const ALIGNED = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

const EXP = new Uint8Array(510);
const LOG = new Uint8Array(256);
for (let k = 0, x = 1; k < 255; k++) {
  EXP[k] = EXP[k + 255] = x;
  LOG[x] = k;
  x = (x << 1) ^ (x & 0x80 ? 0x11d : 0);
}
const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : EXP[LOG[a]! + LOG[b]!]!);

/** The remainder that the check codewords are (Reed-Solomon). */
function check(data: readonly number[], size: number): number[] {
  let divisor = [1];
  for (let k = 0; k < size; k++) {
    const next = [...divisor, 0];
    divisor.forEach((c, at) => {
      next[at + 1] = next[at + 1]! ^ times(c, EXP[k]!);
    });
    divisor = next;
  }
  const rest = new Array<number>(size).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest.shift()!;
    rest.push(0);
    for (let k = 0; k < size; k++) rest[k] = rest[k]! ^ times(divisor[k + 1]!, factor);
  }
  return rest;
}

function codewords(bytes: Uint8Array, version: number, level: number): number[] | null {
  const [room, checks, blocks] = LEVELS[level]![version - 1]!;
  const countBits = version < 10 ? 8 : 16;
  if (4 + countBits + bytes.length * 8 > room * 8) return null;
  const bits: number[] = [];
  const put = (value: number, width: number): void => {
    for (let k = width - 1; k >= 0; k--) bits.push((value >> k) & 1);
  };
  put(4, 4);
  put(bytes.length, countBits);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, room * 8 - bits.length));
  while (bits.length % 8 !== 0) bits.push(0);
  const data: number[] = [];
  for (let k = 0; k < bits.length; k += 8) data.push(Number.parseInt(bits.slice(k, k + 8).join(""), 2));
  for (let pad = 0xec; data.length < room; pad ^= 0xec ^ 0x11) data.push(pad);

  // Short blocks first, then those one longer; read across.
  const short = Math.floor(room / blocks);
  const longs = room % blocks;
  const parts: number[][] = [];
  for (let k = 0, at = 0; k < blocks; k++) {
    const length = short + (k < blocks - longs ? 0 : 1);
    parts.push(data.slice(at, at + length));
    at += length;
  }
  const tails = parts.map((part) => check(part, checks));
  const out: number[] = [];
  for (let k = 0; k <= short; k++) for (const part of parts) if (k < part.length) out.push(part[k]!);
  for (let k = 0; k < checks; k++) for (const tail of tails) out.push(tail[k]!);
  return out;
}

const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function bch(value: number, poly: number, width: number): number {
  let rest = value;
  for (let k = 0; k < width; k++) rest = (rest << 1) ^ ((rest >> (width - 1)) * poly);
  return (value << width) | rest;
}

function penalty(dark: boolean[][]): number {
  const size = dark.length;
  let score = 0;
  for (const flip of [false, true]) {
    for (let a = 0; a < size; a++) {
      let run = 0;
      let line = "";
      for (let b = 0; b < size; b++) {
        const here = flip ? dark[b]![a]! : dark[a]![b]!;
        const before = b === 0 ? !here : flip ? dark[b - 1]![a]! : dark[a]![b - 1]!;
        run = here === before ? run + 1 : 1;
        if (run === 5) score += 3;
        else if (run > 5) score++;
        line += here ? "1" : "0";
      }
      for (const pattern of ["00001011101", "10111010000"]) {
        for (let at = line.indexOf(pattern); at >= 0; at = line.indexOf(pattern, at + 1)) score += 40;
      }
    }
  }
  let darks = 0;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (dark[y]![x]!) darks++;
      if (x > 0 && y > 0) {
        const corner = dark[y]![x]!;
        if (corner === dark[y - 1]![x] && corner === dark[y]![x - 1] && corner === dark[y - 1]![x - 1]) score += 3;
      }
    }
  }
  return score + Math.floor(Math.abs((darks * 20) / (size * size) - 10)) * 10;
}

/** Rows of dark squares, without the quiet border; `null` for a text that is too long. */
export function qr(text: string, mask?: number): boolean[][] | null {
  const bytes = new TextEncoder().encode(text);
  for (const level of [1, 0]) {
    for (let version = 1; version <= 10; version++) {
      const words = codewords(bytes, version, level);
      if (words === null) continue;
      // M where it costs no larger code than version 6, else L.
      if (level === 1 && version > 6) break;
      if (mask !== undefined) return draw(words, version, level, mask);
      let best: boolean[][] | null = null;
      let least = Number.POSITIVE_INFINITY;
      for (let k = 0; k < 8; k++) {
        const tried = draw(words, version, level, k);
        const score = penalty(tried);
        if (score < least) [best, least] = [tried, score];
      }
      return best;
    }
  }
  return null;
}

function draw(words: readonly number[], version: number, level: number, mask: number): boolean[][] {
  const size = version * 4 + 17;
  const dark = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  const fixed = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  const set = (x: number, y: number, value: boolean): void => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    dark[y]![x] = value;
    fixed[y]![x] = true;
  };
  for (let k = 0; k < size; k++) {
    set(6, k, k % 2 === 0);
    set(k, 6, k % 2 === 0);
  }
  for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) {
    for (let dy = -4; dy <= 4; dy++) {
      for (let dx = -4; dx <= 4; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(cx + dx, cy + dy, ring !== 2 && ring !== 4);
      }
    }
  }
  const aligned = ALIGNED[version - 1]!;
  for (const cy of aligned) {
    for (const cx of aligned) {
      const corner = (cx === 6 && (cy === 6 || cy === size - 7)) || (cx === size - 7 && cy === 6);
      if (corner) continue;
      for (let dy = -2; dy <= 2; dy++) {
        for (let dx = -2; dx <= 2; dx++) set(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
      }
    }
  }
  // Level L is written 01, M is written 00.
  const format = bch(((level === 0 ? 1 : 0) << 3) | mask, 0x537, 10) ^ 0x5412;
  for (let k = 0; k < 15; k++) {
    const bit = ((format >> k) & 1) === 1;
    if (k < 6) set(8, k, bit);
    else if (k < 8) set(8, k + 1, bit);
    else if (k === 8) set(7, 8, bit);
    else set(14 - k, 8, bit);
    if (k < 8) set(size - 1 - k, 8, bit);
    else set(8, size - 15 + k, bit);
  }
  set(8, size - 8, true);
  if (version >= 7) {
    const bits = bch(version, 0x1f25, 12);
    for (let k = 0; k < 18; k++) {
      const bit = ((bits >> k) & 1) === 1;
      const a = size - 11 + (k % 3);
      const b = Math.floor(k / 3);
      set(a, b, bit);
      set(b, a, bit);
    }
  }
  let at = 0;
  let up = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let k = 0; k < size; k++) {
      const y = up ? size - 1 - k : k;
      for (const x of [right, right - 1]) {
        if (fixed[y]![x]!) continue;
        const bit = at < words.length * 8 && ((words[at >> 3]! >> (7 - (at & 7))) & 1) === 1;
        at++;
        dark[y]![x] = bit !== MASKS[mask]!(x, y);
      }
    }
    up = !up;
  }
  return dark;
}

/** One SVG path for all dark squares, in a box of `size`. */
export function qrPath(rows: boolean[][]): string {
  let d = "";
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue;
      let end = x;
      while (row[end + 1]) end++;
      d += `M${x} ${y}h${end - x + 1}v1h-${end - x + 1}z`;
      x = end;
    }
  });
  return d;
}
