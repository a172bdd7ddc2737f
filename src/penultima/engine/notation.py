"""``.partida``: positions, moves and claims as text (docs/notation.md), and what a text says.

Here are the words of the notation and what is made of them. ``reading`` makes it of a text,
``writing`` writes the text; whether what it says holds is for ``replay`` to find out. What cannot
be read is a :class:`NotationError`.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from penultima.engine.actions import Action
from penultima.engine.cards import Card
from penultima.engine.position import Position
from penultima.engine.rules import Rules

FIELDS: Final = (
    *("title", "rules", "players", "hands", "discard", "colour", "draw"),
    *("turn", "dealer", "direction", "scores", "pending", "seed"),
)
"""Every header, in the order in which they are written."""

Control = Literal["away", "back", "bot", "out", "next"]
CONTROLS: Final[dict[str, Control]] = {"away": "away", "back": "back", "bot": "bot", "out": "out"}
"""What happens to a seat, or is done by the host, and is no action of the game."""

DIRECTIONS: Final = {"left": 1, "right": -1}

CLAIMS: Final = {
    "turn": "= turn NAME",
    "hand": "= hand NAME card card ... (or -)",
    "cards": "= cards NAME number",
    "top": "= top card",
    "colour": "= colour r, y, g or b",
    "direction": "= direction left (or right)",
    "pending": "= pending number",
    "pile": "= pile number",
    "exposed": "= exposed NAME NAME ... (or -)",
    "may": "= may NAME move move ...",
    "may-not": "= may-not NAME move move ...",
    "shown": "= shown NAME card card ... (or -)",
    "round": "= round NAME points (or - or open)",
    "score": "= score NAME points",
    "match": "= match NAME (or open)",
}
"""Every claim and how it is written."""

RESERVED: Final = frozenset({"|", "=", "-"})
"""What the notation keeps for itself: nobody can be called so."""


class NotationError(ValueError):
    """A text that is no ``.partida``: where, what is wrong, and what would be right."""

    def __init__(self, file: str, line: int, reason: str, remedy: str) -> None:
        super().__init__(f"{file}:{line}: {reason}: {remedy}")
        self.file = file
        self.line = line
        self.reason = reason
        self.remedy = remedy


class Move(NamedTuple):
    """``seat`` does ``does``; ``None`` of either: the host's ``next``, what cannot be read.

    ``refusal`` is ``None`` for a move that is to be taken, else the code it is to be refused
    with, or the empty text for any.
    """

    line: int
    text: str
    seat: int | None
    does: Action | Control | None
    refusal: str | None


class Claim(NamedTuple):
    """``= what ...``. Which of the fields say something depends on ``what``."""

    line: int
    text: str
    what: str
    seat: int | None = None
    number: int | None = None
    cards: tuple[Card, ...] = ()
    seats: tuple[int, ...] = ()
    word: str = ""
    moves: tuple[tuple[str, tuple[Action, ...]], ...] = ()
    """Of ``may`` and ``may-not``: each move as written, with the actions it can stand for."""


@dataclass(frozen=True, slots=True)
class Partida:
    """A file as read. Without a ``position`` the first round is dealt from the ``seed``."""

    file: str
    title: str
    rules: Rules
    names: tuple[str, ...]
    dealer: int
    scores: tuple[int, ...]
    seed: str | None
    position: Position | None
    lines: tuple[Move | Claim, ...]


def seed_bytes(seed: str) -> bytes:
    """The seed of a match that the text ``seed:`` stands for.

    64 hexadecimal digits are the 32 bytes themselves, so that a match that was really played
    can be written down; any other text stands for its SHA-256.
    """
    if re.fullmatch(r"[0-9a-f]{64}", seed):
        return bytes.fromhex(seed)
    return hashlib.sha256(seed.encode()).digest()
