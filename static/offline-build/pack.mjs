// Makes what the practice worker loads: a trimmed, precompiled standard library and our own
// packages, compiled by the very Python that will run them (Pyodide, here under Node). It ends
// with a rehearsal on exactly those files, since a module that is missing would else show only in
// a browser.
//
//     node offline-build/pack.mjs      prints a JSON object: name -> path
//
// What was made is kept under node_modules/.cache and made again when one of its inputs changes.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, "../../src/penultima");
const cache = join(here, "../node_modules/.cache/penultima");
const pyodide = dirname(createRequire(import.meta.url).resolve("pyodide/package.json"));

/** Packages of ours that run in the worker. */
const PACKAGES = ["engine", "bots", "table", "offline"];
/** Of them, what is for the command line only. */
const TOOLS = new Set(["tournament.py"]);

/** Where Pyodide keeps its library, and where the worker puts our packages. */
const LIBRARY = "/lib/python314.zip";
export const GAME = "/lib/penultima.zip";

const digest = (...parts) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}\0`).update(part);
  return hash.digest("hex").slice(0, 16);
};

function ours() {
  const files = { "penultima/__init__.py": readFileSync(join(source, "__init__.py"), "utf8") };
  for (const name of PACKAGES) {
    const folder = join(source, name);
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith(".py") || TOOLS.has(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      files[`penultima/${path.slice(source.length + 1).replaceAll("\\", "/")}`] = readFileSync(path, "utf8");
    }
  }
  return Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Pyodide's description of itself, without any package: nothing is ever fetched from elsewhere. */
const lock = () => ({
  info: JSON.parse(readFileSync(join(pyodide, "pyodide-lock.json"), "utf8")).info,
  packages: {},
});

export async function boot(library, files = {}, env = {}) {
  const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")).href);
  return loadPyodide({
    indexURL: pyodide,
    stdLibURL: library,
    lockFileContents: lock(),
    packageBaseUrl: "./",
    // The same bytes every time, and no columns in tracebacks, which are a fifth of them.
    args: ["-X", "no_debug_ranges"],
    env: { PYTHONHASHSEED: "0", PYTHONDONTWRITEBYTECODE: "1", ...env },
    fsInit: async (FS) => {
      for (const [path, content] of Object.entries(files)) {
        FS.mkdirTree(dirname(path));
        FS.writeFile(path, content);
      }
    },
  });
}

const script = (name) => readFileSync(join(here, name));

/** The whole library, compiled. Once for each release of Pyodide. */
async function whole(key) {
  const path = join(cache, `library-${key}.zip`);
  if (existsSync(path)) return path;
  const python = await boot(join(pyodide, "python_stdlib.zip"), { "/build/pack.py": script("pack.py") }, { PYTHONPATH: "/build" });
  keep(path, python.pyimport("pack").whole(LIBRARY).toJs());
  return path;
}

async function packed(library, files, folder) {
  const uncompiled = Object.fromEntries(
    Object.entries(files).map(([name, content]) => [`/build/${name}`, content]),
  );
  const python = await boot(
    library,
    { ...uncompiled, "/build/pack.py": script("pack.py"), "/build/rehearse.py": script("rehearse.py") },
    { PYTHONPATH: "/build" },
  );
  // First, so that what packing itself needs is not taken for needed.
  const lines = python.pyimport("rehearse").rehearse();
  const loaded = python.runPython("import sys; sorted(sys.modules)");
  const pack = python.pyimport("pack");
  const game = pack.ours(python.toPy(files)).toJs();
  const trimmed = pack.trimmed(LIBRARY, pack.used(LIBRARY, loaded)).toJs();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "python.zip"), trimmed);
  writeFileSync(join(folder, "penultima.zip"), game);
  return lines;
}

/** On the files as they will be served, in an interpreter that has seen nothing else. */
async function rehearsed(folder) {
  const python = await boot(
    join(folder, "python.zip"),
    { [GAME]: readFileSync(join(folder, "penultima.zip")), "/build/rehearse.py": script("rehearse.py") },
    { PYTHONPATH: `${GAME}:/build` },
  );
  return python.pyimport("rehearse").rehearse();
}

function keep(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

export async function make() {
  const version = JSON.parse(readFileSync(join(pyodide, "package.json"), "utf8")).version;
  const key = digest(version, script("pack.py"), script("pack.mjs"));
  const files = ours();
  const name = `practice-${digest(key, script("rehearse.py"), ...Object.entries(files).flat())}`;
  const folder = join(cache, name);
  if (!existsSync(folder)) {
    const library = await whole(key);
    const fresh = `${folder}.new`;
    rmSync(fresh, { recursive: true, force: true });
    const before = await packed(library, files, fresh);
    const after = await rehearsed(fresh);
    if (before !== after) throw new Error(`the packed game plays differently:\n${before}\n${after}`);
    writeFileSync(join(fresh, "rehearsal.txt"), after);
    renameSync(fresh, folder);
    for (const other of readdirSync(cache)) {
      const mine = other === name || other === `library-${key}.zip`;
      if (!mine && /^(practice|library)-/.test(other)) rmSync(join(cache, other), { recursive: true, force: true });
    }
  }
  return {
    version,
    info: lock().info,
    files: {
      // Not every server knows that .mjs is a script, and no browser runs one that is called otherwise.
      "python.js": join(pyodide, "pyodide.asm.mjs"),
      "python.wasm": join(pyodide, "pyodide.asm.wasm"),
      "python.zip": join(folder, "python.zip"),
      "penultima.zip": join(folder, "penultima.zip"),
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(JSON.stringify(await make()));
  } catch (error) {
    // Pyodide's own errors would print a million characters of source.
    console.error(`error: ${String(error?.message ?? error).slice(0, 4000)}`);
    process.exitCode = 1;
  }
}
