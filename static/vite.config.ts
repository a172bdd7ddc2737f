// Builds the client into the Python package, and serves it live while developing (`make dev`).
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const outDir = fileURLToPath(new URL("../src/penultima/client", import.meta.url));

/** Up to here a file fits into one packet with its headers: smaller gains nothing. */
const SMALLEST = 1_200;

/** Formats that are compressed already stay as they are. */
const TEXT = new Set([
  ".css", ".html", ".js", ".json", ".map", ".mjs", ".svg", ".txt", ".wasm", ".webmanifest", ".zip",
]);

/** Puts `x.br` and `x.gz` beside each file `x`, where that saves at least a tenth. */
function precompress(): Plugin {
  const compress = (file: string): void => {
    const plain = readFileSync(file);
    if (plain.length < SMALLEST) return;
    const worthwhile = plain.length * 0.9;
    const brotli = brotliCompressSync(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    });
    if (brotli.length < worthwhile) writeFileSync(`${file}.br`, brotli);
    const gzip = gzipSync(plain, { level: constants.Z_BEST_COMPRESSION });
    if (gzip.length < worthwhile) writeFileSync(`${file}.gz`, gzip);
  };
  return {
    name: "penultima:precompress",
    apply: "build",
    // Not closeBundle: that runs after a failed build too, and would hide why it failed.
    writeBundle: {
      order: "post",
      sequential: true,
      handler() {
        for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
          if (entry.isFile() && TEXT.has(extname(entry.name))) {
            compress(join(entry.parentPath, entry.name));
          }
        }
      },
    },
  };
}

/** The host that `make dev` runs beside the live client. */
const host = process.env.PENULTIMA_DEV_HOST ?? "http://127.0.0.1:8770";

export default defineConfig({
  // Relative: the same files are served by the host, and as a static copy from any folder.
  base: "./",
  plugins: [precompress()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir,
    emptyOutDir: true,
    // Phones of the last four years; all of these have WebRTC data channels and dvh units.
    target: ["chrome108", "edge108", "firefox115", "safari16.0"],
    // Icons and sounds stay files of their own: cached by name, and no data: in the CSP.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      // The host takes sockets and posts from its own origin only, hence the rewriting.
      "^/(api|ws|healthz|metrics)(/|$|\\?)": {
        target: host,
        changeOrigin: true,
        ws: true,
        headers: { origin: host },
        rewriteWsOrigin: true,
      },
    },
  },
  // Vitest's; its own defineConfig is not there when only the client is built.
  test: {
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"],
    environment: "node",
    passWithNoTests: true,
  },
} as Parameters<typeof defineConfig>[0]);
