"""Stacking: a penalty card answers another and the sum passes on (RULES 7.1-7.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from penultima.engine.actions import Play
from penultima.engine.cards import DRAW_FOUR, DRAW_TWO
from penultima.engine.rule import Rule, Switch, Values

if TYPE_CHECKING:
    from penultima.engine.round import Round


class Stacking(Rule):
    name = "stacking"
    switches = (Switch("stacking", ("off", "same", "cross"), "off", "house"),)

    def waits(self, rules: Values) -> frozenset[str]:
        return frozenset({DRAW_TWO, DRAW_FOUR})

    def answers(self, round: Round, seat: int) -> Iterable[Play]:
        faced = round.top.rank
        crosses = faced == DRAW_TWO and round.rules["stacking"] == "cross"
        for held in round.hands[seat]:
            if held.rank == faced or (crosses and held.rank == DRAW_FOUR):
                yield from round.forms(seat, held)
