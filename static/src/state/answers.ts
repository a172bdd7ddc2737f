// How a request ended: what follows it, or why it was refused.
import { cardOf } from "./cards";
import { needs } from "./choosing";
import type { Draft } from "./draft";
import { writePlay } from "./forms";
import { nameOf } from "./model";
import { CATCH_MS, type Input } from "./shape";

export function answered(draft: Draft, answer: Extract<Input, { k: "answer" }>): void {
  const { s } = draft;
  const sent = s.sent.find((each) => each.id === answer.id);
  if (sent === undefined) return;
  s.sent = s.sent.filter((each) => each !== sent);
  if (sent.what === "claim") s.claiming = null;
  if (answer.ok) {
    // Something went well since: nobody needs to be told any more what did not.
    if (s.note !== null && s.note.id < sent.id) s.note = null;
    if (sent.what === "turn") s.marked = s.marked.filter((key) => sent.rest.includes(key));
    if (sent.what === "rules") s.rulesTrouble = null;
    const [following, ...rest] = sent.rest;
    if (following !== undefined) {
      const { colour, player } = sent;
      const asks = s.table === null ? null : needs(s.table, cardOf(following));
      draft.act(writePlay(cardOf(following), asks?.colour ? (colour ?? "r") : null, asks?.player ? player : null), "turn", {
        rest,
        inRun: true,
        colour,
        player,
      });
    }
    return;
  }
  const code = answer.code ?? "bad_move";
  if (sent.what === "rules") {
    s.rulesTrouble = { field: answer.field ?? "" };
    draft.refuse(code, { field: answer.field ?? "" });
    return;
  }
  if (sent.what === "claim" && code === "not_allowed") {
    draft.note("enter.claim.no", {}, code);
    return;
  }
  if (sent.what === "turn") s.marked = [];
  if (sent.what === "catch" && code === "not_exposed") s.catchFrom = draft.now + CATCH_MS;
  if (sent.what === "turn" && sent.inRun && isCut(code)) {
    const turn = s.happening.at(-1)?.event.seat;
    const n = sent.rest.length + 1;
    if (s.table !== null && turn !== undefined && turn !== s.table.you) draft.note("run.cut", { name: nameOf(s.table, turn), n }, code);
    else draft.note("run.cut.plain", { n }, code);
    return;
  }
  draft.refuse(code, { field: answer.field ?? "", n: s.table?.pending ?? 0, code });
}

const isCut = (code: string): boolean => ["too_late", "not_your_turn", "stale", "must_answer"].includes(code);
