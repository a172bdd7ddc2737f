// Alone: who to play against and by which rules, while the table is being fetched and started.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Mark } from "../cards/mark";
import { t, tMaybe } from "../i18n";
import "../i18n/late";
import { canInstall, keepPractice } from "../installed/register";
import { PRESETS, SWITCHES } from "../rules.gen";
import { useSettled } from "../screens/items";
import { reading } from "../screens/later";
import { IconButton, Pills } from "../screens/parts";
import { Rule } from "../screens/rules";
import { differences, presetRules, type RuleSet, type Value, writeRules } from "../state/rules";
import { state } from "../store";
import { begin, boot, forget, home, interrupted, keep, look, resume, start, trouble } from "./alone";
import { keeping, unkept } from "./gate";
import { isIos } from "./install";
import "./practice.css";

export { home, leave } from "./alone";
export { Offer } from "./install";

const LEVELS = ["easy", "normal", "hard"] as const;
const TARGETS = [100, 200, 500] as const;

interface Options {
  bots: 1 | 2 | 3;
  level: (typeof LEVELS)[number];
  fast: boolean;
  preset: string;
  set: RuleSet;
}

/** What was played with last in this page: most want the same again. */
let last: Options = { bots: 2, level: "normal", fast: false, preset: "classic", set: presetRules("classic") };

export function Setup(): JSX.Element {
  const [bots, setBots] = useState(last.bots);
  const [level, setLevel] = useState(last.level);
  const [fast, setFast] = useState(last.fast);
  const [preset, setPreset] = useState(last.preset);
  const [set, change] = useState(last.set);
  const [open, unfold] = useState(false);
  const [waiting, showWaiting] = useState(false);
  // At once, and not with the next picture: a finger taps twice between the two.
  const busy = useRef(false);
  const wait = (on: boolean): void => {
    busy.current = on;
    showWaiting(on);
  };
  const [onDevice, sayOnDevice] = useState(false);
  /** A new game would take the place of the kept one: asked once. */
  const [asking, ask] = useState(false);

  useEffect(() => {
    // Back here because it broke: that is to be read first.
    if (boot.value.at !== "failed") start();
    void look();
    // Once the cards are dealt nothing is asked of any network.
    void reading.fetch();
  }, []);
  const { at } = boot.value;
  useEffect(() => {
    if (at === "failed") wait(false);
    if (at === "ready") void keepPractice().then(sayOnDevice);
  }, [at]);
  useEffect(() => wait(false), [trouble.value]);
  useEffect(() => ask(false), [trouble.value, interrupted.value]);

  const choose = (name: string): void => {
    setPreset(name);
    change(presetRules(name));
  };
  const pick = (name: string, value: Value): void => change({ ...set, [name]: value });
  const go = (): void => {
    if (busy.current) return;
    wait(true);
    last = { bots, level, fast, preset, set };
    begin({
      name: state.value.prefs.name || t("solo.you"),
      bots: Array.from({ length: bots }, () => level),
      rules: writeRules(preset, set),
      fast,
    });
  };
  const goOn = (): void => {
    if (busy.current) return;
    wait(true);
    resume();
  };
  const points = set.scoring !== "rounds";
  const before = interrupted.value;
  // Not kept, the new game leaves alone what another page keeps.
  const replaces = before !== null && keeping.value;
  return (
    <main class="page solo" data-testid="solo">
      <header class="bar">
        <Mark />
        <h1>{t("solo.title")}</h1>
        <IconButton icon="close" label={t("solo.home")} id="solo-home" onPress={home} />
      </header>
      <p class="tagline">{t("solo.text")}</p>
      {before === null ? null : (
        <section class="panel solo-kept">
          <p>{t("solo.kept", { n: before.bots })}</p>
          <div class="row">
            <button type="button" class="button main" data-testid="solo-resume" onClick={goOn}>
              {t("solo.resume")}
            </button>
            <button type="button" class="button quiet" data-testid="solo-forget" onClick={forget}>
              {t("solo.forget")}
            </button>
          </div>
        </section>
      )}
      <div class="solo-options">
        <Choice label={t("solo.bots")}>
          <Pills
            label={t("solo.bots")}
            value={bots}
            options={([1, 2, 3] as const).map((value) => ({ value, text: String(value) }))}
            onPick={setBots}
          />
        </Choice>
        <Choice label={t("solo.level")}>
          <Pills
            label={t("solo.level")}
            value={level}
            options={LEVELS.map((value) => ({ value, text: t(`bot.${value}`) }))}
            onPick={setLevel}
          />
        </Choice>
        <Choice label={t("solo.speed")}>
          <Pills
            label={t("solo.speed")}
            value={fast}
            options={[false, true].map((value) => ({ value, text: t(value ? "solo.speed.fast" : "solo.speed.calm") }))}
            onPick={setFast}
          />
        </Choice>
        {points ? (
          <Choice label={tMaybe("rule.target") ?? ""}>
            <Pills
              label={tMaybe("rule.target") ?? ""}
              value={Number(set.target)}
              options={[...new Set([...TARGETS, Number(set.target)])].map((value) => ({ value, text: String(value) }))}
              onPick={(value) => pick("target", value)}
            />
          </Choice>
        ) : null}
      </div>
      <section class="solo-rules">
        <h2>{t("rules.title")}</h2>
        <div class="presets" role="group" aria-label={t("rules.presets")}>
          {Object.keys(PRESETS).map((name) => (
            <button
              key={name}
              type="button"
              class="preset"
              data-testid={`solo-preset-${name}`}
              aria-pressed={name === preset}
              onClick={() => choose(name)}
            >
              <strong>{tMaybe(`preset.${name}`) ?? name}</strong>
              <span>{tMaybe(`preset.${name}.text`)}</span>
            </button>
          ))}
        </div>
        <button
          type="button"
          class="button quiet"
          aria-expanded={open}
          data-testid="solo-details"
          onClick={() => unfold(!open)}
        >
          {t(open ? "solo.rules.less" : "solo.rules.more", { n: differences(preset, set).length })}
        </button>
        {open ? (
          <div class="rules-page">
            {SWITCHES.filter(isOffered).map((each) => (
              <Rule
                key={each.name}
                rule={each}
                set={set}
                enabled
                trouble={trouble.value?.field === each.name}
                onPick={(value) => pick(each.name, value)}
              />
            ))}
          </div>
        ) : null}
      </section>
      <section class="solo-keep">
        <button
          type="button"
          class="item"
          role="switch"
          aria-checked={keeping.value}
          data-testid="solo-keep"
          onClick={() => keep(!keeping.value)}
        >
          <span>
            <strong>{t("solo.keep")}</strong>
            <small>{t(unkept.value ? "solo.unkept" : keeping.value ? "solo.keep.on" : "solo.keep.off")}</small>
          </span>
          <span class="toggle" aria-hidden="true" data-on={keeping.value}>
            <i />
          </span>
        </button>
      </section>
      <Notes />
      <footer class="solo-foot">
        {trouble.value === null ? null : (
          <p class="trouble" role="alert">
            {tMaybe(`why.${trouble.value.code}`, { field: tMaybe(`rule.${trouble.value.field}`) ?? trouble.value.field ?? "" }) ??
              t("why.unknown", { code: trouble.value.code })}
          </p>
        )}
        {asking ? (
          <Replace
            onYes={() => {
              ask(false);
              go();
            }}
            onNo={() => {
              ask(false);
              goOn();
            }}
          />
        ) : (
          <button
            type="button"
            class={`button ${before === null ? "main" : "plain"} wide`}
            data-testid="solo-start"
            aria-disabled={waiting}
            onClick={replaces ? () => !busy.current && ask(true) : go}
          >
            {t(waiting ? "solo.wait" : before === null ? "solo.start" : "solo.another")}
          </button>
        )}
        <Progress onDevice={onDevice} />
      </footer>
    </main>
  );
}

/** Begin anew, with the kept game gone? A finger that comes down twice does not answer it. */
function Replace(props: { onYes: () => void; onNo: () => void }): JSX.Element {
  const ready = useSettled();
  return (
    <div class="panel solo-replace" role="group" aria-label={t("solo.another")} data-testid="solo-replace">
      <p role="alert">{t("solo.replace")}</p>
      <div class="row">
        <button type="button" class="button main" data-testid="solo-replace-no" disabled={!ready} onClick={props.onNo}>
          {t("solo.resume")}
        </button>
        <button type="button" class="button danger" data-testid="solo-replace-yes" disabled={!ready} onClick={props.onYes}>
          {t("solo.replace.yes")}
        </button>
      </div>
    </div>
  );
}

/** Written rules and Custom cards are agreed upon by people. */
const isOffered = ({ name }: { name: string }): boolean =>
  !name.startsWith("custom") && name !== "agreed" && name !== "winner_rule" && name !== "target";

function Choice({ label, children }: { label: string; children: JSX.Element }): JSX.Element {
  return (
    <div class="solo-choice">
      <strong aria-hidden="true">{label}</strong>
      {children}
    </div>
  );
}

const mega = (bytes: number): number => Math.round(bytes / 100_000) / 10;

/** How far the table has come. The line is always there: nothing moves when it changes. */
function Progress({ onDevice }: { onDevice: boolean }): JSX.Element {
  const now = boot.value;
  if (now.at === "failed") {
    return (
      <div class="solo-progress" role="alert" data-testid="solo-failed" data-why={now.why}>
        <p class="trouble">{t(`solo.failed.${now.why}`)}</p>
        <button type="button" class="button plain" data-testid="solo-retry" onClick={start}>
          {t("conn.retry")}
        </button>
      </div>
    );
  }
  const part = now.at === "loading" ? now.bytes / now.of : now.at === "ready" ? 1 : null;
  const text =
    now.at === "loading"
      ? t("solo.loading", { done: mega(now.bytes), all: mega(now.of) })
      : now.at === "ready"
        ? t(onDevice ? "solo.ready.device" : "solo.ready")
        : t("solo.starting");
  return (
    <div class="solo-progress" data-testid="solo-progress" data-at={now.at} data-device={onDevice} data-remembered={now.at === "ready" && now.remembered}>
      <div
        class={`solo-track${part === null ? " moving" : ""}`}
        role="progressbar"
        aria-label={t("solo.progress")}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={part === null ? undefined : Math.round(part * 100)}
        aria-valuetext={text}
      >
        <i style={{ transform: `scaleX(${part ?? 0.3})` }} />
      </div>
      <p class="hint">{text}</p>
    </div>
  );
}

function Notes(): JSX.Element | null {
  if (!canInstall()) {
    return (
      <p class="hint solo-note" data-testid="solo-insecure">
        {t("solo.insecure")}
      </p>
    );
  }
  return isIos() ? <p class="hint solo-note">{t("solo.ios")}</p> : null;
}
