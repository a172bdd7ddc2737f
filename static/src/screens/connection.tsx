// The truth about the connection: how it is made while it lasts, why not and what helps while it does not.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { About } from "../channel/channel";
import { QUIET_MS } from "../channel/times";
import { t } from "../i18n";
import { practice } from "../offline/gate";
import { isNear } from "../state/link";
import type { State } from "../state/shape";
import { current, tap } from "../store";
import { Button, useNow } from "./parts";

/** The words for why there is no connection: title, and what to try. */
export function words(state: State): { title: string; remedy: string } | null {
  const { far, trouble } = state;
  if (far !== null && far.cause !== null) return { title: t(`far.cause.${far.cause}`), remedy: "" };
  if (trouble === null) return null;
  const away = trouble === "unreachable" && !isNear(location.href);
  return {
    title: t(away ? "trouble.unreachable.far" : `trouble.${trouble}`),
    remedy: t(away ? "trouble.unreachable.far.try" : `trouble.${trouble}.try`),
  };
}

/** Where one waits to get in: nothing for a while, then why it takes so long. */
export function Waiting({ state }: { state: State }): JSX.Element | null {
  const why = words(state);
  if (why === null || state.trouble === null) return null;
  return (
    <div class="trouble-box" role="status" data-testid="trouble" data-cause={state.trouble}>
      <p class="trouble">{why.title}</p>
      <p>{why.remedy}</p>
      <Button id="trouble-retry" onPress={() => current()?.wake(true)}>
        {t("conn.retry")}
      </Button>
    </div>
  );
}

/** Above all screens, in a round above the arena: nothing under three seconds, a thin bar from then on, a sheet that can be put aside after 20 s. */
export function Connection({ state }: { state: State }): JSX.Element | null {
  const [aside, setAside] = useState(false);
  // Who is not in yet reads it where the name is asked for.
  const entering = (state.far !== null || state.trouble !== null) && state.table === null;
  const lost = state.lostAt !== null && state.closed === null && state.link !== null && !entering;
  const now = useNow(lost ? 100 : null);
  useEffect(() => {
    if (!lost) setAside(false);
  }, [lost]);
  const why = words(state);
  const away = lost ? now - state.lostAt! : 0;
  const level = !lost || away < QUIET_MS ? "ok" : away < 20_000 || aside ? "bar" : "sheet";
  return (
    <div class={`conn at-${level}`} data-testid="conn" data-state={level}>
      {level === "bar" ? <p role="status">{why === null ? t("conn.lost") : why.title}</p> : null}
      {level === "sheet" ? (
        <div class="conn-sheet" role="dialog" aria-label={t("conn.title")}>
          <h2>{t("conn.title")}</h2>
          {why === null ? null : (
            <p data-testid="conn-why">
              {why.title} {why.remedy}
            </p>
          )}
          <p>{t("conn.text")}</p>
          <button type="button" class="button main" data-testid="retry" onClick={() => current()?.wake(true)}>
            {t("conn.retry")}
          </button>
          <button type="button" class="button quiet" onClick={() => setAside(true)}>
            {t("conn.hide")}
          </button>
        </div>
      ) : null}
    </div>
  );
}

function duration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 1 ? t("seconds", { n: Math.max(1, Math.round(ms / 1000)) }) : t("minutes", { n: minutes });
}

/** How the page talks with the table, in a word. */
export function how(state: State, about: About | null): string {
  if (practice.value !== null) return t("link.worker");
  if (!state.online) return t("link.none");
  if (!state.rtc) return t("link.socket");
  if (about?.relay) return t("link.relay", { transport: about.relay.toUpperCase() });
  return t("link.direct");
}

/** The panel: how, how fast, since when. */
export function LinkPanel({ state, told }: { state: State; told?: About }): JSX.Element {
  const [about, setAbout] = useState<About | null>(told ?? null);
  const now = useNow(1000);
  useEffect(() => {
    let here = true;
    void current()
      ?.about()
      .then((found) => here && setAbout(found));
    return () => {
      here = false;
    };
  }, [now, state.rtc, state.online]);
  const far = state.link !== null && state.link.far !== null;
  const sealed = practice.value !== null || state.rtc || location.protocol === "https:";
  const rows: [string, string, string][] = [["how", t("link.how"), how(state, about)]];
  if (state.online && far) rows.push(["met", t("link.met"), t("link.met.far")]);
  if (state.online && practice.value === null) {
    rows.push(["rtt", t("link.rtt"), about === null || about.rtt === null ? "…" : t("link.ms", { n: Math.max(1, Math.round(about.rtt)) })]);
    rows.push(["sealed", t("link.sealed"), t(sealed ? "link.sealed.yes" : "link.sealed.no")]);
  }
  if (state.online && state.onlineAt !== null) rows.push(["since", t("link.since"), duration(now - state.onlineAt)]);
  const why = state.online ? null : words(state);
  return (
    <div class="link-panel" data-testid="link-panel" data-how={!state.online ? "none" : !state.rtc ? "socket" : about?.relay ? "relay" : "direct"}>
      <dl>
        {rows.map(([key, name, value]) => (
          <div key={key} data-testid={`link-${key}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {state.online && !state.rtc && practice.value === null ? <p class="quiet">{t("link.socket.why")}</p> : null}
      {state.online && about?.relay ? <p class="quiet">{t("link.relay.why")}</p> : null}
      {why === null ? null : (
        <>
          <p class="trouble">{why.title}</p>
          {why.remedy === "" ? null : <p>{why.remedy}</p>}
        </>
      )}
      {state.online ? null : (
        <Button kind="main" onPress={() => current()?.wake(true)}>
          {t("conn.retry")}
        </Button>
      )}
      {state.online ? <Button onPress={() => tap({ on: "sheet", sheet: null })}>{t("act.ok")}</Button> : null}
    </div>
  );
}
