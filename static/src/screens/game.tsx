// A running round on one screen: the arena, the line that explains, the buttons, the hand.
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { keepAwake } from "../device/awake";
import { t } from "../i18n";
import type { Table } from "../state/model";
import type { State } from "../state/shape";
import { state as now, tap } from "../store";
import { Arena, arenaClass, Pause } from "./arena";
import { Asks } from "./asks";
import { ActionBar, Strip } from "./bar";
import { Connection } from "./connection";
import { Hand } from "./hand";
import { Claims } from "./lobby";
import { titleOf } from "./parts";
import { Sheets } from "./sheets";

export function Game({ state, table }: { state: State; table: Table }): JSX.Element {
  useEffect(() => {
    keepAwake(true);
    return () => keepAwake(false);
  }, []);
  useEffect(() => {
    addEventListener("keydown", shortcut);
    return () => removeEventListener("keydown", shortcut);
  }, []);
  const seated = table.you !== null;
  return (
    <main
      class={`game${table.mine ? " mine" : ""}${state.sheet === null ? "" : " reading"}`}
      data-testid="table"
      data-phase={table.phase}
      data-turn={table.mine ? "me" : "other"}
      data-wait={table.wait}
      aria-label={titleOf(table)}
    >
      <div class={arenaClass(table)} data-place="arena">
        <Arena table={table} lots={state.lots} log={state.log} newest={state.happening[0]?.id ?? 0} />
        <Pause state={state} table={table} />
        <Claims table={table} state={state} />
        <Asks state={state} table={table} />
        <Sheets state={state} table={table} />
        <Connection state={state} />
      </div>
      <Strip state={state} table={table} />
      {seated ? (
        <>
          <ActionBar state={state} table={table} />
          <Hand state={state} table={table} />
        </>
      ) : (
        <p class="watching">{t("turn.watching")}</p>
      )}
    </main>
  );
}

/** D, P, U and C, unless somebody is writing or has switched them off. */
function shortcut(event: KeyboardEvent): void {
  const { prefs } = now.value;
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (event.target instanceof Element && event.target.closest("input, textarea, select") !== null) return;
  if (!prefs.keys) return;
  const what = ({ d: "draw", p: "pass", u: "uno", c: "catch" } as const)[event.key.toLowerCase()];
  if (what === undefined) return;
  event.preventDefault();
  tap({ on: what });
}
