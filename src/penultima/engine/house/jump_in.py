"""Jump-in: anybody else may play a card identical to the newest (RULES 7.8)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from penultima.engine.actions import Play
from penultima.engine.cards import Card
from penultima.engine.errors import RulesError
from penultima.engine.rule import Rule, Values, toggle

if TYPE_CHECKING:
    from penultima.engine.round import Round


class JumpIn(Rule):
    name = "jump_in"
    switches = (toggle("jump_in"),)

    def interrupts(self, round: Round, seat: int) -> Iterable[Play]:
        assert round.newest is not None
        return () if round.newest[0] == seat else identical(round, seat)

    def closes_late(self, round: Round, seat: int, card: Card) -> bool:
        return not card.is_wild and any(
            by != seat and played is card for by, played in round.recently()
        )

    def check(self, rules: Values, players: int | None) -> None:
        if rules["jump_in"] and rules["misplay"] == "draw_two":
            raise RulesError("misplay", "cannot be draw_two together with jump_in")


def identical(round: Round, seat: int) -> Iterable[Play]:
    """The plays of the card that ``seat`` holds of the newest one's colour and rank; no wild."""
    assert round.newest is not None
    newest = round.newest[1]
    if newest.is_wild or newest not in round.hands[seat]:
        return ()
    return round.forms(seat, newest)
