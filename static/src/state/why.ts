// Why something happened: the rule in force behind an entry of the log, in a sentence. `null` for
// what needs no rule ("Ana llega a la mesa").
import { t, tMaybe } from "../i18n";
import { cardHere, type Customs, runHere } from "./help";
import type { RuleSet } from "./rules";
import type { Entry } from "./story";

export function why({ event }: Entry, set: RuleSet, custom: Customs): string | null {
  const rule = (name: string): string | null => tMaybe(`rule.${name}.text`);
  switch (event.e) {
    case "played":
      switch (event.how) {
        case "jump":
          return rule("jump_in");
        case "twin":
          return rule("twins");
        case "run":
          return runHere(set) ?? rule("runs");
        default:
          return cardHere(event.card ?? "", set, custom);
      }
    case "drew":
      switch (event.cause) {
        case "turn":
          return t(set.draw === "until_playable" ? "because.draw.until" : "because.draw");
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
          return t("because.misplay");
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
      return t("because.misplay");
    case "turned_up":
      return t(set.first_card === "number" ? "because.first.number" : "because.first.effect");
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
