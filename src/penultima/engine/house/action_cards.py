"""Skip, Reverse, Draw Two, Wild: what all printed sheets agree on (RULES 2.6, 3.1, 3.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from penultima.engine.cards import DRAW_TWO, REVERSE, SKIP, WILD
from penultima.engine.events import TURNED
from penultima.engine.rule import Effect, Put, Rule, Values

if TYPE_CHECKING:
    from penultima.engine.round import Round


class ActionCards(Rule):
    name = "action_cards"

    def effects(self, rules: Values) -> Mapping[str, Effect]:
        return {SKIP: skip, REVERSE: reverse, DRAW_TWO: draw_two, WILD: wild}


def skip(round: Round, put: Put) -> None:
    # Skips of one run add up: each passes over one player more (RULES 7.10).
    round.skip(_whose_turn(put) if put.continues else round.next_to(put.seat))


def _whose_turn(put: Put) -> int:
    assert put.before is not None
    assert put.before.seat is not None
    return put.before.seat


def reverse(round: Round, put: Put) -> None:
    round.head(-round.direction)
    round.events.append(TURNED[round.direction])
    if len(round.seats) == 2:
        round.skip(round.next_to(put.seat))
    else:
        # On a first-card Reverse the dealer, who did not really play it, begins (RULES 2.6).
        round.waiting = round.free(put.seat if put.how == "first" else round.next_to(put.seat))


def draw_two(round: Round, put: Put) -> None:
    round.demand(put)


def wild(round: Round, put: Put) -> None:
    if put.how == "first":
        round.owe_colour(round.next_to(put.seat), plays=True)
    else:
        round.waiting = round.free(round.next_to(put.seat))
