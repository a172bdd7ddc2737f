// Divides the catalogues for the build: what only parts of the page say that are loaded later (screens/later.tsx,
// offline/, club/) comes with those, in all languages. In the sources, in tests and while developing a catalogue is whole.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Plugin, Rollup } from "vite";
import { transformWithOxc } from "vite";

const LATE =
  /^(because|effect\.|group\.|install\.|rules\.|preset\..+\.text$|rule\..+\.text$|solo\.(?!change|failed\.files|home|leave|open|unkept)|menu\.(?:end|fast|grace|log\.empty|out\.text|out\.yes|pause|remove\.(?!sure)|report\.|resume|screen\.|seats?|title)(?!\.sure))/;

const VIRTUAL = "virtual:late-words";
type Words = Record<string, unknown>;

const share = (all: Words, late: boolean): Words => Object.fromEntries(Object.entries(all).filter(([key]) => LATE.test(key) === late));

interface Catalogue {
  tag: string;
  path: string;
  /** What it is exported as. */
  name: string;
}

/** The files of a language each, by what they begin with. */
const catalogues = (folder: string): Catalogue[] =>
  readdirSync(folder).flatMap((file) => {
    const path = join(folder, file);
    const name = /^export const (\w+)[^=]*= \{\n {2}"language":/m.exec(readFileSync(path, "utf8"))?.[1];
    return name === undefined ? [] : [{ tag: basename(file, ".ts"), path, name }];
  });

async function read({ path, name }: Catalogue): Promise<Words> {
  const { code } = await transformWithOxc(readFileSync(path, "utf8"), path);
  const module = (await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`)) as Record<string, Words>;
  return module[name]!;
}

export function words(folder: string): Plugin {
  const all = catalogues(folder);
  let building = false;

  return {
    name: "penultima:words",

    configResolved(config) {
      building = config.command === "build";
    },

    resolveId(id) {
      return id === VIRTUAL ? `\0${VIRTUAL}` : null;
    },

    async load(id) {
      if (id === `\0${VIRTUAL}`) {
        const late = await Promise.all((building ? all : []).map(async (each) => [each.tag, share(await read(each), true)] as const));
        return `export const LATE = ${JSON.stringify(Object.fromEntries(late))};`;
      }
      const one = all.find((each) => id === each.path);
      if (!building || one === undefined) return null;
      return `export const ${one.name} = ${JSON.stringify(share(await read(one), false))};`;
    },

    /** A script that speaks of a word without having it would say nothing, in whichever language. */
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const late = Object.keys(share(await read(all[0]!), true));
        const chunks = Object.values(bundle).filter((file): file is Rollup.OutputChunk => file.type === "chunk");
        const has = (chunk: Rollup.OutputChunk): boolean =>
          chunk.moduleIds.includes(`\0${VIRTUAL}`) || chunks.some((other) => chunk.imports.includes(other.fileName) && other !== chunk && has(other));
        for (const chunk of chunks.filter((each) => !has(each))) {
          const missing = late.filter((key) => ['"', "'", "`"].some((mark) => chunk.code.includes(mark + key + mark)));
          if (missing.length > 0) this.error(`${chunk.fileName} lacks the words that it speaks of: ${missing.join(", ")}`);
        }
      },
    },
  };
}
