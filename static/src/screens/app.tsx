// Which screen is shown, and what lies above all of them: connection and announcements.
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { t } from "../i18n";
import { isScreen } from "../state/link";
import { isPlaying, isReturning, type State } from "../state/shape";
import { state as shared, tap } from "../store";
import { Connection } from "./connection";
import { Closed, Enter, NoLink, Returning } from "./enter";
import { Game } from "./game";
import { Later, screen } from "./later";
import { Live } from "./live";
import { Lobby } from "./lobby";
import { titleOf } from "./parts";
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
  if (isReturning(state)) return <Returning state={state} />;
  if (isScreen(location) && table !== null) return <Later part={screen}>{(from) => <from.Mesa state={state} table={table} />}</Later>;
  if (table === null || state.seat === null) return <Enter state={state} />;
  if (table.phase === "lobby") {
    return (
      <>
        <Lobby state={state} table={table} />
        <Sheets state={state} table={table} />
      </>
    );
  }
  if (isPlaying(state)) return <Game state={state} table={table} />;
  return (
    <>
      <Results state={state} table={table} />
      <Sheets state={state} table={table} />
    </>
  );
}

/** Wherever the focus is: what is open closes, a card that is raised is put back. */
function escape({ key }: KeyboardEvent): void {
  if (key === "Escape") tap({ on: shared.value.sheet === null ? "cancel" : "back" });
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
  useEffect(() => {
    addEventListener("keydown", escape);
    return () => removeEventListener("keydown", escape);
  }, []);
  const toast = state.note !== null && table !== null && table.phase !== "round" && state.seat !== null;
  return (
    <>
      <Screen state={state} onLink={onLink} />
      {isPlaying(state) ? null : <Connection state={state} />}
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
