"""Thinks ahead: deals the cards it cannot see at random, plays on, and takes the best average.

It sees no more than its view and its memory. How long it thinks is bounded by a budget, not by a
number; the thinking comes in slices, so that whoever runs it can do other things between.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator
from typing import Protocol, TypeAlias

from penultima.bots.normal import Normal
from penultima.bots.player import partner, plays
from penultima.bots.rollout import Rollouts
from penultima.bots.weights import BIAS_DUEL, BIAS_TABLE, NORMAL_DUEL, NORMAL_TABLE
from penultima.bots.worlds import Worlds
from penultima.engine.actions import DRAW, PASS, Action, Play
from penultima.engine.view import View


class Budget(Protocol):
    """How much thinking is left for one decision: no more when ``left()`` is 0 or less."""

    def left(self) -> float: ...


class Seconds:
    """A budget on the clock."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        return self._end - time.monotonic()


class Slices:
    """A budget of so many slices: the same on every machine, for tournaments and tests."""

    def __init__(self, slices: int) -> None:
        self._left = slices

    def left(self) -> float:
        self._left -= 1
        return self._left + 1.0


Allow: TypeAlias = Callable[[], Budget]

WIDE = 0.8
"""What is judged so much worse than the best is not thought about."""
THINKS = 0.06
"""Seconds for a decision where nobody says otherwise."""
DOUBT = 0.03
"""How far off the weights are in a difference between two plays, in chances to win: what the
rollouts say counts the more, the surer they are compared to this."""


class Hard(Normal):
    level = "hard"

    def __init__(self, allow: Allow = lambda: Seconds(THINKS)) -> None:
        super().__init__()
        self._allow = allow

    def turn(self, view: View, rng: random.Random) -> Action:
        thinking = self.think(view, rng)
        while True:
            try:
                next(thinking)
            except StopIteration as end:
                found: Action = end.value
                return found

    def think(self, view: View, rng: random.Random) -> Generator[None, None, Action]:
        """Find the turn action in slices; it is what the iterator returns."""
        plain = super().turn(view, rng)
        options: list[Action] = list(plays(view))
        if view.wait not in ("free", "drawn") or not options or len(view.hand) == 1:
            return plain
        options.append(PASS if view.wait == "drawn" else DRAW)
        yield
        budget = self._allow()
        two = len(view.seats) == 2
        assert view.seat is not None
        rollouts = Rollouts(
            view.seat, partner(view), NORMAL_DUEL if two else NORMAL_TABLE,
            BIAS_DUEL if two else BIAS_TABLE,
        )  # fmt: skip
        judged = self._candidates(view, options)
        if len(judged) == 1:
            return plain
        options = [option for _, option in judged]
        worlds = Worlds(view, self.memory, rng)
        # The difference of each option to the first, in the same worlds.
        sums = [0.0] * len(options)
        squares = [0.0] * len(options)
        count = 0
        while budget.left() > 0:
            world = worlds.one()
            values = [rollouts.value(world.copy(), each) for each in options]
            for number, value in enumerate(values):
                difference = value - values[0]
                sums[number] += difference
                squares[number] += difference * difference
            count += 1
            yield
        best, top = options[0], 0.0
        for number in range(1, len(options) if count >= 4 else 0):
            believed = (judged[number][0] - judged[0][0]) * 0.2
            mean = sums[number] / count
            error = max(1e-6, squares[number] / count - mean * mean) / count
            trust = DOUBT**2 / (DOUBT**2 + error)
            gain = trust * mean + (1.0 - trust) * believed
            if gain > top:
                best, top = options[number], gain
        return best

    def _candidates(self, view: View, options: list[Action]) -> list[tuple[float, Action]]:
        """What is worth thinking about: the few judged best, with how they are judged."""
        judge = self.judge(view)
        scored: list[tuple[float, Action]] = []
        for option in options:
            if isinstance(option, Play):
                scored.append((judge.score(option), option))
            else:
                scored.append((judge.score_keeping(float(option is DRAW)), option))
        scored.sort(key=lambda each: -each[0])
        return [each for each in scored[:4] if each[0] > scored[0][0] - WIDE]
