// The words that came with a part of the page (offline-build/words.ts): whoever imports this has them all.
import { LATE } from "virtual:late-words";
import { LANGUAGES } from "./index";

for (const [tag, words] of Object.entries(LATE)) Object.assign(LANGUAGES[tag as keyof typeof LANGUAGES], words);
