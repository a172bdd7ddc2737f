"""What happened, in the past tense, and who may see how much of it (RULES 11).

An event is a small tuple. Most are public. Those with secrets override :meth:`seen_by`, the only
way an event leaves the host: it builds what one seat may know. ``plain`` turns an event into the
JSON object of the protocol: ``{"e": kind, field: value, ...}`` with empty fields left out.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

from penultima.engine.cards import Card


class DealerDrawn(NamedTuple):
    """Before the first round ``seat`` drew ``card`` for the deal (RULES 2.2)."""

    seat: int
    card: Card


class Dealt(NamedTuple):
    """A round began: ``dealer`` dealt ``size`` cards to each seat in ``seats`` (RULES 2.5)."""

    round: int
    dealer: int
    size: int
    seats: tuple[int, ...]


class TurnedUp(NamedTuple):
    """The first card of the discard; ``back``: it goes back into the pile (RULES 2.6, 2.7)."""

    card: Card
    back: bool = False


class Played(NamedTuple):
    """``how`` is ``turn``, ``answer`` (in a stack), ``jump``, ``twin`` or ``run``."""

    seat: int
    card: Card
    colour: str | None = None
    player: int | None = None
    how: str = "turn"


class Drew(NamedTuple):
    """``seat`` drew ``count`` cards; only the drawer sees ``cards``.

    ``cause``: ``turn``, ``draw_two``, ``draw_four``, ``stack`` (taken without a challenge),
    ``caught``, ``bluff`` (the challenge was right), ``challenge`` (it was wrong), ``misplay``,
    ``custom``. ``owed`` is what had to be drawn, more than ``count`` when the piles ran out;
    ``extra`` the part of it that a failed challenge added.
    """

    seat: int
    count: int  # type: ignore[assignment]  # a tuple's count() is of no use here
    cause: str
    owed: int = 0
    extra: int = 0
    cards: tuple[Card, ...] = ()

    def seen_by(self, seat: int | None) -> Drew:
        return self if seat == self.seat else self._replace(cards=())


class Passed(NamedTuple):
    """Kept the drawn card, or had nothing to draw (``blocked``, RULES 3.5)."""

    seat: int
    blocked: bool = False


PASSED: Final = tuple(Passed(seat) for seat in range(10))


class Skipped(NamedTuple):
    seat: int


SKIPPED: Final = tuple(Skipped(seat) for seat in range(10))


class Turned(NamedTuple):
    """The direction of play is now ``direction``: 1 to the left, -1 to the right."""

    direction: int


TURNED: Final = {direction: Turned(direction) for direction in (1, -1)}


class Coloured(NamedTuple):
    """``seat`` chose the colour it owed."""

    seat: int
    colour: str


class Challenged(NamedTuple):
    """``seat`` challenged ``opener``; ``bluff``: the challenge was right (RULES 4.4)."""

    seat: int
    opener: int
    bluff: bool


class HandShown(NamedTuple):
    """``seat`` was shown the hand of ``of`` at the time of play; the others only know that."""

    seat: int
    of: int
    cards: tuple[Card, ...] = ()
    guilty: tuple[Card, ...] = ()

    def seen_by(self, seat: int | None) -> HandShown:
        return self if seat == self.seat else HandShown(self.seat, self.of)


class Called(NamedTuple):
    seat: int


class Caught(NamedTuple):
    """``by`` pointed out that ``seat`` had not called."""

    by: int
    seat: int


class Swapped(NamedTuple):
    """Two seats exchanged hands (seven swap, a Custom card)."""

    seat: int
    player: int


class Rotated(NamedTuple):
    """Every hand went on to the next player in ``direction``."""

    direction: int


class HandsShuffled(NamedTuple):
    seat: int


class Misplayed(NamedTuple):
    """``card`` did not match and was given back (``misplay = "draw_two"``)."""

    seat: int
    card: Card


class Reshuffled(NamedTuple):
    """The discard under its top became the new draw pile of ``count`` cards."""

    count: int  # type: ignore[assignment]  # a tuple's count() is of no use here


class TakenOut(NamedTuple):
    """The seat's hand went into the draw pile (RULES 9.3)."""

    seat: int


class RoundEnded(NamedTuple):
    """``winner`` is ``None`` for a blocked or void round; ``hands`` lie face up, by seat."""

    winner: int | None
    hands: tuple[tuple[Card, ...], ...]


class Scored(NamedTuple):
    """After a round: ``points`` as RULES 6.3-6.7, ``gained`` and ``scores`` by seat."""

    winner: int | None
    points: int
    gained: tuple[int, ...]
    scores: tuple[int, ...]


class Eliminated(NamedTuple):
    seat: int


class MatchEnded(NamedTuple):
    winners: tuple[int, ...]


Event: TypeAlias = (
    DealerDrawn
    | Dealt
    | TurnedUp
    | Played
    | Drew
    | Passed
    | Skipped
    | Turned
    | Coloured
    | Challenged
    | HandShown
    | Called
    | Caught
    | Swapped
    | Rotated
    | HandsShuffled
    | Misplayed
    | Reshuffled
    | TakenOut
    | RoundEnded
    | Scored
    | Eliminated
    | MatchEnded
)

KINDS: dict[type, str] = {
    DealerDrawn: "dealer_drawn",
    Dealt: "dealt",
    TurnedUp: "turned_up",
    Played: "played",
    Drew: "drew",
    Passed: "passed",
    Skipped: "skipped",
    Turned: "turned",
    Coloured: "coloured",
    Challenged: "challenged",
    HandShown: "hand_shown",
    Called: "called",
    Caught: "caught",
    Swapped: "swapped",
    Rotated: "rotated",
    HandsShuffled: "hands_shuffled",
    Misplayed: "misplayed",
    Reshuffled: "reshuffled",
    TakenOut: "taken_out",
    RoundEnded: "round_ended",
    Scored: "scored",
    Eliminated: "eliminated",
    MatchEnded: "match_ended",
}
"""The name of each event in the protocol and in the language files."""


SECRET: Final = frozenset({Drew, HandShown})
"""The events of which not all may know the same."""


def seen_by(event: Event, seat: int | None) -> Event:
    """What ``seat`` (``None``: somebody without a seat) may know of ``event``."""
    if type(event) in SECRET:
        return event.seen_by(seat)  # type: ignore[union-attr]
    return event


def plain(event: Event, seat: int | None) -> dict[str, Any]:
    """The protocol's JSON object for what ``seat`` may know of ``event``."""
    seen = seen_by(event, seat)
    out: dict[str, Any] = {"e": KINDS[type(seen)]}
    for name, value in zip(seen._fields, seen, strict=True):
        # A default is left out; 0 is a seat or a score and stays.
        if value is None or value is False or value == ():
            continue
        out[name] = _plain_value(value)
    return out


def _plain_value(value: Any) -> Any:
    if isinstance(value, Card):
        return value.text
    if isinstance(value, tuple):
        return [_plain_value(each) for each in value]
    return value
