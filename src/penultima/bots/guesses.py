"""What everybody's plays tell about their hands, card by card.

For each hand and each face there is a rate: a card of that face that nobody has seen yet is in
that hand with the likelihood ``1 - exp(-rate)``. It begins alike for all. What a seat does makes
some cards likelier and others less so (:class:`Tell`); cards that it draws bring it back towards
what all are. Fed with what everybody saw, so nothing in here is anybody's secret.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from operator import mul
from typing import Final, NamedTuple, TypeAlias

from penultima.bots.player import decks, passed_on
from penultima.engine.cards import DECKS, DRAW_FOUR, DRAW_TWO, FACES, Card, decks_needed
from penultima.engine.events import (
    Challenged,
    Coloured,
    Dealt,
    Drew,
    Event,
    HandsShuffled,
    Passed,
    Played,
    Reshuffled,
    Rotated,
    Swapped,
    TakenOut,
    TurnedUp,
)
from penultima.engine.view import View


class Tell(NamedTuple):
    """How much likelier something a seat does makes cards in its hand, against all others."""

    colour: float
    """Those of the colour that was in force; of others with the rank that lay there."""
    rank: float
    named: float
    """Those of the colour that is in force from now on."""
    wild: float
    four: float


# From rounds of ``normal`` against itself (docs/bots.md). People differ, but in the same direction.
GOES_ON: Final = Tell(colour=0.70, rank=0.65, named=1.0, wild=1.05, four=1.03)
"""It plays a card of the colour in force."""
CHANGES: Final = Tell(colour=0.63, rank=0.59, named=1.05, wild=0.95, four=0.96)
"""It plays one of another colour."""
WILD: Final = Tell(colour=0.05, rank=0.025, named=2.5, wild=0.85, four=0.36)
"""It plays a Wild, for want of others, and has the colour it names."""
FOUR: Final = Tell(colour=0.04, rank=0.12, named=2.4, wild=1.2, four=0.73)
"""The same with a Wild Draw Four."""
DRAWS: Final = Tell(colour=0.06, rank=0.06, named=1.0, wild=0.16, four=0.12)
"""It draws, for want of all."""
KEEPS: Final = Tell(colour=0.1, rank=0.4, named=1.0, wild=6.5, four=5.5)
"""It keeps a drawn card that fits."""

UNANSWERED: Final = 0.05
"""Who takes a sum, or doubts it, where it could be passed on: cards that would have done so.
``normal`` never has one then; people keep one now and then."""
TAKEN: Final = frozenset({"stack", "draw_two", "draw_four"})
"""Why somebody draws who did not answer."""

LEAST: Final = 1e-5
"""No rate is less: nothing is for certain."""
NEAR: Final = 0.01
"""How exact the number of cards in a hand is kept."""
STEPS: Final = 12
"""No more are taken to come so near; two or three are enough, as a rule."""

Rates: TypeAlias = list[float]
"""By ``Card.order``."""
DECK: Final = DECKS[108]
"""The four cards more of the larger deck make no difference that anybody could notice."""


@cache
def _factors(
    tell: Tell, colour: str | None, rank: str | None, named: str | None
) -> tuple[float, ...]:
    found = []
    for face in FACES.values():
        if face.rank == DRAW_FOUR:
            factor = tell.four
        elif face.is_wild:
            factor = tell.wild
        elif face.colour == colour:
            factor = tell.colour
        elif face.rank == rank:
            factor = tell.rank
        else:
            factor = tell.named if face.colour == named else 1.0
        found.append(factor)
    return tuple(found)


class Guesses:
    """About all hands at a table. Of no use before :meth:`begin` or a deal that it watches."""

    def __init__(self) -> None:
        self._rates: dict[int, Rates] = {}
        self._counts: dict[int, int] = {}
        self._left: list[int] = []
        """How many of each face lie in the pile or in a hand."""
        self._decks = 1
        self._top: Card | None = None
        self._colour: str | None = None
        self._seats: tuple[int, ...] = ()
        self._drawn: tuple[int, Rates] | None = None
        """Who has just drawn a card that it may play, and the guess without that card."""
        self.stacking = "off"
        """The switch in force: no event says whether a sum could be answered."""

    def forget(self) -> None:
        """Until the next deal, or :meth:`begin`."""
        self._rates = {}

    @property
    def begun(self) -> bool:
        """Whether it knows of a round."""
        return bool(self._rates)

    def of(self, seat: int) -> Rates | None:
        """The rates of that hand, if there is a guess."""
        return self._rates.get(seat)

    def begin(self, view: View) -> None:
        """In the midst of a round of which nothing was seen."""
        self._deal(view.seats, decks(view))
        self._counts = {seat: view.counts[seat] for seat in view.seats}
        for card in view.discard:
            self._left[card.order] -= 1
        self._top, self._colour = view.discard[-1], view.colour

    def _deal(self, seats: Sequence[int], whole: int) -> None:
        self._seats = tuple(seats)
        self._decks = whole
        self._left = self._whole()
        self._rates = {seat: [1.0] * len(FACES) for seat in seats}
        self._top = self._colour = self._drawn = None

    def _whole(self) -> list[int]:
        left = [0] * len(FACES)
        for card in DECK:
            left[card.order] += self._decks
        return left

    # --- what happens

    def watch(self, events: Iterable[Event]) -> None:
        """What happened, as anybody may see it."""
        for event in events:
            if isinstance(event, Dealt):
                self._deal(event.seats, decks_needed(len(DECK), len(event.seats), event.size))
                self._counts = dict.fromkeys(event.seats, event.size)
            elif self._rates:
                self._happened(event)

    def _happened(self, event: Event) -> None:
        match event:
            case Played():
                self._played(event)
            case Drew():
                self._drew(event)
            case Passed():
                if not event.blocked:
                    self._tells(event.seat, KEEPS, None)
                self._drawn = None
            case TurnedUp(back=False):
                self._shows(event.card, event.card.colour)
            case Coloured():
                self._colour = event.colour
            case Challenged():
                self._unanswered(event.seat)
                self._scale(event.seat)
            case Reshuffled() if self._top is not None:
                self._left = self._whole()
                self._left[self._top.order] -= 1
            case Swapped():
                self._move({event.seat: event.player, event.player: event.seat})
            case Rotated():
                self._move(passed_on(self._seats, event.direction))
            case HandsShuffled():
                # Who got how many will be seen with the next view.
                self.forget()
            case TakenOut():
                self._rates.pop(event.seat, None)
                self._seats = tuple(each for each in self._seats if each != event.seat)
            case _:
                pass

    def _played(self, event: Played) -> None:
        seat, card = event.seat, event.card
        drawn, self._drawn = self._drawn, None
        self._counts[seat] -= 1
        if drawn is not None and drawn[0] == seat:
            # The one it drew: that says nothing about the others.
            self._rates[seat] = drawn[1]
        elif event.how == "turn":
            if card.is_wild:
                tell = FOUR if card.rank == DRAW_FOUR else WILD
            else:
                tell = GOES_ON if card.colour == self._colour else CHANGES
            self._tells(seat, tell, card.colour or event.colour)
        self._shows(card, card.colour or event.colour)

    def _shows(self, card: Card, colour: str | None) -> None:
        self._left[card.order] -= 1
        self._top, self._colour = card, colour

    def _drew(self, event: Drew) -> None:
        seat, count = event.seat, event.count
        self._drawn = None
        left = max(1, sum(self._left))
        if event.cause == "turn":
            self._tells(seat, DRAWS, None)
            # With ``draw`` until one fits it is only the last that may be played (RULES 7.4).
            self._drawn = seat, self._more(seat, (count - 1) / left)
        else:
            if event.cause in TAKEN:
                self._unanswered(seat)
            self._scale(seat)
        self._counts[seat] += count
        self._rates[seat] = self._more(seat, count / left)

    def _unanswered(self, seat: int) -> None:
        """It has hardly a card that would have passed the sum on (RULES 7.1, 7.2)."""
        faced = None if self._top is None else self._top.rank
        if self.stacking == "off" or faced not in (DRAW_TWO, DRAW_FOUR):
            return
        answers = {faced, DRAW_FOUR} if self.stacking == "cross" else {faced}
        self._rates[seat] = [
            rate * UNANSWERED if face.rank in answers else rate
            for face, rate in zip(FACES.values(), self._rates[seat], strict=True)
        ]

    def _more(self, seat: int, by: float) -> Rates:
        return [rate + by for rate in self._rates[seat]]

    def _move(self, sources: dict[int, int]) -> None:
        """Hands changed owners: each seat now holds what ``sources[seat]`` held."""
        rates, counts = dict(self._rates), dict(self._counts)
        for seat, source in sources.items():
            self._rates[seat], self._counts[seat] = rates[source], counts[source]

    # --- what it tells

    def _tells(self, seat: int, tell: Tell, named: str | None) -> None:
        rank = None if self._top is None or self._top.is_wild else self._top.rank
        factors = _factors(tell, self._colour, rank, named)
        self._rates[seat] = list(map(mul, self._rates[seat], factors))
        self._scale(seat)

    def _scale(self, seat: int) -> None:
        """So that the hand holds as many of the cards not seen as it has."""
        rates, count = self._rates[seat], float(self._counts[seat])
        faces = [(left, rate) for left, rate in zip(self._left, rates, strict=True) if left > 0]
        count = min(count, sum(left for left, _ in faces) - 0.5)
        if count <= 0.0:
            return
        scale = count / sum(left * rate for left, rate in faces)
        for _ in range(STEPS):
            # Newton's method, from below: the sum grows ever more slowly.
            missing, slope = count, 0.0
            for left, rate in faces:
                out = left * math.exp(-scale * rate)
                missing -= left - out
                slope += rate * out
            if missing < NEAR:
                break
            scale += missing / slope
        self._rates[seat] = [max(LEAST, scale * rate) for rate in rates]
