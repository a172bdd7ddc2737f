// Python as it stands once our packages are loaded, kept on the device: the next start lays its
// memory out again instead of importing some two hundred modules. Pages of zeros, more than half of
// it, are left out.
//
//     length · sum of the rest (4 bytes each) · a byte for each page: whether it is there · pages

/** The name of what it is kept in. */
export const MEMORY = "penultima-memory";

type Bytes = Uint8Array<ArrayBuffer>;

const PAGE = 65_536;
const HEAD = 8;
/** So many pages at a stretch: half a megabyte, some milliseconds on a slow phone. */
const STRETCH = 8;

/** What is to be kept of it. Somebody is playing meanwhile: after every few pages it waits for `breathe`. */
export async function squeezed(memory: Bytes, breathe: () => Promise<void>): Promise<Bytes> {
  const pages = Math.ceil(memory.length / PAGE);
  const there: number[] = [];
  for (let page = 0; page < pages; page++) {
    if (page % STRETCH === STRETCH - 1) await breathe();
    if (!empty(memory.subarray(page * PAGE, (page + 1) * PAGE))) there.push(page);
  }
  const first = HEAD + padded(pages);
  const kept = new Uint8Array(first + there.length * PAGE);
  for (const page of there) kept[HEAD + page] = 1;
  let total = sum(kept.subarray(HEAD, first), kept.length - HEAD);
  for (const [at, page] of there.entries()) {
    if (at % STRETCH === STRETCH - 1) await breathe();
    const place = first + at * PAGE;
    kept.set(memory.subarray(page * PAGE, (page + 1) * PAGE), place);
    total = sum(kept.subarray(place, place + PAGE), total);
  }
  const head = new DataView(kept.buffer);
  head.setUint32(0, memory.length, true);
  head.setInt32(4, total, true);
  return kept;
}

/** The memory again. `RangeError` if that is not a whole one, or not as it was. */
export function expanded(kept: Bytes): Bytes {
  const head = new DataView(kept.buffer, kept.byteOffset, kept.length);
  const length = head.getUint32(0, true);
  const pages = Math.ceil(length / PAGE);
  const first = HEAD + padded(pages);
  if (kept.length < first || head.getInt32(4, true) !== sum(kept.subarray(HEAD))) {
    throw new RangeError("not a whole memory");
  }
  const memory = new Uint8Array(length);
  let at = first;
  for (let page = 0; page < pages; page++) {
    if (kept[HEAD + page] === 0) continue;
    const room = memory.subarray(page * PAGE, (page + 1) * PAGE);
    room.set(kept.subarray(at, at + room.length));
    at += PAGE;
  }
  return memory;
}

// Four bytes at a time: on a slow phone thirty megabytes are many.
const padded = (count: number): number => Math.ceil(count / 4) * 4;

function words(bytes: Bytes): Int32Array<ArrayBuffer> {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
}

function empty(page: Bytes): boolean {
  const whole = words(page);
  for (const word of whole) if (word !== 0) return false;
  return page.subarray(whole.length * 4).every((byte) => byte === 0);
}

/** Tells a memory that a device has spoilt, nothing more. Goes on from `total`. */
function sum(bytes: Bytes, total = bytes.length): number {
  for (const word of words(bytes)) total = (Math.imul(total, 31) + word) | 0;
  return total;
}
