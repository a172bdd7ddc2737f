// The menu and what it opens.
import type { ComponentChildren, JSX } from "preact";
import { t, type Key } from "../i18n";
import { holdsCards, type Table } from "../state/model";
import type { Sheet, State } from "../state/shape";
import { screenLink } from "../state/link";
import { tap } from "../store";
import { Icon } from "./icons";
import { how, LinkPanel } from "./connection";
import { Invite } from "./invite";
import { Item, Sure, Toggle } from "./items";
import { Later, powers, reading } from "./later";
import { LanguagePills, Pills, SheetBox, titleOf } from "./parts";
import { leave as leavePractice, leaving, practice } from "../offline/gate";

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
    log: () => <Later part={reading}>{(from) => <from.Log state={state} table={table} />}</Later>,
    rules: () => <Later part={reading}>{(from) => <from.RulesPage state={state} table={table} />}</Later>,
    invite: () => <Invite best={state.guestLink} all={state.guestLinks} title={titleOf(table)} locked={table.locked} />,
    screen: () => <Later part={powers}>{(from) => <from.ScreenLink link={screenLink(state.guestLink)} />}</Later>,
    report: () => <Later part={reading}>{(from) => <from.Report state={state} />}</Later>,
    link: () => <LinkPanel state={state} />,
    leave: () => (
      <Sure
        text={practice.value !== null ? leaving(table.phase) : t(holdsCards(table, table.you) ? "menu.leave.text" : "menu.leave.text.plain")}
        yes={t("menu.leave.yes")}
        id="leave-yes"
        onYes={() => (practice.value === null ? tap({ on: "leave" }) : leavePractice())}
        onNo={close}
      />
    ),
    remove: () => <Later part={powers}>{(from) => <from.Dismiss table={table} seat={about?.seat ?? null} does="remove" onNo={close} />}</Later>,
    take_out: () => <Later part={powers}>{(from) => <from.Dismiss table={table} seat={about?.seat ?? null} does="take_out" onNo={close} />}</Later>,
    host: () => <Later part={powers}>{(from) => <from.HostPowers table={table} linked={state.guestLink !== ""} />}</Later>,
    end: () => <Later part={powers}>{(from) => <from.End onNo={close} />}</Later>,
    vote: () => <Later part={reading}>{(from) => <from.Propose table={table} />}</Later>,
  };
  return (
    <SheetBox key={sheet} title={t(TITLES[sheet], { name: about?.name ?? "" })} onClose={close} kind={`menu-sheet of-${sheet}`} id={`sheet-${sheet}`}>
      {inside[sheet]()}
    </SheetBox>
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
