// What this table's rules make of a card and of a turn, in sentences: for who reads the rules, and
// for who asks why something happened. A switch explains what it can be; here stands what holds.
import { type Key, t, tMaybe } from "../i18n";
import type { RuleSet } from "./rules";
import { joined } from "./story";

export type Customs = readonly { text: string; effect: string }[];

/** A turn in four sentences. */
export const basics = (set: RuleSet): string =>
  t("rules.basics.text", { draw: t(set.draw === "until_playable" ? "rules.basics.draw.until" : "rules.basics.draw") });

/** What a card does. */
export function cardHere(card: string, set: RuleSet, custom: Customs): string {
  const rank = card.startsWith("W") ? card : card.slice(1);
  const sentences = [does(rank, set, custom)];
  if (inRuns(set) && ADDS_UP.has(rank)) sentences.push(t("because.card.run"));
  if (set.finish === "number" && !/^\d$/.test(rank)) sentences.push(t("because.card.last"));
  return sentences.join(" ");
}

/** What a second card like the one just played may do: nothing, unless a house rule says so. */
export function alikeHere(set: RuleSet): string | null {
  const sentences = [set.jump_in === true ? t("rule.jump_in.text") : "", set.twins === true ? t("rule.twins.text") : ""];
  return sentences.join(" ").trim() || null;
}

/** What may follow the own card at once. */
export const runHere = (set: RuleSet): string | null =>
  inRuns(set) ? t(set.runs === "rank_or_sequence" ? "because.run.sequence" : "rule.runs.text") : null;

const inRuns = (set: RuleSet): boolean => (set.runs ?? "off") !== "off";

/** In a run each of them counts (RULES 7.10). */
const ADDS_UP = new Set(["S", "R", "+2", "W+4"]);

function does(rank: string, set: RuleSet, custom: Customs): string {
  if (rank.startsWith("WC")) return own(custom[Number(rank.slice(2)) - 1]);
  if (rank === "7" && set.seven_swap === true) return t("rule.seven_swap.text");
  if (rank === "0" && set.zero_rotate === true) return t("rule.zero_rotate.text");
  const stacks = (set.stacking ?? "off") !== "off";
  if (rank === "+2" && stacks) return t(set.stacking === "cross" ? "because.card.+2.cross" : "because.card.+2.same");
  if (rank === "W+4") {
    const answers = stacks && set.challenge !== false ? ` ${t("because.four.answer")}` : "";
    return `${t(stacks ? "because.card.W+4.stack" : "because.card.W+4")} ${t(legal(set))}${answers}`;
  }
  return tMaybe(`because.card.${rank}`) ?? t("because.played");
}

/** When a Wild Draw Four may be played (RULES 4.1, 4.6, 7.3). */
function legal(set: RuleSet): Key {
  if (set.challenge === false) return "because.four.always";
  return set.bluff_basis === "colour_or_symbol" ? "because.four.symbol" : "because.four.colour";
}

/** One of the table's own cards is a wild in any case. */
function own(card: { text: string; effect: string } | undefined): string {
  const effect = card === undefined || card.effect === "none" ? "" : (tMaybe(`effect.${card.effect}`) ?? "");
  const said = card === undefined || card.text === "" ? "" : `“${card.text}”`;
  const words = [said, effect].filter((each) => each !== "").join(": ");
  return words === "" ? t("because.card.W") : joined([t("because.card.W"), `${words}.`]);
}
