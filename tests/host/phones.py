"""Phones without a browser: a WebSocket by aiohttp, a data channel by aiortc."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import Any

import aiohttp

SECRET = "s" * 16
HOST_KEY = "h" * 24
PATIENCE = 5.0


async def eventually(condition: Callable[[], object], patience: float = PATIENCE) -> None:
    """Waits for what no event tells."""
    async with asyncio.timeout(patience):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


class Phone:
    """Keeps everything it hears, by path; `hear` waits for what has not been heard yet."""

    def __init__(
        self, client: aiohttp.ClientSession, url: str, origin: str | None = None, **options: Any
    ) -> None:
        self.client, self.url = client, url
        base = url.replace("ws://", "http://").rsplit("/ws/", 1)[0]
        self.origin = base if origin is None else origin
        self.headers = options.pop("headers", {})
        self.options = options
        self.log: list[tuple[str, dict[str, Any]]] = []
        self._next = 0
        self._news = asyncio.Event()
        self._reader: asyncio.Task[None] | None = None
        self.n = 0
        self.seq = 0
        self.view: dict[str, Any] = {}
        self.seat: int | None = None
        self.key: str | None = None
        self.beats = False
        self.socket_closed = asyncio.Event()

    async def open(self) -> None:
        headers = {"Origin": self.origin, **self.headers} if self.origin else self.headers
        self.socket = await self.client.ws_connect(
            self.url, headers=headers, autoclose=False, **self.options
        )
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self.socket:
            if message.type is aiohttp.WSMsgType.TEXT:
                self.heard("websocket", message.data)
        self.socket_closed.set()
        self._news.set()

    def heard(self, path: str, text: str) -> None:
        message = json.loads(text)
        self.log.append((path, message))
        kind = message["t"]
        if kind == "view" and message["seq"] > self.seq:
            self.seq, self.view = message["seq"], message["v"]
        elif kind == "seated":
            self.seat, self.key = message["seat"], message["key"]
        elif kind == "welcome":
            self.n = message["n"]
        self._news.set()

    usual = "websocket"  # the path that is meant when none is named

    async def say(self, path: str = "", **message: Any) -> None:
        await self.say_raw(json.dumps(message), path or self.usual)

    async def say_raw(self, text: str | bytes, path: str = "websocket") -> None:
        assert path == "websocket"
        if isinstance(text, bytes):
            await self.socket.send_bytes(text)
        else:
            await self.socket.send_str(text)

    async def hear(self, *kinds: str, patience: float = PATIENCE) -> dict[str, Any]:
        return (await self.hear_where(*kinds, patience=patience))[1]

    async def hear_where(
        self, *kinds: str, patience: float = PATIENCE
    ) -> tuple[str, dict[str, Any]]:
        """The next message of these kinds, and the path it came on; others are passed over."""
        async with asyncio.timeout(patience):
            while True:
                while self._next < len(self.log):
                    path, message = self.log[self._next]
                    self._next += 1
                    if message["t"] in kinds:
                        return path, message
                self._news.clear()
                await self._news.wait()

    async def until(self, condition: Any, patience: float = PATIENCE) -> None:
        """Until the newest view satisfies it."""
        async with asyncio.timeout(patience):
            while not (self.view and condition(self.view)):
                self._news.clear()
                await self._news.wait()

    async def news(self, patience: float) -> bool:
        """Whether anything came meanwhile."""
        self._news.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._news.wait()
                return True
        return False

    def all(self, kind: str) -> list[dict[str, Any]]:
        return [message for _, message in self.log if message["t"] == kind]

    async def hello(self, **fields: Any) -> dict[str, Any]:
        await self.say(**{"t": "hello", "v": 1, "secret": SECRET, **fields})
        return await self.hear("welcome")

    async def ask(self, path: str = "", **message: Any) -> dict[str, Any]:
        """A numbered request, and its answer."""
        self.n += 1
        await self.say(path, n=self.n, **message)
        while True:
            answer = await self.hear("done", "refused", "seated")
            if answer["n"] == self.n:
                return answer

    async def sit(self, name: str) -> dict[str, Any]:
        return await self.ask(t="sit", name=name)

    async def act(self, action: str, path: str = "") -> dict[str, Any]:
        return await self.ask(path, t="act", seq=self.seq, a=action)

    def first_move(self) -> str | None:
        """Something this phone may do now, with its choice made."""
        for form in self.view.get("legal", ()):
            if form == "uno" or form.startswith("catch"):
                continue
            if form.endswith("="):
                return form + "r"
            if form.startswith("colour"):
                return "colour r"
            return str(form)
        return None

    def vanish(self) -> None:
        """As a phone in a lift: nothing is said any more, nothing is closed."""
        if self._reader:
            self._reader.cancel()

    async def cut(self) -> None:
        """The WebSocket's connection is reset."""
        transport = self.socket._conn.transport if self.socket._conn else None
        if transport is not None:
            transport.abort()

    async def close(self) -> None:
        with contextlib.suppress(Exception):
            await self.socket.close()
        if self._reader:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)


class RtcPhone(Phone):
    """A phone that also offers a data channel."""

    channel: Any = None
    pc: Any = None

    async def open_channel(self, *, expect: str = "answer") -> None:
        from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription

        self.pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        channel = self.pc.createDataChannel("table")
        opened = asyncio.Event()
        channel.on("open", opened.set)
        channel.on("message", lambda text: self.heard("datachannel", text))
        await self.pc.setLocalDescription(await self.pc.createOffer())
        sdp = self.pc.localDescription.sdp
        await self.say(t="offer", id="1", sdp=sdp)
        answer = await self.hear("answer", "no_channel")
        assert answer["t"] == expect, answer
        if expect != "answer":
            return
        await self.pc.setRemoteDescription(RTCSessionDescription(answer["sdp"], "answer"))
        async with asyncio.timeout(PATIENCE):
            await opened.wait()
        self.channel = channel

    async def say_raw(self, text: str | bytes, path: str = "websocket") -> None:
        if path == "datachannel":
            self.channel.send(text)
        else:
            await super().say_raw(text)

    async def close(self) -> None:
        await super().close()
        if self.pc is not None:
            await asyncio.wait_for(self.pc.close(), 5)
