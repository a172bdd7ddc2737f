"""What still has to go to one page. Bounded, so that a stuck phone costs nothing.

Only the newest view waits: a view is whole, so an older one has nothing to add. Answers wait in
order; when there are too many the oldest go, and the page asks again (same `n`, same answer).
"""

from __future__ import annotations

from collections import deque

ANSWERS = 64


class Outbox:
    """Texts in order, at most one view among them. `newest` is the last view, sent or not."""

    __slots__ = ("_answers", "_waiting", "dropped", "newest")

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, bool]] = deque()
        self._answers = 0
        self.newest: str | None = None
        self.dropped = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, text: str, *, view: bool = False) -> None:
        if view:
            self._drop_view()
            self.newest = text
        else:
            self._answers += 1
            if self._answers > ANSWERS:
                self._drop_answer()
        self._waiting.append((text, view))

    def pop(self) -> str:
        text, view = self._waiting.popleft()
        if not view:
            self._answers -= 1
        return text

    def again(self) -> None:
        """What was sent may be lost: the newest view once more."""
        if self.newest is not None:
            self.put(self.newest, view=True)

    def clear(self) -> None:
        self._waiting.clear()
        self._answers = 0

    def _drop_view(self) -> None:
        for index, (_, view) in enumerate(self._waiting):
            if view:
                del self._waiting[index]
                self.dropped += 1
                return

    def _drop_answer(self) -> None:
        for index, (_, view) in enumerate(self._waiting):
            if not view:
                del self._waiting[index]
                self._answers -= 1
                self.dropped += 1
                return
