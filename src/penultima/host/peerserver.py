"""The host's connection to a PeerServer: kept up for ever, and nothing at the table waits for it.

PeerJS's signalling protocol (npm package `peer` 1.0, read and tried): a WebSocket with `id`,
`token` and `key` in its address. The server says OPEN, hands on OFFER, ANSWER and CANDIDATE
between ids, and drops who sends no HEARTBEAT for a while. The same id with the same token takes
the place of an older connection, and then is *not* greeted with OPEN; with another token it is
refused with ID-TAKEN. So that both are noticed, and also a server that has forgotten us, we
send a message to ourselves and wait for it.

Whatever the server does costs a bounded amount of work and ends in one word (`Trouble`).
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import logging
import os
import random
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import aiohttp

from penultima.host import addresses, limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from penultima.host.links import PeerServer

logger = logging.getLogger(__name__)

CONNECT_SECONDS: Final = 10.0
BEAT_SECONDS: Final = 5.0
ECHO_SECONDS: Final = 30.0
LOOK_SECONDS: Final = 2.0
"""So often we look whether the laptop is in another network by now."""
WAITS: Final = (1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 60.0)
"""Before the second, third, ... attempt; each a fifth more or less, lest all come at once."""
STEADY_SECONDS: Final = 30.0
"""A registration that lasted so long begins with the short waits again."""
NONSENSE: Final = 20
"""So many messages that make no sense, and the connection is given up."""
MESSAGES_A_SECOND, MESSAGES_BURST = 40.0, 200.0
WAITING: Final = 64

Trouble: TypeAlias = Literal["unreachable", "taken", "refused", "nonsense", "silent", "flood"]
"""Cannot be reached, or is no PeerServer; somebody else has the id; an error of the server's own
(no such key, too many users); not the protocol; connected, but hands nothing on; far too much."""


class Failed(Exception):
    """This connection is over."""

    def __init__(self, trouble: Trouble, reason: str = "") -> None:
        super().__init__(f"{trouble}: {reason}" if reason else trouble)
        self.trouble: Trouble = trouble
        self.reason = reason


class Registration:
    """An id at a PeerServer, taken again whenever it is lost.

    ``on_message(kind, source, payload)`` is called for what somebody sent us, ``on_up()`` when we
    are registered, ``on_trouble(trouble, reason)`` when we no longer are, or too much arrives.
    """

    def __init__(self, server: PeerServer, own_id: str, token: str) -> None:
        self.server, self.own_id = server, own_id
        self.on_message: Callable[[str, str, Any], None] = lambda *_: None
        self.on_up: Callable[[], None] = lambda: None
        self.on_trouble: Callable[[Trouble, str], None] = lambda *_: None
        self._token = token
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.Queue[str] = asyncio.Queue(WAITING)
        self._up = False
        self._since = 0.0
        self._heard = asyncio.Event()

    @property
    def up(self) -> bool:
        """Whether guests can find us there, as far as is known."""
        return self._up

    def send(self, kind: str, target: str, payload: Any) -> None:
        """Never waits. Without a connection it is dropped, as is too much: guests ask again."""
        if not self._up:
            return
        text = json.dumps({"type": kind, "dst": target, "payload": payload})
        with contextlib.suppress(asyncio.QueueFull):
            self._waiting.put_nowait(text)

    async def run(self) -> None:
        """For ever."""
        attempt = 0
        async with aiohttp.ClientSession() as client:
            while True:
                try:
                    await self._connection(client)
                except Failed as failed:
                    logger.info("PeerServer: %s", failed)
                    lasted = self._loop.time() - self._since if self._up else 0.0
                    self._up = False
                    self.on_trouble(failed.trouble, failed.reason)
                except Exception:
                    logger.exception("PeerServer")
                    lasted, self._up = 0.0, False
                attempt = 0 if lasted >= STEADY_SECONDS else attempt
                wait = WAITS[min(attempt, len(WAITS) - 1)]
                attempt += 1
                if await self._moved_within(wait * random.uniform(0.8, 1.2)):  # noqa: S311 - no secret
                    attempt = 0

    async def _connection(self, client: aiohttp.ClientSession) -> None:
        """One connection, from its beginning to its end, which is always ``Failed``."""
        url = self.server.socket(self.own_id, self._token)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                socket = await client.ws_connect(url, max_msg_size=limits.FRAME, heartbeat=10.0)
        except TimeoutError:
            raise Failed("unreachable", f"{CONNECT_SECONDS:g} s") from None
        except aiohttp.WSServerHandshakeError as error:
            raise Failed("unreachable", f"HTTP {error.status}") from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise Failed("unreachable", why(error)) from None
        while not self._waiting.empty():
            self._waiting.get_nowait()
        self._heard.clear()
        writer = asyncio.create_task(self._write(socket), name="peerserver-writer")
        beat = asyncio.create_task(self._beat(socket), name="peerserver-beat")
        try:
            await self._read(socket)
        finally:
            for task in (writer, beat):
                task.cancel()
            await asyncio.gather(writer, beat, return_exceptions=True)
            with contextlib.suppress(Exception):
                async with asyncio.timeout(1.0):
                    await socket.close()

    async def _moved_within(self, seconds: float) -> bool:
        """Waits so long, but only until this machine has another network; whether it has."""
        until = self._loop.time() + seconds
        before = addresses.default_sources()
        while (left := until - self._loop.time()) > 0:
            await asyncio.sleep(min(left, LOOK_SECONDS))
            now = addresses.default_sources()
            if now and now != before:
                return True
        return False

    # ---------------------------------------------------------------------------- writing

    async def _write(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        with contextlib.suppress(ConnectionError, RuntimeError):
            while True:
                await socket.send_str(await self._waiting.get())

    async def _beat(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        """The heartbeat, and now and then a message to ourselves that has to come back."""
        echoed = -ECHO_SECONDS
        network = addresses.default_sources()
        with contextlib.suppress(ConnectionError, RuntimeError):
            while True:
                await socket.send_str('{"type":"HEARTBEAT"}')
                if self._loop.time() - echoed >= ECHO_SECONDS:
                    echoed = self._loop.time()
                    self._heard.clear()
                    echo = {"type": "CANDIDATE", "dst": self.own_id, "payload": {"echo": 1}}
                    await socket.send_str(json.dumps(echo))
                    try:
                        async with asyncio.timeout(CONNECT_SECONDS):
                            await self._heard.wait()
                    except TimeoutError:
                        logger.info("PeerServer hands nothing on")
                        await socket.close()
                        return
                await asyncio.sleep(BEAT_SECONDS)
                if addresses.default_sources() != network:
                    # What is sent from the old address arrives nowhere, and nobody says so.
                    await socket.close()
                    return

    # ---------------------------------------------------------------------------- reading

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        bucket = limits.Bucket(MESSAGES_A_SECOND, MESSAGES_BURST, self._loop.time())
        nonsense = 0
        flooded = False
        async for frame in socket:
            wait = bucket.reserve(self._loop.time())
            if wait:
                if not flooded:
                    flooded = True
                    self.on_trouble("flood", "")
                await asyncio.sleep(wait)  # what is not read waits at the sender
            message = _message(frame)
            if message is None or not self._take(message):
                nonsense += 1
                if nonsense >= NONSENSE:
                    raise Failed("nonsense")
        if socket.close_code == aiohttp.WSCloseCode.MESSAGE_TOO_BIG:
            raise Failed("nonsense")
        raise Failed("unreachable" if self._up else "silent")

    def _take(self, message: dict[str, Any]) -> bool:
        """Whether it made sense."""
        kind, source, payload = message.get("type"), message.get("src"), message.get("payload")
        match kind:
            case "OPEN":
                self._registered()
            case "ID-TAKEN":
                raise Failed("taken")
            case "ERROR":
                told = payload.get("msg") if isinstance(payload, dict) else None
                raise Failed("refused", _printable(told))
            case "OFFER" | "ANSWER" | "CANDIDATE" | "LEAVE" | "EXPIRE":
                if not isinstance(source, str) or not 0 < len(source) <= 64:
                    return False
                if source == self.own_id:
                    self._heard.set()
                    self._registered()
                else:
                    self.on_message(kind, source, payload)
            case "HEARTBEAT":
                pass
            case _:
                return False
        return True

    def _registered(self) -> None:
        if not self._up:
            self._up = True
            self._since = self._loop.time()
            self.on_up()


def _message(frame: aiohttp.WSMessage) -> dict[str, Any] | None:
    if frame.type is not aiohttp.WSMsgType.TEXT:
        return None
    try:
        message = json.loads(frame.data)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def why(error: Exception) -> str:
    """Why there is no connection: in a word or two, which stand in every language."""
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "DNS"
    if isinstance(error, aiohttp.ClientSSLError):
        return "TLS"
    if isinstance(error, TimeoutError):
        return os.strerror(errno.ETIMEDOUT)
    number = getattr(getattr(error, "os_error", error), "errno", None)
    return os.strerror(number) if number else type(error).__name__


def _printable(text: object) -> str:
    """A stranger's words, fit for a line of the console."""
    return "".join(char for char in str(text or "") if char.isprintable())[:80]
