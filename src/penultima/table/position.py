"""A first match that begins at the position of a ``.partida`` instead of a deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penultima.engine.match import Match
from penultima.engine.rules import Rules

if TYPE_CHECKING:
    from penultima.engine.notation import Partida


def rules(text: str) -> Rules:
    """Its rules; :class:`~penultima.engine.notation.NotationError` if it cannot be played to."""
    match(text, b"")
    return _read(text).rules


def players(text: str) -> int:
    """How many sit at it."""
    return len(_read(text).names)


def match(text: str, seed: bytes) -> Match:
    """The match there. ``seed`` is that of all shuffles to come, unless the file has its own."""
    from penultima.engine import replay  # noqa: PLC0415 - the table in a browser does without

    return replay.played(_read(text), seed)


def _read(text: str) -> Partida:
    from penultima.engine import reading  # noqa: PLC0415 - as above

    return reading.read(text)
