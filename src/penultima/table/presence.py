"""Who is here: losses, the pause, the countdown out of it, seats kept and given back (RULES 9).

Decides by looking at what is, one step at a time, and commits what has to change; nothing that it
decides depends on the order in which losses and returns came in. All times are awake time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from penultima.engine.match import IN
from penultima.engine.waiting import Colour, Drawn
from penultima.table.ledger import ROUND, Ledger
from penultima.table.requests import Request
from penultima.table.seats import Seat

SILENCE: Final = 0.75
"""A page says something every 1.5 s: when it is lost, then on average half of that after its last
word, and never further than that half from it."""
LOOK: Final = 10.0
"""How often time is looked at while somebody is away, so that it counts, and so that it does not
when the host was asleep (``clock``): what was slept through is only noticed between two looks."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the table waits, in seconds (protocol.md, end of "Connections, seats, numbers")."""

    dot: float = 3.0
    """Under this a loss is not even shown."""
    pause: float = 5.0
    """After this it pauses the match."""
    hold: float = 600.0
    """For this long a seat is kept in the lobby; in a match until the host decides."""
    countdown: float = 3.0
    urge: float = 60.0
    """After this anybody may ask the host to decide."""


class Commit(Protocol):
    def __call__(self, kind: str, /, request: Request | None = None, **fields: object) -> int: ...


class Presence:
    """Losses as they are noticed, and what follows from them."""

    def __init__(
        self,
        ledger: Ledger,
        commit: Commit,
        give_up: Callable[[Seat], None],
        patience: Patience,
    ) -> None:
        self._ledger = ledger
        self._commit = commit
        self._give_up = give_up
        self.patience = patience
        self._lost: dict[Seat, float] = {}

    def lost(self, seat: Seat, since: float) -> None:
        """Nothing comes from this person any more."""
        self._lost.setdefault(seat, since)

    def found(self, seat: Seat) -> bool:
        """The person is here. Whether that is news."""
        return self._lost.pop(seat, None) is not None

    def is_lost(self, seat: Seat) -> bool:
        return seat in self._lost

    def due(self, now: float) -> float | None:
        """When to look again."""
        return min(self._times(now), default=None)

    def _times(self, now: float) -> Iterator[float]:
        ledger = self._ledger
        for seat, since in self._lost.items():
            if seat.away is None:
                yield since + self.patience.dot
            elif ledger.running:
                paused = "away" in ledger.paused or self._pauses_from(seat) is None
                yield now + LOOK if paused else since + self.patience.pause
            elif seat is not ledger.host:
                yield min(since + self.patience.hold, now + LOOK)
        if ledger.countdown is not None:
            yield ledger.countdown

    def step(self, now: float) -> bool:
        """Commit one thing that is due, and say whether there was one."""
        return (
            self._show_losses(now)
            or self._give_back()
            or self._pause_or_go_on(now)
            or self._end_countdown(now)
            or self._clear_lobby(now)
        )

    def _show_losses(self, now: float) -> bool:
        for seat, since in list(self._lost.items()):
            if not seat.person:
                del self._lost[seat]
            elif seat.away is None and now >= since + self.patience.dot:
                self._commit("away", seat=self._ledger.index(seat), since=since)
                return True
        return False

    def _give_back(self) -> bool:
        """Who is here again takes the seat back; from a bot, not in the middle of its move."""
        ledger = self._ledger
        for number, seat in enumerate(ledger.seats):
            if seat is None or seat.away is None or seat in self._lost or not seat.person:
                continue
            if not (seat.standin and self._in_the_middle(number)):
                self._commit("back", seat=number)
                return True
        return False

    def _in_the_middle(self, number: int) -> bool:
        round_ = None if self._ledger.match is None else self._ledger.match.round
        return (
            round_ is not None
            and round_.turn == number
            and isinstance(round_.waiting, Drawn | Colour)
        )

    def _pauses_from(self, seat: Seat) -> float | None:
        """From when on the absence of this person pauses the match, if it does."""
        if not seat.person or seat.away is None or seat.standin is not None:
            return None
        if self._ledger.status(self._ledger.index(seat)) != IN:
            return None
        return seat.away + self.patience.pause

    def stand_still(self, now: float) -> None:
        """After a restart: no bot moves, and no window closes, before the first is back."""
        ledger = self._ledger
        if not ledger.running:
            return
        if "away" not in ledger.paused and any(map(self._pauses_from_now, ledger.held())):
            self._commit("pause", reason="away")
        # What the program that died was held up by is no matter of this one.
        for reason in sorted(ledger.paused - {"away", "host", "countdown"}):
            self.lift(reason, now)

    def _pauses_from_now(self, seat: Seat) -> bool:
        return self._pauses_from(seat) is not None

    def _pause_or_go_on(self, now: float) -> bool:
        ledger = self._ledger
        if not ledger.running:
            return False
        times = [time for seat in ledger.held() if (time := self._pauses_from(seat)) is not None]
        if "away" in ledger.paused:
            if not times:
                self.lift("away", now)
            return not times
        if any(now >= time for time in times):
            self._commit("pause", reason="away")
            return True
        return False

    def lift(self, reason: str, now: float, request: Request | None = None) -> int:
        """``reason`` holds no more. When it was the last, a round goes on after a countdown."""
        ledger = self._ledger
        until = None
        if ledger.phase == ROUND and ledger.paused == {reason}:
            until = now + self.patience.countdown
        return self._commit("resume", request, reason=reason, countdown=until)

    def _end_countdown(self, now: float) -> bool:
        if self._ledger.countdown is None or now < self._ledger.countdown:
            return False
        self._commit("go")
        return True

    def _clear_lobby(self, now: float) -> bool:
        """Where no match is on, a seat is kept for ten minutes; the host's for ever."""
        ledger = self._ledger
        if ledger.running:
            return False
        for seat in ledger.held():
            if seat.away is None or seat is ledger.host or seat not in self._lost:
                continue
            if now >= seat.away + self.patience.hold:
                self._give_up(seat)
                return True
        return False
