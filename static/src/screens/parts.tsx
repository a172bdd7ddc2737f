// Small pieces that several screens share.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Face } from "../cards/card";
import { cardName, colourName, LANGUAGES, lang, type Lang, t, tMaybe } from "../i18n";
import { nameOf, type Seat, type Table } from "../state/model";
import { differences, writeValue } from "../state/rules";
import { tap } from "../store";
import { Icon, type IconName } from "./icons";

/** The first letter of a name, as people see letters. */
export function initialOf(name: string): string {
  const first = [...new Intl.Segmenter().segment(name)][0]?.segment ?? "?";
  return first.toLocaleUpperCase();
}

export function Avatar({ seat, bot }: { seat: Pick<Seat, "seat" | "name">; bot?: boolean }): JSX.Element {
  return (
    <span class={`avatar tint-${seat.seat % 10}`} aria-hidden="true">
      {bot ? <Icon name="bot" /> : initialOf(seat.name)}
    </span>
  );
}

export function Button(props: {
  children: ComponentChildren;
  onPress: () => void;
  icon?: IconName;
  kind?: "main" | "plain" | "quiet" | "danger";
  id?: string;
  disabled?: boolean;
  label?: string;
}): JSX.Element {
  return (
    <button
      type="button"
      class={`button ${props.kind ?? "plain"}`}
      data-testid={props.id}
      disabled={props.disabled}
      aria-label={props.label}
      onClick={props.onPress}
    >
      {props.icon ? <Icon name={props.icon} /> : null}
      <span>{props.children}</span>
    </button>
  );
}

export function IconButton(props: {
  icon: IconName;
  label: string;
  onPress: () => void;
  id?: string;
}): JSX.Element {
  return (
    <button type="button" class="icon-button" aria-label={props.label} title={props.label} data-testid={props.id} onClick={props.onPress}>
      <Icon name={props.icon} />
    </button>
  );
}

/** A choice of a few, all visible. */
export function Pills<T extends string | number | boolean>(props: {
  label: string;
  options: { value: T; text: string }[];
  value: T;
  onPick: (value: T) => void;
}): JSX.Element {
  return (
    <div class="pills" role="group" aria-label={props.label}>
      {props.options.map(({ value, text }) => (
        <button
          key={String(value)}
          type="button"
          class="pill"
          aria-pressed={value === props.value}
          onClick={() => props.onPick(value)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

export function LanguagePills(): JSX.Element {
  return (
    <Pills<Lang>
      label={t("enter.language")}
      options={(Object.keys(LANGUAGES) as Lang[]).map((value) => ({
        value,
        text: LANGUAGES[value].language as string,
      }))}
      value={lang.value as Lang}
      onPick={(value) => tap({ on: "prefs", change: { lang: value } })}
    />
  );
}

/** A sheet: a named dialog that leaves the action bar of a running round uncovered. */
export function SheetBox(props: {
  title: string;
  onClose: (() => void) | null;
  children: ComponentChildren;
  kind?: string;
  id?: string;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  // What is inert under the sheet has lost the focus by the time that the sheet takes it.
  const [opener] = useState(() => document.activeElement);
  useEffect(() => {
    const before = document.activeElement === document.body ? opener : document.activeElement;
    box.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <div class={`sheet-place ${props.kind ?? ""}`}>
      <div
        class="sheet"
        role="dialog"
        aria-label={props.title}
        tabIndex={-1}
        ref={box}
        data-testid={props.id}
        onKeyDown={(event) => {
          if (event.key === "Escape" && props.onClose !== null) {
            event.stopPropagation();
            props.onClose();
          }
        }}
      >
        <div class="sheet-head">
          <h2>{props.title}</h2>
          {props.onClose === null ? null : <IconButton icon="close" label={t("act.close")} onPress={props.onClose} id="close" />}
        </div>
        <div class="sheet-body" tabIndex={props.kind?.includes("rules") ? 0 : undefined}>
          {props.children}
        </div>
      </div>
    </div>
  );
}

/** A table that nobody named is the host's, in the language of this page. */
export function titleOf(table: Table): string {
  if (table.title !== "") return table.title;
  return table.host === null ? t("table.title") : t("table.of", { name: nameOf(table, table.host) });
}

/** What the rules add to their preset, as short words. */
export function ruleChips(table: Table): string[] {
  const { preset, set } = table;
  const chips = [tMaybe(`preset.${preset}`) ?? preset];
  for (const each of differences(preset, set)) {
    const value = set[each.name];
    if (value === undefined) continue;
    const name = tMaybe(`rule.${each.name}`) ?? each.name;
    if (value === true) chips.push(name);
    else chips.push(`${name}: ${valueName(each.name, value)}`);
  }
  return chips;
}

export function valueName(rule: string, value: string | number | boolean): string {
  if (typeof value === "boolean") return t(value ? "on" : "off");
  return tMaybe(`rule.${rule}.${value}`) ?? writeValue(value);
}

export function RuleChips({ table }: { table: Table }): JSX.Element {
  return (
    <ul class="chips">
      {ruleChips(table).map((chip) => (
        <li key={chip}>{chip}</li>
      ))}
      {table.agreed.map((rule) => (
        <li key={rule}>“{rule}”</li>
      ))}
    </ul>
  );
}

/** A card that is only to be looked at. */
export function Shown(props: { card: string; mark?: boolean; colour?: "r" | "y" | "g" | "b" | null }): JSX.Element {
  const name = cardName(props.card);
  const label = props.mark
    ? t("card.guilty", { card: name })
    : props.colour
      ? t("card.chosen", { card: name, colour: colourName(props.colour) })
      : name;
  return (
    <span class={`card${props.mark ? " guilty" : ""}`} role="img" aria-label={label} data-card={props.card}>
      <Face card={props.card} />
    </span>
  );
}

/** Now, refreshed while something on the screen counts time. */
export function useNow(every: number | null): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (every === null) return;
    setNow(performance.now());
    const timer = setInterval(() => setNow(performance.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
