// After a round, and after a match.
import type { JSX } from "preact";
import { Sign } from "../cards/card";
import { listNames, t } from "../i18n";
import { COLOURS, keyed, sorted } from "../state/cards";
import { nameOf, type Seat, seatOf, type Table } from "../state/model";
import type { State } from "../state/shape";
import { tap } from "../store";
import { Icon } from "./icons";
import { Claims, seatState } from "./lobby";
import { Avatar, Button, IconButton, Shown } from "./parts";
import { VoteBox } from "./vote";
import { Afterwards, leave, practice } from "../offline/gate";

function headline(table: Table): string {
  const { result, you } = table;
  if (table.phase === "over") {
    const winners = table.winners.map((seat) => nameOf(table, seat));
    if (you !== null && table.winners.includes(you) && winners.length === 1) return t("end.match.you");
    if (winners.length === 0) return t("end.match.none");
    return t(winners.length > 1 ? "end.match.many" : "end.match", { names: listNames(winners) });
  }
  if (result?.winner === undefined) return t("end.round.none");
  return result.winner === you ? t("end.round.you") : t("end.round", { name: nameOf(table, result.winner) });
}

function goal(table: Table): string {
  const n = Number(table.set.target);
  switch (table.set.scoring) {
    case "low":
      return t("end.target.low", { n });
    case "elimination":
      return t("end.target.out", { n });
    case "rounds":
      return t("end.rounds");
    default:
      return t("end.target", { n });
  }
}

/** The four signs come down for whoever won the match. */
function Confetti(): JSX.Element {
  return (
    <div class="confetti" aria-hidden="true">
      {Array.from({ length: 28 }, (_, k) => {
        const colour = COLOURS[k % 4]!;
        return (
          <span key={k} style={{ "--x": (k * 37) % 100, "--s": (k * 7) % 13, "--d": (k * 11) % 17 }}>
            <Sign colour={colour} class={colour} />
          </span>
        );
      })}
    </div>
  );
}

export function Results({ state, table }: { state: State; table: Table }): JSX.Element {
  const { result } = table;
  const over = table.phase === "over";
  const host = table.host === null ? null : nameOf(table, table.host);
  const counted = table.set.scoring === "rounds";
  const most = Math.max(1, counted ? Math.max(...table.seats.map((each) => each.score)) : Number(table.set.target));
  const lowWins = table.set.scoring === "low" || table.set.scoring === "elimination";
  const left = (seat: Seat): number => (seat.state === "gone" ? 1 : 0);
  const ranked = [...table.seats].sort((a, b) => left(a) - left(b) || (lowWins ? a.score - b.score : b.score - a.score));
  const winner = over ? table.winners[0] : result?.winner;
  return (
    <main class={`results${over ? " over" : ""}`} data-testid={over ? "match-end" : "round-end"} data-phase={table.phase}>
      {over && table.winners.length > 0 ? <Confetti /> : null}
      <header class="results-head">
        {winner === undefined ? null : (
          <span class="laurel">
            <Avatar seat={seatOf(table, winner) ?? { seat: winner, name: "?" }} />
          </span>
        )}
        <h1>{headline(table)}</h1>
        {result?.winner !== undefined && (result.points ?? 0) > 0 && !counted ? (
          <p class="gain">{over ? null : t(result.winner === table.you ? "end.pays.you" : "end.pays", { n: result.points ?? 0 })}</p>
        ) : null}
        {result?.winner === undefined && !over ? (
          <p>{t(result?.why === "void" ? "end.round.void" : "end.round.blocked")}</p>
        ) : null}
        <IconButton icon="menu" label={t("menu")} id="menu" onPress={() => tap({ on: "sheet", sheet: "menu" })} />
      </header>
      <div class="results-body" inert={state.sheet !== null}>
        <Claims table={table} state={state} />
        <section aria-label={t("end.score")}>
          <h2>
            {t("end.score")} <small>{goal(table)}</small>
          </h2>
          <ol class="scores">
            {ranked.map((each) => (
              <li key={each.seat} class={`${each.seat === table.you ? "me" : ""}${table.winners.includes(each.seat) ? " won" : ""}`} data-testid={`score-${each.seat}`}>
                <Avatar seat={each} bot={each.bot !== null && each.state !== "standin"} />
                <span class="name">
                  {each.name}
                  {each.partner ? <Icon name="pair" /> : null}
                  {each.state === "eliminated" || each.state === "gone" || each.state === "away" ? <small> {seatState(each)}</small> : null}
                </span>
                <span class="track" aria-hidden="true">
                  <i style={{ width: `${Math.min(100, (each.score / most) * 100)}%` }} />
                </span>
                {(result?.gained?.[each.seat] ?? 0) > 0 ? <small class="plus">+{result!.gained![each.seat]}</small> : null}
                <b>{each.score}</b>
              </li>
            ))}
          </ol>
        </section>
        <VoteBox table={table} />
        {result?.hands === undefined ? null : (
          <section aria-label={t("end.hands")}>
            <h2>{t("end.hands")}</h2>
            <ul class="hands">
              {table.seats.map((each) => {
                const hand = result.hands?.[each.seat] ?? [];
                if (hand.length === 0 && each.seat !== result.winner) return null;
                return (
                  <li key={each.seat}>
                    <p>
                      <span class="name">{each.name}</span>
                      <small>{hand.length === 0 ? t("end.empty") : t("points", { n: worth(hand) })}</small>
                    </p>
                    <div class="face-up">
                      {sorted(keyed(hand), "colour").map(({ card, key }) => (
                        <Shown key={key} card={card} />
                      ))}
                    </div>
                  </li>
                );
              })}
            </ul>
          </section>
        )}
      </div>
      {over ? <Afterwards /> : null}
      <footer class="results-foot" inert={state.sheet !== null}>
        {state.isHost ? (
          over ? (
            <>
              <Button kind="main" id="rematch" onPress={() => tap({ on: "host", do: "rematch" })}>
                {t("end.rematch")}
              </Button>
              {practice.value === null ? (
                <Button id="to-lobby" onPress={() => tap({ on: "host", do: "end" })}>
                  {t("end.lobby")}
                </Button>
              ) : (
                <Button id="solo-change" onPress={leave}>
                  {t("solo.change")}
                </Button>
              )}
            </>
          ) : (
            <Button kind="main" id="next-round" onPress={() => tap({ on: "host", do: "next" })}>
              {t("end.next")}
            </Button>
          )
        ) : (
          <p class="waiting">
            {host === null ? t("end.wait.nobody") : t(over ? "end.rematch.wait" : "end.wait", { name: host })}
          </p>
        )}
      </footer>
    </main>
  );
}

/** What is printed on the cards (RULES 1.3); the scores themselves come from the table. */
function worth(hand: readonly string[]): number {
  return hand.reduce((sum, card) => {
    if (card.startsWith("WH") || card.startsWith("WC")) return sum + 40;
    if (card.startsWith("W")) return sum + 50;
    const number = Number(card.slice(1));
    return sum + (card.slice(1).startsWith("+") || Number.isNaN(number) ? 20 : number);
  }, 0);
}
