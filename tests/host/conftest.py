"""A host on loopback inside the test's own loop, and phones that speak the protocol."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from penultima.host import app
from penultima.host.ice import NONE, Ice
from penultima.host.journal import Journal, NoJournal
from penultima.host.origins import Origins
from penultima.host.runner import Runner
from penultima.host.surroundings import Surroundings
from penultima.host.tables import Tables
from penultima.table import Table
from tests.host.phones import HOST_KEY, SECRET, Phone, RtcPhone

CODE = "aaaaaa"
PUBLIC = "https://uno.example.org"


@dataclass
class Host:
    """What a test holds in its hands."""

    port: int
    client: aiohttp.ClientSession
    around: Surroundings
    tables: Tables
    stack: AsyncExitStack
    phones: list[Phone] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def open_table(
        self,
        code: str = CODE,
        table: Any = None,
        journal: Journal | None = None,
    ) -> Runner:
        if table is None:
            now = asyncio.get_running_loop().time()
            table = Table(code, SECRET, HOST_KEY, seed=b"\x07" * 32, now=now, title="La mesa")
        runner = Runner(code, table, journal or NoJournal())
        self.tables.add(runner)
        return runner

    async def phone(self, code: str = CODE, **options: Any) -> Phone:
        """A page that has opened its WebSocket and said nothing yet."""
        phone = Phone(self.client, f"{self.url}/ws/{code}", **options)
        await self._enter(phone)
        return phone

    async def rtc_phone(self, code: str = CODE, **options: Any) -> RtcPhone:
        phone = RtcPhone(self.client, f"{self.url}/ws/{code}", **options)
        await self._enter(phone)
        return phone

    async def _enter(self, phone: Phone) -> None:
        await phone.open()
        self.phones.append(phone)
        self.stack.push_async_callback(phone.close)

    async def seated(self, name: str, *, rtc: bool = False, **hello: Any) -> Any:
        """A phone with a seat (and an open data channel)."""
        phone = await (self.rtc_phone() if rtc else self.phone())
        await phone.hello(**hello)
        await phone.sit(name)
        if rtc:
            await phone.open_channel()
        return phone


@pytest.fixture
async def new_host(tmp_path: Path) -> AsyncIterator[Callable[..., Any]]:
    """Makes hosts; the usual one is `host`."""
    async with AsyncExitStack() as stack:

        async def make(
            client: Path | None = None, *, rtc: bool = True, ice: Ice = NONE, **more: Any
        ) -> Host:
            tables = Tables()
            around = Surroundings(tables, rtc=rtc, ice=ice)
            socket_ = web.AppRunner  # the port is needed before the site, so it is made here
            import socket

            listening = socket.socket()
            listening.bind(("127.0.0.1", 0))
            port = listening.getsockname()[1]
            origins = Origins(port=port, public=[PUBLIC], own=lambda: ["192.168.1.7", "fd00::7"])
            site = app.Site(around=around, origins=origins, client=client or tmp_path, **more)
            runner = socket_(app.build(site), access_log=None, shutdown_timeout=0.5)
            await runner.setup()
            await web.SockSite(runner, listening).start()
            stack.push_async_callback(runner.cleanup)
            session = await stack.enter_async_context(aiohttp.ClientSession())
            beat = asyncio.create_task(around.heartbeat())

            async def end() -> None:
                beat.cancel()
                await asyncio.gather(beat, return_exceptions=True)
                await tables.close()

            stack.push_async_callback(end)
            return Host(port, session, around, tables, stack)

        yield make
    import sys

    module = sys.modules.get("penultima.host.datachannel")
    if module is not None:
        await module.all_closed(3)


@pytest.fixture
async def host(new_host: Callable[..., Any]) -> Host:
    """A host with one table and no client."""
    made: Host = await new_host()
    made.open_table()
    return made
