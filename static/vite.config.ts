// Builds the client into the Python package, and serves it live while developing (`make dev`).
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { precompress } from "./offline-build/compress";
import { licences } from "./offline-build/licences";
import { offline } from "./offline-build/plugin";
import { words } from "./offline-build/words";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const outDir = here("../src/penultima/client");
const cache = here("node_modules/.cache/penultima");

/** Others' work that is in what is built. */
const TRAVELS = ["@fontsource/nunito", "@preact/signals", "@preact/signals-core", "preact", "pyodide"];

/** The host that `make dev` runs beside the live client. */
const host = process.env.PENULTIMA_DEV_HOST ?? "http://127.0.0.1:8770";

export default defineConfig({
  // Relative: the same files are served by the host, and as a static copy from any folder.
  base: "./",
  plugins: [words(here("src/i18n")), licences(here("node_modules"), TRAVELS), offline(here("public"), cache), precompress(outDir, cache)],
  worker: { format: "es" },
  optimizeDeps: { exclude: ["pyodide"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir,
    emptyOutDir: true,
    // Phones of the last four years; device/browser.ts tells older ones that they are.
    target: ["chrome111", "edge111", "firefox115", "safari16.2"],
    // Icons and sounds stay files of their own: cached by name, and no data: in the CSP.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What everybody needs is one script: left alone, it is divided by who else uses which part of it.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "page", tags: ["$initial"] }] } } },
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
