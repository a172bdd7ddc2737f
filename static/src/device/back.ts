// The back button (or a swipe from the edge, where the hand lies too) closes what is open; in a game only a
// second one leaves the page. An entry of the history of our own is what it takes away first.

const OURS = "penultima";

let held: string | null = null;

const here = (): string => location.href;

/** `wanted`: there is something that a back should not lose. Call it whenever that may have changed. */
export function holdBack(wanted: boolean): void {
  if (!wanted || held === here()) return;
  if (history.state !== OURS) history.pushState(OURS, "");
  held = here();
}

/** `went`: our entry has been taken away; whether the page stays. */
export function onBack(went: () => boolean): void {
  addEventListener("popstate", () => {
    // Another fragment is another table.
    if (held === null || held !== here() || history.state === OURS) return;
    held = null;
    if (!went()) history.back();
  });
}
