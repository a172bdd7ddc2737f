"""How long one draws on the own turn (RULES 3.2, 7.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penultima.engine.cards import Card
from penultima.engine.rule import Rule, Switch

if TYPE_CHECKING:
    from penultima.engine.round import Round


class DrawUntilPlayable(Rule):
    name = "draw"
    switches = (Switch("draw", ("one", "until_playable"), "one", "house"),)

    def draws_on(self, round: Round, drawn: Card) -> bool:
        return not round.fits(drawn)
