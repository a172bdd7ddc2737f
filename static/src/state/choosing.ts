// From a card that is tapped to the action that is sent: raising, lining up, asking for what it needs.
import type { Params } from "../i18n";
import { cardOf, face } from "./cards";
import type { Draft } from "./draft";
import { writePlay } from "./forms";
import { alive, swappable, type Table } from "./model";
import { type Ask, isBusy } from "./shape";

/** Why a card that is dimmed does not go, as far as the view tells: a code of the table's own. */
export function whyNot(table: Table): { code: string; params: Params } {
  if (table.paused.length > 0) return { code: "paused", params: {} };
  if (table.phase !== "round") return { code: "round_over", params: {} };
  if (!table.mine) return { code: "not_your_turn", params: {} };
  if (table.wait === "drawn") return { code: "only_drawn_card", params: {} };
  if (table.wait === "answer") return { code: "must_answer", params: { n: table.pending } };
  if (table.wait === "colour") return { code: "choose_colour", params: {} };
  if (table.hand.length === 1 && table.set.finish === "number") return { code: "not_last_card", params: {} };
  return { code: "no_match", params: {} };
}

/** Whether the hand goes to somebody else with that card (RULES 7.5, 7.6). */
function givesHand(table: Table, card: string): boolean {
  const { rank } = face(card);
  return (rank === "7" && table.set.seven_swap === true) || (rank === "0" && table.set.zero_rotate === true);
}

/** What a card asks for beside itself; of one further along a run the table has said nothing yet. */
export function needs(table: Table, card: string): { colour: boolean; player: boolean } {
  const { rank, colour } = face(card);
  const swaps = rank === "7" && table.set.seven_swap === true;
  return table.may.plays.get(card) ?? { colour: colour === null, player: swaps };
}

/** With runs or twins on, may `card` be lined up behind `last`? The table decides in the end. */
function follows(table: Table, last: string, card: string): boolean {
  if (givesHand(table, last)) return false;
  if (table.set.twins === true && last === card) return true;
  const runs = table.set.runs;
  if (runs !== "rank" && runs !== "rank_or_sequence") return false;
  const a = face(last);
  const b = face(card);
  if (a.rank === b.rank) return true;
  return runs === "rank_or_sequence" && a.colour === b.colour && Number(b.rank) === Number(a.rank) + 1;
}

export function tellWhy(draft: Draft, table: Table): void {
  const { code, params } = whyNot(table);
  draft.refuse(code, params);
}

export function tappedCard(draft: Draft, table: Table, key: string): void {
  const { s } = draft;
  const held = table.hand.find((each) => each.key === key);
  if (held === undefined || isBusy(s)) return;
  if (s.marked.includes(key)) {
    if (s.marked.at(-1) === key || s.marked.length === 1) return play(draft, table, s.marked);
    s.marked = s.marked.slice(0, s.marked.indexOf(key) + 1);
    return;
  }
  const last = s.marked.at(-1);
  if (last !== undefined && follows(table, cardOf(last), held.card)) {
    s.marked = [...s.marked, key];
    s.ask = null;
    return;
  }
  if (!alive(table, held)) return tellWhy(draft, table);
  s.ask = null;
  s.marked = [key];
  const lonely = !table.hand.some((each) => each.key !== key && follows(table, held.card, each.card));
  if (s.prefs.oneTap && lonely && draft.now >= s.freshUntil) play(draft, table, s.marked);
}

export function play(draft: Draft, table: Table, keys: readonly string[]): void {
  if (isBusy(draft.s)) return;
  proceed(draft, table, { now: "colour", keys: [...keys], colour: null, player: null });
}

/** Nobody is asked what decides nothing: after the last card there is no swap, and no turn for the
 * colour (RULES 6.1). What a card of the table's own does is done all the same. */
function undecided(table: Table, ask: Ask, card: string): Ask {
  const own = card.startsWith("WC") || card === "WH";
  const player = own || table.hand.length > ask.keys.length ? ask.player : (ask.player ?? swappable(table)[0] ?? null);
  const colour = own || table.hand.length > 1 ? ask.colour : (ask.colour ?? table.colour);
  return { ...ask, player, colour };
}

/** Sends the play, or asks for the next thing it needs: for all cards of a run at once, since anybody
 * may act between two of them. */
export function proceed(draft: Draft, table: Table, ask: Ask): void {
  const { s } = draft;
  const [first, ...rest] = ask.keys;
  if (first === undefined) return;
  const form = table.may.plays.get(cardOf(first));
  if (form === undefined) return tellWhy(draft, table);
  ask = undecided(table, ask, cardOf(first));
  const whom = swappable(table);
  if (ask.player === null && ask.keys.some((key) => needs(table, cardOf(key)).player)) {
    if (whom.length === 1) ask = { ...ask, player: whom[0]! };
    else {
      s.ask = { ...ask, now: "player" };
      return;
    }
  }
  if (form.colour && ask.colour === null) {
    s.ask = { ...ask, now: "colour" };
    return;
  }
  draft.act(writePlay(cardOf(first), form.colour ? ask.colour : null, form.player ? ask.player : null), "turn", {
    rest,
    colour: ask.colour,
    player: ask.player,
  });
}
