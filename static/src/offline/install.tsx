// Installing: offered after a first finished practice game, once, and never on the way to a table.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { t } from "../i18n";
import { canInstall } from "../installed/register";
import { asked } from "../installed/prompt";
import { Button } from "../screens/parts";
import { finished } from "./alone";

const NEVER = "penultima.install";

export const isIos = (): boolean =>
  /iPad|iPhone|iPod/.test(navigator.userAgent) ||
  (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);

const isInstalled = (): boolean =>
  matchMedia("(display-mode: standalone), (display-mode: fullscreen)").matches ||
  (navigator as { standalone?: boolean }).standalone === true;

function declined(): boolean {
  try {
    return localStorage.getItem(NEVER) !== null;
  } catch {
    return false;
  }
}

const gone = signal(declined());

function decline(): void {
  gone.value = true;
  try {
    localStorage.setItem(NEVER, "no");
  } catch {
    // Then it is asked again another day.
  }
}

export function Offer(): JSX.Element | null {
  const shown = finished.value && canInstall() && !gone.value && !isInstalled();
  useEffect(() => {
    // What has been played here is worth keeping, whether installed or not.
    if (finished.value) void navigator.storage?.persist?.();
  }, [finished.value]);
  if (!shown || (asked.value === null && !isIos())) return null;
  return (
    <aside class="panel offer" data-testid="install-offer" aria-label={t("install.title")}>
      <strong>{t("install.title")}</strong>
      <p>{t(asked.value === null ? "install.ios" : "install.text")}</p>
      <div class="row">
        {asked.value === null ? null : (
          <Button
            kind="main"
            id="install-yes"
            onPress={() => {
              void asked.value?.prompt();
              asked.value = null;
              gone.value = true;
            }}
          >
            {t("install.yes")}
          </Button>
        )}
        <Button kind="quiet" id="install-no" onPress={decline}>
          {t("install.no")}
        </Button>
      </div>
    </aside>
  );
}
