// How others get to the table: QR, share, copy.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { piece } from "../device/piece";
import { canShare, copy, share } from "../device/share";
import { t } from "../i18n";
import { isNear, otherLink } from "../state/link";
import { Button } from "./parts";

const RELOAD_MS = 3000;

/** Whoever only joins never loads it. */
const drawing = piece(() => import("../device/qr"));

export function Qr({ link }: { link: string }): JSX.Element {
  const [drawn, setDrawn] = useState<{ d: string; size: number } | null>(null);
  useEffect(() => {
    let current = true;
    let again: ReturnType<typeof setTimeout> | undefined;
    const load = (): void => {
      drawing().then(
        ({ qr, qrPath }) => {
          const rows = qr(link);
          if (current && rows !== null) setDrawn({ d: qrPath(rows), size: rows.length });
        },
        () => {
          // The host is gone just now.
          if (current) again = setTimeout(load, RELOAD_MS);
        },
      );
    };
    load();
    return () => {
      current = false;
      clearTimeout(again);
    };
  }, [link]);
  const size = drawn?.size ?? 29;
  return (
    <svg class="qr" viewBox={`-3 -3 ${size + 6} ${size + 6}`} role="img" aria-label="QR" shape-rendering="crispEdges" data-testid="qr">
      <rect x="-3" y="-3" width={size + 6} height={size + 6} rx="2" fill="#FFF6E6" />
      <path d={drawn?.d ?? ""} fill="#14161A" />
    </svg>
  );
}

/** Whether the link is on the clipboard now, and the way to put it there. */
export function useCopy(link: string): [boolean | null, () => void] {
  const [copied, setCopied] = useState<boolean | null>(null);
  useEffect(() => {
    if (copied !== true) return;
    const timer = setTimeout(() => setCopied(null), 2500);
    return () => clearTimeout(timer);
  }, [copied]);
  return [copied, () => void copy(link).then(setCopied)];
}

/** The best link; on the host's page every other way in as well, one after the other. */
export function Invite({ best, all, title, locked }: { best: string; all: string[]; title: string; locked: boolean }): JSX.Element {
  const [chosen, choose] = useState(best);
  const at = Math.max(0, all.indexOf(chosen));
  const link = all[at] ?? best;
  const next = all[(at + 1) % all.length] ?? best;
  const other = otherLink(link, next);
  const [copied, press] = useCopy(link);
  return (
    <div class="invite">
      <Qr link={link} />
      <div class="invite-side">
        <p class="invite-title">{t("lobby.invite")}</p>
        <p class={locked ? "shut" : "quiet"} data-testid="who-may">
          {t(locked ? "lobby.locked" : isNear(link) ? "lobby.wifi" : "lobby.far")}
        </p>
        {all.length > 1 ? (
          <Button kind="quiet" id="other-link" onPress={() => choose(next)}>
            {t(`lobby.other.${other.kind}`, other)}
          </Button>
        ) : null}
        <div class="row">
          {canShare() ? (
            <Button icon="share" onPress={() => void share(title, t("lobby.message", { title }), link)}>
              {t("lobby.share")}
            </Button>
          ) : null}
          <Button icon={copied ? "check" : "copy"} id="copy-link" onPress={press}>
            {t(copied ? "lobby.copied" : "lobby.copy")}
          </Button>
        </div>
        {copied === false ? (
          <p class="by-hand">
            {t("lobby.select")} <code>{link}</code>
          </p>
        ) : null}
      </div>
    </div>
  );
}
