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

/** What there is to say of a seat besides its name. */
export function seatState(table: Table, seat: Seat): string | null {
  if (seat.state === "standin") return t("seat.standin");
  if (seat.state === "away") return t("seat.away");
  if (seat.state === "hidden") return t("seat.hidden");
  if (seat.state === "next") return t("seat.next");
  if (seat.state === "out") return t(table.set.scoring === "elimination" ? "seat.eliminated" : "seat.out");
  if (seat.bot !== null) return t("seat.bot", { level: tMaybe(`bot.${seat.bot}`) ?? seat.bot });
  return null;
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
  const [level, setLevel] = useState<(typeof LEVELS)[number]>("normal");
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
              const note = seatState(table, each);
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
                      onPress={() => tap({ on: "host", do: "remove", seat: each.seat })}
                    />
                  ) : null}
                </li>
              );
            })}
          </ul>
          {state.isHost && table.seats.length < 10 ? (
            <div class="add-bot">
              <Button icon="bot" id="add-bot" onPress={() => tap({ on: "host", do: "add_bot", value: level })}>
                {t("lobby.bot")}
              </Button>
              <Pills
                label={t("lobby.bot.level")}
                value={level}
                options={LEVELS.map((value) => ({ value, text: t(`bot.${value}`) }))}
                onPick={setLevel}
              />
            </div>
          ) : null}
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
