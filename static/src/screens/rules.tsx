// The rules of this table: for everybody to read, for the host to set between rounds, for the winner to add one.
// Loaded when they are opened (later.tsx).
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { t, tMaybe } from "../i18n";
import "../i18n/late";
import { PRESETS, SWITCHES, type Switch } from "../rules.gen";
import type { Table } from "../state/model";
import { type RuleSet, type Value, writeRules, writeValue } from "../state/rules";
import type { State } from "../state/shape";
import { wished } from "../state/wished";
import { alikeHere, basics, cardHere, runHere } from "../state/help";
import { tap } from "../store";
import { Button, IconButton, Pills, Shown, valueName } from "./parts";
import { inWords } from "./vote";

const EFFECTS = ["none", "all_draw", "draw_two", "swap", "again"] as const;

export function RulesPage({ state, table: told }: { state: State; table: Table }): JSX.Element {
  const table = wished(state, told);
  const running = table.phase === "round";
  const mayChange = state.isHost && !running;
  const change = (preset: string, set: RuleSet): void =>
    tap({ on: "host", do: "rules", value: writeRules(preset, set) });
  // Custom cards and written rules have editors of their own below.
  const switches = SWITCHES.filter((each) => !each.name.startsWith("custom") && each.name !== "agreed");
  const groups = [...new Set(switches.map((each) => each.group))];
  const shown = useRef<HTMLUListElement>(null);
  const height = useRef(0);
  // A rule that is chosen may show another card up here: what was tapped stays under the finger.
  useLayoutEffect(() => {
    const now = shown.current?.offsetHeight ?? 0;
    const by = now - height.current;
    if (mayChange && height.current > 0 && by !== 0) shown.current?.closest(".sheet-body")?.scrollBy(0, by);
    height.current = now;
  });
  return (
    <div class="rules-page" data-testid="rules-page">
      {state.isHost && running ? <p class="hint">{t("rules.wait")}</p> : null}
      <section>
        <h3>{t("rules.basics")}</h3>
        <p>{basics(table.set)}</p>
      </section>
      <section>
        <h3>{t("rules.cards")}</h3>
        <ul class="examples" ref={shown}>
          {examples(table).map(([cards, text]) => (
            <li key={cards.join()}>
              {cards.map((card, k) => (
                <Shown key={k} card={card} />
              ))}
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h3>{mayChange ? t("rules.presets") : t("rules.title")}</h3>
        <div class="presets" role="group" aria-label={t("rules.presets")}>
          {Object.keys(PRESETS)
            .filter((preset) => mayChange || preset === table.preset)
            .map((preset) => (
              <button
                key={preset}
                type="button"
                class="preset"
                data-testid={`preset-${preset}`}
                aria-pressed={preset === table.preset}
                disabled={!mayChange}
                onClick={() => tap({ on: "host", do: "rules", value: preset })}
              >
                <strong>{tMaybe(`preset.${preset}`) ?? preset}</strong>
                <span>{tMaybe(`preset.${preset}.text`)}</span>
              </button>
            ))}
        </div>
      </section>
      {groups.map((group) => (
        <section key={group}>
          <h3>{tMaybe(`group.${group}`) ?? group}</h3>
          {switches
            .filter((each) => each.group === group)
            .map((each) => (
              <Rule
                key={each.name}
                rule={each}
                set={table.set}
                enabled={mayChange}
                trouble={state.rulesTrouble?.field === each.name}
                onPick={(value) => change(table.preset, { ...table.set, [each.name]: value })}
              />
            ))}
        </section>
      ))}
      {table.set.deck === 112 ? <Customs table={table} enabled={mayChange} /> : null}
      <Agreed table={table} enabled={mayChange} />
    </div>
  );
}

/** A card of each kind that does something at this table, and those that go together. */
function examples({ set, custom }: Table): [cards: string[], text: string][] {
  const cards = [
    ...(set.seven_swap === true ? ["g7"] : []),
    ...(set.zero_rotate === true ? ["y0"] : []),
    ...["rS", "gR", "b+2", "W", "W+4"],
    ...(set.deck === 112 ? ["WH", ...custom.map((_, k) => `WC${k + 1}`)] : []),
  ];
  const together: [string[], string | null][] = [
    [["g6", "g6"], alikeHere(set)],
    [["r3", "y3"], runHere(set)],
  ];
  return [
    ...cards.map((card): [string[], string] => [[card], cardHere(card, set, custom)]),
    ...together.filter((each): each is [string[], string] => each[1] !== null),
  ];
}

export function Rule(props: {
  rule: Switch;
  set: RuleSet;
  enabled: boolean;
  trouble: boolean;
  onPick: (value: Value) => void;
}): JSX.Element {
  const { rule, set } = props;
  const value = set[rule.name] ?? rule.default;
  const name = tMaybe(`rule.${rule.name}`) ?? rule.name;
  return (
    <div class={`rule${props.trouble ? " refused" : ""}${value === rule.default ? "" : " changed"}`} data-rule={rule.name}>
      <div class="rule-words">
        <strong>{name}</strong>
        <p>{tMaybe(`rule.${rule.name}.text`)}</p>
        {props.trouble ? (
          <p class="trouble" role="alert">
            {t("why.bad_rules", { field: name })}
          </p>
        ) : null}
      </div>
      {!props.enabled ? (
        <span class="rule-value">{valueName(rule.name, value)}</span>
      ) : Array.isArray(rule.values) ? (
        rule.values.every((each) => typeof each === "boolean") ? (
          <button type="button" class="toggle" role="switch" aria-checked={value === true} aria-label={name} onClick={() => props.onPick(value !== true)}>
            <i />
          </button>
        ) : (
          <Pills
            label={name}
            value={value}
            options={rule.values.map((each) => ({ value: each, text: valueName(rule.name, each) }))}
            onPick={props.onPick}
          />
        )
      ) : (
        <Stepper
          label={name}
          value={Number(value)}
          min={rule.values.min}
          max={rule.values.max}
          by={rule.values.max > 100 ? 50 : 1}
          onPick={props.onPick}
        />
      )}
    </div>
  );
}

function Stepper(props: {
  label: string;
  value: number;
  min: number;
  max: number;
  by: number;
  onPick: (value: number) => void;
}): JSX.Element {
  const to = (value: number): void => props.onPick(Math.min(props.max, Math.max(props.min, value)));
  return (
    <div class="stepper" role="group" aria-label={props.label}>
      <button type="button" disabled={props.value <= props.min} aria-label={`${props.label} −`} onClick={() => to(props.value - props.by)}>
        −
      </button>
      <output>{props.value}</output>
      <button type="button" disabled={props.value >= props.max} aria-label={`${props.label} +`} onClick={() => to(props.value + props.by)}>
        +
      </button>
    </div>
  );
}

function Customs({ table, enabled }: { table: Table; enabled: boolean }): JSX.Element {
  const cards = [0, 1, 2].map((k) => table.custom[k] ?? { text: "", effect: "none" });
  const set = (k: number, change: Partial<{ text: string; effect: string }>): void =>
    tap({ on: "host", do: "custom", value: cards.map((each, at) => (at === k ? { ...each, ...change } : each)) });
  return (
    <section>
      {cards.map((each, k) => (
        <div key={k} class="rule custom">
          <div class="rule-words">
            <strong>{t("rules.custom", { n: k + 1 })}</strong>
            {enabled ? (
              <input
                aria-label={t("rules.custom.text")}
                maxLength={60}
                value={each.text}
                onChange={(event) => set(k, { text: event.currentTarget.value })}
              />
            ) : (
              <p>{each.text}</p>
            )}
          </div>
          {enabled ? (
            <select
              aria-label={t("rules.custom.effect")}
              value={each.effect}
              onChange={(event) => set(k, { effect: event.currentTarget.value })}
            >
              {EFFECTS.map((effect) => (
                <option key={effect} value={effect}>
                  {t(`effect.${effect}`)}
                </option>
              ))}
            </select>
          ) : (
            <span class="rule-value">{tMaybe(`effect.${each.effect}`) ?? each.effect}</span>
          )}
        </div>
      ))}
    </section>
  );
}

function Agreed({ table, enabled }: { table: Table; enabled: boolean }): JSX.Element | null {
  const [text, setText] = useState("");
  if (!enabled && table.agreed.length === 0) return null;
  const put = (value: string[]): void => tap({ on: "host", do: "agreed", value });
  const add = (): void => {
    const rule = text.trim();
    if (rule !== "" && !table.agreed.includes(rule)) put([...table.agreed, rule]);
    setText("");
  };
  return (
    <section>
      <h3>{t("rules.agreed")}</h3>
      <p class="hint">{t("rules.agreed.hint")}</p>
      <ul class="agreed">
        {table.agreed.map((rule, k) => (
          <li key={rule}>
            <span>{rule}</span>
            {enabled ? (
              <IconButton icon="close" label={t("rules.agreed.remove")} onPress={() => put(table.agreed.filter((_, at) => at !== k))} />
            ) : null}
          </li>
        ))}
      </ul>
      {enabled && table.agreed.length < 5 ? (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            add();
          }}
        >
          <input
            aria-label={t("rules.agreed.add")}
            placeholder={t("rules.agreed.placeholder")}
            maxLength={140}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <Button icon="plus" onPress={add}>
            {t("rules.agreed.add")}
          </Button>
        </form>
      ) : null}
    </section>
  );
}

/** The winner proposes a rule (`winner_rule`): one of the house's, or one in words. */
export function Propose({ table }: { table: Table }): JSX.Element {
  const [text, setText] = useState("");
  const options = SWITCHES.filter((each) => each.group === "house" && Array.isArray(each.values)).flatMap((each) =>
    (each.values as Value[])
      .filter((value) => value !== (table.set[each.name] ?? each.default))
      .map((value) => `${each.name}=${writeValue(value)}`),
  );
  return (
    <div class="propose">
      {options.map((value) => (
        <button key={value} type="button" class="preset" onClick={() => tap({ on: "vote", value })}>
          {inWords(value)}
        </button>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "") tap({ on: "vote", value: text.trim() });
        }}
      >
        <label for="own-rule">{t("rules.agreed.add")}</label>
        <input id="own-rule" maxLength={140} value={text} placeholder={t("rules.agreed.placeholder")} onInput={(event) => setText(event.currentTarget.value)} />
        <button type="submit" class="button main">
          {t("vote.send")}
        </button>
      </form>
    </div>
  );
}
