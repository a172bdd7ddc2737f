// Puts `x.br` and `x.gz` beside each built file `x`, where that saves at least a tenth. What has
// been compressed once is remembered: the interpreter alone would cost half a minute every time.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

/** Up to here a file fits into one packet with its headers: smaller gains nothing. */
const SMALLEST = 1_200;

/** From here on the last tenth of size costs more time than it is worth. */
const LARGE = 1_000_000;

/** Formats that are compressed already stay as they are. */
const TEXT = new Set([
  ".css", ".html", ".js", ".json", ".map", ".mjs", ".svg", ".txt", ".wasm", ".webmanifest", ".zip",
]);

/** Only what takes a while is worth a file in the cache. */
const REMEMBERED = 200_000;

const packers = {
  br: (plain: Uint8Array): Promise<Uint8Array> =>
    promisify(brotliCompress)(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: plain.length < LARGE ? constants.BROTLI_MAX_QUALITY : 9,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
  gz: (plain: Uint8Array): Promise<Uint8Array> =>
    promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }),
};

export type Packing = keyof typeof packers;

/** `plain`, packed; from the cache where it has been packed before. */
export async function pack(plain: Uint8Array, how: Packing, cache: string): Promise<Uint8Array> {
  if (plain.length < REMEMBERED) return packers[how](plain);
  const name = createHash("sha256").update(plain).digest("hex").slice(0, 32);
  const kept = join(cache, `packed-${name}.${how}`);
  if (existsSync(kept)) return readFileSync(kept);
  const packed = await packers[how](plain);
  mkdirSync(cache, { recursive: true });
  writeFileSync(`${kept}.new`, packed);
  renameSync(`${kept}.new`, kept);
  return packed;
}

export function precompress(outDir: string, cache: string): Plugin {
  const compress = async (file: string): Promise<void> => {
    const plain = readFileSync(file);
    if (plain.length < SMALLEST) return;
    for (const how of ["br", "gz"] as const) {
      const packed = await pack(plain, how, cache);
      if (packed.length < plain.length * 0.9) writeFileSync(`${file}.${how}`, packed);
    }
  };
  return {
    name: "penultima:precompress",
    apply: "build",
    // Not closeBundle: that runs after a failed build too, and would hide why it failed.
    writeBundle: {
      order: "post",
      sequential: true,
      async handler() {
        const entries = readdirSync(outDir, { recursive: true, withFileTypes: true });
        // Large files side by side, on as many cores as there are.
        await Promise.all(
          entries
            .filter((entry) => entry.isFile() && TEXT.has(extname(entry.name)))
            .map((entry) => compress(join(entry.parentPath, entry.name))),
        );
      },
    },
  };
}
