// Motion from the difference between card places before and after an update. Ghosts fly in a layer
// of their own above a table that is already right: nothing waits for them, nothing is lost when
// one is dropped. Only transform and opacity move.
import { t } from "../i18n";
import { inRound, type Table } from "../state/model";
import type { Happened } from "../wire";
import { appear, FLIGHT_MS, fly, shout, type Spot } from "./flights";

const GAP_MS = 70;
/** Cards of one play follow each other, each to be seen. */
const NEXT_MS = 130;
/** As many backs stand for a hand that goes somewhere else. */
const PASSED = 4;
/** A hand so large lies in a grid: there a card more or less moves all the others by one place. */
const GLIDES = 16;
const EASE = "cubic-bezier(.25,.9,.3,1)";

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** Where everything is. A card that lies askew has its own size all the same. */
function measure(): Map<string, Spot> {
  const spots = new Map<string, Spot>();
  for (const element of document.querySelectorAll<HTMLElement>("[data-place]")) {
    const box = element.getBoundingClientRect();
    const [w, h] = [element.offsetWidth, element.offsetHeight];
    spots.set(element.dataset.place!, { x: box.x + (box.width - w) / 2, y: box.y + (box.height - h) / 2, w, h });
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
  calm: boolean,
): void {
  if (before === null || document.visibilityState !== "visible") return;
  const old = measure();
  if (old.size === 0 && after.phase !== "round") return;
  requestAnimationFrame(() => {
    if (calm || reduced.matches) fade(before, after);
    else new Motion(old, before, after).play(events);
  });
}

function fade(before: Table, after: Table): void {
  if (before.discard === after.discard && before.top === after.top) return;
  place("discard")?.animate([{ opacity: 0.3 }, { opacity: 1 }], 150);
}

/** Once up and down again, as one who was called. */
const HOP: Keyframe[] = [
  { transform: "none", easing: "ease-out" },
  { transform: "scale(1.16) rotate(-3deg)", offset: 0.35, easing: "ease-in-out" },
  { transform: "scale(.97)", offset: 0.7 },
  { transform: "none" },
];
/** From side to side, as one who says no. */
const NO: Keyframe[] = [0, -6, 6, -4, 2, 0].map((x) => ({ transform: `translateX(${x}px)` }));

/** One update, played. `at` is when the next thing begins, in ms; `landed`, when the last card lay. */
class Motion {
  private readonly now = measure();
  private readonly you: number | null;
  private at = 0;
  private landed = 0;
  /** Hands went elsewhere as a whole: what is in mine did not come from the pile. */
  private swapped = false;
  /** When a hand that came to me as a whole is there. */
  private arrival: number | null = null;

  constructor(
    private readonly old: Map<string, Spot>,
    private readonly before: Table,
    private readonly after: Table,
  ) {
    this.you = after.you;
  }

  play(events: readonly Happened[]): void {
    this.swapped = events.some((event) => ["swapped", "rotated", "hands_shuffled"].includes(event.e));
    this.glide();
    // What lies on the heap already shows itself card by card.
    const heap = [...document.querySelectorAll<HTMLElement>(".discard .heap")];
    let next = heap.length - events.filter((event) => event.e === "played").length;
    for (const event of events) {
      if (event.e === "played") this.played(event, heap[next++]);
      else this.happened(event);
    }
    this.fresh();
    this.outcome();
  }

  private seat(seat: number | undefined): Spot | undefined {
    return seat === this.you ? this.now.get("hand") : (this.now.get(`seat:${seat}`) ?? this.old.get(`seat:${seat}`));
  }

  /** Where a word about somebody stands: over the face, or before me above my cards. */
  private over(seat: number | undefined): Spot | undefined {
    const spot = seat === this.you ? this.now.get("arena") : this.seat(seat);
    if (spot === undefined) return undefined;
    return seat === this.you ? { ...spot, y: spot.y + spot.h * 0.72, h: 0 } : { ...spot, h: spot.h * 0.9 };
  }

  private chip(seat: number | undefined): HTMLElement | null {
    return place(seat === this.you ? "me" : `seat:${seat}`);
  }

  /** Cards that stayed in my hand glide to their new place in the row; one that goes to another row would
      only fly across all others. */
  private glide(): void {
    for (const held of this.after.hand.length > GLIDES ? [] : this.after.hand) {
      const name = `hand:${held.key}`;
      const [from, to] = [this.old.get(name), this.now.get(name)];
      if (from === undefined || to === undefined) continue;
      const dx = from.x - to.x;
      if (Math.abs(dx) < 2 || Math.abs(dx) > 2 * to.w) continue;
      place(name)?.animate([{ transform: `translateX(${dx}px)` }, { transform: "none" }], { duration: 240, easing: EASE });
    }
  }

  private played(event: Happened, landing: HTMLElement | undefined): void {
    const to = this.now.get("discard");
    if (to === undefined) return;
    const mine = event.seat === this.you;
    let from = this.seat(event.seat);
    if (mine) {
      const left = [...this.old.keys()].find((name) => name.startsWith(`hand:${event.card}#`) && !this.now.has(name));
      if (left !== undefined) from = this.old.get(left);
    }
    if (from === undefined) return;
    const askew = landing === undefined ? 0 : Number.parseFloat(getComputedStyle(landing).rotate) || 0;
    const heavy = event.card?.includes("+") === true;
    const jump = event.how === "jump";
    // A card is held before it is put down; one thrown in out of turn comes from high above.
    const start = mine ? from : { ...from, x: from.x + from.w / 2 - to.w / 4, y: from.y + from.h / 2 - to.h / 4, w: to.w / 2, h: to.h / 2 };
    fly(event.card ?? null, start, to, { delay: this.at, turn: mine ? 4 : -24, end: askew, bend: mine ? 14 : 26, lift: jump ? 0.55 : heavy ? 0.3 : 0.12 });
    this.landed = this.at + FLIGHT_MS;
    appear(landing, this.landed - 20);
    landing?.animate([{ transform: `scale(${jump || heavy ? 1.14 : 1.05})` }, { transform: "none" }], {
      duration: jump || heavy ? 260 : 150,
      delay: this.landed - 20,
      easing: "ease-out",
    });
    if (jump) this.chip(event.seat)?.animate(HOP, { duration: 380 });
    if (event.card === "W+4") place("arena")?.animate(NO, { duration: 320, delay: this.landed });
    this.at += NEXT_MS;
  }

  private happened(event: Happened): void {
    const pile = this.now.get("pile");
    switch (event.e) {
      case "drew": {
        const count = event.count ?? 1;
        // What has to be drawn follows the card that said so.
        if (event.cause !== "turn") this.at = Math.max(this.at, this.landed - 40);
        const over = this.over(event.seat);
        if (count > 1 && over !== undefined) shout(t("pending", { n: count }), over, "hit", this.at + FLIGHT_MS - 60);
        const to = this.seat(event.seat);
        if (pile === undefined || event.seat === this.you || this.swapped || to === undefined) break;
        const small = lap(to);
        for (let k = 0; k < Math.min(count, 6); k++) fly(null, pile, small, { delay: this.at + k * GAP_MS, bend: 18, turn: -10 });
        this.at += 60;
        break;
      }
      case "dealt":
        if (pile !== undefined)
          this.after.seats.forEach((each, order) => {
            const to = each.seat === this.you ? undefined : this.now.get(`seat:${each.seat}`);
            if (to === undefined) return;
            const small = lap(to);
            for (let k = 0; k < 3; k++) fly(null, pile, small, { delay: this.at + order * 40 + k * 150, bend: 18, turn: -14 });
          });
        break;
      case "swapped": {
        const [a, b] = [this.seat(event.seat), this.seat(event.player)];
        if (a === undefined || b === undefined) break;
        this.exchange(a, b, this.at, event.seat === this.you, event.player === this.you);
        this.exchange(b, a, this.at, event.player === this.you, event.seat === this.you);
        if (this.you !== null && [event.seat, event.player].includes(this.you)) this.arrival = this.at + FLIGHT_MS * 0.8;
        break;
      }
      case "rotated": {
        this.arrival = this.at + FLIGHT_MS * 0.8;
        const order = this.after.seats.filter(inRound);
        order.forEach((each, k) => {
          const next = order[(k + (event.direction === -1 ? order.length - 1 : 1)) % order.length];
          const [a, b] = [this.seat(each.seat), this.seat(next?.seat)];
          if (a !== undefined && b !== undefined) this.exchange(a, b, this.at, each.seat === this.you, next?.seat === this.you);
        });
        break;
      }
      case "hands_shuffled":
        if (pile === undefined) break;
        this.arrival = this.at + FLIGHT_MS * 2;
        for (const each of this.after.seats) {
          const spot = this.seat(each.seat);
          if (spot === undefined) continue;
          this.exchange(spot, pile, this.at, each.seat === this.you, false);
          this.exchange(pile, spot, this.at + FLIGHT_MS + 120, false, each.seat === this.you);
        }
        break;
      case "reshuffled": {
        const discard = this.now.get("discard");
        if (discard === undefined || pile === undefined) break;
        for (let k = 0; k < 5; k++) fly(null, discard, pile, { delay: this.at + k * GAP_MS, turn: -20, bend: 40 });
        break;
      }
      case "turned":
        // The arrows are the other way round already: they arrive there with a swing.
        place("ring")?.animate(
          [
            { transform: "rotate(-150deg)", opacity: 0 },
            { transform: "rotate(-40deg) scale(1.1)", opacity: 1, offset: 0.5 },
            { transform: "none", opacity: 1 },
          ],
          { duration: 640, delay: Math.max(0, this.landed - 120), easing: EASE, fill: "backwards" },
        );
        break;
      case "skipped":
        this.chip(event.seat)?.animate(
          [{ opacity: 1, transform: "none" }, { opacity: 0.35, transform: "scale(.92)", offset: 0.4 }, { opacity: 1, transform: "none" }],
          { duration: 560, delay: this.landed },
        );
        break;
      case "challenged":
        // The card in question is taken up and looked at.
        place("discard")?.animate(
          [
            { transform: "none", easing: "ease-out" },
            { transform: "translateY(-8px) scale(1.16) rotate(-5deg)", offset: 0.3, easing: "ease-in-out" },
            { transform: "translateY(-8px) scale(1.16) rotate(4deg)", offset: 0.6, easing: "ease-in" },
            { transform: "none" },
          ],
          { duration: 620 },
        );
        this.chip(event.bluff ? event.opener : event.seat)?.animate(NO, { duration: 380, delay: 420 });
        this.landed = Math.max(this.landed, 560);
        break;
      case "called":
      case "caught": {
        const over = this.over(event.seat);
        this.chip(event.seat)?.animate(event.e === "called" ? HOP : NO, { duration: 420, delay: this.landed });
        if (event.e === "called" && over !== undefined) shout(t("act.uno"), over, "call", this.landed);
        if (event.e === "caught") this.landed = Math.max(this.landed, 200);
        break;
      }
      case "eliminated":
      case "taken_out":
        this.chip(event.seat)?.animate(
          [
            { opacity: 1, transform: "none", easing: "ease-in" },
            { opacity: 0.2, transform: "translateY(14px) rotate(5deg) scale(.9)", offset: 0.5, easing: "ease-out" },
            { opacity: 0.55, transform: "none" },
          ],
          { duration: 700, delay: this.landed },
        );
        break;
      case "round_ended":
        if (event.winner !== undefined) this.chip(event.winner)?.animate([...HOP, ...HOP.slice(1)].map(({ offset: _, ...each }) => each), { duration: 900, delay: this.landed });
        break;
    }
  }

  /** Cards that are new in my hand come from where they came from. */
  private fresh(): void {
    let count = 0;
    const dealt = this.before.phase !== "round" && this.after.phase === "round";
    const source = this.swapped ? undefined : this.now.get("pile");
    for (const held of this.after.hand) {
      const name = `hand:${held.key}`;
      const to = this.now.get(name);
      if (to === undefined || (this.old.has(name) && !dealt && this.arrival === null)) continue;
      const wait = this.at + count * (dealt ? 60 : GAP_MS);
      if (source !== undefined) {
        fly(held.card, source, to, { delay: wait, turn: -14, bend: -16, lift: 0.1, flip: true });
        appear(place(name), wait + FLIGHT_MS - 20);
      } else {
        place(name)?.animate([{ opacity: 0, transform: "translateY(18px)" }, { opacity: 1, transform: "none" }], {
          duration: 240,
          delay: (this.arrival ?? this.at) + count * 25,
          fill: "backwards",
          easing: EASE,
        });
      }
      count++;
    }
  }

  /** What the cards have changed shows when they have landed. */
  private outcome(): void {
    const { before, after } = this;
    const delay = Math.max(0, this.landed - 40);
    if (after.pending > before.pending) {
      place("pending")?.animate(
        [
          { transform: "scale(.3)", opacity: 0, easing: "ease-out" },
          { transform: "scale(1.4)", opacity: 1, offset: 0.4, easing: "ease-in-out" },
          { transform: "scale(.94)", offset: 0.75 },
          { transform: "none" },
        ],
        { duration: 420, delay, fill: "backwards" },
      );
    }
    if (after.colour !== before.colour && after.colour !== null && before.phase === "round") {
      const well = document.querySelector(".discard");
      well?.animate([{ transform: "scale(1.22)", opacity: 0 }, { transform: "none", opacity: 1 }], {
        pseudoElement: "::before",
        duration: 300,
        delay,
        fill: "backwards",
        easing: EASE,
      });
    }
  }

  /** A few backs from one hand to another, or to the pile. */
  private exchange(a: Spot, b: Spot, delay: number, from: boolean, to: boolean): void {
    for (let k = 0; k < PASSED; k++)
      fly(null, held(a, from, k), held(b, to, k), { delay: delay + k * 45, turn: -7 * (k - (PASSED - 1) / 2), bend: 46, lift: 0.14 });
  }
}

/** Where a rival's cards are: under the face. */
const lap = (seat: Spot): Spot => ({ x: seat.x + seat.w / 2 - 14, y: seat.y + seat.h * 0.4, w: 28, h: 39 });

/** Where the `k`th of a few cards of a hand is: mine lie before me, the others' are a small fan. */
function held(at: Spot, mine: boolean, k: number): Spot {
  const side = k - (PASSED - 1) / 2;
  const w = mine ? Math.min(78, at.w / PASSED) : 30;
  const h = w * 1.41;
  return { x: at.x + at.w / 2 - w / 2 + side * (mine ? w * 0.8 : 9), y: at.y + at.h / 2 - h / 2, w, h };
}
