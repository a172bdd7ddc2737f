// What flies: cards and words in a layer of their own above the table. Only transform and opacity move.
import { type ComponentChildren, h, render } from "preact";
import { Back, Face } from "../cards/card";

export interface Spot {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Way {
  /** Milliseconds. */
  delay?: number;
  /** Degrees it is turned by at the start and at the end. */
  turn?: number;
  end?: number;
  /** How far it bulges to the left of the straight line, in px: two that change places do not meet. */
  bend?: number;
  /** How much larger it gets on its way: how high it is held. */
  lift?: number;
  /** Its back is up until half-way. */
  flip?: boolean;
}

export const FLIGHT_MS = 400;
/** Nobody counts more cards in the air. */
const MOST = 48;
const STEPS = 9;
const SHOUT_MS = 1000;
/** When `eased` is a half. */
const EDGEWISE = 0.351;

function layer(): HTMLElement {
  let found = document.getElementById("flights");
  if (found === null) {
    found = document.createElement("div");
    found.id = "flights";
    found.setAttribute("aria-hidden", "true");
    document.body.append(found);
  }
  return found;
}

function ghost(name: string, inside: ComponentChildren): HTMLElement {
  const made = document.createElement("div");
  made.className = `ghost ${name}`;
  if (typeof inside === "string") made.textContent = inside;
  else render(inside, made);
  layer().append(made);
  return made;
}

function gone(flight: Animation, made: HTMLElement): void {
  const remove = (): void => {
    render(null, made);
    made.remove();
  };
  flight.onfinish = remove;
  flight.oncancel = remove;
}

/** Taken up quickly, put down gently; between the two it is seen on its way. */
const eased = (t: number): number => 0.6 * (1 - (1 - t) ** 2.4) + 0.4 * t * t * (3 - 2 * t);

/** A card (`null`: its back) flown from one spot to another. */
export function fly(card: string | null, from: Spot, to: Spot, { delay = 0, turn = 0, end = 0, bend = 0, lift = 0.08, flip = false }: Way = {}): void {
  if (layer().childElementCount >= MOST) return;
  const inside = card === null ? h(Back, {}) : h(Face, { card });
  const made = ghost(flip ? "flip" : "", flip ? [inside, h(Back, {})] : inside);
  made.style.width = `${to.w}px`;
  made.style.height = `${to.h}px`;
  const [x, y] = [from.x + from.w / 2 - to.w / 2, from.y + from.h / 2 - to.h / 2];
  const [dx, dy] = [to.x - x, to.y - y];
  const far = Math.hypot(dx, dy) || 1;
  const small = from.w / to.w;
  const way = Array.from({ length: STEPS + 1 }, (_, k): Keyframe => {
    const p = eased(k / STEPS);
    const high = Math.sin(Math.PI * p);
    const at = `translate(${(x + dx * p + (dy / far) * bend * high).toFixed(1)}px, ${(y + dy * p - (dx / far) * bend * high).toFixed(1)}px)`;
    const size = (small + (1 - small) * p) * (1 + lift * high);
    const flipped = flip ? ` scaleX(${Math.abs(Math.cos(Math.PI * p)).toFixed(3)})` : "";
    return { transform: `${at} scale(${size.toFixed(3)}) rotate(${(end - (turn + end) * (1 - p)).toFixed(1)}deg)${flipped}`, opacity: 1 };
  });
  if (delay > 0) way[0]!.opacity = 0;
  if (flip) {
    // It is edgewise when it has gone half its way; that is long before half the time.
    const back = [{ opacity: 1 }, { opacity: 1, offset: EDGEWISE }, { opacity: 0, offset: EDGEWISE }, { opacity: 0 }];
    made.lastElementChild!.animate(back, { duration: FLIGHT_MS, delay, fill: "both" });
  }
  gone(made.animate(way, { duration: FLIGHT_MS, delay, fill: "backwards" }), made);
}

/** Keeps the real thing out of sight until its ghost has landed. */
export function appear(element: Element | null | undefined, after: number): void {
  element?.animate([{ opacity: 0 }, { opacity: 0, offset: 0.99 }, { opacity: 1 }], { duration: Math.max(1, after) });
}

/** A word over a place for a second: what was called, what it costs. */
export function shout(text: string, over: Spot, kind: "call" | "hit", delay = 0): void {
  const made = ghost(`shout ${kind}`, text);
  const { offsetWidth: w, offsetHeight: high } = made;
  const x = Math.max(8, Math.min(innerWidth - w - 8, over.x + over.w / 2 - w / 2));
  const y = Math.max(8, over.y + over.h / 2 - high / 2);
  const at = (dy: number, size: number, turn = -4): string => `translate(${x}px, ${y + dy}px) scale(${size}) rotate(${turn}deg)`;
  const flight = made.animate(
    [
      { transform: at(8, 0.3, -14), opacity: 0, easing: "cubic-bezier(.2,.8,.3,1)" },
      { transform: at(0, 1.2), opacity: 1, offset: 0.14, easing: "ease-in-out" },
      { transform: at(0, 1), opacity: 1, offset: 0.26 },
      { transform: at(-2, 1), opacity: 1, offset: 0.78, easing: "ease-in" },
      { transform: at(-22, 0.94), opacity: 0 },
    ],
    { duration: SHOUT_MS, delay, fill: "backwards" },
  );
  gone(flight, made);
}
