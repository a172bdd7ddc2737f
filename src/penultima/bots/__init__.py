"""Players that are programs. They see a view and what their seat may watch, never a round.

``bot(level)`` makes one. ``player`` says what a bot is; ``easy`` and ``normal`` are how they
think, ``chance`` who plays at random, ``tournament`` measures them against each other.
"""

from __future__ import annotations

from penultima.bots.chance import Uniform
from penultima.bots.easy import Easy
from penultima.bots.normal import Normal
from penultima.bots.player import Bot

__all__ = ["LEVELS", "Bot", "bot"]

_LEVELS: dict[str, type[Bot]] = {each.level: each for each in (Uniform, Easy, Normal)}

LEVELS = tuple(_LEVELS)
"""The levels a table can ask for."""


def bot(level: str) -> Bot:
    """A new player of that level; ``KeyError`` if there is none."""
    return _LEVELS[level]()
