// The switches of the rules, as the engine's registry has them. Written by
// `python -m penultima.wire.rules_ts`: change the engine, then run it again.

export interface Switch {
  name: string;
  values: (string | number | boolean)[] | { min: number; max: number };
  default: string | number | boolean;
  group: string;
}

export const SWITCHES: Switch[] = [
  { name: "deck", values: [108, 112], default: 108, group: "deal" },
  { name: "hand_size", values: { min: 1, max: 15 }, default: 7, group: "deal" },
  { name: "stacking", values: ["off", "same", "cross"], default: "off", group: "house" },
  { name: "draw", values: ["one", "until_playable"], default: "one", group: "house" },
  { name: "jump_in", values: [false, true], default: false, group: "house" },
  { name: "twins", values: [false, true], default: false, group: "house" },
  { name: "runs", values: ["off", "rank", "rank_or_sequence"], default: "off", group: "house" },
  { name: "first_card", values: ["effect", "number"], default: "effect", group: "deal" },
  { name: "finish", values: ["any", "number"], default: "any", group: "house" },
  { name: "challenge", values: [true, false], default: true, group: "challenge" },
  { name: "bluff_basis", values: ["colour", "colour_or_symbol"], default: "colour", group: "challenge" },
  { name: "seven_swap", values: [false, true], default: false, group: "house" },
  { name: "zero_rotate", values: [false, true], default: false, group: "house" },
  { name: "misplay", values: ["reject", "draw_two"], default: "reject", group: "house" },
  { name: "uno_penalty", values: [2, 4], default: 2, group: "house" },
  { name: "scoring", values: ["points", "low", "rounds", "elimination"], default: "points", group: "match" },
  { name: "target", values: { min: 50, max: 2000 }, default: 500, group: "match" },
  { name: "teams", values: ["off", "pairs"], default: "off", group: "match" },
  { name: "winner_rule", values: [false, true], default: false, group: "table" },
];

export const PRESETS: Record<string, Record<string, string | number | boolean>> = {
  classic: {},
  official_2022: { first_card: "number" },
  party: { stacking: "cross", seven_swap: true, zero_rotate: true, jump_in: true, twins: true },
  icebreaker: {
    stacking: "same",
    challenge: false,
    seven_swap: true,
    zero_rotate: true,
    jump_in: true,
    runs: "rank",
    winner_rule: true,
  },
  berserker: { hand_size: 10, stacking: "same", jump_in: true, runs: "rank" },
};
