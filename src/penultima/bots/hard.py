"""Thinks ahead: deals the cards it cannot see at random, plays on, and takes the best average.

It sees no more than its view and its memory. How long it thinks is bounded by a limit; the
thinking comes in slices, so that whoever runs it can do other things between, and at any moment
there is a best answer so far.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from penultima.bots.guesses import Guesses
from penultima.bots.normal import Normal
from penultima.bots.player import partner, plays
from penultima.bots.rollout import Rollouts
from penultima.bots.weights import NORMAL_DUEL, NORMAL_TABLE
from penultima.bots.worlds import Worlds
from penultima.engine.actions import DRAW, PASS, Action
from penultima.engine.events import Event
from penultima.engine.view import View


class Limit(NamedTuple):
    """How much thinking a decision may cost: seconds of its own, and worlds looked at."""

    seconds: float = math.inf
    worlds: float = math.inf


THINKS: Final = 0.06
"""Seconds for a decision where nobody says otherwise."""
WIDE: Final = 0.8
"""What is judged so much worse than the best is not thought about."""
OPTIONS: Final = 4
"""No more than so many are."""
JUDGED_DUEL: Final = 0.2
"""What a unit of judging is worth in chances to win, with two players."""
JUDGED_TABLE: Final = 0.3
"""And with more."""
DOUBT: Final = 0.03
"""How far off the judging is in a difference between two plays, in chances to win: what the
rollouts say counts the more, the surer they are compared to this."""
LOOKS: Final = 8
"""After every so many worlds what can hardly become the best is let go."""
HARDLY: Final = 2.0
"""Standard deviations."""
LITTLE: Final = 0.003
"""Chances to win that are not worth more thinking."""


class Hard(Normal):
    """Weighs as its parent does, then looks at what might come of the best it has found."""

    level = "hard"

    def __init__(self, limit: Limit | None = None) -> None:
        super().__init__()
        self._limit = limit or Limit(THINKS)
        self._guesses = Guesses()
        self._pondered: tuple[object, Action | None] | None = None
        """The moment it was asked to think about ahead of its answer, and the best so far."""

    def turn(self, view: View, rng: random.Random) -> Action:
        if self._pondered is not None:
            # Whoever lets it ponder does not want to wait for it now.
            moment, best = self._pondered
            return best if best is not None and moment == _moment(view) else self.hurried(view, rng)
        for best in self.think(view, rng):
            action = best
        return action

    def watch(self, events: Sequence[Event], seat: int | None = None) -> None:
        super().watch(events, seat)
        self._guesses.watch(events)

    def forget(self) -> None:
        super().forget()
        self._guesses.forget()

    def hurried(self, view: View, rng: random.Random) -> Action:
        """What it does without thinking."""
        return super().turn(view, rng)

    def ponder(self, view: View, rng: random.Random) -> Iterator[None]:
        """Thinks ahead about its turn, in slices of a millisecond or so; :meth:`turn` answers."""
        moment = _moment(view)
        self._pondered = moment, None
        return self._pondering(view, rng, moment)

    def _pondering(self, view: View, rng: random.Random, moment: object) -> Iterator[None]:
        for best in self.think(view, rng):
            self._pondered = moment, best
            yield

    def think(self, view: View, rng: random.Random) -> Iterator[Action]:
        """The best turn action so far, slice by slice; at least once."""
        self._guesses.stacking = str(view.rules["stacking"])
        plain = self.hurried(view, rng)
        yield plain
        options = self._options(view)
        if len(options) < 2:
            return
        assert view.seat is not None
        duel = len(view.seats) == 2
        rollouts = Rollouts(view.seat, partner(view), NORMAL_DUEL if duel else NORMAL_TABLE)
        if not self._guesses.begun:
            self._guesses.begin(view)
        worlds = Worlds(view, self.memory, self._guesses, rng)
        judged = JUDGED_DUEL if duel else JUDGED_TABLE
        comparison = Comparison([(judged * score, option) for score, option in options])
        best = comparison.best()
        spent, looked = 0.0, 0
        while spent < self._limit.seconds and looked < self._limit.worlds and not comparison.clear:
            began = time.perf_counter()
            world = worlds.one()
            values = []
            for option in comparison.options:
                values.append(rollouts.value(world.copy(), option))
                spent += time.perf_counter() - began
                yield best
                began = time.perf_counter()
            comparison.add(values)
            looked += 1
            if not looked % LOOKS:
                comparison.let_go()
            best = comparison.best()
        yield best

    def _options(self, view: View) -> list[tuple[float, Action]]:
        """The few that are judged best, best first, with how they are judged."""
        options = plays(view)
        if view.wait not in ("free", "drawn") or not options or len(view.hand) == 1:
            return []
        judge = self.judge(view)
        scored: list[tuple[float, Action]] = [(judge.score(each), each) for each in options]
        scored.append((self._waiting(view, judge), PASS if view.wait == "drawn" else DRAW))
        scored.sort(key=lambda each: -each[0])
        return [each for each in scored[:OPTIONS] if each[0] > scored[0][0] - WIDE]


class Comparison:
    """Options side by side in the same worlds, with what they were judged to be worth before."""

    def __init__(self, judged: list[tuple[float, Action]]) -> None:
        self.options: list[Action] = [option for _, option in judged]
        self._judged = [worth for worth, _ in judged]
        self._values: list[list[float]] = []
        """World by world, a value for each option."""

    @property
    def clear(self) -> bool:
        """Whether there is nothing left to compare."""
        return len(self.options) == 1

    def add(self, values: list[float]) -> None:
        """What the options were worth in one world."""
        self._values.append(values)

    def gain(self, one: int, other: int) -> tuple[float, float]:
        """How much better ``one`` is than ``other``, as believed now, and how sure that is."""
        believed = self._judged[one] - self._judged[other]
        count = len(self._values)
        if count < 2:
            return believed, DOUBT
        differences = [values[one] - values[other] for values in self._values]
        mean = sum(differences) / count
        square = sum(each * each for each in differences) / count
        error = max(1e-6, square - mean * mean) / (count - 1)
        # Two measurements of the same thing, each weighed by how sure it is.
        trust = DOUBT**2 / (DOUBT**2 + error)
        return trust * mean + (1.0 - trust) * believed, math.sqrt(trust * error)

    def best(self) -> Action:
        """The option that is believed in most."""
        return self.options[self._best()]

    def _best(self) -> int:
        return max(range(len(self.options)), key=lambda each: self.gain(each, 0)[0])

    def let_go(self) -> None:
        """Look no longer at what can hardly be better than the best, or not by much."""
        leader = self._best()
        kept = [leader]
        for each in range(len(self.options)):
            if each != leader:
                gain, unsure = self.gain(each, leader)
                if gain + HARDLY * unsure > LITTLE:
                    kept.append(each)
        self.options = [self.options[each] for each in kept]
        self._judged = [self._judged[each] for each in kept]
        self._values = [[values[each] for each in kept] for values in self._values]


def _moment(view: View) -> object:
    """Tells one turn from another, whoever calls or is caught meanwhile."""
    return view.round_number, len(view.discard), view.turn, view.wait, view.hand, view.drawn
