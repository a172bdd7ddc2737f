// Parts of the page that are not needed to come in or to play: loaded when they are opened, and ahead of that once
// somebody sits at the table, so that they open without a network as well.
import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { piece } from "../device/piece";
import { t } from "../i18n";
import { practice } from "../offline/gate";
import { Button } from "./parts";

class Part<T> {
  /** What it holds, once it is here. */
  readonly here = signal<T | null>(null);
  readonly failed = signal(false);
  private readonly load: () => Promise<T>;

  constructor(load: () => Promise<T>) {
    this.load = piece(load);
  }

  /** Whether it is here now. */
  async fetch(): Promise<boolean> {
    this.failed.value = false;
    try {
      this.here.value = await this.load();
    } catch {
      this.failed.value = true;
    }
    return this.here.value !== null;
  }
}

export const reading = new Part(() => import("./reading"));
export const powers = new Part(() => import("./powers"));
export const screen = new Part(() => import("./mesa"));

let begun = false;

/** Fetches what somebody at the table may open, as soon as the page has nothing else to do. */
export function fetchAhead(isHost: boolean): void {
  if (begun) return;
  begun = true;
  const begin = async (): Promise<void> => {
    for (const part of isHost ? [reading, powers] : [reading]) await part.fetch();
  };
  if ("requestIdleCallback" in window) requestIdleCallback(() => void begin(), { timeout: 10_000 });
  else setTimeout(() => void begin(), 3_000);
}

/** A host that was renewed since has other parts, and another page that goes with them. */
async function again(part: Part<unknown>): Promise<void> {
  // The button goes with the message.
  document.activeElement?.closest<HTMLElement>("[role=dialog]")?.focus();
  if ((await part.fetch()) || practice.value !== null) return;
  const answer = await fetch(document.baseURI, { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}

export function Later<T>({ part, children }: { part: Part<T>; children: (from: T) => ComponentChildren }): JSX.Element {
  const from = part.here.value;
  useEffect(() => {
    if (part.here.value === null) void part.fetch();
  }, [part]);
  if (from !== null) return <>{children(from)}</>;
  if (part.failed.value) {
    return (
      <div class="later" role="alert" data-testid="later-failed">
        <p>{t("later.failed")}</p>
        <Button kind="main" id="later-retry" onPress={() => void again(part)}>
          {t("conn.retry")}
        </Button>
      </div>
    );
  }
  return (
    <p class="later" role="status" aria-busy="true">
      {t("later.wait")}
    </p>
  );
}
