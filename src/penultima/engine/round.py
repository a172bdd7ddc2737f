"""One round, from the deal to the last card.

What the round waits for is one field, ``waiting``, a closed union; each form lists who may do
what, and everything else is refused without a change. Calls and catches are judged by exposure
alone. What single cards and switches do is in ``house``; here is what they have in common:
turns, drawing, pending cards, exposure, the end. Points belong to ``match``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import Final, TypeAlias

from penultima.engine.actions import (
    ACCEPT,
    CALL,
    CATCH,
    CHALLENGE,
    CHOOSE,
    DRAW,
    PASS,
    Action,
    Catch,
    Choose,
    Play,
    play,
)
from penultima.engine.cards import (
    DECKS,
    DRAW_FOUR,
    DRAW_TWO,
    Card,
    decks_needed,
)
from penultima.engine.errors import Refused
from penultima.engine.events import (
    Called,
    Caught,
    Challenged,
    Coloured,
    Dealt,
    Drew,
    Event,
    HandShown,
    Passed,
    Played,
    Reshuffled,
    RoundEnded,
    Skipped,
    TakenOut,
    TurnedUp,
)
from penultima.engine.position import Pending, Position
from penultima.engine.refusing import reason
from penultima.engine.rule import Put
from penultima.engine.rules import Rules
from penultima.engine.scheme import forms
from penultima.engine.waiting import (
    FREE,
    Answer,
    Colour,
    Drawn,
    Evidence,
    Free,
    Over,
    Shown,
    Waiting,
)

PENALTY: Final = {DRAW_TWO: 2, DRAW_FOUR: 4}
"""What the next player draws (RULES 3.3, 4.2)."""

ShuffleInPlace: TypeAlias = Callable[[list[Card]], None]

_tuple: Final = tuple.__new__
"""Builds the commonest events without the detour of a named tuple's own constructor."""


class Round:
    """One round. Start it with :meth:`deal` or :meth:`from_position`.

    ``hands`` and ``pile`` are lists of cards; the last card of ``pile`` is drawn next, the last
    of ``discard`` is the top. ``shuffle`` shuffles a list in place; ``None`` leaves a reshuffled
    discard to be drawn lowest first (NOTATION, ``seed:``).
    """

    __slots__ = (
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
        shuffle: ShuffleInPlace | None,
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
        self.exposed: set[int] = set()
        self.called: set[int] = set()
        self.shown: Shown | None = None
        self.events: list[Event] = []
        """What the action being carried out has caused so far."""
        self._shuffle = shuffle
        self._older: tuple[int, Card] | None = None
        self._newer: tuple[int, Card] | None = None
        self._passes = 0
        self._moved: set[int] = set()
        self._moves: dict[int, tuple[Action, ...]] = {}
        self._sit(seats)

    def _sit(self, seats: Iterable[int]) -> None:
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

    # --- beginnings

    @classmethod
    def deal(
        cls,
        rules: Rules,
        seats: Sequence[int],
        dealer: int,
        shuffle: ShuffleInPlace,
        *,
        places: int | None = None,
        number: int = 1,
    ) -> Round:
        """Shuffle, deal and turn up the first card (RULES 2.4-2.7).

        ``places`` is the number of seats at the table, more than ``len(seats)`` when some are out.
        What happened is in ``events``.
        """
        count = places if places is not None else max(seats) + 1
        self = cls(rules, [[] for _ in range(count)], seats, dealer, shuffle)
        size = rules.number("hand_size")
        deck = rules.number("deck")
        pile = list(DECKS[deck]) * decks_needed(deck, len(seats), size)
        shuffle(pile)
        # With few cards left it may be that none of them can begin (RULES 2.6, 2.7).
        left = len(pile) - size * len(seats)
        while all(map(self._turned_back, pile[:left])):
            shuffle(pile)
        order = [self.left_of(dealer)]
        while len(order) < len(seats):
            order.append(self.left_of(order[-1]))
        for _ in range(size):
            for seat in order:
                self.hands[seat].append(pile.pop())
        self.pile = pile
        self.events = [Dealt(number, dealer, size, self.seats)]
        self._turn_up()
        return self

    def _turn_up(self) -> None:
        while True:
            first = self.pile.pop()
            if not self._turned_back(first):
                break
            self.events.append(TurnedUp(first, back=True))
            self.pile.append(first)
            assert self._shuffle is not None
            self._shuffle(self.pile)
        self.events.append(TurnedUp(first))
        self.discard.append(first)
        self.colour = first.colour
        self.waiting = FREE[self.next_to(self.dealer)]
        effect = self.scheme.effects.get(first.rank)
        # A first-card number does nothing, whatever sevens and zeros do later (RULES 2.6).
        if effect is not None and first.number is None:
            effect(self, Put(self.dealer, play(first), "first", None, None))

    def _turned_back(self, first: Card) -> bool:
        return any(turns_back(first) for turns_back in self.scheme.turns_back)

    @classmethod
    def from_position(cls, position: Position, shuffle: ShuffleInPlace | None = None) -> Round:
        """A round that stands at ``position``; a seat without cards is not in it."""
        hands = [list(hand) for hand in position.hands]
        seats = [seat for seat, hand in enumerate(hands) if hand]
        self = cls(position.rules, hands, seats, position.dealer, shuffle)
        self.pile = list(reversed(position.pile))
        self.discard = list(position.discard)
        self.colour = position.colour
        self.head(position.direction)
        pending = position.pending
        if pending is None:
            self.waiting = FREE[position.turn]
        else:
            self.waiting = Answer(
                position.turn,
                pending.count,
                pending.opener,
                1 if pending.count in (2, 4) else 2,
                self._presumed_evidence(pending),
            )
        return self

    def _presumed_evidence(self, pending: Pending) -> Evidence | None:
        if pending.bluff is None or not self.rules["challenge"]:
            return None
        hand = tuple(self.hands[pending.opener])
        return Evidence(pending.opener, hand, (), pending.bluff)

    def position(self) -> Position:
        """The position, as far as a ``Position`` can say it."""
        waiting = self.waiting
        pending = None
        if type(waiting) is Answer:
            evidence = waiting.evidence
            bluff = None if evidence is None else evidence.bluff
            pending = Pending(waiting.count, waiting.opener, bluff)
        return Position(
            self.rules,
            tuple(tuple(hand) for hand in self.hands),
            tuple(self.discard),
            self.colour,
            tuple(reversed(self.pile)),
            self.dealer if waiting.seat is None else waiting.seat,
            self.dealer,
            self.direction,
            pending,
        )

    def copy(self, shuffle: ShuffleInPlace | None = None) -> Round:
        """An independent copy, with another shuffle if given (bots thinking ahead)."""
        new = object.__new__(Round)
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
        new.exposed = set(self.exposed)
        new.called = set(self.called)
        new.shown = self.shown
        new.events = []
        new._older = self._older
        new._newer = self._newer
        new._passes = self._passes
        new._moved = set()
        new._moves = {}
        new._left = self._left
        new._right = self._right
        new._next = self._next
        new._shuffle = shuffle if shuffle is not None else copy(self._shuffle)
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

    def fits(self, card: Card) -> bool:
        """Whether ``card`` matches the top or the colour in force, or is wild (RULES 3.1)."""
        return card.is_wild or card.colour == self.colour or card.rank == self.discard[-1].rank

    def forms(self, seat: int, card: Card) -> tuple[Play, ...]:
        """The plays of ``card`` by ``seat``, with every choice it can travel with."""
        known = self.scheme.forms.get(card)
        if known is not None:
            return known
        named = forms(card, [other for other in self.seats if other != seat])
        # Nothing follows a last card, so it need not name anybody (RULES 6.1).
        return named if len(self.hands[seat]) > 1 else forms(card, ()) + named

    def moves(self, seat: int) -> tuple[Action, ...]:
        """What ``seat`` may do of turn actions, and the colour it owes."""
        known = self._moves.get(seat)
        if known is None:
            known = self._moves[seat] = tuple(self._find_moves(seat))
        return known

    def legal(self, seat: int) -> tuple[Action, ...]:
        """Everything that :meth:`play` would take from ``seat`` now."""
        found = self.moves(seat)
        if self.can_call(seat):
            found += (CALL,)
        if self.exposed and seat in self.seats:
            found += tuple(CATCH[each] for each in sorted(self.exposed) if each != seat)
        return found

    def can_call(self, seat: int) -> bool:
        """Whether ``seat`` may call UNO now (RULES 5.1, 5.2)."""
        if seat in self.exposed:
            return True
        if seat not in self.seats or len(self.hands[seat]) != 2 or seat in self.called:
            return False
        waiting = self.waiting
        if waiting.seat == seat:
            return type(waiting) is not Colour or waiting.plays
        return bool(self.moves(seat))

    def _find_moves(self, seat: int) -> list[Action]:
        waiting = self.waiting
        kind = type(waiting)
        found: list[Action] = []
        if kind is Over:
            return found
        scheme = self.scheme
        if waiting.seat != seat:
            if self.newest is None or seat not in self.seats or kind is Colour:
                return found
            for interrupts in scheme.interrupts:
                _add(found, interrupts(self, seat))
            return self._allowed(seat, found)
        if kind is Free:
            plays_of = scheme.plays_on(self.colour, self.discard[-1].rank).get
            if scheme.names_player:
                for card in self.hands[seat]:
                    plays = plays_of(card)
                    if plays is None:
                        if card.rank not in scheme.names_player or not self.fits(card):
                            continue
                        plays = self.forms(seat, card)
                    if plays[0] not in found:
                        found += plays
            else:
                for plays in filter(None, map(plays_of, self.hands[seat])):
                    if plays[0] not in found:
                        found += plays
            for adds in scheme.adds:
                _add(found, adds(self, seat))
            if scheme.forbids:
                found = self._allowed(seat, found)
            found.append(DRAW)
        elif type(waiting) is Drawn:
            found = self._allowed(seat, list(self.forms(seat, waiting.card)))
            found.append(PASS)
        elif type(waiting) is Answer:
            for answers in scheme.answers:
                _add(found, answers(self, seat))
            found = self._allowed(seat, found)
            found.append(ACCEPT)
            if waiting.challengeable:
                found.append(CHALLENGE)
        else:
            found += CHOOSE.values()
        return found

    def _allowed(self, seat: int, found: list[Action]) -> list[Action]:
        for forbids in self.scheme.forbids if found else ():
            found = [a for a in found if not (isinstance(a, Play) and forbids(self, seat, a))]
        return found

    # --- acting

    def play(self, seat: int, action: Action) -> list[Event]:
        """Carry ``action`` out and return what happened. :class:`Refused` changes nothing."""
        moves = self._moves.get(seat)
        if action in (self.moves(seat) if moves is None else moves):
            self.events = []
            kind = type(action)
            if kind is Choose:
                self._choose(seat, action)
            else:
                # A turn action begins: exposures end (RULES 5.4), unused calls lapse (5.1).
                self.shown = None
                if self.exposed:
                    self.exposed.clear()
                if self.called:
                    self._lapse(seat, action)
                if kind is Play:
                    self._put_down(seat, action)
                elif action is DRAW:
                    self._draw(seat)
                elif action is PASS:
                    self.events.append(Passed(seat))
                    self.give_turn(self.next_to(seat))
                elif action is ACCEPT:
                    self._accept(seat)
                else:
                    self._challenge(seat)
        elif action is CALL and self.can_call(seat):
            self.called.add(seat)
            self.exposed.discard(seat)
            self.events = [Called(seat)]
        elif (
            isinstance(action, Catch)
            and action.player in self.exposed
            and action.player != seat
            and seat in self.seats
        ):
            self.events = [Caught(seat, action.player)]
            self.exposed.discard(action.player)
            self.draw_cards(action.player, self.scheme.uno_penalty, "caught")
        else:
            raise Refused(reason(self, seat, action))
        self._moves = {}
        return self.events

    def _lapse(self, seat: int, action: Action) -> None:
        """A call holds for the caller's next play only (RULES 5.1); with one card it stands."""
        keeps = seat if type(action) is Play or action is CHALLENGE else None
        self.called = {s for s in self.called if s == keeps or len(self.hands[s]) == 1}

    def give_turn(self, seat: int) -> None:
        """``seat`` is free to play or draw, and nothing is open to others any more."""
        self.waiting = FREE[seat]
        self.newest = None

    def _put_down(self, seat: int, action: Action) -> None:
        assert isinstance(action, Play)
        before = self.waiting
        card = action.card
        self._passes = 0
        scheme = self.scheme
        for instead in scheme.instead:
            if instead(self, seat, action):
                return
        how = "turn" if type(before) is Free and before.seat == seat else self._how(seat, card)
        hand = self.hands[seat]
        hand.remove(card)
        colour_before = self.colour
        self.discard.append(card)
        self.colour = action.colour if card.is_wild else card.colour
        self.newest = newest = (seat, card)
        self._older = self._newer
        self._newer = newest
        self.events.append(_tuple(Played, (seat, card, action.colour, action.player, how)))
        if not hand:
            self._last_card(seat, card, before)
            return
        effect = scheme.effects.get(card.rank)
        if effect is None:
            self.waiting = FREE[self._next[seat]]
        else:
            effect(self, _tuple(Put, (seat, action, how, before, colour_before)))
        if self._moved:
            self._expose_moved(seat)
        if len(hand := self.hands[seat]) == 1:
            if seat not in self.called:
                self.exposed.add(seat)
        elif self.called and hand:
            self.called.discard(seat)

    def _how(self, seat: int, card: Card) -> str:
        if self.waiting.seat == seat:
            return "answer" if type(self.waiting) is Answer else "turn"
        assert self.newest is not None
        if self.newest[0] != seat:
            return "jump"
        return "twin" if self.newest[1] is card else "run"

    def _expose_moved(self, seat: int) -> None:
        """Calls do not travel with cards: whoever now has one card is exposed (RULES 7.7)."""
        for other in self._moved:
            if other != seat:
                self.called.discard(other)
                if len(self.hands[other]) == 1:
                    self.exposed.add(other)
        self._moved = set()

    def move_hands(self, new: dict[int, list[Card]]) -> None:
        """Give each seat in ``new`` that hand (swaps, rotations, shuffled hands)."""
        for seat, hand in new.items():
            self.hands[seat] = hand
        self._moved.update(new)

    def shuffle(self, cards: list[Card]) -> None:
        """Shuffle in place with the round's own source; without one the order stays."""
        if self._shuffle is not None:
            self._shuffle(cards)

    @staticmethod
    def free(seat: int) -> Free:
        """Waiting for ``seat`` to play or draw."""
        return FREE[seat]

    def owe_colour(self, seat: int, *, plays: bool, before: str | None = None) -> None:
        """``seat`` has to choose a colour, then plays or has played."""
        self.waiting = Colour(seat, plays, before)

    def skip(self, seat: int) -> None:
        """``seat`` is passed over."""
        self.events.append(Skipped(seat))
        self.waiting = FREE[self.next_to(seat)]

    def demand(self, put: Put, evidence: Evidence | None = None) -> None:
        """The next player has to draw for the card put down (RULES 3.3, 4.2, 7.1, 7.10)."""
        rank = put.play.card.rank
        count = PENALTY[rank]
        target = self.next_to(put.seat)
        before = put.before
        if type(before) is Answer:
            self.waiting = before._replace(
                seat=target, count=before.count + count, cards=before.cards + 1
            )
            return
        waits = self.scheme.waits
        if rank in waits or (put.how != "first" and rank in self.scheme.lingers):
            self.waiting = Answer(target, count, put.seat, 1, evidence)
            return
        self.draw_cards(target, count, "draw_two" if rank == DRAW_TWO else "draw_four")
        self.waiting = FREE[self.next_to(target)]

    def draw_cards(self, seat: int, count: int, cause: str, extra: int = 0) -> None:
        """``seat`` draws ``count`` cards, or what there is (RULES 3.4)."""
        got = self._take(count)
        self._receive(seat, got)
        self.events.append(Drew(seat, len(got), cause, count, extra, tuple(got)))

    def _receive(self, seat: int, cards: list[Card]) -> None:
        if cards:
            self.hands[seat] += cards
            self.called.discard(seat)
            self.exposed.discard(seat)

    def _take(self, count: int) -> list[Card]:
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

    def _draw(self, seat: int) -> None:
        got = [self.pile.pop()] if self.pile else self._take(1)
        if not got:
            self._pass_blocked(seat)
            return
        for draws_on in self.scheme.draws_on:
            while draws_on(self, got[-1]) and (more := self._take(1)):
                got += more
        self._passes = 0
        self._receive(seat, got)
        self.events.append(_tuple(Drew, (seat, len(got), "turn", len(got), 0, tuple(got))))
        if self.fits(got[-1]):
            self.waiting = Drawn(seat, got[-1])
            self.newest = None
        else:
            self.give_turn(self.next_to(seat))

    def _pass_blocked(self, seat: int) -> None:
        self._passes += 1
        self.events.append(Passed(seat, blocked=True))
        if self._passes >= len(self.seats):
            self._end(None, "blocked")
        else:
            self.give_turn(self.next_to(seat))

    def _accept(self, seat: int) -> None:
        waiting = self.waiting
        assert type(waiting) is Answer
        cause = "draw_two" if self.top.rank == DRAW_TWO else "draw_four"
        self.draw_cards(seat, waiting.count, "stack" if waiting.cards > 1 else cause)
        self.give_turn(self.next_to(seat))

    def _challenge(self, seat: int) -> None:
        """RULES 4.3, and 7.3 for a stack: the same, with the sum."""
        waiting = self.waiting
        assert type(waiting) is Answer
        assert waiting.evidence is not None
        opener, hand, guilty, bluff = waiting.evidence
        self.events += (HandShown(seat, opener, hand, guilty), Challenged(seat, opener, bluff))
        if bluff:
            self.draw_cards(opener, waiting.count, "bluff")
            self.give_turn(seat)
        else:
            self.draw_cards(seat, waiting.count + 2, "challenge", extra=2)
            self.give_turn(self.next_to(seat))
        self.shown = Shown(seat, opener, hand, guilty)

    def _choose(self, seat: int, action: Action) -> None:
        waiting = self.waiting
        assert isinstance(action, Choose)
        assert type(waiting) is Colour
        self.colour = action.colour
        self.events.append(Coloured(seat, action.colour))
        # Not a turn action: what the play before it left open stays open.
        self.waiting = FREE[seat if waiting.plays else self.next_to(seat)]

    # --- endings

    def _last_card(self, seat: int, card: Card, before: Waiting) -> None:
        """The round ends at once; a penalty is still drawn, the whole of it (RULES 6.1)."""
        penalty = PENALTY.get(card.rank)
        if penalty is not None:
            whole = penalty + (before.count if type(before) is Answer else 0)
            cause = "draw_two" if card.rank == DRAW_TWO else "draw_four"
            self.draw_cards(self.next_to(seat), whole, cause if whole == penalty else "stack")
        self._end(seat, "won")

    def _end(self, winner: int | None, why: str) -> None:
        self.waiting = Over(None, winner, why)
        self.newest = None
        self.exposed.clear()
        self.events.append(RoundEnded(winner, tuple(tuple(hand) for hand in self.hands)))

    def take_out(self, seat: int) -> list[Event]:
        """The host takes a seat out of the round (RULES 9.3)."""
        self.events = []
        if self.over or seat not in self.seats:
            return self.events
        following = self.next_to(seat)
        self.events.append(TakenOut(seat))
        # At the bottom: without a shuffle (NOTATION, ``seed:``) the pile keeps its order.
        self.pile[:0] = self.hands[seat]
        self.hands[seat] = []
        if self._shuffle is not None:
            self._shuffle(self.pile)
        self.exposed.discard(seat)
        self.called.discard(seat)
        self._passes = 0
        self._moves = {}
        if self.newest is not None and self.newest[0] == seat:
            self.newest = None
        if self.shown is not None and seat in (self.shown.seat, self.shown.of):
            self.shown = None
        self._sit(other for other in self.seats if other != seat)
        if len(self.seats) == 1:
            self._end(None, "void")
            return self.events
        waiting = self.waiting
        if waiting.seat == seat:
            if type(waiting) is Colour:
                # Owed with none in force: red.
                self.colour = waiting.before or "r"
                self.events.append(Coloured(seat, self.colour))
            # No turn action: what the newest play leaves open to others stays open.
            self.waiting = FREE[following]
        elif type(waiting) is Answer and waiting.evidence and waiting.evidence.seat == seat:
            self.waiting = waiting._replace(evidence=None)
        return self.events

    # --- refusing

    def why_not(self, seat: int, action: Action) -> str | None:
        """The code :meth:`play` would refuse with, ``None`` if it would take the action."""
        return None if action in self.legal(seat) else reason(self, seat, action)

    def history(self) -> tuple[object, ...]:
        """What is still remembered of the past and decides what comes, beyond the public fields."""
        return self._passes, self._older, self._newer, getattr(self._shuffle, "count", 0)

    def recently(self) -> list[tuple[int, Card]]:
        """The last two plays of the round: who and what."""
        return [each for each in (self._older, self._newer) if each is not None]


def _add(found: list[Action], plays: Iterable[Play]) -> None:
    for each in plays:
        if each not in found:
            found.append(each)
