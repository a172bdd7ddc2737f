"""When bots move: they think as long as a person would find natural, and never pounce.

How they choose is not the table's business: a *brain* is handed in. A bot sees the view of its
seat and the events as that seat sees them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias, runtime_checkable

from penultima.engine.actions import ACCEPT, CALL, DRAW, PASS, Action, Catch
from penultima.engine.errors import Refused
from penultima.engine.events import Event, Played, seen_by
from penultima.engine.match import Match
from penultima.engine.view import View
from penultima.table import keys
from penultima.table.ledger import Fact, Ledger, changes_turn
from penultima.table.presence import Commit
from penultima.table.seats import Seat
from penultima.table.views import of_the_game

THINKS: Final = (0.7, 1.4)
HOLDS: Final = 0.6
"""An action card is looked at for so long before the next bot moves."""
FAST: Final = 0.35
"""What is left of both when bots are to be fast."""
REACTION: Final = 1.2
"""No bot catches a person sooner after the exposure, or closes the window itself (RULES 5.5)."""


class Bot(Protocol):
    """Plays one seat. ``None`` out of turn: lets the moment pass.

    A bot may also have ``watch(events, seat)``, which is told what happened, as its seat saw it.
    """

    def choose(self, view: View, rng: random.Random, /) -> Action | None: ...


@runtime_checkable
class Watching(Protocol):
    def watch(self, events: Sequence[Event], seat: int, /) -> None: ...


@runtime_checkable
class Pondering(Protocol):
    """A bot that uses its time: it thinks about its turn in slices until it is asked to choose."""

    def ponder(self, view: View, rng: random.Random, /) -> Iterator[None]: ...


Brain: TypeAlias = Callable[[str], Bot]
"""Makes a bot of a level; ``KeyError`` if it knows none."""


@dataclass(slots=True)
class _Player:
    level: str
    bot: Bot
    rng: random.Random


@dataclass(slots=True)
class _Plan:
    """A move to come. It holds for one state of the game; whatever changes that, cancels it."""

    due: float
    state: object
    pondering: Iterator[None] | None = None


class Schedule:
    """The bots of one table, and when each of them moves next."""

    def __init__(self, ledger: Ledger, commit: Commit, brain: Brain | None) -> None:
        self._ledger = ledger
        self._commit = commit
        self._brain = brain
        self._rng = random.Random(keys.derived(ledger.seed, "bots"))
        self._players: dict[Seat, _Player] = {}
        self._plans: dict[Seat, _Plan] = {}
        self._changed = 0
        """Counts what happens in the game: calls and catches too."""
        self._heavy = False
        self.faults: list[str] = []
        """What bots did wrong, in words for the host's log; the game went on without them."""

    def watch(self, facts: list[Fact]) -> None:
        """Something happened."""
        happened = of_the_game(facts)
        if not happened:
            return
        self._changed += 1
        for event in happened:
            if isinstance(event, Played):
                self._heavy = event.card.number is None
        for number, seat, player in self._seated():
            if isinstance(player.bot, Watching):
                try:
                    player.bot.watch([seen_by(event, number) for event in happened], number)
                except Exception as fault:  # noqa: BLE001 -- see _choose
                    self._fault(seat, fault)

    def _seated(self) -> list[tuple[int, Seat, _Player]]:
        found = []
        for number, seat in enumerate(self._ledger.seats):
            if seat is not None and seat.played_by_bot is not None and self._brain is not None:
                found.append((number, seat, self._player(seat, seat.played_by_bot)))
        return found

    def _player(self, seat: Seat, level: str) -> _Player:
        player = self._players.get(seat)
        if player is None or player.level != level:
            assert self._brain is not None
            label = f"bot {self._ledger.seq} {self._ledger.index(seat)}"
            rng = random.Random(keys.derived(self._ledger.seed, label))
            player = self._players[seat] = _Player(level, self._brain(level), rng)
        return player

    def knows(self, level: str) -> bool:
        """Whether there is a bot of that level."""
        if self._brain is None:
            return True
        try:
            self._brain(level)
        except KeyError:
            return False
        return True

    def due(self) -> float | None:
        return min((plan.due for plan in self._plans.values()), default=None)

    def plan(self, now: float) -> None:
        """Drop the plans that hold no more, and plan for every bot that could move."""
        match = self._ledger.match
        if match is None or not self._ledger.running or self._ledger.paused:
            self._plans.clear()
            return
        seated = self._seated()
        if not seated:
            self._plans.clear()
            self._players.clear()
            return
        assert match.round is not None
        turn = match.round.turn
        for number, seat, _ in seated:
            # In turn it is the turn that it thinks about, with the hand that it has (a catch adds
            # to it), else whatever has just changed.
            state: object = "else", self._changed
            if number == turn:
                state = "turn", self._ledger.moved, len(match.round.hands[number])
            plan = self._plans.get(seat)
            if plan is not None and plan.state == state:
                continue
            if match.legal(number):
                self._plans[seat] = _Plan(now + self._think(), state)
                if number == turn:
                    self._plans[seat].pondering = self._ponder(number, seat)
            else:
                self._plans.pop(seat, None)
        playing = {seat for _, seat, _ in seated}
        for seat in [seat for seat in self._plans if seat not in playing]:
            del self._plans[seat]
        # Whoever stands in again later has not seen what happened in between.
        for seat in [seat for seat in self._players if seat not in playing]:
            del self._players[seat]

    def _think(self) -> float:
        time = self._rng.uniform(*THINKS) + (HOLDS if self._heavy else 0.0)
        return time * FAST if self._ledger.fast else time

    def _ponder(self, number: int, seat: Seat) -> Iterator[None] | None:
        player, match = self._players[seat], self._ledger.match
        assert match is not None
        if not isinstance(player.bot, Pondering):
            return None
        try:
            return player.bot.ponder(match.view(number), player.rng)
        except Exception as fault:  # noqa: BLE001 -- see _choose
            self._fault(seat, fault)
            return None

    def think(self) -> bool:
        """One slice of thinking about a move to come, and whether there is more to think."""
        for seat, plan in self._plans.items():
            if plan.pondering is None:
                continue
            try:
                next(plan.pondering)
            except StopIteration:
                plan.pondering = None
            except Exception as fault:  # noqa: BLE001 -- see _choose
                plan.pondering = None
                self._fault(seat, fault)
            return True
        return False

    def step(self, now: float) -> bool:
        """Make one move that is due, and say whether there was one."""
        due = [(plan.due, self._ledger.index(seat), seat) for seat, plan in self._plans.items()]
        for when, number, seat in sorted(due, key=lambda each: each[:2]):
            if when > now:
                break
            if self._move(number, seat, now):
                return True
        return False

    def _move(self, number: int, seat: Seat, now: float) -> bool:
        match = self._ledger.match
        assert match is not None
        assert match.round is not None
        mine = match.round.turn == number
        plan = self._plans[seat]
        action = self._choose(match, number, seat, mine=mine)
        if action is None:
            # Lets it pass: the plan stays, spent, until something changes.
            plan.due = float("inf")
            return False
        wait = self._reaction(number, action)
        if wait > now:
            plan.due = wait + self._rng.uniform(0.0, 0.3)
            return False
        del self._plans[seat]
        try:
            self._commit("act", seat=number, a=str(action))
        except Refused as refused:
            self._fault(seat, refused)
            return False
        return True

    def _choose(self, match: Match, number: int, seat: Seat, *, mine: bool) -> Action | None:
        legal = match.legal(number)
        player = self._player(seat, seat.played_by_bot or "")
        try:
            action = player.bot.choose(match.view(number), player.rng)
        # A bot that fails must not stop a table of people: it then does the plainest thing.
        except Exception as fault:  # noqa: BLE001
            self._fault(seat, fault)
            action = None
        if action is not None and action not in legal:
            self._fault(seat, ValueError(f"chose {action} of {', '.join(map(str, legal))}"))
            action = None
        if action is None and mine:
            action = next((each for each in (DRAW, PASS, ACCEPT) if each in legal), legal[0])
        return action

    def _reaction(self, number: int, action: Action) -> float:
        """The earliest moment for that action, for the sake of people who have still to call."""
        ledger = self._ledger
        if action is CALL:
            return 0.0
        if isinstance(action, Catch):
            at_risk = {action.player}
        else:
            assert changes_turn(action)
            at_risk = set(ledger.exposed) - {number}
        times = [
            ledger.exposed[other] + REACTION
            for other in at_risk & set(ledger.exposed)
            if (seat := ledger.seats[other]) is not None and seat.played_by_bot is None
        ]
        return max(times, default=0.0)

    def _fault(self, seat: Seat, fault: Exception) -> None:
        if len(self.faults) < 100:
            self.faults.append(f"{seat.name}: {fault!r}")
