// The way to the practice table, and all of it that is loaded with the page: who never practises
// loads no more than this.
import { signal } from "@preact/signals";
import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { piece } from "../device/piece";
import { t } from "../i18n";
import { Welcome } from "../screens/enter";
import { Button } from "../screens/parts";

/** Where the player is; `null`: not practising. */
export const practice = signal<"setup" | "table" | null>(null);

/** Keep the game on this device, should it be interrupted. */
export const keeping = signal(false);

/** The game was to be kept on this device, and is not any more. */
export const unkept = signal(false);

/** The address of the practice table, in the fragment: no server has to know of it. */
export const HASH = "#solo";

type Screens = typeof import("./practice");

const load = piece(() => import("./practice"));

/** A screen of the practice table, once it is there. */
function Later({ pick }: { pick: (from: Screens) => ComponentType }): JSX.Element | null {
  const [Screen, show] = useState<ComponentType | null>(null);
  const [failed, fail] = useState(false);
  useEffect(() => {
    load().then(
      (from) => show(() => pick(from)),
      () => fail(true),
    );
  }, []);
  if (failed) return <Missing />;
  return Screen === null ? null : <Screen />;
}

/** Not on this device, and no network to fetch it from. */
function Missing(): JSX.Element {
  return (
    <main class="page enter" data-testid="solo-missing">
      <Welcome />
      <section class="panel" role="alert">
        <p>{t("solo.failed.files")}</p>
        <Button kind="main" onPress={() => location.reload()}>
          {t("conn.retry")}
        </Button>
        <Button kind="quiet" id="solo-home" onPress={away}>
          {t("solo.home")}
        </Button>
      </section>
    </main>
  );
}

function away(): void {
  practice.value = null;
  if (location.hash === HASH) location.hash = "";
}

export const Setup = (): JSX.Element => <Later pick={(from) => from.Setup} />;

/** After a finished game: an offer to install. */
export const Afterwards = (): JSX.Element | null =>
  practice.value === null ? null : <Later pick={(from) => from.Offer} />;

/** Away from practising. */
export function home(): void {
  load().then((from) => from.home(), away);
}

/** What becomes of the game of this moment when the player leaves it. */
export function leaving(phase: string): string {
  const ends = phase !== "round" && phase !== "between";
  return `${t("solo.leave.text")} ${ends ? "" : t(keeping.value ? "solo.leave.kept" : "solo.leave.lost")}`.trim();
}

/** Back from the table to where its options are. */
export function leave(): void {
  void load().then((from) => from.leave());
}
