// The history of the match, each line with the rule behind it. Loaded when it is opened (later.tsx).
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n";
import "../i18n/late";
import type { Table } from "../state/model";
import type { State } from "../state/shape";
import { tell } from "../state/story";
import { why } from "../state/why";

/** What happened, newest first; a tap on a line explains it by the rule in force. */
export function Log({ state, table }: { state: State; table: Table }): JSX.Element {
  const [open, setOpen] = useState<number | null>(null);
  const told = state.log.map((entry) => ({
    id: entry.id,
    text: tell(entry),
    because: why(entry, table.set, table.custom),
    round: entry.event.e === "dealt",
  }));
  const shown = told.filter((each) => each.text !== null).reverse();
  if (shown.length === 0) return <p class="quiet">{t("menu.log.empty")}</p>;
  return (
    <ol class="log" data-testid="log" reversed tabIndex={0} aria-label={t("menu.log")}>
      {shown.map((each) => (
        <li key={each.id} class={each.round ? "round" : ""}>
          {each.because === null ? (
            <p>{each.text}</p>
          ) : (
            <>
              <button type="button" class="told" aria-expanded={open === each.id} onClick={() => setOpen(open === each.id ? null : each.id)}>
                <span>{each.text}</span>
                <small>{t("because")}</small>
              </button>
              {open === each.id ? (
                <p class="because" data-testid="because">
                  {each.because}
                </p>
              ) : null}
            </>
          )}
        </li>
      ))}
    </ol>
  );
}
