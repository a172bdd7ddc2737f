"""Shuffling that anyone can redo (RULES 2.4, docs/shuffle.md).

The order after shuffle number ``k`` of round ``r`` is a function of the match's secret seed and
nothing else: HMAC-SHA256 gives the bytes, Fisher-Yates with rejection sampling the order, so
every order is equally likely.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from struct import Struct
from typing import Final, TypeAlias

from penultima.engine.cards import Card

Shuffle: TypeAlias = Callable[[list[Card]], None]

_LABEL: Final = b"penultima shuffle 1"
_words: Final = Struct(">16H").unpack

_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))
_BLOCK: Final = 64
"""HMAC (RFC 2104) hashes with the key exclusive-or these, filled up to a block of SHA-256."""

_LIMITS: Final = [0]
"""By how many places there are to choose from: the numbers from here on are thrown away.

65,536 is no multiple of most numbers; what is over would favour low places.
"""


class Shuffles:
    """The shuffles of one round, in order. Call it with a list to shuffle that in place."""

    __slots__ = ("_inner", "_outer", "_round", "_seed", "count")

    def __init__(self, seed: bytes, round_number: int, count: int = 0) -> None:
        self._seed = seed
        self._round = round_number
        self.count = count
        # The two hashes of HMAC stand after the key, and the inner one after label and round: each
        # block goes on from copies of them, in a third of the time that ``hmac.digest`` takes.
        key = (seed if len(seed) <= _BLOCK else sha256(seed).digest()).ljust(_BLOCK, b"\0")
        self._inner = sha256(key.translate(_INNER) + _LABEL + round_number.to_bytes(4, "big"))
        self._outer = sha256(key.translate(_OUTER))

    def __copy__(self) -> Shuffles:
        new = object.__new__(Shuffles)
        new._seed = self._seed
        new._round = self._round
        new.count = self.count
        # Both are only ever copied.
        new._inner = self._inner
        new._outer = self._outer
        return new

    def __reduce__(self) -> tuple[type[Shuffles], tuple[bytes, int, int]]:
        return Shuffles, (self._seed, self._round, self.count)

    def __call__(self, cards: list[Card]) -> None:
        begun = self._inner.copy()
        begun.update(self.count.to_bytes(4, "big"))
        self.count += 1
        choices = len(cards)
        while len(_LIMITS) <= choices:
            _LIMITS.append(65536 - 65536 % len(_LIMITS))
        block = 0
        while choices > 1:
            inner = begun.copy()
            inner.update(block.to_bytes(4, "big"))
            outer = self._outer.copy()
            outer.update(inner.digest())
            block += 1
            for word in _words(outer.digest()):
                if word < _LIMITS[choices]:
                    at = word % choices
                    choices -= 1
                    cards[choices], cards[at] = cards[at], cards[choices]
                    if choices == 1:
                        break
