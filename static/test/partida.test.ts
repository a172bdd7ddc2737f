import { describe, expect, it } from "vitest";
import { lang, type Key } from "../src/i18n";
import { es } from "../src/i18n/es";
import { fitNames, partida } from "../src/state/partida";
import { SWITCHES } from "../src/rules.gen";
import { presetRules } from "../src/state/rules";
import { why } from "../src/state/why";
import type { Happened, View } from "../src/wire";

const view: View = {
  phase: "round",
  you: 0,
  rules: "classic",
  seats: [{ name: "Ana María", cards: 3, score: 40 }, { name: "Beto", cards: 2, called: true }, { name: "Carla", cards: 1 }],
  round: 2,
  dealer: 2,
  turn: 0,
  wait: "free",
  top: "r7",
  colour: "r",
  dir: -1,
  pile: 4,
  discard: 9,
  under: ["b7", "W+4"],
  exposed: [2],
  hand: ["r1", "g2", "W"],
  legal: ["r1", "W=", "draw", "catch 2"],
};

describe("a view as a .partida", () => {
  it("has the own hand and all that is public, and makes up the rest", () => {
    const lines = partida(view)!.split("\n");
    expect(lines).toContain("rules: classic");
    expect(lines).toContain("players: Ana_María Beto Carla");
    expect(lines.find((each) => each.startsWith("hands:"))).toMatch(/^hands: Ana_María r1 g2 W \| Beto \S+ \S+ \| Carla \S+$/);
    expect(lines).toContain("discard: b7 W+4 r7");
    expect(lines.find((each) => each.startsWith("draw:"))!.split(" ")).toHaveLength(5);
    for (const line of ["turn: Ana_María", "dealer: Carla", "direction: right", "scores: Ana_María 40"]) expect(lines).toContain(line);
    expect(lines).toContain("# exposed: Carla");
    expect(lines).toContain("# called: Beto");
    expect(lines).toContain("= may Ana_María r1 W draw");
    expect(lines).toContain("= may-not Ana_María g2");
  });

  it("puts a drawn card back and draws it again", () => {
    const text = partida({ ...view, wait: "drawn", drawn: "g2", legal: ["g2", "pass"] })!;
    expect(text).toMatch(/hands: Ana_María r1 W \|/);
    expect(text).toMatch(/^draw: g2 /m);
    expect(text).toContain("\nAna_María draw\n= may Ana_María g2 pass\n= may-not Ana_María r1 W\n");
  });

  it("says who opened what is pending, and calls a +4 legal that may be challenged", () => {
    const text = partida({ ...view, top: "W+4", colour: "b", wait: "answer", pending: 4, opener: 2, challengeable: true, legal: ["accept", "challenge"] })!;
    expect(text).toContain("\ncolour: b\n");
    expect(text).toContain("\npending: 4 Carla legal\n");
    expect(text).toContain("# Whether the Wild Draw Four was a bluff is not known.");
  });

  it("is none outside a round", () => {
    expect(partida({ phase: "lobby", seats: [] })).toBeNull();
  });

  it("fits names", () => {
    expect(fitNames(["Ana", "Ana", "#x", "-", "a  b"])).toEqual(["Ana", "Ana_2", "_#x", "_-", "a_b"]);
  });
});

describe("¿por qué?", () => {
  const said = (event: Happened, change = {}): string | null => {
    lang.value = "es";
    return why({ id: 1, event, names: {}, you: 0 }, { ...presetRules("classic"), ...change }, []);
  };

  it("explains by the rule in force", () => {
    const failed = said({ e: "drew", seat: 1, cause: "challenge", count: 10, owed: 10, extra: 2 });
    expect(failed).toContain("8 + 2");
    expect(said({ e: "played", card: "r7" })).toBe(es["because.played"]);
    expect(said({ e: "played", card: "r7" }, { seven_swap: true })).toBe(es["rule.seven_swap.text"]);
    expect(said({ e: "caught" }, { uno_penalty: 4 })).toContain("roba 4");
    expect(said({ e: "challenged", bluff: true }, { bluff_basis: "colour_or_symbol" })).toBe(es["because.bluff.symbol"]);
    expect(said({ e: "joined" })).toBeNull();
  });

  it("has no sentence that nothing leads to", () => {
    const causes = ["turn", "draw_two", "draw_four", "stack", "caught", "bluff", "challenge", "misplay", "custom"];
    const kinds = "called caught challenged coloured dealer_drawn eliminated hand_shown hands_shuffled passed reshuffled round_ended skipped swapped taken_out turned turned_up".split(" ");
    const cards = ["r1", "rS", "rR", "r+2", "W", "W+4", "WH"];
    const found = new Set<string | null>();
    // Each switch alone, and each with a stack: what holds then is made of several sentences.
    const mixes = SWITCHES.flatMap(({ name, values }) => (Array.isArray(values) ? values : []).map((value) => ({ [name]: value })));
    for (const mix of mixes) {
      for (const rules of [mix, { stacking: "same", ...mix }]) {
        for (const cause of causes) found.add(said({ e: "drew", cause, count: 7, owed: 7, extra: 3 }, rules));
        for (const e of kinds) for (const flag of [true, false]) found.add(said({ e, bluff: flag, blocked: flag }, rules));
        for (const how of ["turn", "run"]) for (const card of cards) found.add(said({ e: "played", card, how }, rules));
      }
    }
    const plain = (text: string): string => text.replace(/\d+|\{\w+\}/g, "#");
    const all = [...found].map((each) => plain(each ?? ""));
    const own = (Object.keys(es) as Key[]).filter((key) => key.startsWith("because."));
    expect(own.filter((key) => !all.some((each) => each.includes(plain(es[key] as string))))).toEqual([]);
  });
});
