"""The tables of this program: those at work, and those that rest until somebody comes.

A program that runs one table is a club of one. A table that rests is in the journal and nowhere
else but for a line here; a hello with its secret wakes it. So a club is as large as its disk, and
at work are only the tables with somebody at them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from penultima.bots import bot
from penultima.host.invitation import NODE, Invitation
from penultima.host.journal import JournalError, NoJournal
from penultima.host.runner import Runner
from penultima.host.thinking import Thinking
from penultima.table import RestoreError, Table
from penultima.table.keys import same

if TYPE_CHECKING:
    from penultima.host.journal import Journal, Record

logger = logging.getLogger(__name__)

LONELY_SECONDS: Final = 60.0
"""A table that nobody has been at for so long makes room for another, if there has to be room."""

WAKERS: Final = 2
"""So many tables are built up again at a time: the rest of the program goes on beside it."""


@dataclass(frozen=True, slots=True)
class Resting:
    """A table that is in the journal only. ``told``: its summary when it was last at work, or as
    much of it as the journal's first record says; ``touched``: seconds since 1970."""

    invitation: Invitation
    told: dict[str, Any]
    touched: float


class FullError(Exception):
    """As many tables are at work as there may be, and somebody is at each of them."""


class NoTableError(LookupError):
    """There is no such table, or its records lead nowhere."""


class Tables:
    """By their codes. ``most`` tables at work at a time; None for no limit."""

    def __init__(
        self,
        journal: Journal | None = None,
        *,
        most: int | None = None,
        node: str = NODE,
        link: Callable[[Invitation], str] = lambda _: "",
    ) -> None:
        self.journal: Journal = journal or NoJournal()
        self.most = most
        self.node = node
        self.link = link
        """The guests' link to a table, which its pages pass on."""
        self.on_change: Callable[[], None] | None = None
        """Something is different that a console or a list would show."""
        self.on_trouble: Callable[[bool], None] | None = None
        """With true when the journal cannot be written, with false when it can again."""
        self.resting: dict[str, Resting] = {}
        self._runners: dict[str, Runner] = {}
        self._invitations: dict[str, Invitation] = {}
        self._waking: dict[str, asyncio.Task[Runner]] = {}
        self._leaving: dict[str, asyncio.Task[None]] = {}
        self._coming = 0  # tables on their way to be at work
        self._stuck: set[str] = set()
        self._wakers = asyncio.Semaphore(WAKERS)
        self._thinking = Thinking()

    def __len__(self) -> int:
        return len(self._runners)

    def __iter__(self) -> Iterator[Runner]:
        """Those at work, the oldest first."""
        return iter(list(self._runners.values()))

    @property
    def stuck(self) -> int:
        """Tables that stand still because the journal cannot be written."""
        return len(self._stuck)

    def get(self, code: str) -> Runner | None:
        """The table, if it is at work."""
        return self._runners.get(code)

    def invitation(self, code: str) -> Invitation | None:
        """To a table at work or at rest."""
        resting = self.resting.get(code)
        return self._invitations.get(code) if resting is None else resting.invitation

    def admits(self, code: str, secret: str) -> bool:
        """Whether that secret opens that table. An unknown table takes as long to say no."""
        runner, resting = self._runners.get(code), self.resting.get(code)
        if runner is not None:
            return runner.table.admits(secret)
        return same(secret, "" if resting is None else resting.invitation.secret) and bool(resting)

    def is_of_another_node(self, code: str) -> bool:
        """Whether a code that is not known here was given out by another node."""
        return code[:1] != self.node and self.invitation(code) is None

    # --- opening

    def add(self, runner: Runner, invitation: Invitation | None = None) -> None:
        """A table that is at work already."""
        code = runner.code
        self._runners[code] = runner
        if invitation is not None:
            self._invitations[code] = invitation
        self.resting.pop(code, None)
        runner.on_change = self._changed
        runner.on_trouble = lambda stuck: self._trouble(code, stuck=stuck)
        self._changed()

    async def open(self, table: Table, invitation: Invitation) -> Runner:
        """A new table, or one that goes on, at work: it is in the journal when this returns.

        :class:`FullError`; JournalError when it cannot be kept.
        """
        async with self._room():
            return await self._begin(table, invitation)

    async def _begin(self, table: Table, invitation: Invitation) -> Runner:
        code = invitation.code
        table.link = self.link(invitation)
        await self.journal.begin(code, table.journal())
        runner = Runner(code, table, self.journal, self._thinking)
        self.add(runner, invitation)
        return runner

    async def wake(self, code: str) -> Runner:
        """The table at work, out of the journal if it rests.

        :class:`NoTableError`, :class:`FullError`; JournalError when it cannot be kept.
        """
        leaving = self._leaving.get(code)
        if leaving is not None:
            await asyncio.shield(leaving)
        runner = self._runners.get(code)
        if runner is not None:
            return runner
        task = self._waking.get(code)
        if task is None:
            task = asyncio.create_task(self._wake(code), name=f"wake-{code}")
            self._waking[code] = task
            task.add_done_callback(lambda done: self._awake(code, done))
        return await asyncio.shield(task)

    async def _wake(self, code: str) -> Runner:
        resting = self.resting.get(code)
        if resting is None:
            raise NoTableError(code)
        # Room first: building a table up for nothing, again and again, would cost the others.
        async with self._wakers, self._room():
            now = asyncio.get_running_loop().time()
            try:
                table = await asyncio.to_thread(self._restored, code, now)
            except RestoreError as error:
                logger.warning("table %s: %s", code, error)
                self.resting.pop(code, None)
                await self.journal.end(code)
                raise NoTableError(code) from None
            return await self._begin(table, resting.invitation)

    def _restored(self, code: str, now: float) -> Table:
        """In a thread of its own: a long match takes a moment."""
        try:
            records = self.journal.read(code)
        except ValueError as wrong:  # whatever a file can hold
            raise RestoreError(repr(wrong)) from wrong
        return restored(records, now)

    def _awake(self, code: str, task: asyncio.Task[Runner]) -> None:
        del self._waking[code]
        if not task.cancelled():
            task.exception()  # whoever waits has it; there may be nobody any more

    @contextlib.asynccontextmanager
    async def _room(self) -> AsyncIterator[None]:
        """For one more table at work; what lies between here and there counts already."""
        while self.most is not None and len(self._runners) + self._coming >= self.most:
            now = asyncio.get_running_loop().time()
            lonely = max(self, key=lambda runner: runner.lonely(now), default=None)
            if lonely is None or not self.journal.keeps or lonely.lonely(now) < LONELY_SECONDS:
                raise FullError
            await self.rest(lonely.code)
        self._coming += 1
        try:
            yield
        finally:
            self._coming -= 1

    # --- resting and closing

    async def rest(self, code: str) -> None:
        """The journal alone has the table from now on; its pages go on looking for it."""
        runner = self._runners.pop(code, None)
        if runner is not None:
            self.resting[code] = Resting(
                self._invitations[code], runner.table.console(), time.time()
            )
            task = asyncio.create_task(self._close(runner, resting=True), name=f"rest-{code}")
            self._leaving[code] = task
            task.add_done_callback(lambda _: self._leaving.pop(code, None))
        if code in self._leaving:
            await asyncio.shield(self._leaving[code])

    async def rest_lonely(self, seconds: float) -> None:
        """Lays to rest what nobody has been at for so long."""
        now = asyncio.get_running_loop().time()
        if self.journal.keeps and not self._stuck:
            for runner in self:
                if runner.lonely(now) >= seconds and runner.code in self._invitations:
                    await self.rest(runner.code)

    async def forget(self, code: str) -> None:
        """Close a table for good: its link leads nowhere any more. JournalError: it stays."""
        under_way = [each[code] for each in (self._waking, self._leaving) if code in each]
        if under_way:
            await asyncio.wait(under_way)
        # Out of the way first: nobody shall wake it, or lay it to rest, in the meantime.
        runner, resting = self._runners.pop(code, None), self.resting.pop(code, None)
        try:
            await self.journal.end(code)
        except JournalError:
            if runner is not None:
                self._runners[code] = runner
            if resting is not None:
                self.resting[code] = resting
            raise
        if runner is not None:
            await self._close(runner, resting=False)
        self._changed()

    async def close(self, keeps: Callable[[Runner], bool] = lambda _: False) -> None:
        """All of them, side by side: the pages are told, and those it ``keeps`` rest."""
        for waking in list(self._waking.values()):
            waking.cancel()
        await asyncio.gather(*self._leaving.values(), return_exceptions=True)

        async def one(runner: Runner) -> None:
            resting = keeps(runner)
            await self._close(runner, resting=resting)
            if not resting:
                with contextlib.suppress(JournalError):
                    await self.journal.end(runner.code)

        await asyncio.gather(*map(one, self))
        self._runners.clear()

    async def _close(self, runner: Runner, *, resting: bool) -> None:
        await runner.close(resting=resting)
        runner.on_change = runner.on_trouble = None
        self._trouble(runner.code, stuck=False)
        self._invitations.pop(runner.code, None)
        self._changed()

    # --- from the tables

    def _changed(self) -> None:
        if self.on_change is not None:
            self.on_change()

    def _trouble(self, code: str, *, stuck: bool) -> None:
        """The first table that stands still, and the last that goes on again, are news."""
        before = bool(self._stuck)
        (self._stuck.add if stuck else self._stuck.discard)(code)
        if before != bool(self._stuck) and self.on_trouble is not None:
            self.on_trouble(stuck)


def restored(records: Iterable[Record], now: float) -> Table:
    """:class:`RestoreError` if they lead nowhere."""
    try:
        return Table.restore(records, now, brain=bot)
    except RestoreError:
        raise
    except Exception as wrong:  # whatever a file can hold
        raise RestoreError(repr(wrong)) from wrong
