// Before a match: who is here, how others get here, what will be played.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Mark } from "../cards/mark";
import { t, tMaybe } from "../i18n";
import { nameOf, type Seat, type Table } from "../state/model";
import type { State } from "../state/shape";
import { tap } from "../store";
import { Invite } from "./invite";
import { Avatar, Button, IconButton, Pills, RuleChips, titleOf } from "./parts";

/** What a host can seat: levels of penultima/bots/__init__.py. Practice has one more. */
const LEVELS = ["easy", "normal", "hard"] as const;

/** As many sit at a table. */
export const SEATS = 10;

/** What there is to say of a seat besides its name. */
export function seatState(seat: Seat): string | null {
  if (seat.state === "standin") return t("seat.standin");
  if (seat.state === "away") return t("seat.away");
  if (seat.state === "hidden") return t("seat.hidden");
  if (seat.state === "next") return t("seat.next");
  if (seat.state === "out") return t("seat.out");
  if (seat.state === "eliminated") return t("seat.eliminated");
  if (seat.state === "gone") return t("seat.gone");
  if (seat.bot !== null) return t("seat.bot", { level: tMaybe(`bot.${seat.bot}`) ?? seat.bot });
  return null;
}

/** A bot of the lobby is gone at once: it comes back as easily. All else is asked first. */
export function dismiss(table: Table, seat: Seat): void {
  const idle = seat.bot !== null && table.phase === "lobby";
  tap(idle ? { on: "host", do: "remove", seat: seat.seat } : { on: "about", sheet: "remove", seat: seat.seat });
}

export function AddBot(): JSX.Element {
  const [level, setLevel] = useState<(typeof LEVELS)[number]>("normal");
  return (
    <div class="add-bot">
      <Button icon="bot" id="add-bot" onPress={() => tap({ on: "host", do: "add_bot", value: level })}>
        {t("lobby.bot")}
      </Button>
      <div class="labelled">
        <span aria-hidden="true">{t("lobby.bot.level")}</span>
        <Pills
          label={t("lobby.bot.level")}
          value={level}
          options={LEVELS.map((value) => ({ value, text: t(`bot.${value}`) }))}
          onPick={setLevel}
        />
      </div>
    </div>
  );
}

export function Claims({ table, state }: { table: Table; state: State }): JSX.Element | null {
  if (!state.isHost) return null;
  const claims = table.seats.filter((each) => each.claim);
  if (claims.length === 0) return null;
  return (
    <div class="claims">
      {claims.map((each) => (
        <div key={each.seat} class="claim" role="alert">
          <p>{t("seat.claim", { name: each.name })}</p>
          <Button kind="main" id={`approve-${each.seat}`} onPress={() => tap({ on: "host", do: "approve", seat: each.seat })}>
            {t("claim.yes", { name: each.name })}
          </Button>
          <Button id={`reject-${each.seat}`} onPress={() => tap({ on: "host", do: "reject", seat: each.seat })}>{t("claim.no")}</Button>
        </div>
      ))}
    </div>
  );
}

export function Lobby({ state, table }: { state: State; table: Table }): JSX.Element {
  const enough = table.seats.length >= 2;
  const host = table.host === null ? null : nameOf(table, table.host);
  return (
    <main class="page lobby" data-phase="lobby" data-testid="lobby">
      <header class="bar">
        <Mark />
        <h1>{titleOf(table)}</h1>
        <IconButton icon="menu" label={t("menu")} onPress={() => tap({ on: "sheet", sheet: "menu" })} id="menu" />
      </header>
      <div class="lobby-body" inert={state.sheet !== null}>
        {state.guestLink === "" ? null : <Invite best={state.guestLink} all={state.guestLinks} title={titleOf(table)} locked={table.locked} />}
        <Claims table={table} state={state} />
        <section class="players" aria-labelledby="players-title">
          <h2 id="players-title">{t("lobby.players", { n: table.seats.length })}</h2>
          <ul>
            {table.seats.map((each) => {
              const note = seatState(each);
              return (
                <li key={each.seat} data-testid={`player-${each.seat}`} class={each.state ?? ""}>
                  <Avatar seat={each} bot={each.bot !== null && each.state !== "standin"} />
                  <span class="who-name">
                    <span class="name">{each.name}</span>
                    {each.seat === table.you ? <small>{t("lobby.you")}</small> : null}
                    {each.seat === table.host ? <small>{t("lobby.host")}</small> : null}
                    {note === null ? null : <small>{note}</small>}
                  </span>
                  {state.isHost && each.seat !== table.you ? (
                    <IconButton
                      icon="close"
                      label={t("lobby.remove", { name: each.name })}
                      id={`remove-${each.seat}`}
                      onPress={() => dismiss(table, each)}
                    />
                  ) : null}
                </li>
              );
            })}
          </ul>
          {state.isHost && table.seats.length < SEATS ? <AddBot /> : null}
        </section>
        <section class="lobby-rules" aria-labelledby="rules-title">
          <h2 id="rules-title">{t("lobby.rules")}</h2>
          <RuleChips table={table} />
          <div class="row">
            <Button icon="rules" id="rules" onPress={() => tap({ on: "sheet", sheet: "rules" })}>
              {t(state.isHost ? "lobby.rules.change" : "lobby.rules.see")}
            </Button>
            {state.isHost ? (
              <Button
                icon={table.locked ? "open" : "lock"}
                id="lock"
                onPress={() => tap({ on: "host", do: table.locked ? "unlock" : "lock" })}
              >
                {t(table.locked ? "lobby.unlock" : "lobby.lock")}
              </Button>
            ) : null}
          </div>
        </section>
      </div>
      <footer class="lobby-foot" inert={state.sheet !== null}>
        {state.isHost ? (
          <>
            <button
              type="button"
              class="button main wide"
              data-testid="start"
              aria-disabled={!enough}
              onClick={() => tap({ on: "host", do: "start" })}
            >
              {t("lobby.start")}
            </button>
            {enough ? null : <p class="hint">{t("lobby.start.few")}</p>}
          </>
        ) : (
          <p class="waiting">
            {host === null ? t("lobby.wait.nobody") : t("lobby.wait", { name: host })}
          </p>
        )}
      </footer>
    </main>
  );
}
