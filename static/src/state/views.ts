// What the table says, and what it means for that which was chosen on an older view.
import type { FromTable, Happened, View } from "../wire";
import type { Draft } from "./draft";
import { alive, catchable, present, readView, seatOf } from "./model";
import { type Entry, told } from "./story";

const TWICE_MS = 500;
const REVEAL_MS = 2200;
const LOTS_MS = 1600;
const LOG_LENGTH = 400;

export function received(draft: Draft, message: FromTable): void {
  const { s, effects, now } = draft;
  switch (message.t) {
    case "welcome":
      s.welcomed = true;
      s.closed = null;
      s.isHost = message.host ?? false;
      s.guestLink = message.link ?? s.guestLink;
      s.guestLinks = [];
      if (s.returning && message.seat === null) {
        effects.push({ do: "forget" });
        s.sent = [];
        draft.note("enter.gone");
      }
      s.seat = message.seat;
      if (message.seat !== null) s.known = null;
      s.returning = false;
      s.seq = -1;
      break;
    case "links":
      s.guestLinks = message.links;
      s.guestLink = message.links[0] ?? s.guestLink;
      break;
    case "seated":
      s.seat = message.seat;
      s.known = null;
      s.claiming = null;
      effects.push({ do: "keep", seat: message.seat, key: message.key });
      break;
    case "closed":
      s.closed = message.code;
      s.online = false;
      if (["removed", "left", "table_closed", "bad_hello"].includes(message.code)) {
        effects.push({ do: "forget" });
        // Nobody answers any more what was asked from that seat.
        s.sent = [];
        s.seat = null;
        s.sheet = s.about = null;
      }
      break;
    case "notice":
      // Until the next view, which says how it really is.
      if (s.table !== null) s.table = { ...s.table, paused: [...s.table.paused, message.code] };
      break;
    case "view": {
      const played = s.seq >= 0 && (s.table?.phase === "round" || s.table?.phase === "between");
      s.viewAt = now;
      viewed(draft, message.seq, message.v, message.e ?? []);
      // The lobby shows them; on the way to the next round nobody but the host would know.
      if (!s.isHost && played && s.table?.phase === "lobby") draft.note("note.ended");
      if (!s.isHost && s.table?.phase !== "lobby" && message.e?.some(({ e }) => e === "rules_changed")) draft.note("note.rules_changed");
      break;
    }
  }
}

function viewed({ s, effects, now }: Draft, seq: number, raw: View, events: Happened[]): void {
  const before = s.table;
  const table = readView(raw, before);
  s.seq = seq;
  s.raw = raw;
  s.table = table;
  if (table.you !== null) s.seat = table.you;
  // The table may have given another name than was asked for.
  const name = seatOf(table, table.you)?.name;
  if (name !== undefined && name !== (before === null ? undefined : seatOf(before, before.you)?.name)) effects.push({ do: "named", name });
  const names: Record<number, string> = {};
  for (const each of before?.seats ?? []) names[each.seat] = each.name;
  for (const each of table.seats) names[each.seat] = each.name;
  const entries = told(events).map((event): Entry => ({ id: s.nextId++, event, names, you: table.you }));
  if (entries.length > 0) {
    s.happening = entries;
    s.log = [...s.log, ...entries].slice(-LOG_LENGTH);
  }
  if (table.round !== before?.round && table.phase === "round") s.happening = entries;

  if (table.phase === "round" && before !== null && before.phase !== "round") s.freshUntil = now + TWICE_MS;

  const lots: Record<number, string[]> = {};
  for (const { e, seat, card } of events) {
    if (e === "dealer_drawn" && seat !== undefined && card !== undefined) (lots[seat] ??= []).push(card);
  }
  if (Object.keys(lots).length > 0) {
    s.lots = lots;
    effects.push({ do: "after", ms: LOTS_MS, input: { k: "lots over" } });
  }

  // Who was to be removed has gone by now, or sits elsewhere.
  if (s.about !== null) {
    const whom = present(table).find((each) => each.seat === s.about?.seat);
    if (whom?.name !== s.about.name) {
      s.sheet = s.about.from;
      s.about = null;
    }
  }

  // What was chosen on the older view, and still makes sense.
  const held = new Map(table.hand.map((each) => [each.key, each]));
  s.marked = s.marked.filter((key) => held.has(key));
  const first = s.marked[0] === undefined ? undefined : held.get(s.marked[0]);
  if (first !== undefined && !alive(table, first)) s.marked = [];
  if (s.ask !== null && s.ask.now !== "catch") {
    const asked = held.get(s.ask.keys[0] ?? "");
    if (asked === undefined || !alive(table, asked)) s.ask = null;
  }
  if (s.ask?.now === "catch" && catchable(table).length === 0) s.ask = null;
  if (table.wait === "drawn" && table.mine && before?.wait !== "drawn" && table.drawn !== null) {
    const drawn = table.hand.findLast((each) => each.card === table.drawn);
    if (drawn !== undefined && alive(table, drawn)) s.marked = [drawn.key];
  }
  if (table.shown !== null && table.shown.of !== table.you) s.look = table.shown;
  else if (s.seen || table.phase !== "round" || (table.mine && before?.mine === false)) s.look = null;
  if (s.look === null) s.seen = false;
  if (table.phase === "between" || table.phase === "over") {
    if (before?.phase === "round") {
      s.revealed = false;
      s.sheet = s.about = null;
      effects.push({ do: "after", ms: REVEAL_MS, input: { k: "reveal", seq } });
    }
  } else {
    s.revealed = true;
    if (s.sheet === "vote") s.sheet = null;
  }
  if (table.phase !== "round") {
    s.marked = [];
    s.ask = null;
  }
  effects.push({ do: "viewed", before, after: table, events });
}
