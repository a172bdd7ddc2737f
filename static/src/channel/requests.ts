// What is asked of the table: numbered, said again until it is answered, and given up when it never is.
import type { FromPage, Request } from "../wire";
import type { Clock } from "./channel";

/** Said so often to a table that is there, and no answer: it will not come. */
export const TRIES = 5;
/** So far from those of an older page begin the numbers of a newer one (docs/protocol.md, 2). */
const NUMBERS_APART = 1000;

export type Answer = (id: number, ok: boolean, code?: string, field?: string) => void;

interface Pending {
  n: number;
  id: number;
  body: Request;
  sentAt: number;
  tries: number;
}

export class Requests {
  private nextN = 1;
  private pending: Pending[] = [];
  /** Whose numbers these are. */
  private counting: string | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly say: (message: FromPage) => void,
    private readonly answer: Answer,
  ) {}

  /** `heard`: the table is there to hear it. Else it waits for the welcome. */
  add(id: number, body: Request, heard: boolean): void {
    const n = heard || this.pending.length > 0 ? this.nextN++ : 0;
    const pending: Pending = { n, id, body, sentAt: this.clock.now(), tries: 0 };
    this.pending.push(pending);
    if (heard) this.ask(pending);
  }

  /** What was asked as somebody else is not repeated; who asked to sit down still wants to. */
  disown(): void {
    this.pending = this.pending.filter((each) => each.body.t === "sit");
    this.counting = null;
  }

  /** Nothing that was asked is asked again. */
  forget(): void {
    this.pending = [];
    this.counting = null;
  }

  /** From now on these are the numbers of who has that key. */
  countAs(key: string): void {
    this.counting = key;
  }

  /** `n`: the last number that the table has of `whose` (`null`: of somebody without a seat). Says what is
   * still unanswered. */
  welcome(n: number, whose: string | null, patient: boolean): void {
    for (const each of this.pending) each.tries = 0;
    const same = whose !== null && whose === this.counting;
    this.counting = whose;
    if (same) {
      // Another page of this person has counted on: what this one had asked is void.
      if (n >= this.nextN) {
        for (const each of this.pending.splice(0)) this.answer(each.id, false, "stale");
      }
      this.nextN = Math.max(this.nextN, n + 1);
    } else {
      // A gap, so that no number of an older page of this person is ever used again.
      this.nextN = n + 1 + (whose === null || n === 0 ? 0 : NUMBERS_APART);
      for (const each of this.pending) each.n = this.nextN++;
    }
    for (const each of this.pending) {
      if (each.n === 0) each.n = this.nextN++;
    }
    this.resend(0, patient);
  }

  settle(n: number, ok: boolean, code?: string, field?: string): void {
    const found = this.pending.find((each) => each.n === n);
    if (found === undefined) return;
    this.pending = this.pending.filter((each) => each !== found);
    this.answer(found.id, ok, code, field);
  }

  /** What the table could not read has no number in its refusal. */
  refused(n: number, code: string, field?: string): void {
    this.settle(n === 0 ? this.meant(code, field) : n, false, code, field);
  }

  /** The number of the request that the table could not read, as far as can be told. */
  private meant(code: string, field?: string): number {
    if (code !== "bad_message" && code !== "too_big") return 0;
    const open = this.pending.filter((each) => each.tries > 0 && (field === undefined || field in { n: 0, ...each.body }));
    return open.length === 1 ? open[0]!.n : 0;
  }

  /** Says again what was said longer ago than that (ms). `patient`: a table that is not heard, or decides nothing for
   * now, may answer yet. */
  resend(olderThan: number, patient: boolean): void {
    const now = this.clock.now();
    for (const each of [...this.pending]) {
      if (now - each.sentAt < olderThan) continue;
      // A claim is answered when the host has looked.
      if (patient || each.body.t === "claim") each.tries = 0;
      else if (each.tries >= TRIES) {
        this.settle(each.n, false, "unanswered");
        continue;
      }
      this.ask(each);
    }
  }

  private ask(pending: Pending): void {
    pending.sentAt = this.clock.now();
    pending.tries++;
    this.say({ ...pending.body, n: pending.n });
  }
}
