// Under the thumb: whose turn it is and why something does not go, then the four buttons that never
// move.
import type { JSX } from "preact";
import { t } from "../i18n";
import { callable, catchable, nameOf, seatOf, type Table, unoState } from "../state/model";
import { isBusy, type State } from "../state/shape";
import { tap } from "../store";
import { IconButton, useNow } from "./parts";

function hint(state: State, table: Table): string {
  if (state.note !== null) return noteText(state, table);
  if (isBusy(state)) return t("hint.sent");
  if (state.ask?.now === "colour") return t("hint.colour");
  if (state.ask?.now === "player") return t("ask.player");
  if (state.marked.length > 1) return t("hint.marked", { n: state.marked.length });
  if (table.phase !== "round") return "";
  if (table.you === null) return t("turn.watching");
  const me = seatOf(table, table.you);
  if (me?.state === "next") return t("turn.next");
  if (me?.state === "out" || me?.state === "eliminated") return t("turn.watching");
  if (table.paused.length > 0) return t("why.paused"); // nothing can be played, whatever fits
  if (!table.mine) return table.may.plays.size > 0 ? t(playedLast(state, table.you) ? "hint.more" : "hint.jump") : "";
  if (table.wait === "drawn") return t("hint.drawn");
  if (table.may.challenge) return t("hint.four");
  if (table.wait === "answer") return t(table.may.plays.size > 0 ? "hint.answer" : "hint.take", { n: table.pending });
  if (table.may.colour) return t("hint.colour");
  if (state.marked.length === 1) return t("hint.raised");
  return t(table.may.plays.size > 0 ? "hint.play" : "hint.draw");
}

/** What may be played out of turn after the own card goes on with it: nobody is jumped. */
function playedLast({ log }: State, you: number): boolean {
  return log.findLast(({ event }) => event.e === "played")?.event.seat === you;
}

/** `no_match` says what would do, from what lies on the table. */
export function noteText(state: State, table: Table): string {
  const note = state.note!;
  if (note.key === "why.no_match") {
    if (table.top === null || table.colour === null) return t("why.no_match.plain");
    const rank = table.top.startsWith("W") ? null : table.top.slice(1);
    const colour = t(`colour.${table.colour}`);
    const what =
      rank === null
        ? t("why.what.colour", { colour })
        : t("why.what", { colour, rank: rank === "S" ? t("rank.S") : rank === "R" ? t("rank.R") : rank });
    return t("why.no_match", { what });
  }
  return t(note.key, note.params);
}

export function Strip({ state, table }: { state: State; table: Table }): JSX.Element {
  const busy = isBusy(state);
  const text = hint(state, table);
  const who = table.mine ? t("turn.you") : table.turn === null ? t("turn.none") : t("turn.other", { name: nameOf(table, table.turn) });
  return (
    <div class={`strip${table.mine ? " mine" : ""}${state.note ? " noted" : state.marked.length > 1 ? " many" : ""}`} data-testid="turn" data-place="me">
      <IconButton icon="menu" label={t("menu")} id="menu" onPress={() => tap({ on: "sheet", sheet: state.sheet === null ? "menu" : null })} />
      <p class="words">
        <strong>{who}</strong>
        <span data-testid="hint" class={state.note ? "why" : ""}>
          {text}
        </span>
      </p>
      {state.marked.length > 0 ? (
        <>
          {state.marked.length > 1 ? <IconButton icon="close" label={t("act.cancel")} onPress={() => tap({ on: "cancel" })} /> : null}
          <button type="button" class="button main play" data-testid="play" disabled={busy || state.ask !== null} onClick={() => tap({ on: "play" })}>
            {state.marked.length > 1 ? t("act.play.n", { n: state.marked.length }) : t("act.play")}
          </button>
        </>
      ) : null}
    </div>
  );
}

export function ActionBar({ state, table }: { state: State; table: Table }): JSX.Element {
  const cooling = state.catchFrom > performance.now();
  useNow(cooling ? 250 : null);
  const { may } = table;
  const seats = catchable(table);
  const uno = unoState(table);
  const drawing = may.draw || (may.accept && !may.challenge);
  const catchText =
    seats.length === 1 ? t("act.catch.who", { name: nameOf(table, seats[0]) }) : seats.length > 1 ? t("act.catch.many") : t("act.catch");
  return (
    <div class="actions" role="group">
      <button type="button" class={`act draw${drawing ? " live" : ""}`} data-testid="draw" aria-disabled={!drawing} onClick={() => tap({ on: "draw" })}>
        {table.mine && table.pending > 0 ? t("act.draw.n", { n: table.pending }) : t("act.draw")}
      </button>
      <button type="button" class={`act pass${may.pass ? " live" : ""}`} data-testid="pass" aria-disabled={!may.pass} onClick={() => tap({ on: "pass" })}>
        {t("act.pass")}
      </button>
      <button type="button" class={`act uno ${uno}`} data-testid="uno" data-state={uno} aria-disabled={!callable(table)} aria-label={t(`uno.${uno}`)} onClick={() => tap({ on: "uno" })}>
        {t("act.uno")}
      </button>
      <button
        type="button"
        class={`act catch${seats.length > 0 && !cooling ? " live" : ""}`}
        data-testid="catch"
        disabled={cooling}
        aria-disabled={seats.length === 0}
        aria-label={seats.length === 0 ? t("catch.none") : catchText}
        onClick={() => tap({ on: "catch" })}
      >
        <span>{catchText}</span>
      </button>
    </div>
  );
}
