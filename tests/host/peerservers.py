"""PeerServers for tests: the real one (npm package `peer`) in a process, and one of our own that
does what no real one would; and a guest who comes by way of them, with aiortc."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from hatch_build import node
from penultima.host.links import PeerServer
from penultima.host.sealed import NotSealed, Seal
from tests.host.phones import PATIENCE, Phone
from tests.ports import free_port

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "static" / "node_modules" / "peer" / "dist" / "bin" / "peerjs.js"


def installed() -> Path:
    """The npm package's program."""
    if not PROGRAM.is_file():  # an `npm ci` that an older lock file has asked for, or none
        subprocess.run(
            [sys.executable, str(ROOT / "hatch_build.py"), "npm", "--version"],
            check=True,
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
        )
    return PROGRAM


class Real:
    """The npm package `peer`, as a person would run it."""

    def __init__(self, port: int | None = None, *arguments: str) -> None:
        program = installed()
        self.port = port or free_port()
        self.process = subprocess.Popen(
            [str(node()), str(program), "--port", str(self.port), "--host", "127.0.0.1", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={k: v for k, v in os.environ.items() if k != "NODE_OPTIONS"},
        )
        end = time.monotonic() + 20
        while time.monotonic() < end and self.process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.05)
        self.close()
        raise AssertionError("the PeerServer does not start")

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def close(self) -> None:
        self.process.kill()
        self.process.wait(10)


class Fake:
    """Speaks the protocol as the real one does, until a test gives it other ideas."""

    def __init__(self) -> None:
        self.clients: dict[str, tuple[str, web.WebSocketResponse]] = {}
        self.seen: list[dict[str, Any]] = []
        self.connections = 0
        self.greet: Callable[[web.WebSocketResponse], Any] | None = None
        """Does all there is to do with a connection."""
        self.twist: Callable[[dict[str, Any]], dict[str, Any] | None] = lambda message: message
        """What becomes of a message that is handed on."""
        self.port = free_port()
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        app = web.Application()
        app.router.add_get("/peerjs", self._socket)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()

    async def stop(self) -> None:
        """As a cable that is pulled: nobody is told."""
        for _, client in list(self.clients.values()):
            transport = client._req.transport if client._req else None
            if transport is not None:
                transport.abort()
        self.clients.clear()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def say(self, target: str, **message: Any) -> None:
        await self.clients[target][1].send_str(json.dumps(message))

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        ws = web.WebSocketResponse()
        await ws.prepare(request)
        self.connections += 1
        if self.greet is not None:
            await self.greet(ws)
            return ws
        own, token = request.query["id"], request.query["token"]
        if own in self.clients:
            if self.clients[own][0] != token:
                await ws.send_str('{"type":"ID-TAKEN","payload":{"msg":"ID is taken"}}')
                return ws
        else:
            await ws.send_str('{"type":"OPEN"}')
        self.clients[own] = (token, ws)
        async for frame in ws:
            message = json.loads(frame.data)
            if message["type"] == "HEARTBEAT":
                continue
            message["src"] = own
            self.seen.append(message)
            sent = self.twist(message)
            if sent is not None and sent["dst"] in self.clients:
                with contextlib.suppress(ConnectionError):
                    await self.clients[sent["dst"]][1].send_str(json.dumps(sent))
        if self.clients.get(own, ("", None))[1] is ws:
            del self.clients[own]
        return ws


class Guest(Phone):
    """Comes by way of a PeerServer; once in, a phone like any other (over its data channel)."""

    usual = "datachannel"

    def __init__(
        self, client: aiohttp.ClientSession, server: str, host_id: str, secret: str
    ) -> None:
        super().__init__(client, "ws://nowhere/ws/x")
        self.id = "guest" + secrets.token_hex(8)
        self.host_id = host_id
        self.server = PeerServer.read(server).socket(self.id, secrets.token_hex(8))
        self.to_host, self.to_guest = Seal(secret, "to host"), Seal(secret, "to guest")
        self.answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.unsealed = 0
        self.expired = asyncio.Event()
        self.gone = asyncio.Event()
        self.pc: Any = None
        self.channel: Any = None

    async def open(self) -> None:
        self.socket = await self.client.ws_connect(self.server)
        assert json.loads((await self.socket.receive()).data)["type"] == "OPEN"
        self._reader = asyncio.create_task(self._signals())

    async def _signals(self) -> None:
        async for frame in self.socket:
            message = json.loads(frame.data)
            if message["type"] == "EXPIRE":
                self.expired.set()
            elif message.get("src") == self.host_id:
                try:
                    text = self.to_guest.open(message["payload"], self.host_id, self.id)
                except NotSealed:
                    self.unsealed += 1
                else:
                    self.answers.put_nowait(json.loads(text))

    async def signal(self, kind: str, **message: Any) -> None:
        payload = self.to_host.seal(json.dumps(message), self.id, self.host_id)
        await self.raw(type=kind, dst=self.host_id, payload=payload)

    async def raw(self, **message: Any) -> None:
        await self.socket.send_str(json.dumps(message))

    async def answer(self, patience: float = PATIENCE) -> dict[str, Any]:
        async with asyncio.timeout(patience):
            return await self.answers.get()

    async def knock(self) -> dict[str, Any]:
        await self.signal("OFFER", t="knock", v=1)
        return await self.answer()

    async def offer(self, name: str) -> None:
        from aiortc import RTCConfiguration, RTCPeerConnection

        self.pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self.channel = self.pc.createDataChannel("table")
        self.opened = asyncio.Event()
        self.channel.on("open", self.opened.set)
        self.channel.on("close", self.gone.set)
        self.channel.on("message", lambda text: self.heard("datachannel", text))
        await self.pc.setLocalDescription(await self.pc.createOffer())
        await self.signal("OFFER", t="offer", id=name, sdp=self.pc.localDescription.sdp)

    async def enter(self) -> Guest:
        """All the way to the open channel; the PeerServer is left behind."""
        from aiortc import RTCSessionDescription

        await self.open()
        opened = await self.knock()
        assert opened["t"] == "opened", opened
        await self.offer(opened["id"])
        answer = await self.answer()
        assert answer["t"] == "answer", answer
        await self.pc.setRemoteDescription(RTCSessionDescription(answer["sdp"], "answer"))
        async with asyncio.timeout(PATIENCE):
            await self.opened.wait()
        await self.socket.close()
        return self

    async def say_raw(self, text: str | bytes, path: str = "datachannel") -> None:
        self.channel.send(text)

    async def close(self) -> None:
        await super().close()
        if self.pc is not None:
            await asyncio.wait_for(self.pc.close(), 5)
