"""Wild Draw Four makes the next player draw four (RULES 4.2, 4.6)."""

from __future__ import annotations

from collections.abc import Mapping

from penultima.engine.cards import DRAW_FOUR
from penultima.engine.rule import Effect, Rule, Values


class DrawFour(Rule):
    """Always on; ``challenge`` puts an effect of its own in its place."""

    name = "draw_four"

    def effects(self, rules: Values) -> Mapping[str, Effect]:
        return {DRAW_FOUR: lambda round, put: round.demand(put)}
