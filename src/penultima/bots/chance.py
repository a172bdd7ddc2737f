"""Players of chance: for tests, for statistics, and as the floor that others are measured by."""

from __future__ import annotations

import random
from typing import TypeVar

from penultima.bots.player import Bot, guilty, plays, turn_actions
from penultima.engine.actions import ACCEPT, CHOOSE, DRAW, PASS, Action
from penultima.engine.cards import DRAW_FOUR
from penultima.engine.view import View

T = TypeVar("T")


def pick(rng: random.Random, options: list[T]) -> T:
    """One of them, all alike (``Random.choice`` is several times slower)."""
    return options[int(rng.random() * len(options))]


class Uniform(Bot):
    """Anything that is allowed, all alike: draws by choice, misplays, calls, catches."""

    level = "random"

    def turn(self, view: View, rng: random.Random) -> Action:
        return pick(rng, turn_actions(view.legal))

    def wants(self, view: View, rng: random.Random) -> Action | None:
        open_to_all = list(view.legal)
        if view.turn == view.seat:
            turn = turn_actions(view.legal)
            open_to_all = [each for each in open_to_all if each not in turn]
        at = int(rng.random() * (len(open_to_all) + 1))
        return open_to_all[at] if at < len(open_to_all) else None


class Forced(Bot):
    """Random forced play (docs/design.md): the policy of benches and statistics.

    Draws only when nothing fits; plays or keeps a drawn card at random; answers a stack when it
    can; never bluffs with a Wild Draw Four, challenges, calls, catches or acts out of turn.
    """

    level = "forced"

    def turn(self, view: View, rng: random.Random) -> Action:
        options = plays(view)
        fours = [each for each in options if each.card.rank == DRAW_FOUR]
        if fours and view.wait != "answer" and guilty(view, view.hand):
            options = [each for each in options if each.card.rank != DRAW_FOUR]
        if view.wait == "drawn":
            # As often kept as played, whatever the number of colours to name.
            return pick(rng, options) if options and rng.random() < 0.5 else PASS
        if options:
            return pick(rng, options)
        if view.wait == "colour":
            return CHOOSE[pick(rng, list(CHOOSE))]
        return ACCEPT if view.wait == "answer" else DRAW
