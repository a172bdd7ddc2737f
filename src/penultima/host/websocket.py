"""A channel over a WebSocket that aiohttp has accepted."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from typing import TYPE_CHECKING, ClassVar

from aiohttp import WSMsgType

from penultima.host.channel import Channel, State

if TYPE_CHECKING:
    from aiohttp import web

CLOSING_SECONDS = 2.0
# Characters; at four bytes each still below the 64 KiB at which a write begins to wait.
AT_ONCE = 12 * 1024

_writers: set[asyncio.Task[None]] = set()


async def writers_done(seconds: float) -> None:
    """For the end of the program: until what was written has left."""
    if _writers:
        await asyncio.wait(set(_writers), timeout=seconds)


class WebSocket(Channel):
    """Writes in a task of its own, since a write may have to wait for a slow phone."""

    kind: ClassVar[str] = "websocket"

    def __init__(
        self, socket: web.WebSocketResponse, transport: asyncio.Transport | None, now: float
    ) -> None:
        super().__init__(now)
        self._socket = socket
        self._transport = transport
        self._texts: deque[str] = deque()
        self._waiting_bytes = 0
        self._state: State = "open"
        self._some = asyncio.Event()
        self._rested = asyncio.Event()
        self._rested.set()
        self._writer = asyncio.create_task(self._write(), name="websocket-writer")
        _writers.add(self._writer)
        self._writer.add_done_callback(_writers.discard)
        self._closer: asyncio.TimerHandle | None = None

    @property
    def state(self) -> State:
        return self._state

    @property
    def buffered(self) -> int:
        transport = self._transport
        return self._waiting_bytes + (transport.get_write_buffer_size() if transport else 0)

    def send(self, text: str) -> None:
        if self._state == "open" and not self._written_at_once(text):
            self._texts.append(text)
            self._waiting_bytes += len(text)
            self._some.set()

    def close(self) -> None:
        if self._state == "closed":
            return
        self._state = "closed"
        self._some.set()
        self._rested.set()
        self._closer = asyncio.get_running_loop().call_later(CLOSING_SECONDS, self._abort)

    def rest(self, seconds: float) -> None:
        """Reads nothing for a while: the sender feels it, nobody else does."""
        self._rested.clear()
        asyncio.get_running_loop().call_later(seconds, self._rested.set)

    async def read(self) -> None:
        """Hands on what comes until the page is gone; then nothing is left of the channel."""
        try:
            while True:
                message = await self._socket.receive()
                if message.type is WSMsgType.TEXT or message.type is WSMsgType.BINARY:
                    if self._state == "open":
                        self.on_text(message.data)
                    if not self._rested.is_set():
                        await self._rested.wait()
                else:
                    break
        finally:
            self._state = "closed"
            self._some.set()
            if self._closer is not None:
                self._closer.cancel()
            self._writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._writer
            self.on_close()

    def _written_at_once(self, text: str) -> bool:
        """Nearly always nothing is waiting: then `send_str` runs through without waiting, and the
        text leaves now, not after a turn of a task for each of ten guests."""
        transport = self._transport
        if (
            self._waiting_bytes
            or self._some.is_set()
            or transport is None
            or transport.get_write_buffer_size()
            or len(text) > AT_ONCE
        ):
            return False
        writing = self._socket.send_str(text)
        try:
            writing.send(None)
        except StopIteration:
            return True
        except (ConnectionError, RuntimeError):
            self._abort()
            return True
        writing.close()  # it would wait after all: not known what has left
        self._abort()
        return True

    async def _write(self) -> None:
        socket = self._socket
        try:
            while True:
                await self._some.wait()
                self._some.clear()
                while self._texts:
                    text = self._texts.popleft()
                    await socket.send_str(text)
                    self._waiting_bytes -= len(text)
                if self._state == "closed":
                    await socket.close()
                    return
                self.on_drain()
        except (ConnectionError, RuntimeError):
            self._abort()

    def _abort(self) -> None:
        """The page takes nothing any more; `read` notices the end of the connection."""
        self._state = "closed"
        if self._transport is not None:
            self._transport.abort()
