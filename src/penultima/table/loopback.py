"""A channel in memory that behaves as badly as it is told to, for tests.

No clock: ``now`` comes from the caller, what is under way has a time of arrival. The faults are
drawn from a seeded generator, so a run that fails can be had again.
"""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Faults:
    """How bad it is. Chances are for each text; times in seconds."""

    loss: float = 0.0
    doubling: float = 0.0
    delay: tuple[float, float] = (0.0, 0.0)
    """Each text takes a time between these; a later one may overtake it."""
    stall: float = 0.0
    """The chance that a text takes several seconds."""
    cut: float = 0.0
    """The chance that a text is the last thing the channel ever carried."""


NONE = Faults()


class Pipe:
    """One direction."""

    def __init__(self, faults: Faults, rng: random.Random) -> None:
        self._faults = faults
        self._rng = rng
        self._under_way: list[tuple[float, int, str]] = []
        self._count = 0
        self.is_cut = False
        self.injected = 0
        """How many faults there were."""

    def send(self, text: str, now: float) -> None:
        """A text sets out."""
        if self.is_cut:
            return
        faults, chance = self._faults, self._rng.random
        if faults.cut and chance() < faults.cut:
            self.injected += 1
            self.is_cut = True
            self._under_way.clear()
            return
        if faults.loss and chance() < faults.loss:
            self.injected += 1
            return
        copies = 1
        if faults.doubling and chance() < faults.doubling:
            self.injected += 1
            copies = 2
        for _ in range(copies):
            takes = self._rng.uniform(*faults.delay) if faults.delay[1] else 0.0
            if faults.stall and chance() < faults.stall:
                self.injected += 1
                takes += self._rng.uniform(1.0, 6.0)
            self._count += 1
            heapq.heappush(self._under_way, (now + takes, self._count, text))

    def due(self) -> float | None:
        """When the next text arrives."""
        return self._under_way[0][0] if self._under_way else None

    def receive(self, now: float) -> list[str]:
        """What has arrived by now."""
        arrived = []
        while self._under_way and self._under_way[0][0] <= now:
            arrived.append(heapq.heappop(self._under_way)[2])
        return arrived


class Loopback:
    """A channel between a page and the table. A cut in one direction cuts both."""

    def __init__(self, faults: Faults = NONE, rng: random.Random | None = None) -> None:
        rng = rng or random.Random(0)
        self.to_table = Pipe(faults, rng)
        self.to_page = Pipe(faults, rng)

    @property
    def is_cut(self) -> bool:
        return self.to_table.is_cut or self.to_page.is_cut

    def cut(self) -> None:
        """Nothing goes through any more, and nothing arrives."""
        for pipe in (self.to_table, self.to_page):
            pipe.is_cut = True

    @property
    def injected(self) -> int:
        return self.to_table.injected + self.to_page.injected

    def due(self) -> float | None:
        """When the next text arrives at either end."""
        if self.is_cut:
            return None
        times = (self.to_table.due(), self.to_page.due())
        return min((time for time in times if time is not None), default=None)
