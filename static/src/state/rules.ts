// The rules in notation ("classic stacking=same"), read and written for the options screen and
// the help. What the switches do is the table's business.
import { PRESETS, SWITCHES, type Switch } from "../rules.gen";

export type Value = string | number | boolean;
export type RuleSet = Record<string, Value>;

const byName = new Map(SWITCHES.map((each) => [each.name, each]));

export function presetRules(preset: string): RuleSet {
  const set: RuleSet = {};
  for (const each of SWITCHES) set[each.name] = each.default;
  return Object.assign(set, PRESETS[preset] ?? {});
}

export function writeValue(value: Value): string {
  return value === true ? "on" : value === false ? "off" : String(value);
}

function readValue(known: Switch | undefined, text: string): Value {
  const typical = known?.default;
  if (typeof typical === "boolean") return text === "on" || text === "true";
  if (typeof typical === "number") return Number(text);
  return text;
}

export function readRules(notation: string): { preset: string; set: RuleSet } {
  const [first = "classic", ...rest] = notation.trim().split(/\s+/);
  const preset = first in PRESETS ? first : "classic";
  const set = presetRules(preset);
  for (const word of rest) {
    const at = word.indexOf("=");
    if (at > 0) {
      const name = word.slice(0, at);
      set[name] = readValue(byName.get(name), word.slice(at + 1));
    }
  }
  return { preset, set };
}

/** What differs from the preset, in the order of the registry. */
export function differences(preset: string, set: RuleSet): Switch[] {
  const base = presetRules(preset);
  return SWITCHES.filter((each) => set[each.name] !== base[each.name]);
}

export function writeRules(preset: string, set: RuleSet): string {
  const changed = differences(preset, set).map(
    ({ name }) => `${name}=${writeValue(set[name] as Value)}`,
  );
  return [preset, ...changed].join(" ");
}
