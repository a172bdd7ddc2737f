// The table itself: the others around it, the pile and the discard in the middle, and the last
// thing that happened in words.
import type { JSX } from "preact";
import { Back, Face, Sign } from "../cards/card";
import { cardName, clock, colourName, t } from "../i18n";
import { inRound, rivals, type Seat, type Table } from "../state/model";
import type { State } from "../state/shape";
import { atAGlance, type Entry, tell } from "../state/story";
import { tap } from "../store";
import { Icon } from "./icons";
import { seatState } from "./lobby";
import { Avatar, useNow } from "./parts";
import { around, places } from "./places";
import { still } from "./still";

type Lots = Record<number, string[]> | null;

interface ArenaProps {
  table: Table;
  lots: Lots;
  /** All that was told, and since which entry it is new. */
  log: Entry[];
  newest: number;
  /** On the shared screen all sit around the table. */
  screen?: boolean;
}

export const Arena = still(function Arena({ table, lots, log, newest, screen }: ArenaProps): JSX.Element {
  const others = rivals(table);
  const { bottom, left, top } = screen ? around(others.length) : { bottom: 0, ...places(others.length) };
  // To my left sits who plays next when play goes left: the lowest seat of the left side.
  const onBottom = others.slice(0, bottom).reverse();
  const onLeft = others.slice(bottom, bottom + left).reverse();
  const onTop = others.slice(bottom + left, bottom + left + top);
  const onRight = others.slice(bottom + left + top);
  const chip = (seat: Seat): JSX.Element => (
    <Rival
      key={seat.seat}
      seat={seat}
      note={seatState(seat)}
      deals={table.dealer === seat.seat}
      catches={table.may.catches}
      crowded={others.length > 4 && !screen}
      lots={lots?.[seat.seat]}
    />
  );
  const mine = table.you === null ? undefined : lots?.[table.you];
  return (
    <div class={`seats n${others.length}`} role="group" aria-label={t("rivals")}>
      <div class="side left">{onLeft.map(chip)}</div>
      <div class="top">{onTop.map(chip)}</div>
      <div class="side right">{onRight.map(chip)}</div>
      {onBottom.length === 0 ? null : <div class="bottom">{onBottom.map(chip)}</div>}
      <Middle table={table} />
      {mine === undefined ? null : (
        <div class="own-lots">
          <Drawn cards={mine} deals={table.dealer === table.you} />
        </div>
      )}
      <Happening table={table} log={log} newest={newest} />
    </div>
  );
});

/** What somebody drew for the deal; the log says it in words. */
function Drawn({ cards, deals }: { cards: string[]; deals: boolean }): JSX.Element {
  return (
    <span class={`lots${deals ? " deals" : ""}`} aria-hidden="true" data-testid="lots">
      {cards.map((card, k) => (
        <span key={k} class="card">
          <Face card={card} />
        </span>
      ))}
    </span>
  );
}

interface RivalProps {
  seat: Seat;
  note: string | null;
  deals: boolean;
  /** The table would take a catch now. */
  catches: boolean;
  crowded: boolean;
  lots: string[] | undefined;
}

const Rival = still(function Rival({ seat, note, deals, catches, crowded, lots }: RivalProps): JSX.Element {
  const playing = inRound(seat);
  const words = [
    seat.name,
    playing ? t("cards", { n: seat.cards }) : "",
    seat.turn ? t("seat.turn") : "",
    seat.called ? t("seat.called") : "",
    seat.exposed ? t("seat.exposed") : "",
    seat.partner ? t("seat.partner") : "",
    note ?? "",
  ].filter((word) => word !== "");
  const inside = (
    <>
      <span class="rival-top">
        <Avatar seat={seat} bot={seat.bot !== null && seat.state !== "standin"} />
        {playing && crowded ? (
          <span class={`count c${Math.min(seat.cards, 3)}`} aria-hidden="true">
            <b>{seat.cards}</b>
          </span>
        ) : null}
        <Presence seat={seat} />
      </span>
      {playing && !crowded ? <Held cards={seat.cards} /> : null}
      <span class="name" aria-hidden="true">
        {seat.partner ? <Icon name="pair" /> : null}
        {seat.name}
      </span>
      {seat.called && seat.cards <= 2 ? (
        <em class="call" aria-hidden="true">
          {t("act.uno")}
        </em>
      ) : null}
      {lots === undefined ? null : <Drawn cards={lots} deals={deals} />}
    </>
  );
  const common = {
    class: `rival${seat.turn ? " on" : ""}${playing ? "" : " gone"}${seat.exposed ? " exposed" : ""}${crowded ? " small" : ""}${seat.partner ? " partner" : ""}`,
    "data-testid": `player-${seat.seat}`,
    "data-place": `seat:${seat.seat}`,
    "data-turn": seat.turn,
  };
  if (seat.exposed && catches) {
    return (
      <button type="button" {...common} aria-label={`${words.join(", ")}. ${t("act.catch.who", { name: seat.name })}`} onClick={() => tap({ on: "catch", seat: seat.seat })}>
        {inside}
      </button>
    );
  }
  return (
    <div {...common} role="img" aria-label={words.join(", ")}>
      {inside}
    </div>
  );
});

const FAN = 9;

/** With room for it, a hand looks like one: a fan of backs, and how many they are. */
function Held({ cards }: { cards: number }): JSX.Element {
  const n = Math.min(cards, FAN);
  return (
    <span class={`fan-of c${Math.min(cards, 3)}`} aria-hidden="true">
      {Array.from({ length: n }, (_, k) => (
        <i key={k} style={{ "--k": k - (n - 1) / 2 }} />
      ))}
      <b>{cards}</b>
    </span>
  );
}

function Presence({ seat }: { seat: Seat }): JSX.Element | null {
  // Who is out of the round is not waited for; whether they are still there does not matter.
  if ((!inRound(seat) && seat.state !== "next") || (seat.bot !== null && seat.state !== "standin")) return null;
  const icon = seat.state === "away" ? "off" : seat.state === "hidden" ? "app" : seat.state === "standin" ? "bot" : null;
  return <i class={`dot ${seat.state ?? "here"}`}>{icon === null ? null : <Icon name={icon} />}</i>;
}

function Ring(): JSX.Element {
  // Over the cards and under them, or on either side where the table is low: each with a head where it ends.
  return (
    <>
      <svg class="ring" viewBox="-130 -104 260 208" aria-hidden="true">
        {[0, 180].map((turn) => (
          <g key={turn} transform={`rotate(${turn})`}>
            <path d="M-84.7 -67.6A122 94 0 0 1 78.4 -72.0" />
            <path class="head" d="M75.9 -83.4 80.9 -70.4 67.0 -69.6" />
          </g>
        ))}
      </svg>
      <svg class="ring low" viewBox="-130 -45 260 90" aria-hidden="true">
        {[0, 180].map((turn) => (
          <g key={turn} transform={`rotate(${turn})`}>
            <path d="M106 -36A60 60 0 0 1 107 36" />
            <path class="head" d="M119.5 34.5 106.5 37 106.3 23.8" />
          </g>
        ))}
      </svg>
    </>
  );
}

function Middle({ table }: { table: Table }): JSX.Element {
  const { top, colour } = table;
  const topName = top === null ? "" : cardName(top);
  const face = top !== null && top.startsWith("W") && colour !== null ? t("card.chosen", { card: topName, colour: colourName(colour) }) : topName;
  const takes = table.may.draw || (table.may.accept && !table.may.challenge);
  return (
    <div class="middle">
      <span class={`ring-place ${table.dir === 1 ? "left" : "right"}`} data-testid="direction" role="img" aria-label={t(table.dir === 1 ? "direction.left" : "direction.right")}>
        <span data-place="ring">
          <Ring />
        </span>
      </span>
      <button
        type="button"
        class={`pile${takes ? " live" : ""}`}
        data-testid="pile"
        data-place="pile"
        aria-label={`${t("pile.name", { n: table.pile })}${takes ? `. ${t("act.draw")}` : ""}`}
        onClick={() => tap({ on: "draw" })}
      >
        <i class="card under-2" />
        <i class="card under-1" />
        <span class="card">
          <Back />
        </span>
        <b aria-hidden="true">{table.pile}</b>
      </button>
      <div class={`discard ${colour ?? "none"}`}>
        {table.under.map((card, k) => (
          <span key={`${table.discard - table.under.length + k}`} class={`card heap h${(table.discard - table.under.length + k) % 7}`} aria-hidden="true">
            <Face card={card} />
          </span>
        ))}
        {top === null ? null : (
          <span
            key={`top-${table.discard}`}
            class={`card heap h${table.discard % 7}`}
            role="img"
            aria-label={t("discard.name", { card: face })}
            data-testid="discard"
            data-place="discard"
            data-card={top}
          >
            <Face card={top} />
          </span>
        )}
        <span class="colour-tag" role="img" data-testid="colour" data-colour={colour ?? ""} aria-label={colour === null ? "…" : t("colour.force", { colour: colourName(colour) })}>
          {colour === null ? (
            "…"
          ) : (
            <>
              <Sign colour={colour} />
              <span aria-hidden="true">{colourName(colour)}</span>
            </>
          )}
        </span>
      </div>
      {table.pending > 0 ? (
        <b class="pending" data-testid="pending" data-place="pending" role="img" aria-label={t("pending.name", { n: table.pending })}>
          {t("pending", { n: table.pending })}
        </b>
      ) : null}
    </div>
  );
}

/** The last move and its cause: what a glance at the table should explain. */
function Happening({ table, log, newest }: { table: Table; log: Entry[]; newest: number }): JSX.Element {
  // A few of those before as well: with bots about, one update is soon followed by the next.
  const glance = atAGlance(log.slice(Math.max(0, log.findLastIndex((entry) => entry.event.e === "dealt"))));
  const last = glance
    .slice(-8)
    .map((entry) => ({ id: entry.id, text: tell(entry) }))
    .filter((each): each is { id: number; text: string } => each.text !== null)
    .slice(-4);
  const inside = (
    <>
      {last.length === 0 ? (
        <span class="quiet">{t("tell.dealt", { round: table.round, name: table.seats.find((each) => each.seat === table.dealer)?.name ?? "?" })}</span>
      ) : (
        last.map((each) => (
          <span key={each.id} class={each.id >= newest ? "newest" : ""}>
            {each.text}
          </span>
        ))
      )}
    </>
  );
  // A watcher's screen has no log to open.
  if (table.you === null) {
    return (
      <p class="happening" data-testid="happening">
        {inside}
      </p>
    );
  }
  return (
    <button type="button" class="happening" data-testid="happening" aria-haspopup="dialog" onClick={() => tap({ on: "sheet", sheet: "log" })}>
      {inside}
    </button>
  );
}

/** By a class and not by `:has`: what asks what is inside is asked again with every move. */
export const arenaClass = (table: Table): string => (table.paused.length > 0 ? "arena paused" : "arena");

/** Who is missing, for how long still, and what the host can do about it. */
export function Pause({ state, table }: { state: State; table: Table }): JSX.Element | null {
  const paused = table.paused.length > 0;
  const now = useNow(paused ? 1000 : null);
  if (!paused) return null;
  const away = table.seats.filter((each) => each.state === "away");
  const since = (now - state.viewAt) / 1000;
  return (
    <div class="pause" role="group" aria-label={t("pause.title")} data-testid="paused">
      <strong>
        <Icon name="pause" /> {t("pause.title")}
      </strong>
      {table.paused.includes("countdown") ? <p class="countdown">{t("pause.countdown", { n: Math.max(1, Math.ceil(table.resume - since)) })}</p> : null}
      {table.paused.includes("host") ? <p>{t(state.isHost ? "pause.host.you" : "pause.host")}</p> : null}
      {table.paused.includes("disk") ? <p>{t("pause.disk")}</p> : null}
      {table.paused.includes("resting") ? <p>{t("pause.resting")}</p> : null}
      {away.map((each) => (
        <div key={each.seat} class="missing">
          <p>
            {t("pause.away", { names: each.name })}
            {each.left > 0 ? <small> · {t("pause.left", { time: clock(each.left - since) })}</small> : null}
          </p>
          {state.isHost ? (
            <span class="row">
              <button type="button" class="button plain" onClick={() => tap({ on: "host", do: "bot", seat: each.seat })}>
                {t("pause.bot")}
              </button>
              <button type="button" class="button plain" onClick={() => tap({ on: "about", sheet: "take_out", seat: each.seat })}>
                {t("pause.out")}
              </button>
            </span>
          ) : table.you !== null && each.urge !== null && each.urge <= since ? (
            <button type="button" class="button plain" data-testid={`urge-${each.seat}`} onClick={() => tap({ on: "urge", seat: each.seat })}>
              {t("pause.urge")}
            </button>
          ) : null}
          {each.urged ? <small>{t(state.isHost ? "pause.urged.you" : "pause.urged")}</small> : null}
        </div>
      ))}
      {state.isHost && table.paused.includes("host") ? (
        <button type="button" class="button main" data-testid="resume" onClick={() => tap({ on: "host", do: "resume" })}>
          {t("pause.resume")}
        </button>
      ) : null}
    </div>
  );
}
