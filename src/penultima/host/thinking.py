"""When bots think: in slices between events, with a bounded part of the processor.

A bot that thinks ahead does so while its table waits anyway (`Table.think`), and answers with what
it has found when its move is due. So a host with fifty tables is no slower than one without bots
that think; these only find less.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

SHARE: Final = 0.25
"""The part of the time that all bots together think."""
SLICE_SECONDS: Final = 0.002
"""How long the loop is held up at most, but for the end of a bot's own slice."""


class Thoughtful(Protocol):
    def think(self) -> bool:
        """A moment of thinking; whether there is more to think about."""
        ...


class Thinking:
    """Lets tables think in turn."""

    def __init__(
        self, share: float = SHARE, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._rest = 1.0 / share - 1.0
        self._clock = clock
        self._tables: deque[Thoughtful] = deque()
        self._handle: asyncio.Handle | None = None

    def wanted(self, table: Thoughtful) -> None:
        """Something has changed there: perhaps it has something to think about."""
        if table not in self._tables:
            self._tables.append(table)
        if self._handle is None:
            self._handle = asyncio.get_running_loop().call_soon(self._slice)

    def forget(self, table: Thoughtful) -> None:
        if table in self._tables:
            self._tables.remove(table)

    def _slice(self) -> None:
        self._handle = None
        began = now = self._clock()
        while self._tables and now < began + SLICE_SECONDS:
            table = self._tables.popleft()
            try:
                more = table.think()
            except Exception:
                # Nobody asks it again before something happens there.
                logger.exception("thinking")
                more = False
            if more:
                self._tables.append(table)
            now = self._clock()
        if self._tables:
            rest = (now - began) * self._rest
            self._handle = asyncio.get_running_loop().call_later(rest, self._slice)
