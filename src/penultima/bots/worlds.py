"""Rounds as they might stand, made from a view: the cards not seen are dealt at random.

What the seat remembers bounds the deal: cards known to be in a hand are put there, a hand that
was drawn on for a colour has no more of it than it got since, who drew held no wild, most likely,
and who chose a colour has some of it.
"""

from __future__ import annotations

import random
from collections import Counter

from penultima.bots.memory import Memory
from penultima.engine.cards import DECKS, Card
from penultima.engine.position import Position
from penultima.engine.round import Round
from penultima.engine.view import View
from penultima.engine.waiting import Drawn

NO_WILD = 0.9
"""How often somebody who draws holds no wild. Bots hardly ever keep one, people do."""
HAS_LIKED = 0.85
"""How often a hand has the colour that its owner chose last."""


class Worlds:
    """What could be true for the seat of ``view``, which is in turn on ``free`` or ``drawn``."""

    def __init__(self, view: View, memory: Memory, rng: random.Random) -> None:
        self._view = view
        self._memory = memory
        self._rng = rng
        unseen = view.pile + sum(view.counts) - len(view.hand)
        deck = DECKS[view.rules.number("deck")]
        decks = max(1, round((unseen + len(view.discard) + len(view.hand)) / len(deck)))
        pool = Counter(deck * decks)
        pool.subtract(view.discard)
        pool.subtract(view.hand)
        self._pool = [card for card, count in pool.items() for _ in range(count)]
        self._others = [seat for seat in view.seats if seat != view.seat]

    def one(self) -> Round:
        """One of them."""
        view = self._view
        assert view.seat is not None
        assert view.turn is not None
        # Several times faster than Random.shuffle, and as good for this.
        chance = self._rng.random
        left = sorted(self._pool, key=lambda _: chance())
        hands: list[tuple[Card, ...]] = [()] * len(view.counts)
        hands[view.seat] = view.hand
        known = {seat: self._known(seat, left) for seat in self._others}
        for seat in self._others:
            hands[seat] = self._hand(seat, known[seat], left)
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

    def _hand(self, seat: int, hand: list[Card], left: list[Card]) -> tuple[Card, ...]:
        """Fill up the hand of ``seat`` out of ``left``."""
        count = self._view.counts[seat]
        trace = self._memory.traces.get(seat)
        if trace is None:
            hand += left[:count]
            del left[:count]
            return tuple(hand)
        chance = self._rng.random
        room: dict[str | None, int] = {}
        room.update(trace.lacks)
        if trace.wilds is not None and chance() < NO_WILD:
            room[None] = trace.wilds
        if trace.liked is not None and len(hand) < count and chance() < HAS_LIKED:
            self._give(trace.liked, hand, left)
        at = 0
        while len(hand) < count and at < len(left):
            colour = left[at].colour
            if colour in room:
                if room[colour] <= 0:
                    at += 1
                    continue
                room[colour] -= 1
            hand.append(left.pop(at))
        while len(hand) < count and left:
            # The bounds cannot be kept: somebody played otherwise than thought.
            hand.append(left.pop())
        return tuple(hand)

    @staticmethod
    def _give(colour: str, hand: list[Card], left: list[Card]) -> None:
        """A card of that colour, if the hand has none and there is one."""
        if any(card.colour == colour for card in hand):
            return
        for at, card in enumerate(left):
            if card.colour == colour:
                hand.append(left.pop(at))
                return
