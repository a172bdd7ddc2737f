// The languages. One file each; a missing or surplus key does not compile. Adding one: a new file
// of type `Catalogue`, and a line in `LANGUAGES`.
import { signal } from "@preact/signals";
import type { Colour } from "../wire";
import { face } from "../state/cards";
import { en } from "./en";
import { es } from "./es";
import { pseudo } from "./pseudo";
import { pt } from "./pt-BR";

export type Text = string | { one: string; many?: string; other: string };
export type Key = keyof typeof es;
export type Catalogue = Record<Key, Text>;
export type Params = Record<string, string | number>;

export const LANGUAGES = { "es": es as Catalogue, "pt-BR": pt, "en": en } as const;
export type Lang = keyof typeof LANGUAGES;

export const isLang = (tag: string): tag is Lang => tag in LANGUAGES;

/** The best language for a browser that asks for these, in this order. */
export function pick(wanted: readonly string[]): Lang {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split("-")[0];
    if (base === "es") return "es";
    if (base === "pt") return "pt-BR";
    if (base === "en") return "en";
  }
  return "es";
}

/** The language in force; `x-long` is the tests' own, 40 % longer. */
export const lang = signal<Lang | "x-long">("es");

const plurals = new Map<string, Intl.PluralRules>();

export function fill(text: Text, tag: string, params: Params): string {
  let chosen: string;
  if (typeof text === "string") chosen = text;
  else {
    let rules = plurals.get(tag);
    if (rules === undefined) plurals.set(tag, (rules = new Intl.PluralRules(tag)));
    const form = rules.select(Number(params.n));
    chosen = form === "one" ? text.one : form === "many" ? (text.many ?? text.other) : text.other;
  }
  return chosen.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? number(value, tag) : value;
  });
}

const numbers = new Map<string, Intl.NumberFormat>();

function number(value: number, tag: string): string {
  let format = numbers.get(tag);
  if (format === undefined) numbers.set(tag, (format = new Intl.NumberFormat(tag)));
  return format.format(value);
}

/** The words for `key` in the language in force. */
export function t(key: Key, params: Params = {}): string {
  const tag = lang.value;
  return tag === "x-long"
    ? fill(pseudo(es[key]), "es", params)
    : fill(LANGUAGES[tag][key], tag, params);
}

/** `t` for keys that come from the table; `null` when there is no such key. */
export function tMaybe(key: string, params: Params = {}): string | null {
  return key in es ? t(key as Key, params) : null;
}

export const colourName = (colour: Colour): string => t(`colour.${colour}`);

/** The full name of a card: "7 verde", "green 7", "comodín +4". */
export function cardName(card: string): string {
  const { colour, rank } = face(card);
  if (colour === null) {
    if (rank.startsWith("WC")) return t("card.WC", { n: rank.slice(2) });
    return tMaybe(`card.${rank}`) ?? rank;
  }
  return tMaybe(`card.${rank}.${colour}`) ?? t("card.coloured", { rank: tMaybe(`rank.${rank}`) ?? rank, colour: colourName(colour) });
}

export function listNames(names: readonly string[]): string {
  const tag = lang.value === "x-long" ? "es" : lang.value;
  return new Intl.ListFormat(tag, { type: "conjunction" }).format(names);
}

/** 9:05 */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
