"""What a round waits for, a closed union; and what goes with it.

Each form names the seat in turn and what it has to decide. Nothing here changes anything.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from penultima.engine.cards import Card


class Evidence(NamedTuple):
    """What a challenge is judged by: the hand when the Wild Draw Four was played, without it.

    ``guilty`` are the cards that made it a bluff.
    """

    seat: int
    hand: tuple[Card, ...]
    guilty: tuple[Card, ...]
    bluff: bool


class Free(NamedTuple):
    """``seat`` plays or draws."""

    seat: int


class Drawn(NamedTuple):
    """``seat`` drew ``card`` and may play it (no other) or keep it."""

    seat: int
    card: Card


class Answer(NamedTuple):
    """``seat`` faces ``count`` cards that ``opener`` brought; ``cards`` were put down for them.

    With ``evidence`` the opening Wild Draw Four can be challenged.
    """

    seat: int
    count: int  # type: ignore[assignment]  # a tuple's count() is of no use here
    opener: int
    cards: int = 1
    evidence: Evidence | None = None

    @property
    def challengeable(self) -> bool:
        """An own Wild Draw Four that came all the way round is nothing to doubt."""
        return self.evidence is not None and self.evidence.seat != self.seat


class Colour(NamedTuple):
    """``seat`` owes a colour, and then plays (``plays``, a first-card Wild) or has played.

    ``before`` is the colour that was in force until then, if any (RULES 9.3).
    """

    seat: int
    plays: bool
    before: str | None = None


class Over(NamedTuple):
    """``why``: ``won``, ``blocked`` (RULES 3.5) or ``void`` (9.3)."""

    seat: None
    winner: int | None
    why: str


Waiting: TypeAlias = Free | Drawn | Answer | Colour | Over

FREE: Final = tuple(Free(seat) for seat in range(10))


class Shown(NamedTuple):
    """The challenged hand, for ``seat`` alone, until the next turn action."""

    seat: int
    of: int
    cards: tuple[Card, ...]
    guilty: tuple[Card, ...]
