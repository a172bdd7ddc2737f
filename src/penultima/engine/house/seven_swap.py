"""Seven swap: a played 7 swaps hands with a player named in the same move (RULES 7.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from penultima.engine.events import Swapped
from penultima.engine.rule import Effect, Put, Rule, Values, toggle

if TYPE_CHECKING:
    from penultima.engine.round import Round


class SevenSwap(Rule):
    name = "seven_swap"
    switches = (toggle("seven_swap"),)

    def names_player(self, rules: Values) -> frozenset[str]:
        return frozenset({"7"})

    def effects(self, rules: Values) -> Mapping[str, Effect]:
        return {"7": swap}


def swap(round: Round, put: Put) -> None:
    """The player's hand for that of the player named in the same move."""
    other = put.play.player
    assert other is not None
    round.move_hands({put.seat: round.hands[other], other: round.hands[put.seat]})
    round.events.append(Swapped(put.seat, other))
    round.waiting = round.free(round.next_to(put.seat))
