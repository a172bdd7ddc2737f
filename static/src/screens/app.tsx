// Which screen is shown, and what lies above all of them: connection and announcements.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { QUIET_MS } from "../channel/session";
import { t } from "../i18n";
import { isScreen } from "../state/link";
import type { State } from "../state/shape";
import { current, state as shared } from "../store";
import { words } from "./connection";
import { Closed, Enter, NoLink, Returning } from "./enter";
import { Game } from "./game";
import { Live } from "./live";
import { Mesa } from "./mesa";
import { Lobby } from "./lobby";
import { titleOf, useNow } from "./parts";
import { Results } from "./results";
import { Sheets } from "./sheets";
import { noteText } from "./bar";
import { practice, Setup } from "../offline/gate";
import { Notice } from "../installed/notice";

function Screen({ state, onLink }: { state: State; onLink: (text: string) => void }): JSX.Element {
  const { table } = state;
  if (practice.value === "setup") return <Setup />;
  if (state.link === null) return <NoLink onLink={onLink} />;
  if (state.closed !== null) return <Closed code={state.closed} />;
  if (table === null && (state.returning || state.seat !== null)) return <Returning state={state} />;
  if (isScreen(location) && table !== null) return <Mesa state={state} table={table} />;
  if (table === null || state.seat === null) return <Enter state={state} />;
  if (table.phase === "lobby") {
    return (
      <>
        <Lobby state={state} table={table} />
        <Sheets state={state} table={table} />
      </>
    );
  }
  if (table.phase === "round" || !state.revealed) return <Game state={state} table={table} />;
  return (
    <>
      <Results state={state} table={table} />
      <Sheets state={state} table={table} />
    </>
  );
}

export function App({ onLink }: { onLink: (text: string) => void }): JSX.Element {
  const state = shared.value;
  const { table } = state;
  const inTitle = table?.mine === true;
  useEffect(() => {
    document.title = inTitle ? t("turn.title") : table === null ? "Penúltima" : `${titleOf(table)} · Penúltima`;
  });
  useEffect(() => {
    document.documentElement.toggleAttribute("data-calm", state.prefs.calm);
  }, [state.prefs.calm]);
  const toast = state.note !== null && table !== null && table.phase !== "round" && state.seat !== null;
  return (
    <>
      <Screen state={state} onLink={onLink} />
      <Connection state={state} />
      <Notice />
      {toast ? (
        <p class="toast" role="status" data-testid="toast">
          {noteText(state, table)}
        </p>
      ) : null}
      {table === null || state.seat === null ? null : <Live state={state} table={table} />}
    </>
  );
}

/** Nothing under three seconds, a thin bar from then on, a sheet that can be put aside after 20 s. */
function Connection({ state }: { state: State }): JSX.Element | null {
  const [aside, setAside] = useState(false);
  // Who is not in yet reads it where the name is asked for.
  const entering = (state.far !== null || state.trouble !== null) && state.table === null;
  const lost = state.lostAt !== null && state.closed === null && state.link !== null && !entering;
  const now = useNow(lost ? 100 : null);
  useEffect(() => {
    if (!lost) setAside(false);
  }, [lost]);
  const why = words(state);
  const away = lost ? now - state.lostAt! : 0;
  const level = !lost || away < QUIET_MS ? "ok" : away < 20_000 || aside ? "bar" : "sheet";
  return (
    <div class={`conn ${level}`} data-testid="conn" data-state={level}>
      {level === "bar" ? <p role="status">{why === null ? t("conn.lost") : why.title}</p> : null}
      {level === "sheet" ? (
        <div class="conn-sheet" role="dialog" aria-label={t("conn.title")}>
          <h2>{t("conn.title")}</h2>
          {why === null ? null : (
            <p data-testid="conn-why">
              {why.title} {why.remedy}
            </p>
          )}
          <p>{t("conn.text")}</p>
          <button type="button" class="button main" data-testid="retry" onClick={() => current()?.wake(true)}>
            {t("conn.retry")}
          </button>
          <button type="button" class="button quiet" onClick={() => setAside(true)}>
            {t("conn.hide")}
          </button>
        </div>
      ) : null}
    </div>
  );
}
