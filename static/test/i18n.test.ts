import { afterEach, describe, expect, it } from "vitest";
import { cardName, type Catalogue, fill, type Key, LANGUAGES, lang, pick, t, type Text } from "../src/i18n";
import { pseudo } from "../src/i18n/pseudo";
import { PRESETS, SWITCHES } from "../src/rules.gen";
import { atAGlance, type Entry, joined, tell } from "../src/state/story";

const es = LANGUAGES.es;
const keys = Object.keys(es) as Key[];
const texts = (text: Text): string[] => (typeof text === "string" ? [text] : Object.values(text));
const holes = (text: Text): string => [...new Set(texts(text).flatMap((each) => each.match(/\{\w+\}/g) ?? []))].sort().join();

afterEach(() => {
  lang.value = "es";
});

describe.each(Object.entries(LANGUAGES) as [string, Catalogue][])("%s", (tag, catalogue) => {
  it("has every key and none besides, none empty", () => {
    expect(Object.keys(catalogue).sort()).toEqual([...keys].sort());
    for (const key of keys) for (const text of texts(catalogue[key])) expect(text.trim(), key).not.toBe("");
  });

  it("fills the same blanks as Spanish", () => {
    for (const key of keys) expect(holes(catalogue[key]), key).toBe(holes(es[key]));
  });

  it.each([0, 1, 2, 11, 1_000_000])("counts %d cards", (n) => {
    const words = fill(catalogue["cards"], tag, { n });
    expect(words).not.toContain("{");
    const singular = n === 1 || (n === 0 && tag === "pt-BR");
    expect(words.endsWith(tag === "en" ? (singular ? " card" : " cards") : singular ? " carta" : " cartas")).toBe(true);
    if (n === 1_000_000 && tag !== "en") expect(words).toContain(" de ");
  });

  it("has words for every switch, value and preset", () => {
    const has = (key: string): void => expect(key in catalogue, key).toBe(true);
    for (const preset of Object.keys(PRESETS)) {
      has(`preset.${preset}`);
      has(`preset.${preset}.text`);
    }
    for (const { name, values } of SWITCHES) {
      if (name.startsWith("custom") || name === "agreed") continue;
      has(`rule.${name}`);
      has(`rule.${name}.text`);
      if (!Array.isArray(values)) continue;
      for (const value of values) if (typeof value !== "boolean") has(`rule.${name}.${value}`);
    }
  });
});

describe("a key", () => {
  it("is said somewhere", () => {
    const sources = import.meta.glob<string>(["../src/**/*.{ts,tsx}", "!../src/i18n/{es,pt-BR,en}.ts"], { query: "?raw", eager: true, import: "default" });
    const code = Object.values(sources).join("\n");
    const begun = [...code.matchAll(/[`"]((?:[a-z_]+\.)+)\$\{/g)].map((each) => each[1]!);
    const unsaid = keys.filter((key) => !code.includes(`"${key}"`) && !begun.some((start) => key.startsWith(start)));
    expect(unsaid).toEqual(["language"]);
  });
});

describe("the made-up language", () => {
  it("is 40 % longer and keeps the blanks", () => {
    for (const key of keys) {
      expect(holes(pseudo(es[key])), key).toBe(holes(es[key]));
      for (const text of texts(pseudo(es[key]))) expect(text.length).toBeGreaterThan(1);
    }
    expect((pseudo("doce letras.") as string).length).toBeGreaterThanOrEqual(12 * 1.4 - 1);
  });
});

describe("the language of a browser", () => {
  it("is the first of those asked for that there is", () => {
    expect(pick(["fr-FR", "pt-PT", "en"])).toBe("pt-BR");
    expect(pick(["es-MX"])).toBe("es");
    expect(pick(["en-GB"])).toBe("en");
    expect(pick(["ja"])).toBe("es");
  });
});

describe("a card's name", () => {
  it("follows the language's order", () => {
    expect(cardName("g7")).toBe("7 verde");
    lang.value = "en";
    expect(cardName("g7")).toBe("green 7");
    expect(cardName("W+4")).toBe("wild +4");
  });

  it("agrees with its colour", () => {
    expect(["rR", "yR", "gR", "bR", "rS"].map(cardName)).toEqual(["reversa roja", "reversa amarilla", "reversa verde", "reversa azul", "salto rojo"]);
    lang.value = "pt-BR";
    expect(["rR", "yR"].map(cardName)).toEqual(["inverter vermelho", "inverter amarelo"]);
    lang.value = "en";
    expect(cardName("bR")).toBe("blue reverse");
  });
});

describe("a result says its cause", () => {
  const entry = (event: object, you = 0): Entry => ({ id: 1, event: event as Entry["event"], names: { 0: "Ana", 1: "Beto" }, you });

  it("to the one it happened to and to the others", () => {
    const drew = { e: "drew", seat: 0, count: 6, cause: "challenge", owed: 6, extra: 2 };
    expect(tell(entry(drew))).toBe("Robas 6: el desafío falló (4 pendientes + 2 por desafiar)");
    expect(tell(entry(drew, 1))).toContain("Ana roba 6: el desafío falló");
    expect(tell(entry({ e: "drew", seat: 1, count: 2, cause: "caught" }))).toBe("Beto roba 2: no dijo ¡UNO!");
    expect(joined(["Pillas a Beto", "Beto roba 2: no dijo ¡UNO!", "Juega Ana"])).toBe("Pillas a Beto. Beto roba 2: no dijo ¡UNO! Juega Ana");
  });

  it("without who was cut off for a moment, where there is little room", () => {
    const kinds = (log: Entry[]): string[] => log.map((each) => `${each.event.e} ${each.event.seat}`);
    const log = (...events: [string, number][]): Entry[] => events.map(([e, seat]) => entry({ e, seat }));
    expect(kinds(atAGlance(log(["drew", 0], ["away", 1], ["away", 0], ["returned", 1], ["returned", 0])))).toEqual(["drew 0"]);
    expect(kinds(atAGlance(log(["away", 1], ["played", 0])))).toEqual(["away 1", "played 0"]);
    expect(kinds(atAGlance(log(["away", 1], ["standin", 1], ["returned", 1])))).toEqual(["away 1", "standin 1", "returned 1"]);
  });

  it("when the piles ran out", () => {
    expect(tell(entry({ e: "drew", seat: 1, count: 1, cause: "draw_two", owed: 2 }))).toContain("debía 2");
  });

  it("in every language, for every kind of event", () => {
    const kinds = "dealer_drawn dealt turned_up played drew passed skipped turned coloured challenged called caught swapped rotated hands_shuffled misplayed reshuffled taken_out round_ended eliminated match_ended joined left renamed returned away standin rules_changed vote_opened vote_closed".split(" ");
    for (const tag of ["es", "pt-BR", "en"] as const) {
      lang.value = tag;
      for (const e of kinds) {
        for (const seat of [0, 1]) {
          const words = tell(entry({ e, seat, card: "r7", by: 1, opener: 1, player: 1, count: 2, cause: "turn", winner: seat, winners: [seat], round: 1, dealer: 1, colour: "b" }));
          expect(words, `${e} ${tag}`).toBeTruthy();
          expect(words).not.toMatch(/[{}]/);
        }
      }
    }
  });

  it("in words for every refusal the table knows", () => {
    for (const code of "stale bad_message bad_secret bad_version not_seated already_seated name_empty name_long name_bad table_full table_locked too_few wrong_phase no_such_seat not_away bad_rules too_fast too_big not_allowed not_your_turn no_match not_in_hand choose_colour choose_player must_answer only_drawn_card nothing_drawn no_pending no_challenge not_last_card not_exposed cannot_call paused round_over not_host too_late bad_move".split(" ")) {
      expect(t(`why.${code}` as Key), code).toBeTruthy();
    }
  });
});
