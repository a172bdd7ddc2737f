"""The deck of 108 or 112 cards, and Shuffle Hands (RULES 1.2, 10.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from penultima.engine.cards import SHUFFLE_HANDS, Card
from penultima.engine.events import HandsShuffled
from penultima.engine.rule import Effect, Put, Rule, Switch, Values

if TYPE_CHECKING:
    from penultima.engine.round import Round


class Deck(Rule):
    name = "deck"
    switches = (Switch("deck", (108, 112), 108, "deal"),)

    def on(self, rules: Values) -> bool:
        # A .partida may hold any card with any deck.
        return True

    def effects(self, rules: Values) -> Mapping[str, Effect]:
        return {SHUFFLE_HANDS: shuffle_hands}


def shuffle_hands(round: Round, put: Put) -> None:
    """All hands gathered, shuffled, dealt out starting left of the player (RULES 10.1)."""
    order = round.from_left_of(put.seat)
    gathered = [held for seat in order for held in round.hands[seat]]
    round.shuffle(gathered)
    dealt: dict[int, list[Card]] = {seat: [] for seat in order}
    for number, held in enumerate(gathered):
        dealt[order[number % len(order)]].append(held)
    round.move_hands(dealt)
    round.events.append(HandsShuffled(put.seat))
    round.owe_colour(put.seat, plays=False, before=put.colour)
