"""What a seat remembers of a round: who drew on which colour, which cards it has seen go where.

Fed with events as the seat saw them, so nothing in here can be more than the seat may know.
"""

from __future__ import annotations

from collections.abc import Iterable

from penultima.bots.player import decks, passed_on
from penultima.engine.cards import COLOURS, DRAW_FOUR, Card
from penultima.engine.events import (
    Challenged,
    Coloured,
    Dealt,
    Drew,
    Event,
    HandShown,
    HandsShuffled,
    Played,
    Rotated,
    Swapped,
    TakenOut,
    TurnedUp,
)
from penultima.engine.view import View


class Trace:
    """What is known of one hand besides its size. It travels with the hand."""

    __slots__ = ("cards", "lacks", "liked")

    def __init__(self) -> None:
        self.cards: list[Card] = []
        """Cards that are in it for certain."""
        self.lacks: dict[str, int] = {}
        """Colours it was drawn on, each with the number of cards it has got since."""
        self.liked: str | None = None
        """The colour its owner chose last."""

    def got(self, count: int) -> None:
        """So many cards more that nobody else has seen."""
        for colour in self.lacks:
            self.lacks[colour] += count

    def played(self, card: Card) -> None:
        """That card is in it no more."""
        if card in self.cards:
            self.cards.remove(card)
        if card.colour is not None:
            # It had one after all, perhaps because it was keeping it.
            self.lacks.pop(card.colour, None)


class Memory:
    """One seat's memory. ``bluffs`` and ``challenged`` are kept from round to round."""

    def __init__(self) -> None:
        self.seat: int | None = None
        self.traces: dict[int, Trace] = {}
        self.hand: list[Card] = []
        self.colour: str | None = None
        self.seats: tuple[int, ...] = ()
        self.before_four: str | None = None
        """The colour in force before the newest Wild Draw Four that may be a bluff."""
        self.bluffs = 0
        self.challenged = 0

    def forget(self) -> None:
        """A new round."""
        self.traces.clear()
        self.hand = []
        self.colour = None
        self.before_four = None

    def of(self, seat: int) -> Trace:
        """Of the hand that the seat has now; begun if there was none."""
        found = self.traces.get(seat)
        if found is None:
            found = self.traces[seat] = Trace()
        return found

    def look(self, view: View) -> None:
        """The own hand as it is now; what a swap will give away."""
        self.seat = view.seat
        self.hand = list(view.hand)
        self.seats = view.seats
        self.colour = view.colour

    def watch(self, events: Iterable[Event], seat: int | None = None) -> None:
        """What happened, as ``seat`` may see it."""
        if seat is not None:
            self.seat = seat
        for event in events:
            kind = type(event)
            if kind is Played:
                assert isinstance(event, Played)
                self._played(event)
            elif kind is Drew:
                assert isinstance(event, Drew)
                self._drew(event)
            elif kind in _OTHERS:
                self._other(event)

    def _played(self, event: Played) -> None:
        seat, card = event.seat, event.card
        if card.rank == DRAW_FOUR and event.how == "turn":
            # What answers it, or doubles it, is always legal (RULES 7.3).
            self.before_four = self.colour
        if card.colour is not None or event.colour is not None:
            self.colour = card.colour or event.colour
        if seat == self.seat:
            if card in self.hand:
                self.hand.remove(card)
            return
        trace = self.of(seat)
        trace.played(card)
        if event.colour is not None:
            trace.liked = event.colour

    def _drew(self, event: Drew) -> None:
        if event.seat == self.seat:
            self.hand += event.cards
            return
        trace = self.of(event.seat)
        trace.got(event.count)
        if event.cause == "turn" and self.colour is not None:
            # The drawn card, when not played at once, may be of that colour only if it was kept.
            trace.lacks[self.colour] = 0
            if trace.liked == self.colour:
                trace.liked = None

    def _other(self, event: Event) -> None:
        match event:
            case Dealt():
                self.forget()
                self.seats = event.seats
            case TurnedUp():
                self.colour = event.card.colour
            case Coloured():
                self.colour = event.colour
                self.of(event.seat).liked = event.colour
            case HandShown():
                if event.seat == self.seat:
                    self.of(event.of).cards = list(event.cards)
            case Challenged():
                self.challenged += 1
                self.bluffs += event.bluff
            case Swapped():
                self._move({event.seat: event.player, event.player: event.seat})
            case Rotated():
                self._move(passed_on(self.seats, event.direction))
            case HandsShuffled():
                self.traces.clear()
                self.hand = []
            case TakenOut():
                self.traces.pop(event.seat, None)
                self.seats = tuple(each for each in self.seats if each != event.seat)
            case _:
                pass

    def _move(self, sources: dict[int, int]) -> None:
        """Hands changed owners: each seat now holds what ``sources[seat]`` held."""
        if self.seat is not None:
            mine = Trace()
            mine.cards = self.hand
            self.traces[self.seat] = mine
        before = dict(self.traces)
        for seat, source in sources.items():
            self.traces[seat] = before.get(source) or Trace()
        if self.seat is not None:
            # The new hand will be looked at before it matters.
            self.traces.pop(self.seat, None)
            self.hand = []


_OTHERS = frozenset(
    {
        Dealt,
        TurnedUp,
        Coloured,
        HandShown,
        Challenged,
        Swapped,
        Rotated,
        HandsShuffled,
        TakenOut,
    }
)


def holds(trace: Trace | None, count: int, colour: str, share: float) -> float:
    """The likelihood that a hand of ``count`` cards has one of ``colour``.

    ``share`` is the part of that colour among the cards not seen.
    """
    if trace is None:
        return 1.0 - (1.0 - share) ** count
    if any(card.colour == colour for card in trace.cards):
        return 1.0
    since = trace.lacks.get(colour)
    unknown = count if since is None else min(since, count)
    likely = 1.0 - (1.0 - share) ** unknown
    return max(likely, 0.75) if trace.liked == colour and count > 1 else likely


def shares(view: View) -> dict[str, float]:
    """The part of each colour among the cards that ``view`` does not show."""
    unseen = view.pile + sum(view.counts) - len(view.hand)
    left = dict.fromkeys(COLOURS, 25 * decks(view))
    for card in view.discard:
        if card.colour is not None:
            left[card.colour] -= 1
    for card in view.hand:
        if card.colour is not None:
            left[card.colour] -= 1
    return {colour: max(0.0, count / max(1, unseen)) for colour, count in left.items()}
