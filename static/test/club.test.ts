import { describe, expect, it } from "vitest";
import type { Text } from "../src/i18n";
import { readKey } from "../src/club/talk";
import { WORDS, why } from "../src/club/words";

const texts = (text: Text): string[] => (typeof text === "string" ? [text] : Object.values(text));
const holes = (text: Text): string => [...new Set(texts(text).flatMap((each) => each.match(/\{\w+\}/g) ?? []))].sort().join();

describe("the club's words", () => {
  it("fill the same blanks in every language, none empty", () => {
    for (const [tag, words] of Object.entries(WORDS))
      for (const [key, text] of Object.entries(words)) {
        expect(holes(text), `${tag} ${key}`).toBe(holes(WORDS.es[key as keyof typeof WORDS.es]));
        for (const each of texts(text)) expect(each.trim(), `${tag} ${key}`).not.toBe("");
      }
  });

  it("say something for every refusal, known or not", () => {
    expect(why("club_full", 7)).toContain("7");
    expect(why("never_heard_of", 7)).toBe(WORDS.es["why.other"]);
  });
});

describe("the club's link", () => {
  it("is a node and a key, and nothing else", () => {
    expect(readKey("#b." + "k".repeat(24))).toEqual({ node: "b", key: "k".repeat(24) });
    for (const bad of ["", "#b", "#b.short", "#bb." + "k".repeat(24), "#b." + "K".repeat(24), "#b." + "k".repeat(25)])
      expect(readKey(bad)).toBeNull();
  });
});
