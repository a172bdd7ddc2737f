// What happened, in words with the cause. An entry keeps the event and the names of that moment,
// so that the log can change its language.
import { cardName, colourName, type Key, listNames, t, tMaybe } from "../i18n";
import type { Colour, Happened } from "../wire";

export interface Entry {
  id: number;
  event: Happened;
  names: Record<number, string>;
  you: number | null;
}

/** Events that add nothing to the sentences around them. */
const SILENT = new Set(["hand_shown", "scored"]);

/** What is told of an update. Who gives the seat up in a round is taken out of it as well: that is
 * one thing, and what became of the cards is the reason given with it. */
export function told(events: readonly Happened[]): Happened[] {
  const gone = new Set(events.flatMap(({ e, seat }) => (e === "left" ? [seat] : [])));
  const out = new Set(events.flatMap(({ e, seat }) => (e === "taken_out" ? [seat] : [])));
  return events.flatMap((event) => {
    if (SILENT.has(event.e) || (event.e === "left" && out.has(event.seat))) return [];
    return event.e === "taken_out" && gone.has(event.seat) ? [{ ...event, how: "left" }] : [event];
  });
}

/** What a glance at the table should see: without those who were cut off and are back by now, which
 * would push out what became of the cards meanwhile. The whole log has them. */
export function atAGlance(log: Entry[]): Entry[] {
  const away = new Map<number, Entry>();
  const healed = new Set<Entry>();
  for (const entry of log) {
    const { e, seat } = entry.event;
    if (seat === undefined) continue;
    const since = away.get(seat);
    if (e === "away") away.set(seat, entry);
    else if (e === "returned" && since !== undefined) healed.add(since).add(entry);
    if (e === "returned" || e === "standin" || e === "taken_out") away.delete(seat);
  }
  return log.filter((entry) => !healed.has(entry));
}

/** Sentences in one; one that ends by itself ("¡UNO!") gets no full stop. */
export function joined(sentences: string[]): string {
  return sentences.reduce((all, next) => `${all}${/[.!?…]$/.test(all) ? " " : ". "}${next}`);
}

export function tell({ event, names, you }: Entry): string | null {
  const name = (seat: number | undefined): string => (seat === undefined ? "?" : (names[seat] ?? "?"));
  const mine = event.seat !== undefined && event.seat === you;
  const say = (key: string, params: Record<string, string | number> = {}): string | null => {
    const all = { name: event.name ?? name(event.seat), ...params };
    return (mine ? tMaybe(`${key}.you`, all) : null) ?? tMaybe(key, all);
  };
  switch (event.e) {
    case "dealer_drawn":
      return say("tell.dealer_drawn", { card: cardName(event.card ?? "W") });
    case "dealt": {
      const own = event.dealer === you;
      return t(own ? "tell.dealt.you" : "tell.dealt", { round: event.round ?? 1, name: name(event.dealer) });
    }
    case "turned_up":
      return t(event.back ? "tell.turned_up.back" : "tell.turned_up", { card: cardName(event.card ?? "W") });
    case "played": {
      const plain = cardName(event.card ?? "W");
      const card = event.colour
        ? t("card.chosen", { card: plain, colour: colourName(event.colour as Colour) })
        : plain;
      const how = event.how === undefined || event.how === "turn" ? "" : `.${event.how}`;
      return say(`tell.played${how}`, { card }) ?? say("tell.played", { card });
    }
    case "drew": {
      const n = event.count ?? 0;
      const only = event.cards?.[0];
      if (mine && event.cause === "turn" && n === 1 && only) return t("tell.drew.card.you", { card: cardName(only) });
      const told = say(`tell.drew.${event.cause ?? "turn"}`, { n }) ?? say("tell.drew.turn", { n });
      const notes: string[] = [];
      const owed = event.owed ?? n;
      if (event.extra) notes.push(t("tell.drew.extra", { n: owed - event.extra, extra: event.extra }));
      if (owed > n) notes.push(t("tell.drew.short", { owed }));
      return notes.length > 0 ? `${told} (${notes.join("; ")})` : told;
    }
    case "passed":
      return say(event.blocked ? "tell.passed.blocked" : "tell.passed");
    case "coloured":
      return say("tell.coloured", { colour: colourName(event.colour ?? "r") });
    case "challenged": {
      const key = event.bluff ? "tell.challenged" : "tell.challenged.clean";
      const params = { opener: name(event.opener) };
      return event.opener === you ? say(`${key}.me`, params) : say(key, params);
    }
    case "hand_shown":
      return event.of === you ? say("tell.hand_shown.me") : say("tell.hand_shown", { of: name(event.of) });
    case "caught":
      if (event.by === you) return t("tell.caught.by", { name: name(event.seat) });
      return say("tell.caught", { by: name(event.by) });
    case "urged":
      return event.by === you ? t("tell.urged.by", { name: name(event.seat) }) : say("tell.urged", { by: name(event.by) });
    case "swapped":
      return event.player === you ? say("tell.swapped.me") : say("tell.swapped", { player: name(event.player) });
    case "rotated":
      return t(event.direction === -1 ? "tell.rotated.right" : "tell.rotated");
    case "misplayed":
      return say("tell.misplayed", { card: cardName(event.card ?? "W") });
    case "reshuffled":
      return t("tell.reshuffled", { n: event.count ?? 0 });
    case "round_ended": {
      if (event.winner === undefined || event.winner === null) return t("tell.round_ended.none");
      return t(event.winner === you ? "tell.round_ended.you" : "tell.round_ended", { name: name(event.winner) });
    }
    case "scored": {
      if (event.winner === undefined || event.winner === null) return null;
      const key: Key = event.winner === you ? "tell.scored.you" : "tell.scored";
      return t(key, { name: name(event.winner), n: event.points ?? 0 });
    }
    case "match_ended": {
      const winners = event.winners ?? [];
      if (you !== null && winners.length === 1 && winners[0] === you) return t("tell.match_ended.you");
      const key: Key = winners.length > 1 ? "tell.match_ended.many" : "tell.match_ended";
      return t(key, { names: listNames(winners.map((seat) => name(seat))) });
    }
    case "taken_out":
      return say(event.how === "left" ? "tell.left" : "tell.taken_out");
    default:
      return say(`tell.${event.e}`);
  }
}
