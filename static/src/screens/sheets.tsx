// The menu and what it opens.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { copy } from "../device/share";
import { t, type Key } from "../i18n";
import { present, seatOf, type Table } from "../state/model";
import type { Sheet, State } from "../state/shape";
import { screenLink } from "../state/link";
import { partida } from "../state/partida";
import { tell } from "../state/story";
import { why } from "../state/why";
import { tap } from "../store";
import { Icon, type IconName } from "./icons";
import { how, LinkPanel } from "./connection";
import { Invite, ScreenLink } from "./invite";
import { AddBot, dismiss, SEATS, seatState } from "./lobby";
import { Avatar, Button, LanguagePills, Pills, SheetBox, titleOf } from "./parts";
import { RulesPage } from "./rules";
import { Propose } from "./vote";
import { leave as leavePractice, practice } from "../offline/gate";

/** So long a second tap of the same finger may come. */
const TWICE_MS = 350;

const TITLES: Record<Sheet, Key> = {
  menu: "menu",
  log: "menu.log",
  rules: "menu.rules",
  invite: "menu.invite",
  screen: "menu.screen",
  report: "menu.report",
  link: "link.title",
  leave: "menu.leave.sure",
  host: "menu.host",
  end: "menu.end.sure",
  vote: "vote.propose",
  remove: "menu.remove.sure",
  take_out: "menu.out.sure",
};

export function Sheets({ state, table }: { state: State; table: Table }): JSX.Element | null {
  const { sheet, about } = state;
  if (sheet === null) return null;
  const close = (): void => tap(about === null ? { on: "sheet", sheet: null } : { on: "back" });
  const inside: Record<Sheet, () => ComponentChildren> = {
    menu: () => <Menu state={state} table={table} />,
    log: () => <Log state={state} table={table} />,
    rules: () => <RulesPage state={state} table={table} />,
    invite: () => <Invite best={state.guestLink} all={state.guestLinks} title={titleOf(table)} locked={table.locked} />,
    screen: () => <ScreenLink link={screenLink(state.guestLink)} />,
    report: () => <Report state={state} />,
    link: () => <LinkPanel state={state} />,
    leave: () => (
      <Sure
        text={t(practice.value !== null ? "solo.leave.text" : holdsCards(table, table.you) ? "menu.leave.text" : "menu.leave.text.plain")}
        yes={t("menu.leave.yes")}
        id="leave-yes"
        onYes={() => (practice.value === null ? tap({ on: "leave" }) : leavePractice())}
        onNo={close}
      />
    ),
    remove: () => <Dismiss table={table} seat={about?.seat ?? null} does="remove" onNo={close} />,
    take_out: () => <Dismiss table={table} seat={about?.seat ?? null} does="take_out" onNo={close} />,
    host: () => <HostPowers table={table} linked={state.guestLink !== ""} />,
    end: () => (
      <Sure
        text={t("menu.end.text")}
        yes={t("menu.end")}
        id="end-yes"
        onYes={() => {
          tap({ on: "host", do: "end" });
          close();
        }}
        onNo={close}
      />
    ),
    vote: () => <Propose table={table} />,
  };
  return (
    <SheetBox key={sheet} title={t(TITLES[sheet], { name: about?.name ?? "" })} onClose={close} kind={`menu-sheet of-${sheet}`} id={`sheet-${sheet}`}>
      {inside[sheet]()}
    </SheetBox>
  );
}

const holdsCards = (table: Table, seat: number | null): boolean => (seatOf(table, seat)?.cards ?? 0) > 0 && table.phase === "round";

/** Asked before what cannot be taken back. A finger that comes down twice does not answer it. */
function Sure(props: { text: string; yes: string; id: string; onYes: () => void; onNo: () => void }): JSX.Element {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), TWICE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <p>{props.text}</p>
      <div class="row">
        <Button kind="danger" id={props.id} disabled={!ready} onPress={props.onYes}>
          {props.yes}
        </Button>
        <Button id="sure-no" onPress={props.onNo}>
          {t("act.cancel")}
        </Button>
      </div>
    </>
  );
}

/** Somebody loses the seat, or this round: what becomes of seat, cards and points is said first. */
function Dismiss(props: { table: Table; seat: number | null; does: "remove" | "take_out"; onNo: () => void }): JSX.Element | null {
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

function Item(props: { icon: IconName; to: Sheet; children: ComponentChildren }): JSX.Element {
  return (
    <button type="button" class="item" data-testid={`menu-${props.to}`} onClick={() => tap({ on: "sheet", sheet: props.to })}>
      <Icon name={props.icon} />
      <span>{props.children}</span>
    </button>
  );
}

function Toggle(props: { icon: IconName; value: boolean; onChange: (value: boolean) => void; id: string; children: ComponentChildren }): JSX.Element {
  return (
    <button type="button" class="item" role="switch" aria-checked={props.value} data-testid={props.id} onClick={() => props.onChange(!props.value)}>
      <Icon name={props.icon} />
      <span>{props.children}</span>
      <span class="toggle" aria-hidden="true" data-on={props.value}>
        <i />
      </span>
    </button>
  );
}

function Menu({ state, table }: { state: State; table: Table }): JSX.Element {
  const { prefs } = state;
  return (
    <div class="menu">
      {state.isHost && practice.value === null ? (
        <Item icon="host" to="host">
          {t("menu.host")}
          <small>{t("menu.host.text")}</small>
        </Item>
      ) : null}
      {table.phase === "lobby" ? null : (
        <Item icon="log" to="log">
          {t("menu.log")}
        </Item>
      )}
      <Item icon="rules" to="rules">
        {t("menu.rules")}
      </Item>
      {state.guestLink === "" ? null : (
        <Item icon="qr" to="invite">
          {t("menu.invite")}
        </Item>
      )}
      <Toggle icon={prefs.sound ? "sound" : "mute"} value={prefs.sound} id="pref-sound" onChange={(sound) => tap({ on: "prefs", change: { sound } })}>
        {t("menu.sound")}
      </Toggle>
      <Toggle icon="tap" value={prefs.oneTap} id="pref-onetap" onChange={(oneTap) => tap({ on: "prefs", change: { oneTap } })}>
        {t("menu.onetap")}
        <small>{t("menu.onetap.text")}</small>
      </Toggle>
      <Toggle icon="eye" value={prefs.calm} id="pref-calm" onChange={(calm) => tap({ on: "prefs", change: { calm } })}>
        {t("menu.motion")}
      </Toggle>
      <div class="item setting">
        <Icon name="sort" />
        <span>{t("menu.sort")}</span>
        <Pills
          label={t("menu.sort")}
          value={prefs.sort}
          options={(["colour", "number", "none"] as const).map((value) => ({ value, text: t(`menu.sort.${value}`) }))}
          onPick={(sort) => tap({ on: "prefs", change: { sort } })}
        />
      </div>
      <div class="item setting">
        <span>{t("menu.language")}</span>
        <LanguagePills />
      </div>
      <div class="keys-only">
        <Toggle icon="hand" value={prefs.keys} id="pref-keys" onChange={(keys) => tap({ on: "prefs", change: { keys } })}>
          {t("menu.keys")}
        </Toggle>
      </div>
      <Item icon="link" to="link">
        {t("link.item", { how: how(state, null) })}
      </Item>
      <Item icon="flag" to="report">
        {t("menu.report")}
      </Item>
      {state.seat === null ? null : (
        <Item icon="leave" to="leave">
          {t("menu.leave")}
        </Item>
      )}
      <p class="legal">{t("enter.free")}</p>
    </div>
  );
}

/** What happened, newest first; a tap on a line explains it by the rule in force. */
function Log({ state, table }: { state: State; table: Table }): JSX.Element {
  const [open, setOpen] = useState<number | null>(null);
  const told = state.log.map((entry) => ({
    id: entry.id,
    text: tell(entry),
    because: why(entry, table.set, table.custom),
    round: entry.event.e === "dealt",
  }));
  const shown = told.filter((each) => each.text !== null).reverse();
  if (shown.length === 0) return <p class="quiet">{t("menu.log.empty")}</p>;
  return (
    <ol class="log" data-testid="log" reversed tabIndex={0} aria-label={t("menu.log")}>
      {shown.map((each) => (
        <li key={each.id} class={each.round ? "round" : ""}>
          {each.because === null ? (
            <p>{each.text}</p>
          ) : (
            <>
              <button type="button" class="told" aria-expanded={open === each.id} onClick={() => setOpen(open === each.id ? null : each.id)}>
                <span>{each.text}</span>
                <small>{t("because")}</small>
              </button>
              {open === each.id ? (
                <p class="because" data-testid="because">
                  {each.because}
                </p>
              ) : null}
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

/** What one needs to understand a trouble, and nothing that this page should not show. */
export function report(state: State): string {
  const about = [
    `Penúltima: seq ${state.seq}, ${state.rtc ? "data channel" : "websocket"}, ${document.documentElement.lang}, ${innerWidth}x${innerHeight}`,
    navigator.userAgent,
    ...state.log.slice(-20).map((entry) => JSON.stringify(entry.event)),
  ];
  const position = state.raw === null ? null : partida(state.raw);
  // Outside a round there is no position to write down, only the view.
  if (position === null) about.push(JSON.stringify(state.raw));
  return [...about.map((line) => `# ${line}`), position ?? ""].join("\n");
}

function Report({ state }: { state: State }): JSX.Element {
  const [copied, setCopied] = useState(false);
  const [text] = useState(() => report(state));
  return (
    <>
      <p>{t("menu.report.text")}</p>
      <textarea class="report-text" readOnly rows={6} aria-label={t("menu.report")} value={text} onFocus={(event) => event.currentTarget.select()} />
      <Button kind="main" icon={copied ? "check" : "copy"} id="copy-report" onPress={() => void copy(text).then(setCopied)}>
        {t(copied ? "menu.report.copied" : "menu.report.copy")}
      </Button>
    </>
  );
}

const GRACES = [0, 0.5, 1, 1.5];

function HostPowers({ table, linked }: { table: Table; linked: boolean }): JSX.Element {
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
