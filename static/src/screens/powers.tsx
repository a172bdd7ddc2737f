// What the host may do besides playing: seats, the table's settings, the shared screen. Loaded when it is opened
// (later.tsx): nobody else ever does.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n";
import "../i18n/late";
import { holdsCards, present, seatOf, type Table } from "../state/model";
import { tap } from "../store";
import { Qr, useCopy } from "./invite";
import { Item, Sure, Toggle } from "./items";
import { AddBot, dismiss, SEATS, seatState } from "./lobby";
import { Avatar, Button, Pills, titleOf } from "./parts";

/** Somebody loses the seat, or this round: what becomes of seat, cards and points is said first. */
export function Dismiss(props: { table: Table; seat: number | null; does: "remove" | "take_out"; onNo: () => void }): JSX.Element | null {
  const { table, seat, does } = props;
  if (seat === null) return null;
  const cards = holdsCards(table, seat) ? `${t("menu.remove.cards")} ` : "";
  const bot = seatOf(table, seat)?.bot !== null;
  const text = does === "take_out" ? t("menu.out.text") : bot ? "" : t(table.phase === "lobby" ? "menu.remove.text" : "menu.remove.text.points");
  return (
    <Sure
      text={cards + text || t("menu.remove.bot")}
      yes={t(does === "remove" ? "menu.remove.yes" : "menu.out.yes")}
      id={`${does}-yes`}
      onYes={() => {
        tap({ on: "host", do: does, seat });
        props.onNo();
      }}
      onNo={props.onNo}
    />
  );
}

/** The way to the shared screen: the link to be typed or copied, its QR for a tablet. */
export function ScreenLink({ link }: { link: string }): JSX.Element {
  const [copied, press] = useCopy(link);
  return (
    <div class="invite">
      <Qr link={link} />
      <div class="invite-side">
        <p>{t("menu.screen.text")}</p>
        <Button icon={copied ? "check" : "copy"} id="copy-screen" onPress={press}>
          {t(copied ? "lobby.copied" : "lobby.copy")}
        </Button>
      </div>
      <p class="by-hand">
        <code data-testid="screen-link">{link}</code>
      </p>
    </div>
  );
}

/** Back to the lobby in the middle of a match. */
export function End({ onNo }: { onNo: () => void }): JSX.Element {
  return (
    <Sure
      text={t("menu.end.text")}
      yes={t("menu.end")}
      id="end-yes"
      onYes={() => {
        tap({ on: "host", do: "end" });
        onNo();
      }}
      onNo={onNo}
    />
  );
}

const GRACES = [0, 0.5, 1, 1.5];

export function HostPowers({ table, linked }: { table: Table; linked: boolean }): JSX.Element {
  const running = table.phase === "round";
  const paused = table.paused.includes("host");
  const act = (what: string, seat?: number): void => tap(seat === undefined ? { on: "host", do: what } : { on: "host", do: what, seat });
  return (
    <div class="menu">
      {running ? (
        <Button icon="pause" id="host-pause" onPress={() => act(paused ? "resume" : "pause")}>
          {t(paused ? "menu.resume" : "menu.pause")}
        </Button>
      ) : null}
      <Button icon={table.locked ? "open" : "lock"} id="host-lock" onPress={() => act(table.locked ? "unlock" : "lock")}>
        {t(table.locked ? "lobby.unlock" : "lobby.lock")}
      </Button>
      <h3>{t("menu.seats")}</h3>
      <ul class="powers">
        {present(table).map((each) => (
          <li key={each.seat}>
            <Avatar seat={each} bot={each.bot !== null && each.state !== "standin"} />
            <span class="who-name">
              <span class="name">{each.name}</span>
              <small>{seatState(each)}</small>
            </span>
            {each.seat === table.you ? null : (
              <span class="row">
                {running && each.state === "away" ? <Button onPress={() => act("bot", each.seat)}>{t("menu.seat.bot")}</Button> : null}
                {running && (each.state === "away" || each.state === "standin") ? (
                  <Button id={`out-${each.seat}`} onPress={() => tap({ on: "about", sheet: "take_out", seat: each.seat })}>
                    {t("menu.seat.out")}
                  </Button>
                ) : null}
                <Button kind="danger" id={`remove-${each.seat}`} onPress={() => dismiss(table, each)}>
                  {t("menu.seat.remove")}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {present(table).length < SEATS ? <AddBot /> : null}
      {linked ? (
        <>
          <Item icon="qr" to="invite">
            {t("menu.invite")}
          </Item>
          <Item icon="eye" to="screen">
            {t("menu.screen")}
          </Item>
        </>
      ) : null}
      <div class="item setting">
        <span>
          {t("menu.grace")}
          <small>{t("menu.grace.text")}</small>
        </span>
        <Pills
          label={t("menu.grace")}
          value={table.grace}
          options={GRACES.map((value) => ({ value, text: value === 0 ? t("menu.grace.off") : `${value.toLocaleString(document.documentElement.lang)} s` }))}
          onPick={(value) => tap({ on: "host", do: "grace", value })}
        />
      </div>
      <Toggle icon="bot" value={table.fast} id="host-fast" onChange={(value) => tap({ on: "host", do: "fast", value })}>
        {t("menu.fast")}
      </Toggle>
      <Title table={table} />
      {table.phase === "lobby" ? null : (
        <Item icon="leave" to="end">
          {t("menu.end")}
        </Item>
      )}
    </div>
  );
}

/** The table's name. Without one it is the host's, in each page's own language. */
function Title({ table }: { table: Table }): JSX.Element {
  const [text, setText] = useState(table.title);
  const put = (): void => {
    const value = text.trim();
    if (value !== "" && value !== table.title) tap({ on: "host", do: "title", value });
  };
  return (
    <form
      class="item setting"
      onSubmit={(event) => {
        event.preventDefault();
        put();
      }}
    >
      <label for="title">{t("menu.title")}</label>
      <input id="title" data-testid="host-title" value={text} placeholder={titleOf(table)} maxLength={40} enterkeyhint="done" onInput={(event) => setText(event.currentTarget.value)} onBlur={put} />
    </form>
  );
}
