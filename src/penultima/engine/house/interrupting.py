"""Playing on the play just made: jump-in, twins, runs (RULES 7.8-7.10).

All three hang on ``round.newest``, the play that is still the newest turn action, and share one
idea of too late: the card would have gone on one of the last two plays.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from penultima.engine.actions import Play
from penultima.engine.cards import DRAW_FOUR, DRAW_TWO, Card
from penultima.engine.errors import RulesError
from penultima.engine.rule import Rule, Switch, Values, toggle

if TYPE_CHECKING:
    from penultima.engine.round import Round


class JumpIn(Rule):
    """Anybody else may play a card identical to the newest."""

    name = "jump_in"
    switches = (toggle("jump_in"),)

    def interrupts(self, round: Round, seat: int) -> Iterable[Play]:
        assert round.newest is not None
        by, newest = round.newest
        if by == seat or newest.is_wild or newest not in round.hands[seat]:
            return ()
        return round.forms(seat, newest)

    def closes_late(self, round: Round, seat: int, card: Card) -> bool:
        return not card.is_wild and any(
            by != seat and played is card for by, played in round.recently()
        )

    def check(self, rules: Values, players: int | None) -> None:
        if rules["jump_in"] and rules["misplay"] == "draw_two":
            raise RulesError("misplay", "cannot be draw_two together with jump_in")


class Twins(Rule):
    """The player who just played may play an identical card too."""

    name = "twins"
    switches = (toggle("twins"),)

    def interrupts(self, round: Round, seat: int) -> Iterable[Play]:
        assert round.newest is not None
        by, newest = round.newest
        if by != seat or newest.is_wild or newest not in round.hands[seat]:
            return ()
        return round.forms(seat, newest)

    def closes_late(self, round: Round, seat: int, card: Card) -> bool:
        return not card.is_wild and any(
            by == seat and played is card for by, played in round.recently()
        )


class Runs(Rule):
    """The player who just played may go on with the same number or symbol."""

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
