"""Rounds as they might stand, made from a view: the cards not seen are dealt at random.

What the seat remembers decides the deal: cards known to be in a hand are put there, the others
come into a hand the likelier, the more its owner's plays speak for them (``guesses.py``).
"""

from __future__ import annotations

import random
from collections import Counter
from math import log

from penultima.bots.guesses import Guesses
from penultima.bots.memory import Memory
from penultima.bots.player import decks
from penultima.engine.cards import DECKS, Card
from penultima.engine.position import Position
from penultima.engine.round import Round
from penultima.engine.view import View
from penultima.engine.waiting import Drawn


class Worlds:
    """What could be true for the seat of ``view``, which is in turn on ``free`` or ``drawn``."""

    def __init__(self, view: View, memory: Memory, guesses: Guesses, rng: random.Random) -> None:
        self._view = view
        self._memory = memory
        self._rng = rng
        pool = Counter(DECKS[view.rules.number("deck")] * decks(view))
        pool.subtract(view.discard)
        pool.subtract(view.hand)
        self._pool = [card for card, count in pool.items() for _ in range(count)]
        self._others = [seat for seat in view.seats if seat != view.seat]
        self._unlikely: dict[int, list[float]] = {}
        for seat in self._others:
            rates = guesses.of(seat)
            if rates is not None:
                self._unlikely[seat] = [1.0 / rate for rate in rates]

    def one(self) -> Round:
        """One of them."""
        view = self._view
        assert view.seat is not None
        assert view.turn is not None
        chance = self._rng.random
        left = list(self._pool)
        hands: list[tuple[Card, ...]] = [()] * len(view.counts)
        hands[view.seat] = view.hand
        known = {seat: self._known(seat, left) for seat in self._others}
        # In any order: who comes first has the choice.
        for seat in sorted(self._others, key=lambda _: chance()):
            at = max(0, len(left) - view.counts[seat] + len(known[seat]))
            left = self._mixed(seat, left)
            hands[seat] = (*known[seat], *left[at:])
            del left[at:]
        # Several times faster than Random.shuffle, and as good for this.
        left.sort(key=lambda _: chance())
        position = Position(
            view.rules, tuple(hands), view.discard, view.colour, tuple(left), view.turn,
            view.dealer, view.direction,
        )  # fmt: skip
        world = Round.from_position(position, self._rng.shuffle)
        if view.drawn is not None:
            world.waiting = Drawn(view.seat, view.drawn)
        world.newest = view.newest
        return world

    def _known(self, seat: int, left: list[Card]) -> list[Card]:
        """What is known of that hand, taken out of ``left``."""
        trace = self._memory.traces.get(seat)
        found: list[Card] = []
        if trace is not None:
            for card in trace.cards[: self._view.counts[seat]]:
                if card in left:
                    left.remove(card)
                    found.append(card)
        return found

    def _mixed(self, seat: int, left: list[Card]) -> list[Card]:
        """Those cards, with what is likely in the hand of ``seat`` rather at the end."""
        chance = self._rng.random
        unlikely = self._unlikely.get(seat)
        if unlikely is None:
            return sorted(left, key=lambda _: chance())
        # As if each card came after a time that is the shorter, the likelier it is: those that
        # come first are a draw without putting back.
        return sorted(left, key=lambda card: log(1.0 - chance()) * unlikely[card.order])
