// What a finger does, wherever it is.
import { play, proceed, tappedCard, tellWhy, whyNot } from "./choosing";
import type { Draft } from "./draft";
import { alive, callable, catchable, nameOf } from "./model";
import { CATCH_MS, isAboutName, isBusy, type Tap } from "./shape";

export function tapped(draft: Draft, tap: Tap): void {
  const { s } = draft;
  const table = s.table;
  switch (tap.on) {
    case "sheet":
      s.sheet = tap.sheet;
      s.about = null;
      if (tap.sheet !== null) s.note = null;
      return;
    case "about":
      if (table === null) return;
      s.about = { seat: tap.seat, name: nameOf(table, tap.seat), from: s.sheet };
      s.sheet = tap.sheet;
      s.note = null;
      return;
    case "back":
      if (s.sheet !== null) {
        s.sheet = s.about?.from ?? null;
        s.about = null;
      } else if (s.ask !== null) s.ask = null;
      else draft.note("back.again");
      return;
    case "naming":
      if (isAboutName(s.note)) s.note = null;
      return;
    case "prefs":
      s.prefs = { ...s.prefs, ...tap.change };
      draft.effects.push({ do: "save", prefs: s.prefs });
      return;
    case "sit": {
      const name = tap.name.trim();
      if (name === "") return draft.refuse("name_empty");
      // So long that the table would not even read the message.
      if (name.length > 1000) return draft.refuse("name_long");
      if (s.sent.some((each) => each.what === "sit")) return;
      s.prefs = { ...s.prefs, name };
      draft.effects.push({ do: "save", prefs: s.prefs });
      draft.send({ t: "sit", name }, "sit");
      return;
    }
    case "urge":
      draft.ask({ t: "urge", seat: tap.seat });
      return;
    case "claim":
      s.claiming = tap.seat;
      draft.ask({ t: "claim", seat: tap.seat }, "claim");
      return;
    case "known":
      s.known = null;
      if (tap.yes) {
        s.returning = true;
        draft.effects.push({ do: "dial", key: "device" });
      } else draft.effects.push({ do: "forget" });
      return;
    case "again": {
      const tab = s.closed === "replaced";
      s.closed = null;
      s.returning = tab;
      draft.effects.push({ do: "dial", key: tab ? "tab" : "none" });
      return;
    }
    case "leave":
      s.sheet = null;
      draft.ask({ t: "leave" });
      return;
    case "host":
      draft.ask(
        {
          t: "host",
          do: tap.do,
          ...(tap.seat === undefined ? {} : { seat: tap.seat }),
          ...(tap.value === undefined ? {} : { value: tap.value }),
        },
        ["rules", "custom", "agreed"].includes(tap.do) ? "rules" : "other",
      );
      return;
    case "vote":
      s.sheet = null;
      draft.ask({ t: "vote", value: tap.value });
      return;
  }
  if (table === null) return;
  const may = table.may;
  switch (tap.on) {
    case "card":
      return tappedCard(draft, table, tap.key);
    case "fling": {
      const held = table.hand.find((each) => each.key === tap.key);
      if (held === undefined || isBusy(s)) return;
      if (!alive(table, held)) return tellWhy(draft, table);
      if (!s.marked.includes(tap.key)) s.marked = [tap.key];
      return play(draft, table, s.marked);
    }
    case "play":
      if (s.marked.length > 0) play(draft, table, s.marked);
      return;
    case "draw":
      if (isBusy(s)) return;
      if (may.draw) return draft.act("draw", "turn");
      if (may.accept) return draft.act("accept", "turn");
      return tellWhy(draft, table);
    case "pass":
      if (isBusy(s)) return;
      if (may.pass) return draft.act("pass", "turn");
      return draft.refuse(table.mine ? "nothing_drawn" : whyNot(table).code);
    case "accept":
    case "challenge":
      if (!isBusy(s) && may[tap.on]) draft.act(tap.on, "turn");
      return;
    case "uno":
      if (s.sent.some((each) => each.what === "call")) return;
      if (callable(table)) return draft.act("uno", "call");
      if (table.paused.length > 0) return draft.refuse("paused");
      if (!may.uno) return draft.refuse("cannot_call");
      return table.wait === "answer" ? tellWhy(draft, table) : draft.note("hint.draw");
    case "catch": {
      if (draft.now < s.catchFrom || s.sent.some((each) => each.what === "catch")) return;
      const seats = catchable(table);
      if (tap.seat !== undefined) {
        s.ask = null;
        return draft.act(`catch ${tap.seat}`, "catch");
      }
      if (seats.length === 1) return draft.act(`catch ${seats[0]}`, "catch");
      if (seats.length > 1) {
        s.ask = { now: "catch", keys: [], colour: null, player: null };
        return;
      }
      s.catchFrom = draft.now + CATCH_MS;
      draft.effects.push({ do: "after", ms: CATCH_MS, input: { k: "note over", id: 0 } });
      return draft.refuse("not_exposed");
    }
    case "seen":
      s.seen = true;
      return;
    case "colour":
      if (s.ask?.now === "colour") {
        const ask = { ...s.ask, colour: tap.colour };
        s.ask = null;
        return proceed(draft, table, ask);
      }
      if (may.colour && !isBusy(s)) draft.act(`colour ${tap.colour}`, "turn");
      return;
    case "player":
      if (s.ask?.now === "catch") {
        s.ask = null;
        return draft.act(`catch ${tap.seat}`, "catch");
      }
      if (s.ask?.now === "player") {
        const ask = { ...s.ask, player: tap.seat };
        s.ask = null;
        return proceed(draft, table, ask);
      }
      return;
    case "cancel":
      if (s.ask !== null) s.ask = null;
      else s.marked = [];
      return;
  }
}
