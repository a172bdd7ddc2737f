// When which sound is heard. Silent until the first tap of the page, as browsers want it.
import type { Table } from "../state/model";
import type { Happened } from "../wire";
import { type Cue, SCORE } from "./score";

let context: AudioContext | null = null;

/**
 * Call on a tap: starts the sound, or starts it again after a call took it away. Making a context takes a
 * slow phone a fifth of a second, so the first tap is answered first; should the browser not count that as
 * done by a tap any more, the next tap starts it.
 */
export function wakeSound(): void {
  if (context === null) requestAnimationFrame(() => setTimeout(start));
  else resume(context);
}

function start(): void {
  try {
    context ??= new AudioContext();
    resume(context);
  } catch {
    // A browser without sound, or one that has none left to give.
  }
}

function resume(context: AudioContext): void {
  if (context.state !== "running") context.resume().catch(() => undefined);
}

export function cue(name: Cue): void {
  if (context === null || context.state !== "running") return;
  try {
    SCORE[name](context);
  } catch {
    // A phone call may have taken the sound away at this very moment.
  }
}

/** Android only; elsewhere there is nothing to call. */
function shake(pattern: number[]): void {
  try {
    // Before the first tap it is not allowed, and browsers complain on the console.
    if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(pattern);
  } catch {
    // Not allowed before the first tap.
  }
}

/** What an update sounds like. */
export function cues(before: Table | null, after: Table, events: readonly Happened[]): void {
  const you = after.you;
  for (const event of events) {
    const heard: Partial<Record<string, Cue>> = {
      played: event.card?.includes("+") ? "hit" : "card",
      drew: "draw",
      dealt: "deal",
      called: "uno",
      caught: "caught",
      swapped: "swap",
      rotated: "swap",
      hands_shuffled: "swap",
      misplayed: "no",
      round_ended: event.winner === you ? "win" : "lose",
    };
    const name = heard[event.e];
    if (name !== undefined) cue(name);
    if (event.e === "caught" && event.seat === you) shake([80, 60, 160]);
  }
  if (after.mine && !(before?.mine ?? false)) {
    cue("turn");
    shake([60]);
  }
}
