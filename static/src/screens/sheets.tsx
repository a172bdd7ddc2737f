// The menu and what it opens.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { copy } from "../device/share";
import { t, type Key } from "../i18n";
import type { Table } from "../state/model";
import type { Sheet, State } from "../state/shape";
import { screenLink } from "../state/link";
import { partida } from "../state/partida";
import { tell } from "../state/story";
import { why } from "../state/why";
import { tap } from "../store";
import { Icon, type IconName } from "./icons";
import { how, LinkPanel } from "./connection";
import { Invite, ScreenLink } from "./invite";
import { seatState } from "./lobby";
import { Avatar, Button, LanguagePills, Pills, SheetBox, titleOf } from "./parts";
import { RulesPage } from "./rules";
import { Propose } from "./vote";
import { leave as leavePractice, practice } from "../offline/gate";

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
};

export function Sheets({ state, table }: { state: State; table: Table }): JSX.Element | null {
  const { sheet } = state;
  if (sheet === null) return null;
  const close = (): void => tap({ on: "sheet", sheet: null });
  const inside: Record<Sheet, () => ComponentChildren> = {
    menu: () => <Menu state={state} table={table} />,
    log: () => <Log state={state} table={table} />,
    rules: () => <RulesPage state={state} table={table} />,
    invite: () => <Invite best={state.guestLink} all={state.guestLinks} title={titleOf(table)} locked={table.locked} />,
    screen: () => <ScreenLink link={screenLink(state.guestLink)} />,
    report: () => <Report state={state} />,
    link: () => <LinkPanel state={state} />,
    leave: () => (
      <>
        <p>{t(practice.value === null ? "menu.leave.text" : "solo.leave.text")}</p>
        <div class="row">
          <Button kind="danger" id="leave-yes" onPress={() => (practice.value === null ? tap({ on: "leave" }) : leavePractice())}>
            {t("menu.leave.yes")}
          </Button>
          <Button onPress={close}>{t("act.cancel")}</Button>
        </div>
      </>
    ),
    host: () => <HostPowers table={table} linked={state.guestLink !== ""} />,
    end: () => (
      <div class="row">
        <Button
          kind="danger"
          id="end-yes"
          onPress={() => {
            tap({ on: "host", do: "end" });
            close();
          }}
        >
          {t("menu.end")}
        </Button>
        <Button onPress={close}>{t("act.cancel")}</Button>
      </div>
    ),
    vote: () => <Propose table={table} />,
  };
  return (
    <SheetBox key={sheet} title={t(TITLES[sheet])} onClose={close} kind={`menu-sheet of-${sheet}`} id={`sheet-${sheet}`}>
      {inside[sheet]()}
    </SheetBox>
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
      {linked ? (
        <Item icon="eye" to="screen">
          {t("menu.screen")}
        </Item>
      ) : null}
      <h3>{t("menu.seats")}</h3>
      <ul class="powers">
        {table.seats.map((each) => (
          <li key={each.seat}>
            <Avatar seat={each} bot={each.bot !== null && each.state !== "standin"} />
            <span class="who-name">
              <span class="name">{each.name}</span>
              <small>{seatState(table, each)}</small>
            </span>
            {each.seat === table.you ? null : (
              <span class="row">
                {each.state === "away" ? <Button onPress={() => act("bot", each.seat)}>{t("menu.seat.bot")}</Button> : null}
                {running && each.state !== "out" && each.state !== "next" && each.bot === null ? (
                  <Button onPress={() => act("take_out", each.seat)}>{t("menu.seat.out")}</Button>
                ) : null}
                <Button kind="danger" onPress={() => act("remove", each.seat)}>
                  {t("menu.seat.remove")}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {table.phase === "lobby" ? null : (
        <Item icon="leave" to="end">
          {t("menu.end")}
        </Item>
      )}
    </div>
  );
}
