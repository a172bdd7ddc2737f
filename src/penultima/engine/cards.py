"""Cards, colours and decks: the smallest values of the game (RULES 1).

Every face exists once in the process: two cards with the same face *are* the same object, so
that comparing, hashing and copying hands cost next to nothing. A card has no colour that
changes: the colour a wild was given belongs to the round.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

COLOURS: Final = ("r", "y", "g", "b")
"""Red, yellow, green, blue, as written in the notation."""

NUMBERS: Final = tuple("0123456789")
SKIP: Final = "S"
REVERSE: Final = "R"
DRAW_TWO: Final = "+2"
WILD: Final = "W"
DRAW_FOUR: Final = "W+4"
SHUFFLE_HANDS: Final = "WH"
CUSTOMS: Final = ("WC1", "WC2", "WC3")


class Card:
    """One face. Obtain it with :func:`card`; never build one yourself.

    ``colour`` is ``"r"``, ``"y"``, ``"g"``, ``"b"`` or ``None`` for a wild; ``rank`` is the number
    or symbol, and for a wild its whole name; ``number`` is 0-9 or ``None``; ``points`` as in
    RULES 1.3; ``order`` sorts by colour, then rank.
    """

    __slots__ = ("colour", "is_wild", "number", "order", "points", "rank", "text")

    text: str
    colour: str | None
    rank: str
    number: int | None
    is_wild: bool
    points: int
    order: int

    def __init__(self, text: str, colour: str | None, rank: str, points: int, order: int) -> None:
        set_field = object.__setattr__
        set_field(self, "text", text)
        set_field(self, "colour", colour)
        set_field(self, "rank", rank)
        set_field(self, "number", int(rank) if rank in NUMBERS else None)
        set_field(self, "is_wild", colour is None)
        set_field(self, "points", points)
        set_field(self, "order", order)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a card does not change")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"card({self.text!r})"

    # Interned: a copy, a deep copy and a pickle are the card itself.
    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Card:
        return self

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return card, (self.text,)


def _all_faces() -> dict[str, Card]:
    faces: dict[str, Card] = {}

    def add(text: str, colour: str | None, rank: str, points: int) -> None:
        faces[text] = Card(text, colour, rank, points, len(faces))

    for colour in COLOURS:
        for number in NUMBERS:
            add(colour + number, colour, number, int(number))
        for symbol in (SKIP, REVERSE, DRAW_TWO):
            add(colour + symbol, colour, symbol, 20)
    for wild in (WILD, DRAW_FOUR):
        add(wild, None, wild, 50)
    for wild in (SHUFFLE_HANDS, *CUSTOMS):
        add(wild, None, wild, 40)
    return faces


FACES: Final = _all_faces()
"""Every face by its text, in the order of :attr:`Card.order`."""


def card(text: str) -> Card:
    """The card written ``text`` (``r7``, ``bS``, ``W+4``); ``KeyError`` if there is none."""
    return FACES[text]


def _deck(size: int) -> tuple[Card, ...]:
    cards: list[Card] = []
    for face in FACES.values():
        if face.colour is not None:
            cards += [face] * (1 if face.rank == "0" else 2)
        elif face.rank in (WILD, DRAW_FOUR):
            cards += [face] * 4
        elif size == 112:
            cards.append(face)
    return tuple(cards)


DECKS: Final = {108: _deck(108), 112: _deck(112)}
"""The decks of RULES 1.1 and 1.2 in canonical order (the order shuffles start from)."""


def decks_needed(deck: int, players: int, hand_size: int) -> int:
    """How many whole decks a table of that size plays with (RULES 1.4).

    RULES 1.4 decides ten players with ten cards by name: two decks, although one would just do.
    """
    needed = players * hand_size + 1
    decks = -(-needed // deck)
    return max(decks, 2) if (players, hand_size) == (10, 10) else decks


def points(hand: Iterable[Card]) -> int:
    """What a hand is worth (RULES 1.3)."""
    return sum([held.points for held in hand])
