// What concerns this device and not the table: a game that it does not keep any more; a new version that
// waits, said where it disturbs nobody.
import type { JSX } from "preact";
import { t } from "../i18n";
import { practice, unkept } from "../offline/gate";
import { elsewhere, isCalm, takeOver, waiting } from "./register";

export function Notice(): JSX.Element | null {
  if (unkept.value && practice.value === "table") {
    return (
      <p class="toast notice high" role="alert" data-testid="unkept">
        <span>{t("solo.unkept")}</span>
        <button
          type="button"
          class="button main"
          onClick={() => {
            unkept.value = false;
          }}
        >
          {t("act.ok")}
        </button>
      </p>
    );
  }
  if (waiting.value === null || !isCalm()) return null;
  return (
    <p class="toast notice" role="status" data-testid="update">
      <span>{t(elsewhere.value ? "update.busy" : "update.ready")}</span>
      <button type="button" class="button main" data-testid="update-now" onClick={takeOver}>
        {t("update.now")}
      </button>
    </p>
  );
}
