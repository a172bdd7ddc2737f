"""A position, as plain values: what a ``.partida`` header says and a round starts from."""

from __future__ import annotations

from dataclasses import dataclass

from penultima.engine.cards import Card
from penultima.engine.rules import Rules


@dataclass(frozen=True, slots=True)
class Pending:
    """Cards that the seat in turn faces. ``bluff`` is ``None`` when they cannot be challenged."""

    count: int
    opener: int
    bluff: bool | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """A free turn, or cards to answer. ``pile`` lists the next card to be drawn first."""

    rules: Rules
    hands: tuple[tuple[Card, ...], ...]
    discard: tuple[Card, ...]
    colour: str | None
    pile: tuple[Card, ...]
    turn: int
    dealer: int
    direction: int = 1
    pending: Pending | None = None
