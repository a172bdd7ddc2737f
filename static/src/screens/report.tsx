// A problem, told to whoever can mend it. Loaded when it is opened (later.tsx).
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { copy } from "../device/share";
import { t } from "../i18n";
import "../i18n/late";
import { partida } from "../state/partida";
import type { State } from "../state/shape";
import { Button } from "./parts";

/** What one needs to understand a trouble, and nothing that this page should not show. */
function report(state: State): string {
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

export function Report({ state }: { state: State }): JSX.Element {
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
