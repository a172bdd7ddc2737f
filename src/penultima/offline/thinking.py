"""Bots on one phone: how long the one that thinks ahead may think.

It does so in slices between which the worker hears the player (``Table.think``), while the others
would be waiting anyway.
"""

from __future__ import annotations

from typing import Final

from penultima.bots import Bot, bot

PONDERS: Final = 0.3
"""Seconds for one decision. Python takes twice as long in a browser as on a host, and a phone is
slower again."""


def brain(level: str) -> Bot:
    """A bot of that level; ``KeyError`` if there is none."""
    if level != "hard":
        return bot(level)
    # Every module delays the first card.
    from penultima.bots.hard import Hard, Limit  # noqa: PLC0415 -- not before it is asked for

    return Hard(Limit(PONDERS))
