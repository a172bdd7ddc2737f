// What of others travels with the page, and under which terms: one text beside it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

interface Package {
  version: string;
  license: string;
  homepage?: string;
  repository?: string | { url: string };
}

/** `licences.txt`, written from the packages as they are installed. */
export function licences(modules: string, names: readonly string[]): Plugin {
  const told = (name: string): string => {
    const folder = join(modules, name);
    const { version, license, homepage, repository } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Package;
    const home = homepage ?? (typeof repository === "string" ? repository : repository?.url) ?? "";
    const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each));
    const text = file === undefined ? "" : `\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
    return `${name} ${version}, ${license}. ${home}${text}\n`;
  };
  return {
    name: "penultima:licences",
    apply: "build",
    generateBundle: {
      order: "post",
      handler() {
        this.emitFile({ type: "asset", fileName: "licences.txt", source: names.map(told).join(`\n${"-".repeat(80)}\n\n`) });
      },
    },
  };
}
