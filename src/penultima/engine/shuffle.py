"""Shuffling that anyone can redo (RULES 2.4, docs/shuffle.md).

The order after shuffle number ``k`` of round ``r`` is a function of the match's secret seed and
nothing else: HMAC-SHA256 gives the bytes, Fisher-Yates with rejection sampling the order, so
every order is equally likely.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from struct import Struct
from typing import TypeAlias

from penultima.engine.cards import Card

Shuffle: TypeAlias = Callable[[list[Card]], None]

_LABEL = b"penultima shuffle 1"
_words = Struct(">16H").unpack


class Shuffles:
    """The shuffles of one round, in order. Call it with a list to shuffle that in place."""

    __slots__ = ("_round", "_seed", "count")

    def __init__(self, seed: bytes, round_number: int) -> None:
        self._seed = seed
        self._round = round_number
        self.count = 0

    def __copy__(self) -> Shuffles:
        new = Shuffles(self._seed, self._round)
        new.count = self.count
        return new

    def __call__(self, cards: list[Card]) -> None:
        prefix = _LABEL + self._round.to_bytes(4, "big") + self.count.to_bytes(4, "big")
        self.count += 1
        last = len(cards) - 1
        block = 0
        while last > 0:
            data = hmac.digest(self._seed, prefix + block.to_bytes(4, "big"), "sha256")
            block += 1
            for word in _words(data):
                choices = last + 1
                # 65,536 is no multiple of most numbers: what is over would favour low places.
                if word < 65536 - 65536 % choices:
                    at = word % choices
                    cards[last], cards[at] = cards[at], cards[last]
                    last -= 1
                    if last == 0:
                        break
