// The switches of the rules, as the engine's registry has them.

export interface Switch {
  name: string;
  values: (string | number | boolean)[] | { min: number; max: number };
  default: string | number | boolean;
  group: string;
}

export const SWITCHES: Switch[] = [
  { name: "deck", values: [108, 112], default: 108, group: "deal" },
  { name: "hand_size", values: { min: 1, max: 15 }, default: 7, group: "deal" },
  { name: "first_card", values: ["effect", "number"], default: "effect", group: "deal" },
  { name: "stacking", values: ["off", "same", "cross"], default: "off", group: "draws" },
  { name: "challenge", values: [true, false], default: true, group: "draws" },
  { name: "bluff_basis", values: ["colour", "colour_or_symbol"], default: "colour", group: "draws" },
  { name: "draw", values: ["one", "until_playable"], default: "one", group: "draws" },
  { name: "seven_swap", values: [false, true], default: false, group: "hands" },
  { name: "zero_rotate", values: [false, true], default: false, group: "hands" },
  { name: "jump_in", values: [false, true], default: false, group: "speed" },
  { name: "twins", values: [false, true], default: false, group: "speed" },
  { name: "runs", values: ["off", "rank", "rank_or_sequence"], default: "off", group: "speed" },
  { name: "finish", values: ["any", "number"], default: "any", group: "end" },
  { name: "misplay", values: ["reject", "draw_two"], default: "reject", group: "end" },
  { name: "uno_penalty", values: [2, 4], default: 2, group: "end" },
  { name: "scoring", values: ["points", "low", "rounds", "elimination"], default: "points", group: "score" },
  { name: "target", values: { min: 50, max: 2000 }, default: 500, group: "score" },
  { name: "teams", values: ["off", "pairs"], default: "off", group: "score" },
  { name: "winner_rule", values: [false, true], default: false, group: "table" },
];

export const PRESETS: Record<string, Record<string, string | number | boolean>> = {
  classic: {},
  official_2022: { first_card: "number" },
  party: {
    stacking: "cross",
    seven_swap: true,
    zero_rotate: true,
    jump_in: true,
    twins: true,
  },
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
