// Motion from the difference between card places before and after an update. Ghosts fly in a layer
// of their own above a table that is already right: nothing waits for them, nothing is lost when
// one is dropped. Only transform and opacity move.
import { h, render } from "preact";
import { Back, Face } from "../cards/card";
import type { Table } from "../state/model";
import type { Happened } from "../wire";

interface Spot {
  x: number;
  y: number;
  w: number;
  h: number;
}

const FLIGHT_MS = 340;
const GAP_MS = 70;
/** As many backs stand for a hand that goes somewhere else. */
const PASSED = 4;
/** Nobody counts more cards in the air. */
const MOST = 48;
/** A hand so large lies in a grid: there a card more or less moves all the others by one place. */
const GLIDES = 16;
const EASE = "cubic-bezier(.25,.9,.3,1)";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

function measure(): Map<string, Spot> {
  const spots = new Map<string, Spot>();
  for (const element of document.querySelectorAll<HTMLElement>("[data-place]")) {
    const box = element.getBoundingClientRect();
    spots.set(element.dataset.place!, { x: box.x, y: box.y, w: box.width, h: box.height });
  }
  return spots;
}

const place = (name: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-place="${CSS.escape(name)}"]`);

/** Called with the update in the state and the old picture still on the screen. */
export function animate(
  before: Table | null,
  after: Table,
  events: readonly Happened[],
  wantCalm: boolean,
): void {
  if (before === null || document.visibilityState !== "visible") return;
  const old = measure();
  if (old.size === 0 && after.phase !== "round") return;
  requestAnimationFrame(() => {
    if (wantCalm || calm.matches) fade(before, after);
    else move(old, before, after, events);
  });
}

function fade(before: Table, after: Table): void {
  if (before.discard === after.discard && before.top === after.top) return;
  place("discard")?.animate([{ opacity: 0.3 }, { opacity: 1 }], 150);
}

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

/** A card (`null`: its back) flown from one spot to another. */
function fly(card: string | null, from: Spot, to: Spot, delay: number, turn = 0): void {
  if (layer().childElementCount >= MOST) return;
  const ghost = document.createElement("div");
  ghost.className = "ghost";
  ghost.style.width = `${to.w}px`;
  ghost.style.height = `${to.h}px`;
  render(card === null ? h(Back, {}) : h(Face, { card }), ghost);
  layer().append(ghost);
  const start = `translate(${from.x + from.w / 2 - to.w / 2}px, ${from.y + from.h / 2 - to.h / 2}px) scale(${from.w / to.w})`;
  const end = `translate(${to.x}px, ${to.y}px)`;
  const flight = ghost.animate(
    [
      { transform: `${start} rotate(${-turn}deg)`, opacity: delay > 0 ? 0 : 1 },
      { opacity: 1, offset: 0.08 },
      { transform: `${end} rotate(0deg)`, opacity: 1 },
    ],
    { duration: FLIGHT_MS, delay, easing: EASE, fill: "backwards" },
  );
  const gone = (): void => {
    render(null, ghost);
    ghost.remove();
  };
  flight.onfinish = gone;
  flight.oncancel = gone;
}

/** Keeps the real thing out of sight until its ghost has landed. */
function appear(element: Element | null, after: number): void {
  element?.animate([{ opacity: 0 }, { opacity: 0, offset: 0.99 }, { opacity: 1 }], {
    duration: Math.max(1, after),
  });
}

function move(old: Map<string, Spot>, before: Table, after: Table, events: readonly Happened[]): void {
  const now = measure();
  const you = after.you;
  const pile = now.get("pile");
  const discard = now.get("discard");
  const seatSpot = (seat: number | undefined): Spot | undefined =>
    seat === you ? now.get("hand") : (now.get(`seat:${seat}`) ?? old.get(`seat:${seat}`));
  let delay = 0;

  // Cards that stayed in my hand glide to their new place in the row; one that goes to another row would
  // only fly across all others.
  for (const held of after.hand.length > GLIDES ? [] : after.hand) {
    const name = `hand:${held.key}`;
    const from = old.get(name);
    const to = now.get(name);
    if (from === undefined || to === undefined) continue;
    const dx = from.x - to.x;
    if (Math.abs(dx) < 2 || Math.abs(dx) > 2 * to.w) continue;
    place(name)?.animate(
      [{ transform: `translateX(${dx}px)` }, { transform: "none" }],
      { duration: 240, easing: EASE },
    );
  }

  // What lies on the heap already shows itself card by card.
  const heap = [...document.querySelectorAll(".discard .heap")];
  let first = heap.length - events.filter((event) => event.e === "played").length;
  const swapped = events.some((event) => ["swapped", "rotated", "hands_shuffled"].includes(event.e));
  for (const event of events) {
    switch (event.e) {
      case "played": {
        const to = discard;
        if (to === undefined) break;
        const mine = event.seat === you;
        let from = seatSpot(event.seat);
        if (mine) {
          const left = [...old.keys()].find(
            (name) => name.startsWith(`hand:${event.card}#`) && !now.has(name),
          );
          if (left !== undefined) from = old.get(left);
        }
        const landing = heap[first++] ?? null;
        if (from === undefined) break;
        fly(event.card ?? null, from, to, delay, mine ? -4 : 24);
        appear(landing, delay + FLIGHT_MS - 20);
        delay += 120;
        break;
      }
      case "drew": {
        if (pile === undefined || event.seat === you || swapped) break;
        const to = seatSpot(event.seat);
        if (to === undefined) break;
        const size = { x: to.x + to.w / 2 - 14, y: to.y + 6, w: 28, h: 39 };
        for (let k = 0; k < Math.min(event.count ?? 1, 6); k++) fly(null, pile, size, delay + k * GAP_MS);
        delay += 60;
        break;
      }
      case "dealt": {
        if (pile === undefined) break;
        after.seats.forEach((each, order) => {
          const to = each.seat === you ? undefined : now.get(`seat:${each.seat}`);
          if (to === undefined) return;
          const size = { x: to.x + to.w / 2 - 14, y: to.y + 6, w: 28, h: 39 };
          for (let k = 0; k < 2; k++) fly(null, pile, size, delay + order * 40 + k * 160);
        });
        break;
      }
      case "swapped": {
        const a = seatSpot(event.seat);
        const b = seatSpot(event.player);
        if (a === undefined || b === undefined) break;
        exchange(a, b, delay, event.seat === you, event.player === you);
        exchange(b, a, delay, event.player === you, event.seat === you);
        break;
      }
      case "rotated": {
        const order = after.seats.filter((each) => each.state !== "out" && each.state !== "next");
        order.forEach((each, k) => {
          const next = order[(k + (event.direction === -1 ? order.length - 1 : 1)) % order.length];
          const a = seatSpot(each.seat);
          const b = seatSpot(next?.seat);
          if (a !== undefined && b !== undefined) exchange(a, b, delay, each.seat === you, next?.seat === you);
        });
        break;
      }
      case "hands_shuffled": {
        if (pile === undefined) break;
        for (const each of after.seats) {
          const at = seatSpot(each.seat);
          if (at === undefined) continue;
          exchange(at, pile, delay, each.seat === you, false);
          exchange(pile, at, delay + FLIGHT_MS, false, each.seat === you);
        }
        break;
      }
      case "reshuffled": {
        if (discard === undefined || pile === undefined) break;
        for (let k = 0; k < 4; k++) fly(null, discard, pile, delay + k * GAP_MS, 20);
        break;
      }
      case "turned":
        // The ring itself turns over (look/middle.css); this makes one look at it.
        place("ring")?.animate(
          [{ transform: "none" }, { transform: "scale(1.07)" }, { transform: "none" }],
          { duration: 700, easing: "ease-in-out" },
        );
        break;
      case "called":
      case "caught": {
        const chip = event.seat === you ? place("me") : place(`seat:${event.seat}`);
        chip?.animate(
          [{ transform: "none" }, { transform: "scale(1.18) rotate(-3deg)" }, { transform: "scale(.97)" }, { transform: "none" }],
          { duration: 420, easing: "ease-out" },
        );
        break;
      }
    }
  }

  // Cards that are new in my hand come from where they came from.
  let fresh = 0;
  const dealt = before.phase !== "round" && after.phase === "round";
  const source = swapped ? undefined : pile;
  for (const held of after.hand) {
    const name = `hand:${held.key}`;
    const to = now.get(name);
    if (to === undefined || (old.has(name) && !dealt)) continue;
    const wait = delay + fresh * (dealt ? 60 : GAP_MS);
    if (source !== undefined) {
      fly(held.card, source, to, wait, 14);
      appear(place(name), wait + FLIGHT_MS - 20);
    } else {
      place(name)?.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 200, delay: FLIGHT_MS * 0.6, fill: "backwards" });
    }
    fresh++;
  }

  if (after.pending > before.pending) {
    place("pending")?.animate(
      [{ transform: "scale(.4)" }, { transform: "scale(1.35)" }, { transform: "none" }],
      { duration: 380, easing: "ease-out" },
    );
  }
  if (events.some((event) => event.e === "played" && event.card === "W+4")) {
    place("arena")?.animate(
      [0, -5, 5, -3, 2, 0].map((x) => ({ transform: `translateX(${x}px)` })),
      { duration: 320, delay: FLIGHT_MS },
    );
  }
}

/** Where the `k`th of a few cards of a hand is: mine lie before me, the others' are a small fan. */
function held(at: Spot, mine: boolean, k: number): Spot {
  const side = k - (PASSED - 1) / 2;
  const w = mine ? Math.min(78, at.w / PASSED) : 30;
  const h = w * 1.41;
  return { x: at.x + at.w / 2 - w / 2 + side * (mine ? w * 0.8 : 9), y: at.y + at.h / 2 - h / 2, w, h };
}

/** A few backs from one hand to another, or to the pile. */
function exchange(a: Spot, b: Spot, delay: number, from: boolean, to: boolean): void {
  for (let k = 0; k < PASSED; k++) fly(null, held(a, from, k), held(b, to, k), delay + k * 45, 7 * (k - (PASSED - 1) / 2));
}
