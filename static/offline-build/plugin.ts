// What makes the client work without a network: the practice files under names that hold their
// contents, and the service worker with the list of all files, computed from what was built.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { minify, type Plugin, transformWithOxc } from "vite";
import type { File } from "../src/offline/talk";
import { pack } from "./compress";

const here = fileURLToPath(new URL(".", import.meta.url));
const WORKER = join(here, "../src/installed/sw.ts");

const VIRTUAL = "virtual:practice-files";
const DEV = "/@practice/";

/** Chunks and files that only the practice table needs: kept from the day it is first opened. */
const PRACTICE = /^assets\/(python|penultima|practice|__vite-browser-external)[.-]/;

interface Packed {
  version: string;
  info: Record<string, string>;
  files: Record<string, string>;
}

const TYPES: Record<string, string> = {
  ".js": "text/javascript",
  ".wasm": "application/wasm",
  ".zip": "application/zip",
};

const sha256 = (content: Uint8Array | string) => createHash("sha256").update(content);

const hash = (content: Uint8Array | string): string =>
  sha256(content).digest("base64url").replace(/[-_]/g, "x").slice(0, 10);

export function offline(publicDir: string, cache: string): Plugin {
  let made: Packed | null = null;
  let building = false;

  const packed = (): Packed => {
    if (made === null) {
      // Its own process: what Pyodide leaves behind in Node is not to be found in here.
      const said = execFileSync(process.execPath, [join(here, "pack.mjs")], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit"],
      });
      made = JSON.parse(said) as Packed;
    }
    return made;
  };

  const named = (name: string, content: Uint8Array): string => {
    const ending = extname(name);
    return `assets/${basename(name, ending)}-${hash(content)}${ending}`;
  };

  return {
    name: "penultima:offline",

    configResolved(config) {
      building = config.command === "build";
    },

    resolveId(id) {
      return id === VIRTUAL ? `\0${VIRTUAL}` : null;
    },

    async load(id) {
      if (id !== `\0${VIRTUAL}`) return null;
      const { files, info } = packed();
      const entries: Record<string, File> = {};
      for (const [name, path] of Object.entries(files)) {
        const content = readFileSync(path);
        let fileName = `${DEV}${name}`;
        let travels = content.length;
        if (building) {
          fileName = named(name, content);
          this.emitFile({ type: "asset", fileName, source: content });
          travels = (await pack(content, "br", cache)).length;
          fileName = `./${basename(fileName)}`;
        }
        entries[name] = { name: fileName, bytes: content.length, travels, sum: sha256(content).digest("base64") };
      }
      return `export const FILES = ${JSON.stringify(entries)};\nexport const INFO = ${JSON.stringify(info)};`;
    },

    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const name = request.url?.startsWith(DEV) ? request.url.slice(DEV.length).replace(/\?.*/, "") : "";
        const path = name === "" ? undefined : packed().files[name];
        if (path === undefined || !existsSync(path)) return next();
        response.setHeader("Content-Type", TYPES[extname(name)] ?? "application/octet-stream");
        createReadStream(path).pipe(response);
      });
    },

    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const shell: string[] = [];
        const practice: string[] = [];
        /** Files whose name does not tell their content, with what does. */
        const marks: string[] = [];
        const sums: Record<string, string> = {};
        let entry = "";
        for (const file of Object.values(bundle)) {
          if (file.fileName.endsWith(".map")) continue;
          const content = file.type === "chunk" ? file.code : file.source;
          if (file.type === "chunk" && file.isEntry && file.fileName.endsWith(".js")) entry ||= file.fileName;
          if (!file.fileName.startsWith("assets/")) {
            marks.push(`${file.fileName} ${hash(content)}`);
            continue;
          }
          sums[file.fileName] = `sha256-${sha256(content).digest("base64")}`;
          (PRACTICE.test(file.fileName) ? practice : shell).push(file.fileName);
        }
        if (existsSync(publicDir)) {
          for (const entry of readdirSync(publicDir, { recursive: true, withFileTypes: true })) {
            if (!entry.isFile()) continue;
            const path = join(entry.parentPath, entry.name);
            const name = path.slice(publicDir.length).replaceAll("\\", "/").replace(/^\//, "");
            marks.push(`${name} ${hash(readFileSync(path))}`);
          }
        }
        const list = {
          version: hash([...shell, ...practice, ...marks].sort().join("\n")),
          shell: shell.sort(),
          practice: practice.sort(),
          named: marks.map((mark) => mark.split(" ")[0]!).sort(),
          entry,
          sums,
        };
        const script = await transformWithOxc(readFileSync(WORKER, "utf8"), WORKER);
        const whole = `const LIST = ${JSON.stringify(list)};\n${script.code.replace(/^export \{\};?$/m, "")}`;
        const small = await minify("sw.js", whole, { module: false, mangle: { toplevel: false } });
        this.emitFile({ type: "asset", fileName: "sw.js", source: small.code });
      },
    },
  };
}
