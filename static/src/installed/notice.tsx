// A new version waits: said where it disturbs nobody.
import type { JSX } from "preact";
import { t } from "../i18n";
import { elsewhere, isCalm, takeOver, waiting } from "./register";

export function Notice(): JSX.Element | null {
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
