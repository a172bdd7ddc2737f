"""Players that are programs. They see a view and what their seat may watch, never a round.

``bot(level)`` makes one. ``player`` says what a bot is; ``easy``, ``normal`` and ``hard`` are how
they think, ``chance`` who plays at random, ``tournament`` measures them against each other.
"""

from __future__ import annotations

from collections.abc import Callable

from penultima.bots.chance import Uniform
from penultima.bots.easy import Easy
from penultima.bots.normal import Normal
from penultima.bots.player import Bot

__all__ = ["LEVELS", "Bot", "bot"]


def _hard() -> Bot:
    # On a phone every module delays the first card.
    from penultima.bots.hard import Hard  # noqa: PLC0415 -- not before somebody asks for it

    return Hard()


_LEVELS: dict[str, Callable[[], Bot]] = {
    Uniform.level: Uniform,
    Easy.level: Easy,
    Normal.level: Normal,
    "hard": _hard,
}

LEVELS = tuple(_LEVELS)
"""The levels a table can ask for."""


def bot(level: str) -> Bot:
    """A new player of that level; ``KeyError`` if there is none."""
    return _LEVELS[level]()
