"""Three clubs behind haproxy, as docs/scaling.md has it, and one of them killed in the middle of playing.

No phone is sent to a wrong node, nothing that was acknowledged is lost, all guests come back, and the
tables of the other two go on meanwhile. A few tables in `make test`; `TABLES=300` for more.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import resource
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest

from penultima.host.store import Store
from tests import debian
from tests.host.phones import Phone
from tests.host.program import ClubProgram
from tests.ports import free_port
from tests.torture.player import Player, check, living

ROOT = Path(__file__).parents[2]
TABLES = int(os.environ.get("TABLES", "12"))
NODES = "abc"
PORTS = {"a": 8765, "b": 8766, "c": 8767}
"""In the configuration of the page."""
PATIENCE = 60 + TABLES


@pytest.fixture(scope="module")
def haproxy() -> str:
    try:
        return debian.ensure("haproxy")[0]
    except debian.NotInstalled as error:
        pytest.skip(str(error))


@pytest.fixture(autouse=True)
def files() -> None:
    """Both ends of a thousand sockets are in here."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def configuration(front: int, ports: dict[str, int]) -> str:
    """The page's own, on other ports."""
    page = (ROOT / "docs" / "scaling.md").read_text("utf-8")
    (text,) = re.findall(r"```haproxy\n(.*?)```", page, re.DOTALL)
    assert "bind :8080\n" in text
    text = text.replace("bind :8080\n", f"bind 127.0.0.1:{front}\n")
    for node, port in PORTS.items():
        assert text.count(f"server {node} 127.0.0.1:{port} ") == 2
        text = text.replace(f"127.0.0.1:{port} ", f"127.0.0.1:{ports[node]} ")
    return text


@pytest.fixture
def front() -> int:
    return free_port()


@pytest.fixture
def proxy(haproxy: str, front: int, tmp_path: Path) -> Iterator[dict[str, int]]:
    ports = {node: free_port() for node in NODES}
    path = tmp_path / "haproxy.cfg"
    path.write_text(configuration(front, ports))
    checked = subprocess.run(
        [haproxy, "-c", "-f", path], capture_output=True, text=True, timeout=30, check=False
    )
    assert checked.returncode == 0, checked.stderr
    assert "warning" not in checked.stderr.lower(), checked.stderr
    with (tmp_path / "haproxy.log").open("w") as log:
        process = subprocess.Popen([haproxy, "-db", "-f", path], stdout=log, stderr=log)
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", front)) == 0:
                break
        assert process.poll() is None, (tmp_path / "haproxy.log").read_text()
        time.sleep(0.05)
    yield ports
    process.terminate()
    process.wait(10)


@dataclass(frozen=True)
class Place:
    """A table, and the proxy before it."""

    socket: str
    secret: str
    host_key: str
    code: str


class Guest(Player):
    """Unhurried, so that hundreds of them fit into one process."""

    pause = 0.1 + TABLES / 200
    thinks = TABLES / 100

    async def hang_up(self) -> None:
        if self.phone is not None:
            # Hundreds of farewells would take their time.
            await self.phone.cut()
        await super().hang_up()

    def wish(self, phone):  # type: ignore[no-untyped-def]
        view = phone.view
        if self.name == "Ana" and view["phase"] == "lobby" and len(view["seats"]) == 2:
            return self.request(t="host", do="start")
        return super().wish(phone)


async def node(folder: Path, letter: str, port: int, front: int) -> ClubProgram:
    home = folder / letter
    home.mkdir(exist_ok=True)
    made = await ClubProgram.start(
        home, "--node", letter, "--host", "127.0.0.1", "--port", str(port), "--no-rtc",
        "--trust-proxy", "127.0.0.1",
        "--public-url", f"http://127.0.0.1:{front}", "--journal", f"{home}/club.sqlite3",
    )  # fmt: skip
    assert isinstance(made, ClubProgram)
    return made


async def strays(client: aiohttp.ClientSession, program: ClubProgram) -> float:
    key = {"Authorization": f"Bearer {program.ready['metrics_key']}"}
    async with client.get(f"{program.url}/metrics", headers=key) as response:
        (found,) = re.findall(r"^penultima_strays_total (\S+)$", await response.text(), re.MULTILINE)
        return float(found)


async def all_back(guests: list[Guest]) -> float:
    started = time.monotonic()
    async with asyncio.timeout(PATIENCE):
        for guest in guests:
            await guest.back.wait()
    return time.monotonic() - started


async def more_moves(guests: list[Guest], a_table: float) -> None:
    wanted = sum(len(guest.done) for guest in guests) + int(a_table * len(guests) / 2)
    async with asyncio.timeout(PATIENCE):
        while sum(len(guest.done) for guest in guests) < wanted:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


@pytest.mark.slow
@pytest.mark.timeout(1800)
async def test_a_node_is_killed_and_nobody_loses_anything(
    proxy: dict[str, int], front: int, tmp_path: Path
) -> None:
    programs: dict[str, ClubProgram] = {}
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as client:
        try:
            for letter in NODES:
                programs[letter] = await node(tmp_path, letter, proxy[letter], front)
            base = f"http://127.0.0.1:{front}"
            places = []
            for letter, program in programs.items():
                page = await through(client, program, base)
                for number in range(TABLES // len(NODES)):
                    code, secret, key = await page.table(f"{letter} {number}", "party target=100")
                    assert code[0] == letter
                    places.append(Place(f"{base}/ws/{code}", secret, key, code))
                    await asyncio.sleep(0.11)  # ten requests a second are a page's limit
                await page.close()
            rng = random.Random("scaling")
            guests = []
            for place in places:
                for name in ("Ana", "Beto"):
                    guest = Guest(name, client, rng, rtc=False)
                    guest.program = place
                    guests.append(guest)
            here = [guest for guest in guests if guest.program.code[0] == "b"]
            others = [guest for guest in guests if guest.program.code[0] != "b"]
            async with living() as begin:
                for guest in guests:
                    begin(guest)
                joined = await all_back(guests)
                await more_moves(guests, 4)
                for guest in here:
                    guest.back.clear()
                await asyncio.to_thread(programs["b"].close)
                await more_moves(others, 2)  # they have noticed nothing
                down = time.monotonic()
                programs["b"] = await node(tmp_path, "b", proxy["b"], front)
                started = time.monotonic() - down
                back = await all_back(here)
                await more_moves(here, 3)
                assert all(guest.back.is_set() for guest in guests)
                for program in programs.values():
                    assert await strays(client, program) == 0
        finally:
            statuses = [await asyncio.to_thread(each.interrupt) for each in programs.values()]
            for each in programs.values():
                each.close()
    assert statuses == [0, 0, 0]
    done = 0
    for letter in NODES:
        assert "Traceback" not in (tmp_path / letter / "stderr").read_text()
        store = Store(tmp_path / letter / "club.sqlite3")
        mine = {place.code: place for place in places if place.code[0] == letter}
        assert {kept.code for kept in store.tables()} == set(mine), "only its own tables"
        for code, place in mine.items():
            records = list(store.records(code))
            done += check(records, [guest for guest in guests if guest.program is place])
            restored = sum(record["kind"] == "restored" for record in records)
            assert restored == (letter == "b"), code
        store.close()
    print(
        f"\n{len(places)} tables on 3 nodes, {len(guests)} guests, all there in {joined:.1f} s; "
        f"one node killed, started again in {started:.1f} s, its {len(here)} guests back {back:.1f} s "
        f"later; {done} answered requests, none lost, none twice, none at a wrong node"
    )


async def text(client: aiohttp.ClientSession, url: str) -> str:
    async with client.get(url) as response:
        return await response.text()


async def through(client: aiohttp.ClientSession, program: ClubProgram, base: str):  # type: ignore[no-untyped-def]
    """The club's page, by way of the proxy; its checks may not have found the node yet."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                return await program.page(client, base)
            except aiohttp.WSServerHandshakeError as error:
                if error.status != 503:
                    raise
                await asyncio.sleep(0.2)


@pytest.mark.slow
async def test_the_proxy_shows_the_page_and_nothing_of_the_inside(
    proxy: dict[str, int], front: int, tmp_path: Path
) -> None:
    program = await node(tmp_path, "a", proxy["a"], front)
    try:
        async with aiohttp.ClientSession() as client:
            base = f"http://127.0.0.1:{front}"
            page = await through(client, program, base)
            code, secret, _ = await page.table()
            # Its checks have to notice first who is there; then there is a page from who is.
            async with asyncio.timeout(PATIENCE):
                while "Penúltima" not in await text(client, f"{base}/club"):  # noqa: ASYNC110
                    await asyncio.sleep(0.2)
            for path in ("/metrics", "/healthz"):
                async with client.get(base + path) as response:
                    assert response.status == 404
            # Of a node that is down, and of one that never was.
            for letter, status in (("b", 503), ("z", None)):
                phone = type(page)(client, f"{base}/ws/{letter}aaaaa")
                if status is not None:
                    with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
                        await phone.open()
                    assert refusal.value.status == status
                else:
                    await phone.open()
                    await phone.say(t="hello", v=1, secret="x" * 16)
                    assert (await phone.hear("refused"))["code"] == "bad_secret"
                    await phone.close()
            guest = Phone(client, f"{base}/ws/{code}")
            await guest.open()
            await guest.hello(secret=secret)
            await guest.close()
            await page.close()
    finally:
        await asyncio.to_thread(program.interrupt)
        program.close()
