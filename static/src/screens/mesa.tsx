// The shared screen: a television or tablet that shows the public table, never a hand.
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Mark, Wordmark } from "../cards/mark";
import { keepAwake } from "../device/awake";
import { t } from "../i18n";
import { nameOf, present, type Table } from "../state/model";
import type { State } from "../state/shape";
import { Arena, arenaClass, Pause } from "./arena";
import { Qr } from "./invite";
import { seatState } from "./lobby";
import { Avatar, RuleChips, titleOf } from "./parts";
import { Results } from "./results";

export function Mesa({ state, table }: { state: State; table: Table }): JSX.Element {
  useEffect(() => {
    keepAwake(true);
    return () => keepAwake(false);
  }, []);
  const running = table.phase === "round" || !state.revealed;
  return (
    <div class="mesa" data-testid="mesa" data-phase={table.phase}>
      {running ? (
        <main class={arenaClass(table)} data-place="arena" data-testid="table" data-phase={table.phase} data-turn="other">
          <Arena table={table} lots={state.lots} log={state.log} newest={state.happening[0]?.id ?? 0} screen />
          <Pause state={{ ...state, isHost: false }} table={table} />
        </main>
      ) : table.phase === "lobby" ? (
        <Waiting table={table} />
      ) : (
        <Results state={{ ...state, isHost: false }} table={table} />
      )}
      <aside>
        <p class="mesa-name">
          <Mark />
          <Wordmark />
        </p>
        <h1>{titleOf(table)}</h1>
        {running && table.turn !== null ? (
          <p class="mesa-turn" data-testid="turn">
            {t("turn.other", { name: nameOf(table, table.turn) })}
          </p>
        ) : null}
        {running ? (
          <ol class="mesa-scores" aria-label={t("end.score")}>
            {present(table)
              .sort((a, b) => b.score - a.score)
              .map((each) => (
                <li key={each.seat} class={each.turn ? "on" : ""}>
                  <Avatar seat={each} bot={each.bot !== null && each.state !== "standin"} />
                  <span class="name">{each.name}</span>
                  <b>{each.score}</b>
                </li>
              ))}
          </ol>
        ) : null}
        {running || table.phase === "lobby" ? null : <p class="mesa-next">{waitsFor(table)}</p>}
        <div class="mesa-qr">
          {state.guestLink === "" ? null : <Qr link={state.guestLink} />}
          <small>{t("enter.join")}</small>
        </div>
      </aside>
    </div>
  );
}

/** Whom everybody waits for now. */
function waitsFor(table: Table): string {
  if (table.host === null) return t("end.wait.nobody");
  return t(table.phase === "over" ? "end.rematch.wait" : "end.wait", { name: nameOf(table, table.host) });
}

function Waiting({ table }: { table: Table }): JSX.Element {
  return (
    <main class="mesa-wait">
      <h2>{t("lobby.players", { n: present(table).length })}</h2>
      <ul class="mesa-players">
        {present(table).map((each) => (
          <li key={each.seat} data-testid={`player-${each.seat}`}>
            <Avatar seat={each} bot={each.bot !== null && each.state !== "standin"} />
            <span class="name">{each.name}</span>
            <small>{seatState(each)}</small>
          </li>
        ))}
      </ul>
      <RuleChips table={table} />
      <p class="quiet">{table.host === null ? t("lobby.wait.nobody") : t("lobby.wait", { name: nameOf(table, table.host) })}</p>
    </main>
  );
}
