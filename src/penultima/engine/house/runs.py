"""Runs: the player who just played may go on with the same number or symbol (RULES 7.10).

Effects add up card by card: that is ``Put.continues`` in ``action_cards`` and ``Round.demand``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from penultima.engine.actions import Play
from penultima.engine.cards import DRAW_FOUR, DRAW_TWO, Card
from penultima.engine.rule import Rule, Switch, Values

if TYPE_CHECKING:
    from penultima.engine.round import Round


class Runs(Rule):
    name = "runs"
    switches = (Switch("runs", ("off", "rank", "rank_or_sequence"), "off", "house"),)

    def lingers(self, rules: Values) -> frozenset[str]:
        return frozenset({DRAW_TWO, DRAW_FOUR})

    def interrupts(self, round: Round, seat: int) -> Iterable[Play]:
        assert round.newest is not None
        by, newest = round.newest
        if by == seat:
            for held in round.hands[seat]:
                if goes_on(round, newest, held):
                    yield from round.forms(seat, held)

    def closes_late(self, round: Round, seat: int, card: Card) -> bool:
        return any(by == seat and goes_on(round, played, card) for by, played in round.recently())


def goes_on(round: Round, newest: Card, card: Card) -> bool:
    """Whether ``card`` continues a run on ``newest``."""
    if card.rank == newest.rank:
        return True
    return (
        round.rules["runs"] == "rank_or_sequence"
        and newest.number is not None
        and card.number == newest.number + 1
        and card.colour == newest.colour
    )
