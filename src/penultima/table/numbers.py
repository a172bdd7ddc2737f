"""Requests and their numbers: one that comes twice is answered twice and done once.

Why, and for how long: protocol.md, "Connections, seats, numbers".
"""

from __future__ import annotations

from typing import Any, Final

WINDOW: Final = 32
"""How many answers are kept for a sender."""
LARGEST: Final = 2**31 - 1


class Numbers:
    """The requests of one sender.

    Numbers may arrive out of order: within the window one that has no answer has not been done,
    however high the others are. What fell out of the window cannot be told apart any more and
    is not done.
    """

    __slots__ = ("_answers", "_deciding", "last")

    def __init__(self) -> None:
        self.last = 0
        self._answers: dict[int, dict[str, Any]] = {}
        self._deciding: set[int] = set()

    def answer(self, n: int) -> dict[str, Any] | None:
        """The stored answer to number ``n``, if it was answered."""
        return self._answers.get(n)

    def is_new(self, n: int) -> bool:
        """Whether ``n`` was neither done nor refused, is not being decided, and is not too old."""
        return n > self.last - WINDOW and n not in self._answers and n not in self._deciding

    def hold(self, n: int) -> None:
        """``n`` will be answered later."""
        if n not in self._answers:
            self.last = max(self.last, n)
            self._deciding.add(n)

    def store(self, n: int, answer: dict[str, Any]) -> None:
        """``n`` is answered: whoever asks it again is told the same."""
        self.last = max(self.last, n)
        self._deciding.discard(n)
        self._answers[n] = answer
        for old in [number for number in self._answers if number <= self.last - WINDOW]:
            del self._answers[old]
