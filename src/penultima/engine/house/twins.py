"""Twins: the player who just played may play an identical card too (RULES 7.9)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from penultima.engine.actions import Play
from penultima.engine.cards import Card
from penultima.engine.house.jump_in import identical
from penultima.engine.rule import Rule, toggle

if TYPE_CHECKING:
    from penultima.engine.round import Round


class Twins(Rule):
    name = "twins"
    switches = (toggle("twins"),)

    def interrupts(self, round: Round, seat: int) -> Iterable[Play]:
        assert round.newest is not None
        return identical(round, seat) if round.newest[0] == seat else ()

    def closes_late(self, round: Round, seat: int, card: Card) -> bool:
        return not card.is_wild and any(
            by == seat and played is card for by, played in round.recently()
        )
