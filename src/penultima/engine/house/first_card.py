"""Which first cards go back into the pile (RULES 2.6, 2.7, 10.3)."""

from __future__ import annotations

from penultima.engine.cards import CUSTOMS, DRAW_FOUR, SHUFFLE_HANDS, Card
from penultima.engine.rule import Rule, Switch, Values


class FirstCard(Rule):
    """By the 2022 sheet: everything but numbers."""

    name = "first_card"
    switches = (Switch("first_card", ("effect", "number"), "effect", "deal"),)

    def on(self, rules: Values) -> bool:
        return rules["first_card"] == "number"

    def turns_back(self, card: Card) -> bool:
        return card.number is None


class NoBeginning(Rule):
    """Wild Draw Four, Shuffle Hands and Custom never begin a round (RULES 2.6, 10.3)."""

    name = "no_beginning"

    def turns_back(self, card: Card) -> bool:
        return card.rank in _NO_BEGINNING


_NO_BEGINNING = frozenset({DRAW_FOUR, SHUFFLE_HANDS, *CUSTOMS})
