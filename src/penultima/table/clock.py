"""The table's own clock: time during which the host was awake.

The caller's ``now`` may stand still, jump ahead (a laptop slept) or go back. A call that comes
long after it was due, or after a long silence, shows that nobody was awake in between: that time
does not count against anybody.
"""

from __future__ import annotations

from typing import Final

EXACT: Final = 1e-6
GRACE: Final = 1.5
"""A call that comes this much later than asked for still counts as awake time. Less than what a
page may be silent for beyond its heartbeat: a host that was held up has not heard anybody."""


class Clock:
    """Awake time, in seconds since the table was opened."""

    __slots__ = ("_last", "held_up", "now")

    def __init__(self, outside: float, now: float = 0.0) -> None:
        self.begin(outside, now)

    def begin(self, outside: float, now: float) -> None:
        """It is ``now``; the caller's clock stands at ``outside``."""
        self._last = outside
        self.now = now
        self.held_up = 0.0
        """What the last call counted, if it came too late to believe that anybody was awake."""

    def advance(self, outside: float, due: float | None) -> float:
        """Time has come to ``outside``; the table asked to be called at ``due`` (awake time)."""
        passed = outside - self._last
        self._last = outside
        self.held_up = 0.0
        if passed > 0:
            expected = GRACE if due is None else max(due - self.now, 0.0) + GRACE
            self.held_up = expected if passed > expected else 0.0
            self.now += min(passed, expected)
        if due is not None and due - EXACT < self.now < due:
            # Called when it was due, but for the rounding of sums.
            self.now = due
        return self.now

    def outside(self, due: float) -> float:
        """The caller's time at which it will be ``due`` in awake time."""
        return self._last + (due - self.now)
