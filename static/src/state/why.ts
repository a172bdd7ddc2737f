// Why something happened: the rule in force behind an entry of the log, in a sentence. `null` for
// what needs no rule ("Ana llega a la mesa").
import { t, tMaybe } from "../i18n";
import type { RuleSet } from "./rules";
import type { Entry } from "./story";

export function why({ event }: Entry, set: RuleSet, custom: readonly { text: string; effect: string }[]): string | null {
  const rule = (name: string): string | null => tMaybe(`rule.${name}.text`);
  switch (event.e) {
    case "played":
      switch (event.how) {
        case "answer":
          return rule("stacking");
        case "jump":
          return rule("jump_in");
        case "twin":
          return rule("twins");
        case "run":
          return rule("runs");
        default:
          return played(event.card ?? "", set, custom);
      }
    case "drew":
      switch (event.cause) {
        case "turn":
          return set.draw === "until_playable" ? rule("draw") : t("because.draw");
        case "draw_two":
          return t("because.draw_two");
        case "draw_four":
          return t(set.challenge === false ? "because.draw_four.plain" : "because.draw_four");
        case "stack":
          return t("because.stack", { n: event.owed ?? event.count ?? 0 });
        case "caught":
          return t("because.caught", { n: Number(set.uno_penalty ?? 2) });
        case "bluff":
          return t(set.bluff_basis === "colour_or_symbol" ? "because.bluff.symbol" : "because.bluff");
        case "challenge":
          return t("because.challenge", { n: (event.owed ?? 6) - (event.extra ?? 2), extra: event.extra ?? 2 });
        case "misplay":
          return rule("misplay");
        case "custom":
          return t("because.custom");
        default:
          return null;
      }
    case "challenged":
      if (event.bluff) return t(set.bluff_basis === "colour_or_symbol" ? "because.bluff.symbol" : "because.bluff");
      return t(set.bluff_basis === "colour_or_symbol" ? "because.legal.symbol" : "because.legal");
    case "hand_shown":
      return t("because.shown");
    case "swapped":
      return set.seven_swap === true ? rule("seven_swap") : t("because.custom");
    case "rotated":
      return rule("zero_rotate");
    case "hands_shuffled":
      return t("because.hands_shuffled");
    case "misplayed":
      return rule("misplay");
    case "turned_up":
      return rule("first_card");
    case "scored":
      return rule("scoring");
    case "eliminated":
      return t("because.eliminated", { n: Number(set.target ?? 500) });
    case "called":
      return t("because.called");
    case "caught":
      return t("because.caught", { n: Number(set.uno_penalty ?? 2) });
    case "passed":
      return t(event.blocked ? "because.passed.blocked" : "because.passed");
    case "vote_opened":
    case "vote_closed":
      return rule("winner_rule");
    default:
      return tMaybe(`because.${event.e}`);
  }
}

export function played(card: string, set: RuleSet, custom: readonly { text: string; effect: string }[]): string {
  if (card.startsWith("WC")) {
    const own = custom[Number(card.slice(2)) - 1];
    const effect = own === undefined ? null : tMaybe(`effect.${own.effect}`);
    if (own !== undefined && effect !== null) return own.text === "" ? effect : `“${own.text}”: ${effect}`;
  }
  const rank = card.startsWith("W") ? card : card.slice(1);
  if (rank === "7" && set.seven_swap === true) return t("rule.seven_swap.text");
  if (rank === "0" && set.zero_rotate === true) return t("rule.zero_rotate.text");
  return tMaybe(`because.card.${rank}`) ?? t("because.played");
}
