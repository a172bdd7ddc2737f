"""What lies on the table in one round, and what can happen to it.

Cards are drawn, hands change owner, seats are passed over, owe a colour or face penalty cards:
the effects of single cards and switches (``house``) are made of these. Nothing here asks whether
somebody may; that is for ``round``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Self

from penultima.engine.actions import Action
from penultima.engine.cards import DRAW_FOUR, DRAW_TWO, Card
from penultima.engine.events import SKIPPED, Drew, Event, Reshuffled, RoundEnded
from penultima.engine.rule import Put
from penultima.engine.rules import Rules
from penultima.engine.shuffle import Shuffle, Shuffles
from penultima.engine.waiting import FREE, Answer, Colour, Evidence, Free, Over, Shown, Waiting

PENALTY: Final = {DRAW_TWO: 2, DRAW_FOUR: 4}
"""What the next player draws (RULES 3.3, 4.2)."""

NOBODY: Final = frozenset[int]()

made: Final = tuple.__new__
"""Builds the commonest values without the detour of a named tuple's own constructor."""


class Board:
    """The state of a round. ``Round`` is this with the moves.

    ``hands`` and ``pile`` are lists of cards; the last card of ``pile`` is drawn next, the last
    of ``discard`` is the top. ``shuffle`` shuffles a list in place; ``None`` leaves a reshuffled
    discard to be drawn lowest first (NOTATION, ``seed:``).
    """

    __slots__ = (
        "_asked",
        "_left",
        "_moved",
        "_moves",
        "_newer",
        "_next",
        "_older",
        "_passes",
        "_right",
        "_shuffle",
        "called",
        "colour",
        "dealer",
        "direction",
        "discard",
        "events",
        "exposed",
        "hands",
        "newest",
        "pile",
        "rules",
        "scheme",
        "seats",
        "shown",
        "waiting",
    )

    def __init__(
        self,
        rules: Rules,
        hands: list[list[Card]],
        seats: Sequence[int],
        dealer: int,
        shuffle: Shuffle | None,
    ) -> None:
        self.rules = rules
        self.scheme = rules.scheme
        self.hands = hands
        self.dealer = dealer
        self.pile: list[Card] = []
        self.discard: list[Card] = []
        self.colour: str | None = None
        self.direction = 1
        self.waiting: Waiting = FREE[dealer]
        self.newest: tuple[int, Card] | None = None
        """The play that is the newest turn action: what jump-ins, twins and runs go on from."""
        self.exposed = NOBODY
        self.called = NOBODY
        self.shown: Shown | None = None
        self.events: list[Event] = []
        """What the action being carried out has caused so far."""
        self._shuffle = shuffle
        self._older: tuple[int, Card] | None = None
        self._newer: tuple[int, Card] | None = None
        self._passes = 0
        self._moved = NOBODY
        """Who got another's cards by the action being carried out."""
        self._asked: int | None = None
        self._moves: tuple[Action, ...] = ()
        """What was found for the seat that asked last, until the next action."""
        self.sit(seats)

    def sit(self, seats: Iterable[int]) -> None:
        """These are in the round, and no others."""
        self.seats = tuple(sorted(seats))
        self._left = [0] * len(self.hands)
        self._right = [0] * len(self.hands)
        for seat, left in zip(self.seats, self.seats[1:] + self.seats[:1], strict=True):
            self._left[seat] = left
            self._right[left] = seat
        self.head(self.direction)

    def head(self, direction: int) -> None:
        """Play goes on to the left (1) or to the right (-1)."""
        self.direction = direction
        self._next = self._left if direction == 1 else self._right

    def copy(self, shuffle: Shuffle | None = None) -> Self:
        """An independent copy, with another shuffle if given (bots thinking ahead)."""
        new = object.__new__(type(self))
        new.rules = self.rules
        new.scheme = self.scheme
        new.seats = self.seats
        new.dealer = self.dealer
        new.hands = [hand[:] for hand in self.hands]
        new.pile = self.pile[:]
        new.discard = self.discard[:]
        new.colour = self.colour
        new.direction = self.direction
        new.waiting = self.waiting
        new.newest = self.newest
        new.exposed = self.exposed
        new.called = self.called
        new.shown = self.shown
        new.events = []
        new._older = self._older
        new._newer = self._newer
        new._passes = self._passes
        new._moved = NOBODY
        new._asked = None
        new._moves = ()
        new._left = self._left
        new._right = self._right
        new._next = self._next
        if shuffle is None:
            # One that counts goes on counting apart.
            shuffle = self._shuffle
            if type(shuffle) is Shuffles:
                shuffle = shuffle.__copy__()
        new._shuffle = shuffle
        return new

    # --- looking

    @property
    def turn(self) -> int | None:
        """The seat in turn, ``None`` when the round is over."""
        return self.waiting.seat

    @property
    def over(self) -> bool:
        return type(self.waiting) is Over

    @property
    def top(self) -> Card:
        return self.discard[-1]

    def left_of(self, seat: int) -> int:
        """The next seat clockwise that is in the round."""
        return self._left[seat]

    def next_to(self, seat: int) -> int:
        """The next seat in the direction of play."""
        return self._next[seat]

    def from_left_of(self, seat: int) -> list[int]:
        """All seats in the round, clockwise, beginning left of ``seat``."""
        order = [self._left[seat]]
        while len(order) < len(self.seats):
            order.append(self._left[order[-1]])
        return order

    def fits(self, card: Card) -> bool:
        """Whether ``card`` matches the top or the colour in force, or is wild (RULES 3.1)."""
        return card.is_wild or card.colour == self.colour or card.rank == self.discard[-1].rank

    def recently(self) -> list[tuple[int, Card]]:
        """The last two plays of the round: who and what."""
        return [each for each in (self._older, self._newer) if each is not None]

    def history(self) -> tuple[object, ...]:
        """What is still remembered of the past and decides what comes, beyond the public fields."""
        return self._passes, self._older, self._newer, getattr(self._shuffle, "count", 0)

    # --- whose turn it is

    @staticmethod
    def free(seat: int) -> Free:
        """Waiting for ``seat`` to play or draw."""
        return FREE[seat]

    def give_turn(self, seat: int) -> None:
        """``seat`` is free to play or draw, and nothing is open to others any more."""
        self.waiting = FREE[seat]
        self.newest = None

    def skip(self, seat: int) -> None:
        """``seat`` is passed over."""
        self.events.append(SKIPPED[seat])
        self.waiting = FREE[self._next[seat]]

    def owe_colour(self, seat: int, *, plays: bool, before: str | None = None) -> None:
        """``seat`` has to choose a colour, then plays or has played."""
        self.waiting = Colour(seat, plays, before)

    def demand(self, put: Put, evidence: Evidence | None = None) -> None:
        """The next player has to draw for the card put down (RULES 3.3, 4.2, 7.1, 7.10)."""
        rank = put.play.card.rank
        count = PENALTY[rank]
        target = self._next[put.seat]
        before = put.before
        if type(before) is Answer:
            self.waiting = before._replace(
                seat=target, count=before.count + count, cards=before.cards + 1
            )
            return
        waits = self.scheme.waits
        if rank in waits or (put.how != "first" and rank in self.scheme.lingers):
            self.waiting = made(Answer, (target, count, put.seat, 1, evidence))
            return
        self.draw_cards(target, count, "draw_two" if rank == DRAW_TWO else "draw_four")
        self.waiting = FREE[self._next[target]]

    # --- cards on the move

    def shuffle(self, cards: list[Card]) -> None:
        """Shuffle in place with the round's own source; without one the order stays."""
        if self._shuffle is not None:
            self._shuffle(cards)

    def move_hands(self, new: dict[int, list[Card]]) -> None:
        """Give each seat in ``new`` that hand (swaps, rotations, shuffled hands)."""
        for seat, hand in new.items():
            self.hands[seat] = hand
        self._moved |= new.keys()

    def draw_cards(self, seat: int, count: int, cause: str, extra: int = 0) -> None:
        """``seat`` draws ``count`` cards, or what there is (RULES 3.4)."""
        got = self.take(count)
        if got:
            self.receive(seat, got)
        self.events.append(made(Drew, (seat, len(got), cause, count, extra, tuple(got))))

    def receive(self, seat: int, cards: list[Card]) -> None:
        """New cards in the hand: an unused call and an exposure are past."""
        self.hands[seat] += cards
        if seat in self.called:
            self.called -= {seat}
        if seat in self.exposed:
            self.exposed -= {seat}

    def take(self, count: int) -> list[Card]:
        """The next ``count`` cards, or what there is; the discard is shuffled if need be."""
        pile = self.pile
        if len(pile) >= count > 0:
            got = pile[: -count - 1 : -1]
            del pile[-count:]
            return got
        got = []
        while len(got) < count:
            if not pile:
                if len(self.discard) < 2:
                    break
                self._reshuffle()
                pile = self.pile
            got.append(pile.pop())
        return got

    def _reshuffle(self) -> None:
        rest = self.discard[:-1]
        del self.discard[:-1]
        if self._shuffle is None:
            rest.reverse()
        else:
            self._shuffle(rest)
        self.pile = rest
        self.events.append(Reshuffled(len(rest)))

    # --- the end

    def end(self, winner: int | None, why: str) -> None:
        """Nobody may do anything any more; the hands lie open."""
        self.waiting = Over(None, winner, why)
        self.newest = None
        self.exposed = NOBODY
        self.events.append(RoundEnded(winner, tuple(map(tuple, self.hands))))
