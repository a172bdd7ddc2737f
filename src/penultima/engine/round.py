"""One round, from the deal to the last card: who may do what, and doing it.

What the round waits for is one field, ``waiting``, a closed union; each form lists who may do
what, and everything else is refused without a change. Calls and catches are judged by exposure
alone. What single cards and switches do is in ``house``, what that is made of in ``board``.
Points belong to ``match``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Final, TypeAlias

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
from penultima.engine.board import NOBODY, PENALTY, Board, made
from penultima.engine.cards import DECKS, DRAW_TWO, Card, decks_needed
from penultima.engine.errors import Refused
from penultima.engine.events import (
    PASSED,
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
    TakenOut,
    TurnedUp,
)
from penultima.engine.position import Pending, Position
from penultima.engine.refusing import reason
from penultima.engine.rule import Put
from penultima.engine.rules import Rules
from penultima.engine.scheme import forms
from penultima.engine.shuffle import Shuffle
from penultima.engine.waiting import (
    FREE,
    Answer,
    Colour,
    Drawn,
    Evidence,
    Free,
    Shown,
    Waiting,
)

Offer: TypeAlias = "Callable[[Round, int], Iterable[Play]]"

_DRAW: Final = (DRAW,)
_PASS: Final = (PASS,)
_ACCEPT: Final = (ACCEPT,)
_ACCEPT_OR_CHALLENGE: Final = (ACCEPT, CHALLENGE)
_COLOURS: Final = tuple(CHOOSE.values())


class Round(Board):
    """One round. Start it with :meth:`deal` or :meth:`from_position`."""

    __slots__ = ()

    # --- beginnings

    @classmethod
    def deal(
        cls,
        rules: Rules,
        seats: Sequence[int],
        dealer: int,
        shuffle: Shuffle,
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
        dealt = size * len(seats)
        back = self.scheme.turned_back
        shuffle(pile)
        # With few cards left it may be that none of them can begin (RULES 2.6, 2.7).
        while back.issuperset(pile[:-dealt]):
            shuffle(pile)
        for at, seat in enumerate(self.from_left_of(dealer), start=1):
            # One card at a time, in turn (RULES 2.5): to each of n seats every n-th from the top.
            self.hands[seat] = pile[-at : -dealt - 1 : -len(seats)]
        del pile[-dealt:]
        self.pile = pile
        self.events = [Dealt(number, dealer, size, self.seats)]
        self._turn_up()
        return self

    def _turn_up(self) -> None:
        back = self.scheme.turned_back
        while (first := self.pile.pop()) in back:
            self.events.append(TurnedUp(first, back=True))
            self.pile.append(first)
            self.shuffle(self.pile)
        self.events.append(TurnedUp(first))
        self.discard.append(first)
        self.colour = first.colour
        self.waiting = FREE[self.next_to(self.dealer)]
        effect = self.scheme.effects.get(first.rank)
        # A first-card number does nothing, whatever sevens and zeros do later (RULES 2.6).
        if effect is not None and first.number is None:
            effect(self, Put(self.dealer, play(first), "first", None, None))

    @classmethod
    def from_position(cls, position: Position, shuffle: Shuffle | None = None) -> Round:
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

    # --- who may do what

    def moves(self, seat: int) -> tuple[Action, ...]:
        """What ``seat`` may do of turn actions, and the colour it owes."""
        if self._asked != seat:
            waiting = self.waiting
            if waiting is FREE[seat]:
                self._moves = self._on_free_turn(seat)
            elif waiting.seat == seat:
                self._moves = self._in_turn[type(waiting)](self, seat)
            else:
                self._moves = self._out_of_turn(seat)
            self._asked = seat
        return self._moves

    def legal(self, seat: int) -> tuple[Action, ...]:
        """Everything that :meth:`play` would take from ``seat`` now."""
        found = self.moves(seat)
        if self.can_call(seat):
            found += (CALL,)
        if self.exposed and seat in self.seats:
            found += tuple(CATCH[each] for each in sorted(self.exposed) if each != seat)
        return found

    def why_not(self, seat: int, action: Action) -> str | None:
        """The code :meth:`play` would refuse with, ``None`` if it would take the action."""
        return None if action in self.legal(seat) else reason(self, seat, action)

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

    def forms(self, seat: int, card: Card) -> tuple[Play, ...]:
        """The plays of ``card`` by ``seat``, with every choice it can travel with."""
        return self.scheme.forms[card] or self._naming(seat, card)

    def _naming(self, seat: int, card: Card) -> tuple[Play, ...]:
        named = self.scheme.naming(card, seat, self.seats)
        # Nothing follows a last card, so it need not name anybody (RULES 6.1).
        return named if len(self.hands[seat]) > 1 else forms(card, ()) + named

    def _on_free_turn(self, seat: int) -> tuple[Action, ...]:
        scheme = self.scheme
        plays_on = scheme.plays_on[self.colour, self.discard[-1].rank]
        found: tuple[Play, ...] = ()
        for card in self.hands[seat]:
            if card in plays_on:
                plays = plays_on[card] or self._naming(seat, card)
                if plays[0] not in found:
                    found += plays
        if scheme.adds:
            found = self._with(found, scheme.adds, seat)
        if scheme.forbids:
            found = self._allowed(seat, found)
        return found + _DRAW

    def _with_drawn_card(self, seat: int) -> tuple[Action, ...]:
        waiting = self.waiting
        assert type(waiting) is Drawn
        return self._allowed(seat, self.forms(seat, waiting.card)) + _PASS

    def _facing_cards(self, seat: int) -> tuple[Action, ...]:
        waiting = self.waiting
        assert type(waiting) is Answer
        answers = self._allowed(seat, self._with((), self.scheme.answers, seat))
        return answers + (_ACCEPT_OR_CHALLENGE if waiting.challengeable else _ACCEPT)

    def _owing_colour(self, _seat: int) -> tuple[Action, ...]:
        return _COLOURS

    def _out_of_turn(self, seat: int) -> tuple[Action, ...]:
        if self.newest is None or seat not in self.seats or type(self.waiting) is Colour:
            return ()
        found = self._with((), self.scheme.interrupts, seat)
        return self._allowed(seat, found) if found else ()

    def _with(self, found: tuple[Play, ...], hooks: Iterable[Offer], seat: int) -> tuple[Play, ...]:
        """And what these hooks add, each play once."""
        for offers in hooks:
            for each in offers(self, seat):
                if each not in found:
                    found += (each,)
        return found

    def _allowed(self, seat: int, found: tuple[Play, ...]) -> tuple[Play, ...]:
        """Without what is forbidden."""
        for forbids in self.scheme.forbids:
            found = tuple([each for each in found if not forbids(self, seat, each)])
        return found

    _in_turn: ClassVar[dict[type, Callable[[Round, int], tuple[Action, ...]]]] = {
        Free: _on_free_turn,
        Drawn: _with_drawn_card,
        Answer: _facing_cards,
        Colour: _owing_colour,
    }
    """Each form of waiting lists what the seat in turn may do."""

    # --- doing it

    def play(self, seat: int, action: Action) -> list[Event]:
        """Carry ``action`` out and return what happened. :class:`Refused` changes nothing."""
        if action in (self._moves if self._asked == seat else self.moves(seat)):
            self.events = []
            if type(action) is Choose:
                self._choose(seat, action)
            else:
                # A turn action begins: exposures end (RULES 5.4), unused calls lapse (5.1).
                self.shown = None
                self.exposed = NOBODY
                if self.called:
                    self._lapse(seat, action)
                if type(action) is Play:
                    self._put_down(seat, action)
                elif action is DRAW:
                    self._draw(seat)
                elif action is PASS:
                    self.events.append(PASSED[seat])
                    self.give_turn(self._next[seat])
                elif action is ACCEPT:
                    self._accept(seat)
                else:
                    self._challenge(seat)
        elif action is CALL and self.can_call(seat):
            self.called |= {seat}
            self.exposed -= {seat}
            self.events = [Called(seat)]
        elif (
            isinstance(action, Catch)
            and action.player in self.exposed
            and action.player != seat
            and seat in self.seats
        ):
            self.events = [Caught(seat, action.player)]
            self.exposed -= {action.player}
            self.draw_cards(action.player, self.scheme.uno_penalty, "caught")
        else:
            raise Refused(reason(self, seat, action))
        self._asked = None
        return self.events

    def _lapse(self, seat: int, action: Action) -> None:
        """A call holds for the caller's next play only (RULES 5.1); with one card it stands."""
        keeps = seat if type(action) is Play or action is CHALLENGE else None
        self.called = frozenset(s for s in self.called if s == keeps or len(self.hands[s]) == 1)

    def _put_down(self, seat: int, action: Play) -> None:
        before = self.waiting
        card = action.card
        self._passes = 0
        scheme = self.scheme
        for instead in scheme.instead:
            if instead(self, seat, action):
                return
        how = "turn" if before is FREE[seat] else self._how(seat, card)
        hand = self.hands[seat]
        hand.remove(card)
        colour_before = self.colour
        self.discard.append(card)
        self.colour = action.colour or card.colour
        self._older = self._newer
        self._newer = self.newest = (seat, card)
        self.events.append(
            action.in_turn[seat]
            if how == "turn"
            else made(Played, (seat, card, action.colour, action.player, how))
        )
        if not hand:
            self._last_card(seat, card, before)
            return
        effect = scheme.effects.get(card.rank)
        if effect is None:
            self.waiting = FREE[self._next[seat]]
        else:
            effect(self, made(Put, (seat, action, how, before, colour_before)))
            if self._moved:
                self._expose_moved(seat)
            hand = self.hands[seat]
        if len(hand) == 1:
            if seat not in self.called:
                self.exposed |= {seat}
        elif self.called and hand:
            self.called -= {seat}

    def _how(self, seat: int, card: Card) -> str:
        if self.waiting.seat == seat:
            return "answer" if type(self.waiting) is Answer else "turn"
        assert self.newest is not None
        if self.newest[0] != seat:
            return "jump"
        return "twin" if self.newest[1] is card else "run"

    def _expose_moved(self, seat: int) -> None:
        """Calls do not travel with cards: whoever now has one card is exposed (RULES 7.7)."""
        others = self._moved - {seat}
        self.called -= others
        self.exposed |= {other for other in others if len(self.hands[other]) == 1}
        self._moved = NOBODY

    def _draw(self, seat: int) -> None:
        got = [self.pile.pop()] if self.pile else self.take(1)
        if not got:
            self._pass_blocked(seat)
            return
        for draws_on in self.scheme.draws_on:
            while draws_on(self, got[-1]) and (more := self.take(1)):
                got += more
        self._passes = 0
        self.receive(seat, got)
        count = len(got)
        self.events.append(made(Drew, (seat, count, "turn", count, 0, tuple(got))))
        self.newest = None
        last = got[-1]
        self.waiting = made(Drawn, (seat, last)) if self.fits(last) else FREE[self._next[seat]]

    def _pass_blocked(self, seat: int) -> None:
        self._passes += 1
        self.events.append(Passed(seat, blocked=True))
        if self._passes >= len(self.seats):
            self.end(None, "blocked")
        else:
            self.give_turn(self._next[seat])

    def _accept(self, seat: int) -> None:
        waiting = self.waiting
        assert type(waiting) is Answer
        cause = "draw_two" if self.top.rank == DRAW_TWO else "draw_four"
        self.draw_cards(seat, waiting.count, "stack" if waiting.cards > 1 else cause)
        self.give_turn(self._next[seat])

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
            self.give_turn(self._next[seat])
        self.shown = Shown(seat, opener, hand, guilty)

    def _choose(self, seat: int, action: Choose) -> None:
        waiting = self.waiting
        assert type(waiting) is Colour
        self.colour = action.colour
        self.events.append(Coloured(seat, action.colour))
        # Not a turn action: what the play before it left open stays open.
        self.waiting = FREE[seat if waiting.plays else self._next[seat]]

    def _last_card(self, seat: int, card: Card, before: Waiting) -> None:
        """The round ends at once; a penalty is still drawn, the whole of it (RULES 6.1)."""
        penalty = PENALTY.get(card.rank)
        if penalty is not None:
            whole = penalty + (before.count if type(before) is Answer else 0)
            cause = "draw_two" if card.rank == DRAW_TWO else "draw_four"
            self.draw_cards(self._next[seat], whole, cause if whole == penalty else "stack")
        self.end(seat, "won")

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
        self.shuffle(self.pile)
        self.exposed -= {seat}
        self.called -= {seat}
        self._passes = 0
        self._asked = None
        if self.newest is not None and self.newest[0] == seat:
            self.newest = None
        if self.shown is not None and seat in (self.shown.seat, self.shown.of):
            self.shown = None
        self.sit(other for other in self.seats if other != seat)
        if len(self.seats) == 1:
            self.end(None, "void")
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
