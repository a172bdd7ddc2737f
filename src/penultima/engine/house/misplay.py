"""A card that does not match costs two cards and the turn (RULES 3.6, the Brazilian sheet)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from penultima.engine.actions import Play, play
from penultima.engine.events import Misplayed
from penultima.engine.rule import Rule, Switch

if TYPE_CHECKING:
    from penultima.engine.round import Round


class Misplay(Rule):
    """Only on a free turn: with cards pending, or after drawing, a wrong card is simply refused."""

    name = "misplay"
    switches = (Switch("misplay", ("reject", "draw_two"), "reject", "house"),)

    def adds(self, round: Round, seat: int) -> Iterable[Play]:
        # Whom a seven would swap with does not matter: it comes back.
        return [play(held) for held in round.hands[seat] if not round.fits(held)]

    def instead(self, round: Round, seat: int, play: Play) -> bool:
        if round.fits(play.card) or round.turn != seat:
            return False
        round.events.append(Misplayed(seat, play.card))
        round.draw_cards(seat, 2, "misplay")
        round.give_turn(round.next_to(seat))
        return True
