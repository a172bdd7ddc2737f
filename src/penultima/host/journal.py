"""Where a table's records go before anybody sees what they say.

Commit, then acknowledge, then show: `Runner` sends nothing before `commit` has
returned. The file itself is in `store`; here is the one thread that writes it, for all tables.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from penultima.host.store import Store

Record = dict[str, Any]


class JournalError(Exception):
    """The records are not safe (disk full, file gone). The same records will be given again."""


class Journal(Protocol):
    """Keeps records, in order, by table."""

    keeps: bool
    """Whether a table can be had back from it."""

    def commit(self, code: str, records: Sequence[Record]) -> Awaitable[None]:
        """Begins at once; done when all of them are safe, JournalError when none of them is."""

    async def begin(self, code: str, records: Sequence[Record]) -> None:
        """As `commit`, for the first records of a table that is served from now on."""

    async def end(self, code: str) -> None:
        """The table was closed for good; JournalError."""

    def read(self, code: str) -> list[Record]:
        """All records of a table, from any thread. JournalError when they cannot be had now,
        ValueError when they are damaged."""

    async def close(self) -> None: ...


class NoJournal:
    """Keeps nothing: what happened lives as long as the program."""

    keeps = False

    async def commit(self, code: str, records: Sequence[Record]) -> None: ...

    async def begin(self, code: str, records: Sequence[Record]) -> None: ...

    async def end(self, code: str) -> None: ...

    def read(self, code: str) -> list[Record]:
        raise JournalError(f"nothing of table {code} is kept")

    async def close(self) -> None: ...


_Batch = tuple[str, "Sequence[Record]", "asyncio.Future[None]"]


@dataclass(slots=True)
class _Work:
    """Anything else for the writer."""

    call: Callable[[Store], None]
    done: asyncio.Future[None]


class SqliteJournal:
    """Keeps records in a `Store`, written by one thread.

    What waits while the disk is busy goes into one commit together (group commit). ``port``: where
    the tables are served.
    """

    keeps = True

    def __init__(self, store: Store, port: int | None = None) -> None:
        self._store, self._port = store, port
        self._queue: queue.SimpleQueue[_Batch | _Work | None] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._closed = False
        self._thread = threading.Thread(target=self._write, name="journal", daemon=True)
        self._thread.start()

    def commit(self, code: str, records: Sequence[Record]) -> asyncio.Future[None]:
        done: asyncio.Future[None] = self._loop.create_future()
        if self._closed:
            done.set_exception(JournalError("the journal is closed"))
        else:
            self._queue.put((code, tuple(records), done))
        return done

    async def begin(self, code: str, records: Sequence[Record]) -> None:
        await self.commit(code, records)
        port = self._port
        if port is not None:
            await self._do(lambda store: store.note_port(code, port))

    async def end(self, code: str) -> None:
        await self._do(lambda store: store.end(code))

    async def _do(self, work: Callable[[Store], None]) -> None:
        """In the writer's thread, after everything given before."""
        if self._closed:
            raise JournalError("the journal is closed")
        done: asyncio.Future[None] = self._loop.create_future()
        self._queue.put(_Work(work, done))
        await done

    def read(self, code: str) -> list[Record]:
        # With a connection of its own: the writer is not held up, however much there is to read.
        try:
            return self._store.read(code)
        except sqlite3.Error as error:
            raise JournalError(str(error)) from error

    async def close(self) -> None:
        """Everything given before is written first. The store stays open."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
            await asyncio.to_thread(self._thread.join)

    # --- in the thread

    def _write(self) -> None:
        while True:
            batches = [self._queue.get()]
            while not self._queue.empty():
                batches.append(self._queue.get())
            given = [each for each in batches if isinstance(each, tuple)]
            if given:
                self._append(given)
            for each in batches:
                if isinstance(each, _Work):
                    self._carry_out(each)
            if None in batches:
                return

    def _carry_out(self, work: _Work) -> None:
        try:
            work.call(self._store)
        except Exception as error:  # noqa: BLE001 - as below
            self._tell(work.done, JournalError(str(error)))
        else:
            self._tell(work.done, None)

    def _append(self, given: list[_Batch]) -> None:
        try:
            self._store.append([(code, records) for code, records, _ in given])
        # Not only SQLite's: whatever it was, the thread lives on and nothing was kept.
        except Exception as error:  # noqa: BLE001
            if len(given) > 1 and not isinstance(error, sqlite3.OperationalError):
                # One table's mistake is not the others' loss.
                for each in given:
                    self._append([each])
                return
            outcome: JournalError | None = JournalError(str(error))
        else:
            outcome = None
        for _, _, done in given:
            self._tell(done, outcome)

    def _tell(self, done: asyncio.Future[None], outcome: JournalError | None) -> None:
        def settle() -> None:
            if done.cancelled():
                return
            if outcome is None:
                done.set_result(None)
            else:
                done.set_exception(outcome)

        try:
            self._loop.call_soon_threadsafe(settle)
        except RuntimeError:
            return  # the loop is closed: nobody waits any more
