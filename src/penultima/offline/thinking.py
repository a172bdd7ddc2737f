"""Bots on one phone: who thinks hard does it while the others would be waiting anyway.

On a host the thinking of a bot is a fraction of what it is in a browser; here it is cut into
slices between which the worker hears the player (``Table.think``).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from penultima import bots
from penultima.bots import Bot, bot
from penultima.bots.hard import Hard, Seconds
from penultima.engine.actions import Action
from penultima.engine.view import View

PONDERS: Final = 0.3
"""Seconds for one decision."""
HURRIES: Final = 0.05
"""The same when it is asked before it is ready."""


class Patient(Hard):
    """Has its answer ready when it is asked, if there was time to think before."""

    def __init__(self) -> None:
        super().__init__(lambda: Seconds(self._seconds))
        self._seconds = HURRIES
        self._ready: tuple[object, Action] | None = None

    def ponder(self, view: View, rng: random.Random) -> Iterator[None]:
        self._ready = None
        self._seconds = PONDERS
        try:
            action = yield from self.think(view, rng)
        finally:
            self._seconds = HURRIES
        self._ready = _moment(view), action

    def turn(self, view: View, rng: random.Random) -> Action:
        if self._ready is not None and self._ready[0] == _moment(view):
            return self._ready[1]
        return super().turn(view, rng)


def _moment(view: View) -> object:
    """Tells one turn of a round from another."""
    return view.round_number, len(view.discard), view.pile, view.counts, view.wait, view.legal


LEVELS: Final = (*(level for level in bots.LEVELS if level != Patient.level), Patient.level)


def brain(level: str) -> Bot:
    """A bot of that level; ``KeyError`` if there is none."""
    return Patient() if level == Patient.level else bot(level)
