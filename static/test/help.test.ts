import { afterEach, describe, expect, it } from "vitest";
import { LANGUAGES, lang, t } from "../src/i18n";
import { SWITCHES } from "../src/rules.gen";
import { alikeHere, basics, cardHere, runHere } from "../src/state/help";
import { presetRules, readRules, type RuleSet } from "../src/state/rules";
import type { Entry } from "../src/state/story";
import { why } from "../src/state/why";

afterEach(() => {
  lang.value = "es";
});

const here = (card: string, rules: string): string => cardHere(card, readRules(rules).set, []);
const because = (event: object, rules: string): string | null =>
  why({ id: 1, event: event as Entry["event"], names: {}, you: 0 }, readRules(rules).set, []);

describe("what a card does at this table", () => {
  it("says of a +2 whether it can be answered, and with what", () => {
    expect(here("b+2", "classic")).toBe("El +2: quien sigue roba dos y pierde el turno.");
    expect(here("b+2", "classic stacking=same")).toMatch(/pone otro \+2 y la suma pasa/);
    expect(here("b+2", "classic stacking=same")).not.toContain("+4");
    expect(here("b+2", "party")).toMatch(/pone otro \+2 o un \+4 y la suma pasa/);
    for (const rules of ["party", "icebreaker", "berserker"]) expect(here("b+2", rules), rules).not.toContain("roba dos");
  });

  it("says of a +4 when it may be played, and whether it can be challenged", () => {
    expect(here("W+4", "classic")).toBe("El +4 elige color; quien sigue roba cuatro y pierde el turno. Solo es legal sin cartas del color en juego; quien lo recibe puede desafiar.");
    expect(here("W+4", "classic bluff_basis=colour_or_symbol")).toContain("ni del número o símbolo");
    expect(here("W+4", "classic challenge=off")).toMatch(/Vale siempre: en esta mesa no se desafía\.$/);
    expect(here("W+4", "icebreaker")).not.toMatch(/Solo es legal|roba cuatro|Como respuesta/);
    expect(here("W+4", "party")).toMatch(/pone otro \+4 .* Solo es legal .* Como respuesta vale siempre\.$/);
  });

  it("says of action cards that they add up in a run, and of all but numbers that they cannot be the last", () => {
    for (const card of ["rS", "gR", "b+2", "W+4"]) {
      expect(here(card, "classic runs=rank"), card).toContain("En una escalera, cada uno cuenta.");
      expect(here(card, "classic"), card).not.toContain("escalera");
    }
    for (const card of ["rS", "gR", "b+2", "W", "W+4", "WH", "WC1"]) {
      expect(here(card, "classic deck=112 finish=number"), card).toContain("No puede ser la última.");
      expect(here(card, "classic deck=112"), card).not.toContain("última");
    }
    expect(here("g7", "classic finish=number seven_swap=on")).toBe(t("rule.seven_swap.text"));
  });

  it("says of a 7 and a 0 what they do only where they do it", () => {
    expect(here("g7", "classic")).toBe(here("g5", "classic"));
    expect(here("y0", "classic seven_swap=on")).toBe(here("g5", "classic"));
    expect(here("y0", "classic zero_rotate=on")).toBe(t("rule.zero_rotate.text"));
  });

  it("says of the table's own cards that they are wilds, whatever is written on them", () => {
    const own = (text: string, effect: string): string => cardHere("WC1", presetRules("classic"), [{ text, effect }]);
    expect(own("", "none")).toBe(t("because.card.W"));
    expect(own("canta", "none")).toBe(`${t("because.card.W")} “canta”.`);
    expect(own("canta", "all_draw")).toBe(`${t("because.card.W")} “canta”: los demás roban una.`);
    expect(cardHere("WC3", presetRules("classic"), [])).toBe(t("because.card.W"));
  });

  it("is a whole sentence in every language, by whatever mix of rules", () => {
    const cards = ["g7", "y0", "rS", "gR", "b+2", "W", "W+4", "WH", "WC1"];
    for (const tag of Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]) {
      lang.value = tag;
      for (const each of SWITCHES) {
        for (const value of Array.isArray(each.values) ? each.values : []) {
          const set: RuleSet = { ...presetRules("party"), [each.name]: value };
          for (const card of cards) expect(cardHere(card, set, []), `${tag} ${each.name} ${card}`).toMatch(/^\S.*\.$/);
          expect(basics(set)).not.toMatch(/[{}]/);
        }
      }
    }
  });
});

describe("cards that go together", () => {
  it("are told where a rule is about them", () => {
    const { set } = readRules("classic");
    expect([alikeHere(set), runHere(set)]).toEqual([null, null]);
    expect(alikeHere(readRules("classic jump_in=on").set)).toBe(t("rule.jump_in.text"));
    expect(alikeHere(readRules("party").set)).toBe(`${t("rule.jump_in.text")} ${t("rule.twins.text")}`);
    expect(runHere(readRules("classic runs=rank").set)).not.toContain("siguiente");
    expect(runHere(readRules("classic runs=rank_or_sequence").set)).toContain("el número siguiente del mismo color");
  });
});

describe("the basics", () => {
  it("say how much is drawn", () => {
    expect(basics(presetRules("classic"))).toContain("Si no puedes o no quieres, roba una.");
    expect(basics(readRules("classic draw=until_playable").set)).toContain("roba hasta que salga una");
  });
});

describe("a reason", () => {
  it("is the rule in force, and not what it could be", () => {
    expect(because({ e: "played", card: "b+2", how: "answer" }, "classic stacking=same")).not.toContain("Mixto");
    expect(because({ e: "drew", cause: "turn" }, "classic")).toContain("roba una carta");
    expect(because({ e: "drew", cause: "turn" }, "classic draw=until_playable")).toContain("roba hasta que");
    expect(because({ e: "misplayed" }, "classic misplay=draw_two")).not.toContain("no la acepta");
    expect(because({ e: "turned_up", card: "r5" }, "classic")).toContain("actúa");
    expect(because({ e: "turned_up", card: "r5" }, "official_2022")).toContain("tiene que ser un número");
  });
});
