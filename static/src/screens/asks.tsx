// What the table asks of me. Each covers only the arena: the hand, ¡UNO! and Pillar stay free.
import type { JSX } from "preact";
import { Sign } from "../cards/card";
import { colourName, t } from "../i18n";
import { COLOURS, cardOf, evidence } from "../state/cards";
import { catchable, nameOf, seatOf, swappable, type Table } from "../state/model";
import type { Shown as Hand } from "../wire";
import { isBusy, type State } from "../state/shape";
import { tap } from "../store";
import { Avatar, Button, SheetBox, Shown } from "./parts";

export function Asks({ state, table }: { state: State; table: Table }): JSX.Element | null {
  if (table.phase !== "round") return null;
  if (state.look !== null && !state.seen) return <ShownHand shown={state.look} table={table} />;
  if (state.ask?.now === "player") {
    const seven = state.ask.keys.some((key) => cardOf(key).endsWith("7"));
    return <PlayerAsk table={table} seats={swappable(table)} title={t(seven ? "ask.player.seven" : "ask.player")} />;
  }
  if (state.ask?.now === "catch") return <PlayerAsk table={table} seats={catchable(table)} title={t("catch.who")} />;
  if (state.ask?.now === "colour") return <ColourAsk onClose={() => tap({ on: "cancel" })} />;
  if (table.may.colour && !isBusy(state)) return <ColourAsk onClose={null} />;
  if (table.may.challenge && !isBusy(state)) return <Four table={table} />;
  return null;
}

function ColourAsk({ onClose }: { onClose: (() => void) | null }): JSX.Element {
  return (
    <SheetBox title={t("ask.colour")} onClose={onClose} kind="ask" id="colour-sheet">
      <div class="colours">
        {COLOURS.map((colour) => (
          <button key={colour} type="button" class={`colour ${colour}`} data-testid={`colour-${colour}`} onClick={() => tap({ on: "colour", colour })}>
            <Sign colour={colour} />
            {colourName(colour)}
          </button>
        ))}
      </div>
    </SheetBox>
  );
}

function PlayerAsk(props: { table: Table; seats: number[]; title: string }): JSX.Element {
  return (
    <SheetBox title={props.title} onClose={() => tap({ on: "cancel" })} kind="ask" id="player-sheet">
      <div class="people">
        {props.seats.map((seat) => {
          const who = seatOf(props.table, seat);
          if (who === null) return null;
          return (
            <button key={seat} type="button" class="person" data-testid={`pick-${seat}`} onClick={() => tap({ on: "player", seat })}>
              <Avatar seat={who} bot={who.bot !== null} />
              <span class="name">{who.name}</span>
              <small>{t("cards", { n: who.cards })}</small>
            </button>
          );
        })}
      </div>
    </SheetBox>
  );
}

/** Only the one who faces a +4 sees this. Neither choice is the default. */
function Four({ table }: { table: Table }): JSX.Element {
  const name = nameOf(table, table.opener);
  // The colour that was in force before is on the card below, unless that was a wild too.
  const before = table.under.at(-1);
  const asked = table.set.bluff_basis === "colour" && before !== undefined && !before.startsWith("W") && table.pending <= 4 ? (before[0] as "r" | "y" | "g" | "b") : null;
  return (
    <SheetBox title={t("four.ask", { name })} onClose={null} kind="ask four" id="four">
      <p>{asked === null ? t("four.text.plain") : t("four.text", { colour: colourName(asked) })}</p>
      <div class="choices">
        <button type="button" class="choice" data-testid="accept" onClick={() => tap({ on: "accept" })}>
          <strong>{t("act.accept")}</strong>
          <small>{t("act.accept.cost", { n: table.pending })}</small>
        </button>
        <button type="button" class="choice" data-testid="challenge" onClick={() => tap({ on: "challenge" })}>
          <strong>{t("act.challenge")}</strong>
          <small>{t("act.challenge.cost", { name, n: table.pending + 2 })}</small>
        </button>
      </div>
    </SheetBox>
  );
}

function ShownHand({ shown, table }: { shown: Hand; table: Table }): JSX.Element {
  const bluff = (shown.guilty ?? []).length > 0;
  return (
    <SheetBox title={t("shown.title", { name: nameOf(table, shown.of) })} onClose={() => tap({ on: "seen" })} kind="ask" id="shown">
      <p class={bluff ? "verdict bluff" : "verdict"}>{t(bluff ? "shown.guilty" : "shown.clean.plain")}</p>
      <div class="shown-cards">
        {evidence(shown).map(({ card, guilty }, k) => (
          <Shown key={`${card}-${k}`} card={card} mark={guilty} />
        ))}
      </div>
      <Button kind="main" id="seen" onPress={() => tap({ on: "seen" })}>
        {t("shown.seen")}
      </Button>
    </SheetBox>
  );
}
