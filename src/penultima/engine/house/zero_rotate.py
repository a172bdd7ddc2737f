"""Zero rotate: a played 0 passes every hand on in the direction of play (RULES 7.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from penultima.engine.events import Rotated
from penultima.engine.rule import Effect, Put, Rule, Values, toggle

if TYPE_CHECKING:
    from penultima.engine.round import Round


class ZeroRotate(Rule):
    name = "zero_rotate"
    switches = (toggle("zero_rotate"),)

    def effects(self, rules: Values) -> Mapping[str, Effect]:
        return {"0": rotate}


def rotate(round: Round, put: Put) -> None:
    round.move_hands({round.next_to(seat): round.hands[seat] for seat in round.seats})
    round.events.append(Rotated(round.direction))
    round.waiting = round.free(round.next_to(put.seat))
