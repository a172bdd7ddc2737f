"""One task a table: feeds it with what arrives, commits what it decided, sends what it says.

The order is the promise: commit, then acknowledge, then show. Everything that waits for the
commit is decided together with it, so a slow disk means fewer and larger commits. A disk that
takes nothing holds the match up: it is tried again and again, and what was decided meanwhile is
neither answered nor shown before it is kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from typing import TYPE_CHECKING, Any, Protocol

from pydantic_core import to_json

from penultima.host.journal import JournalError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from penultima.host.journal import Journal, Record
    from penultima.host.thinking import Thinking

logger = logging.getLogger(__name__)

Message = dict[str, Any]
Letter = tuple[int, Message, str]
"""For which connection, what, and the same as it is sent."""

RETRY_SECONDS = 1.0
BREATH_SECONDS = 0.01
EARLY_SECONDS = 0.001  # the loop's timers are about that exact
INPUTS_AT_ONCE = 16  # then the other tables have a turn: each may cost a view for everybody


class TableLike(Protocol):
    """What of `penultima.table.Table` the host needs (docs/design.md section 2)."""

    link: str

    def admits(self, secret: str) -> bool: ...
    def connect(self, now: float) -> int: ...
    def receive(self, conn: int, message: Message, now: float) -> None: ...
    def alive(self, conn: int, now: float) -> bool: ...
    def disconnect(self, conn: int, now: float) -> None: ...
    def tick(self, now: float) -> None: ...
    def hold(self, reason: str, now: float) -> None: ...
    def release(self, reason: str, now: float) -> None: ...
    def deadline(self) -> float | None: ...
    def think(self) -> bool: ...
    def journal(self) -> list[Record]: ...
    def outbox(self) -> list[tuple[int, Message]]: ...
    def may_offer(self, conn: int) -> bool: ...
    def close(self, now: float) -> None: ...
    def console(self) -> Message: ...


class Page(Protocol):
    """What the runner needs of a session."""

    def deliver(self, kind: str, message: Message, text: str) -> None: ...
    def farewell(self, code: str) -> None: ...
    def rest(self) -> None: ...


DISK: Message = {"t": "notice", "code": "disk"}


class Runner:
    """A table at work. `join`, `receive` and `leave` return at once; the task does the rest."""

    def __init__(
        self, code: str, table: TableLike, journal: Journal, thinking: Thinking | None = None
    ) -> None:
        self.code = code
        self.table = table
        self._thinking = thinking
        self.on_change: Callable[[], None] | None = None
        self.on_trouble: Callable[[bool], None] | None = None
        """Called with true when the journal cannot be written, with false when it can again."""
        self._journal = journal
        self._inputs: deque[tuple[str, Page, Message | None]] = deque()
        self._uncommitted: list[Record] = []
        self._withheld: list[Letter] = []
        self._stuck = False
        self._changed = False  # something that the console may show
        self._wake = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._timed_for: float | None = None
        self._conns: dict[Page, int] = {}
        self._pages: dict[int, Page] = {}
        self._loop = asyncio.get_running_loop()
        self._left = self._loop.time()  # when the last page went, if there is none
        self._task = asyncio.create_task(self._run(), name=f"table-{code}")

    @property
    def pages(self) -> int:
        return len(self._pages)

    def lonely(self, now: float) -> float:
        """Seconds that nobody has been here for."""
        return 0.0 if self._pages else now - self._left

    def join(self, page: Page, hello: Message) -> None:
        self._post("join", page, hello)

    def receive(self, page: Page, message: Message) -> None:
        self._post("receive", page, message)

    def leave(self, page: Page) -> None:
        self._post("leave", page, None)

    def alive(self, page: Page) -> None:
        """Something came from that page that is not for the table."""
        conn = self._conns.get(page)
        if conn is not None and self.table.alive(conn, self._loop.time()):
            self._wake.set()

    def may_offer(self, page: Page) -> bool:
        """Whether a data channel may be offered by that page."""
        conn = self._conns.get(page)
        return conn is not None and self.table.may_offer(conn)

    async def close(self, *, resting: bool = False) -> None:
        """Commits what is left and tells every page. They are gone some moments later.

        ``resting``: the journal keeps the table, the pages shall find it again.
        """
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        self._cancel_timer()
        if self._thinking is not None:
            self._thinking.forget(self.table)
        try:
            if not resting:
                self.table.close(self._loop.time())
            await self._settle(patient=False)
        except Exception:
            logger.exception("table %s, closing", self.code)
        for page in list(self._conns):
            if resting:
                page.rest()
            else:
                page.farewell("table_closed")
        self._conns.clear()
        self._pages.clear()

    def _post(self, kind: str, page: Page, message: Message | None) -> None:
        self._inputs.append((kind, page, message))
        self._wake.set()

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                self._decide()
                if await self._settle():
                    self._changed = True
                self._set_timer()
                if self._thinking is not None:
                    self._thinking.wanted(self.table)
                if self._changed and self.on_change is not None:
                    self._changed = False
                    self.on_change()
            except Exception:
                logger.exception("table %s", self.code)
            if self._inputs:
                await asyncio.sleep(0)

    def _decide(self) -> None:
        """What has arrived, in order; what one input breaks is no matter of the next. Of very much
        a part: the rest has its turn after the other tables, and the clock after that."""
        now = self._loop.time()
        for _ in range(min(len(self._inputs), INPUTS_AT_ONCE)):
            kind, page, message = self._inputs.popleft()
            try:
                self._take(kind, page, message, now)
            except Exception:
                logger.exception("table %s, on %s", self.code, (message or {}).get("t", kind))
        if self._inputs:
            self._wake.set()
            return
        deadline = self.table.deadline()
        if deadline is not None and deadline <= now + EARLY_SECONDS:
            try:
                self.table.tick(max(now, deadline))
            except Exception:
                logger.exception("table %s, on the clock", self.code)

    def _take(self, kind: str, page: Page, message: Message | None, now: float) -> None:
        conn = self._conns.get(page)
        if kind == "join" and conn is None and message is not None:
            conn = self.table.connect(now)
            self._conns[page] = conn
            self._pages[conn] = page
            self._changed = True
            if self._stuck:
                self._tell(page, DISK)
            self.table.receive(conn, message, now)
        elif kind == "receive" and conn is not None and message is not None:
            self.table.receive(conn, message, now)
        elif kind == "leave" and conn is not None:
            self._forget(conn)
            self.table.disconnect(conn, now)

    async def _settle(self, *, patient: bool = True) -> bool:
        """Commit, then send what was decided together with it. Whether there was a commit."""
        self._uncommitted += self.table.journal()
        committed = bool(self._uncommitted)
        kept = self._journal.commit(self.code, self._uncommitted) if committed else None
        letters = self._letters()  # written while the disk works
        if kept is not None and not await self._is_kept(kept):
            if not patient:
                return False
            self._withhold(letters)
            await self._outlast()
            letters, self._withheld = self._withheld, []
        self._show(letters)
        return committed

    def _letters(self) -> list[Letter]:
        return [(conn, message, dumps(message)) for conn, message in self.table.outbox()]

    async def _is_kept(self, commit: Awaitable[None]) -> bool:
        """Waits for the journal's answer: whether everything is safe."""
        try:
            await commit
        except JournalError as error:
            if not self._stuck:
                logger.warning("table %s: %s", self.code, error)
            return False
        self._uncommitted.clear()
        return True

    async def _outlast(self) -> None:
        """The journal takes nothing. The table hears what comes and stands still until it does."""
        self._trouble(stuck=True)
        self.table.hold("disk", self._loop.time())
        for page in list(self._conns):
            self._tell(page, DISK)
        again = self._loop.time() + RETRY_SECONDS
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(again):
                    await self._wake.wait()
            self._wake.clear()
            self._decide()
            self._uncommitted += self.table.journal()
            self._withhold(self._letters())
            self._set_timer()
            await asyncio.sleep(0)
            if self._loop.time() >= again - EARLY_SECONDS:
                if await self._is_kept(self._journal.commit(self.code, self._uncommitted)):
                    break
                again = self._loop.time() + RETRY_SECONDS
        self._trouble(stuck=False)
        self.table.release("disk", self._loop.time())
        self._wake.set()

    def _trouble(self, *, stuck: bool) -> None:
        self._stuck = stuck
        if self.on_trouble is not None:
            self.on_trouble(stuck)

    def _withhold(self, letters: list[Letter]) -> None:
        """What tells of nothing uncommitted goes out, the rest waits: of views the newest."""
        for letter in letters:
            conn, message, _ = letter
            kind = message["t"]
            if kind in {"refused", "pong"}:
                self._show([letter])
                continue
            if kind == "view":
                self._withheld = [
                    each for each in self._withheld if each[0] != conn or each[1]["t"] != "view"
                ]
            if letter not in self._withheld:
                self._withheld.append(letter)

    def _show(self, letters: list[Letter]) -> None:
        for conn, message, text in letters:
            page = self._pages.get(conn)
            if page is None:
                continue
            page.deliver(message["t"], message, text)
            if message["t"] == "closed":
                self._forget(conn)

    def _tell(self, page: Page, message: Message) -> None:
        page.deliver(message["t"], message, dumps(message))

    def _forget(self, conn: int) -> None:
        page = self._pages.pop(conn, None)
        if page is not None:
            self._conns.pop(page, None)
            self._left = self._loop.time()

    def _set_timer(self) -> None:
        deadline = self.table.deadline()
        if deadline is not None and deadline <= self._loop.time():
            # Due already: at once, but a table that is never content leaves time to the others.
            deadline = self._loop.time() + BREATH_SECONDS
        if deadline != self._timed_for:
            self._cancel_timer()
            if deadline is not None:
                self._timed_for = deadline
                self._timer = self._loop.call_at(deadline, self._due)

    def _due(self) -> None:
        self._timer = self._timed_for = None
        self._wake.set()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._timed_for = None


def dumps(message: Message) -> str:
    """As `json.dumps`, compact, six times as fast: ten views are written for each action."""
    return to_json(message).decode()
