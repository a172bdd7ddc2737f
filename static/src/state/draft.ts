// The state being written, and the few things that more than one input does to it.
import type { Key, Params } from "../i18n";
import type { Request } from "../wire";
import type { Effect, Sent, State } from "./shape";

const NOTE_MS = 3200;

export class Draft {
  constructor(
    readonly s: State,
    readonly effects: Effect[],
    readonly now: number,
  ) {}

  note(key: Key, params: Params = {}, code?: string): void {
    const id = this.s.nextId++;
    this.s.note = code === undefined ? { id, key, params } : { id, key, params, code };
    this.effects.push({ do: "after", ms: NOTE_MS, input: { k: "note over", id } });
  }

  refuse(code: string, params: Params = {}): void {
    this.effects.push({ do: "refused", code });
    this.note(`why.${code}` as Key, params, code);
  }

  send(body: Request, what: Sent["what"] = "other", more: Partial<Sent> = {}): void {
    const id = this.s.nextId++;
    this.s.sent = [...this.s.sent, { id, what, body, rest: [], inRun: false, colour: null, player: null, ...more }];
    this.effects.push({ do: "request", id, body });
  }

  /** The same request is on its way already: a finger has come down twice. */
  asked(body: Request): boolean {
    const text = JSON.stringify(body);
    return this.s.sent.some((each) => JSON.stringify(each.body) === text);
  }

  /** As `send`, but once. */
  ask(body: Request, what: Sent["what"] = "other"): void {
    if (!this.asked(body)) this.send(body, what);
  }

  act(a: string, what: Sent["what"], more: Partial<Sent> = {}): void {
    this.send({ t: "act", seq: this.s.seq, a }, what, more);
  }
}
