"""What the last card may be (RULES 6.1, 6.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penultima.engine.actions import Play
from penultima.engine.rule import Rule, Switch

if TYPE_CHECKING:
    from penultima.engine.round import Round


class Finish(Rule):
    name = "finish"
    switches = (Switch("finish", ("any", "number"), "any", "house"),)

    def forbids(self, round: Round, seat: int, play: Play) -> str | None:
        # A card that does not even match comes back (``misplay``): it is no last card.
        if play.card.number is None and len(round.hands[seat]) == 1 and round.fits(play.card):
            return "not_last_card"
        return None
