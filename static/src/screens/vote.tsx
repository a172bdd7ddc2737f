// The winner proposes a rule, the others agree or not (`winner_rule`).
import type { JSX } from "preact";
import { t, tMaybe } from "../i18n";
import { SWITCHES } from "../rules.gen";
import { nameOf, type Table } from "../state/model";
import { tap } from "../store";
import { Button, valueName } from "./parts";

/** `stacking=same` in words; a written rule is shown as it is. */
export function inWords(value: string): string {
  const [name, chosen] = value.split("=");
  const rule = SWITCHES.find((each) => each.name === name);
  if (rule === undefined || chosen === undefined) return `“${value}”`;
  const read = chosen === "on" ? true : chosen === "off" && typeof rule.default === "boolean" ? false : chosen;
  return `${tMaybe(`rule.${rule.name}`) ?? rule.name}: ${valueName(rule.name, read)}`;
}

export function VoteBox({ table }: { table: Table }): JSX.Element | null {
  if (table.set.winner_rule !== true || table.phase !== "between") return null;
  const { vote, you } = table;
  if (vote === null) {
    if (you === null || table.result?.winner !== you) return null;
    return (
      <div class="vote">
        <Button icon="rules" id="propose" onPress={() => tap({ on: "sheet", sheet: "vote" })}>
          {t("vote.propose")}
        </Button>
      </div>
    );
  }
  const yes = vote.yes ?? [];
  const no = vote.no ?? [];
  const what = inWords(vote.value);
  return (
    <div class="vote" data-testid="vote">
      <p>{vote.by === you ? t("vote.yours", { what }) : t("vote.ask", { name: nameOf(table, vote.by), what })}</p>
      {you !== null && vote.by !== you ? (
        <span class="row">
          <button type="button" class="button plain" aria-pressed={yes.includes(you)} data-testid="vote-yes" onClick={() => tap({ on: "vote", value: "yes" })}>
            {t("vote.yes")}
          </button>
          <button type="button" class="button plain" aria-pressed={no.includes(you)} data-testid="vote-no" onClick={() => tap({ on: "vote", value: "no" })}>
            {t("vote.no")}
          </button>
        </span>
      ) : null}
      <small>{t("vote.count", { yes: yes.length, no: no.length })}</small>
    </div>
  );
}
