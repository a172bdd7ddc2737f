// The one function that writes the one state (shape.ts). No clock, no DOM, no network: what is to be done
// outside comes back as effects.
import { answered } from "./answers";
import { Draft } from "./draft";
import { type Effect, type Input, type State, type Step, stays } from "./shape";
import { tapped } from "./taps";
import { received } from "./views";

/** So long without a connection, and the page asks what is wrong; and again after so long. */
export const WONDER_MS = 5000;
const WONDER_AGAIN_MS = 8000;

export function step(state: State, input: Input, now: number): Step {
  const effects: Effect[] = [];
  const next = { ...state };
  const draft = new Draft(next, effects, now);
  switch (input.k) {
    case "from":
      received(draft, input.message);
      if (next.seat !== null && stays(next.note)) next.note = null;
      break;
    case "answer":
      answered(draft, input);
      break;
    case "tap":
      tapped(draft, input.tap);
      // A question that opens says itself what is wanted.
      if (next.ask !== null && next.ask !== state.ask) next.note = null;
      break;
    case "path":
      if (input.online) {
        if (!state.online || input.rtc !== state.rtc) next.onlineAt = now;
        next.far = next.trouble = next.lostAt = null;
      } else if (next.lostAt === null) {
        const since = (next.lostAt = input.since ?? now);
        effects.push({ do: "after", ms: Math.max(0, since + WONDER_MS - now), input: { k: "wonder", since } });
      }
      next.online = input.online;
      next.rtc = input.rtc;
      break;
    case "wonder":
      // By way of a PeerServer, or alone, there is nobody else to ask.
      if (state.online || state.closed !== null || state.link === null) break;
      if (state.link.far !== null || state.link.code === "alone") break;
      if (state.lostAt !== null && state.lostAt !== input.since) break;
      effects.push({ do: "probe" }, { do: "after", ms: WONDER_AGAIN_MS, input });
      break;
    case "trouble":
      if (!state.online) next.trouble = input.trouble;
      break;
    case "far":
      next.far = { doing: "signalling", cause: null, ...state.far, ...input.step };
      break;
    case "link":
      next.link = input.link;
      next.known = input.known;
      next.returning = input.returning;
      // The first view drops it, if it is not to be asked any more.
      next.ask = input.ask ?? null;
      next.marked = next.ask?.keys ?? [];
      next.log = input.log ?? [];
      next.nextId = Math.max(next.nextId, ...next.log.map((each) => each.id + 1));
      effects.push({ do: "dial", key: input.returning ? "tab" : "none" });
      if (input.link.far === null) effects.push({ do: "after", ms: WONDER_MS, input: { k: "wonder", since: now } });
      break;
    case "note over":
      // What is wrong with a name is to be read until it is another one.
      if (next.note?.id === input.id && !(next.seat === null && stays(next.note))) next.note = null;
      break;
    case "lots over":
      next.lots = null;
      break;
    case "reveal":
      if (next.table?.phase !== "round") next.revealed = true;
      break;
  }
  return { state: next, effects };
}
