"""Many tables in one program: what they take, against a WebSocket that says back what it hears.

A real `penultima club` with its journal on the disk, 100 tables of four seats (BENCH_TABLES), each page with its
heartbeat. In turn: nobody moves, one action per table every two seconds, as many as the tables take.
The reference is aiohttp's own WebSocket echo of 32 bytes in a process of its own; blocks of the two
alternate, and both are counted in messages in and out per second of the process's CPU.

    python -m tests.bench.club               JSON on stdout
    python -m tests.bench.club echo          (the reference, started by the above)
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from tests.bench.latency import Server, serve, started

TABLES = int(os.environ.get("BENCH_TABLES", "100"))
SEATS = 4
BLOCKS = int(os.environ.get("BENCH_CLUB_BLOCKS", "2"))
SECONDS = float(os.environ.get("BENCH_CLUB_SECONDS", "6"))
PAGES = 20  # of the club: each may ask for ten tables a second
ECHOES = 50
BEAT = 1.5  # a page's heartbeat


# --------------------------------------------------------------------------------- the reference


async def echo() -> None:
    async def socket(request: web.Request) -> web.WebSocketResponse:
        ws = web.WebSocketResponse(compress=False)
        await ws.prepare(request)
        async for message in ws:
            await ws.send_str(message.data)
        return ws

    app = web.Application()
    app.router.add_get("/ws", socket)
    await serve(app)


async def echo_block(client: aiohttp.ClientSession, server: Server) -> dict[str, float]:
    count = 0
    text = "x" * 32
    end = time.monotonic() + SECONDS

    async def one() -> None:
        nonlocal count
        async with client.ws_connect(f"http://127.0.0.1:{server.port}/ws") as ws:
            while time.monotonic() < end:
                await ws.send_str(text)
                await ws.receive()
                count += 2

    before = server.seconds()
    await asyncio.gather(*(one() for _ in range(ECHOES)))
    return {"messages": count, "cpu": server.seconds() - before}


# ------------------------------------------------------------------------------------ the tables


class Seat:
    """A page: answers pings, has a heartbeat, knows its newest view."""

    def __init__(self, table: Table, number: int) -> None:
        self.table, self.number = table, number
        self.n = self.seq = 0
        self.view: dict[str, Any] = {}
        self.answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def open(self, client: aiohttp.ClientSession, base: str) -> None:
        table = self.table
        self.ws = await client.ws_connect(
            f"{base}/ws/{table.code}", headers={"Origin": base}, max_msg_size=0
        )
        self.reader = asyncio.create_task(self._read())
        host = {"host": table.host_key} if self.number == 0 else {}
        await self.say({"t": "hello", "v": 1, "secret": table.secret, **host})
        await self.ask({"t": "sit", "name": f"Guest {self.number}"})
        # Not all in the same moment, as in life.
        await asyncio.sleep(random.random() * 0.01)
        self.beating = asyncio.create_task(self._beat())

    async def _beat(self) -> None:
        await asyncio.sleep(random.random() * BEAT)
        while True:
            await self.say({"t": "ping", "i": 1, "seq": self.seq})
            await asyncio.sleep(BEAT)

    async def _read(self) -> None:
        club = self.table.club
        async for message in self.ws:
            club.messages += 1
            text = message.data
            if text.startswith('{"t":"view"'):
                told = json.loads(text)
                self.seq, self.view = told["seq"], told["v"]
                self.table.moved(self)
            elif text.startswith('{"t":"ping"'):
                await self.say({"t": "pong", "i": 1})
            elif not text.startswith('{"t":"pong"'):
                told = json.loads(text)
                if told["t"] in {"done", "refused", "seated"}:
                    self.answers.put_nowait(told)

    async def say(self, message: dict[str, Any]) -> None:
        self.table.club.messages += 1
        await self.ws.send_str(json.dumps(message))

    async def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        self.n += 1
        await self.say({**message, "n": self.n})
        while True:
            answer = await self.answers.get()
            if answer["n"] == self.n:
                return answer

    async def close(self) -> None:
        for task in (self.beating, self.reader):
            task.cancel()
        await asyncio.gather(self.beating, self.reader, return_exceptions=True)
        await self.ws.close()


class Table:
    def __init__(self, club: Club, code: str, secret: str, host_key: str) -> None:
        self.club, self.code, self.secret, self.host_key = club, code, secret, host_key
        self.seats: list[Seat] = []
        self.news = asyncio.Event()

    def moved(self, seat: Seat) -> None:
        if seat.view.get("turn") == seat.number or seat.view["phase"] != "round":
            self.news.set()

    async def action(self) -> bool:
        """Whoever is to act does; whether it counted."""
        seats = self.seats
        view = seats[0].view
        if view["phase"] != "round":
            do = "next" if view["phase"] == "between" else "start"
            await seats[0].ask({"t": "host", "do": do})
            return False
        turn = view.get("turn")
        if turn is None or seats[turn].view.get("turn") != turn:
            await asyncio.sleep(0.01)
            return False
        seat = seats[turn]
        forms = [f for f in seat.view.get("legal", ()) if f != "uno" and not f.startswith("catch")]
        if not forms:
            await asyncio.sleep(0.05)  # a countdown
            return False
        form = next((f for f in forms if f[0] in "rygbW"), forms[0])
        form = form + "r" if form.endswith("=") else form
        form = "colour r" if form.startswith("colour") else form
        self.news.clear()
        answer = await seat.ask({"t": "act", "seq": seat.seq, "a": form})
        if answer["t"] != "done":
            return False
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(2):
                await self.news.wait()
        return True

    async def play(self, end: float, every: float) -> None:
        """Until then; ``every`` so many seconds, 0 for as fast as seats may speak."""
        if every:
            await asyncio.sleep(random.random() * every)
        due = time.monotonic()
        while time.monotonic() < end:
            done = await self.action()
            self.club.actions += done
            due += every
            # Ten messages a second are allowed a seat; four take turns.
            await asyncio.sleep(max(0.05, due - time.monotonic()) if every else 0.05)


class Club:
    def __init__(self, server: Server, ready: dict[str, Any]) -> None:
        self.server = server
        self.key = ready["club_url"].rpartition(".")[2]
        self.base = f"http://127.0.0.1:{server.port}"
        self.tables: list[Table] = []
        self.messages = self.actions = 0

    async def fill(self, client: aiohttp.ClientSession) -> None:
        began = time.monotonic()
        await asyncio.gather(*(self._page(client, TABLES // PAGES) for _ in range(PAGES)))
        opened = time.monotonic() - began
        print(f"{len(self.tables)} tables in {opened:.1f} s", file=sys.stderr, flush=True)
        doors = asyncio.Semaphore(40)

        async def gather(table: Table) -> None:
            async with doors:
                for number in range(SEATS):
                    seat = Seat(table, number)
                    table.seats.append(seat)
                    await seat.open(client, self.base)
                await table.seats[0].ask({"t": "host", "do": "start"})

        await asyncio.gather(*map(gather, self.tables))

    async def _page(self, client: aiohttp.ClientSession, number: int) -> None:
        async with client.ws_connect(
            f"{self.base}/ws/a.club", headers={"Origin": self.base}, max_msg_size=0
        ) as ws:
            await ws.send_json({"t": "hello", "v": 1, "key": self.key})
            for n in range(1, number + 1):
                await ws.send_json({"t": "open", "n": n, "title": "", "rules": "classic"})
                while True:
                    told = await ws.receive_json()
                    if told["t"] == "opened":
                        break
                    if told["t"] == "refused":
                        raise RuntimeError(told)
                parts = told["table"]["host"].rpartition("#")[2].split(".")
                self.tables.append(Table(self, *parts))
                await asyncio.sleep(0.11)

    async def block(self, every: float | None) -> dict[str, float]:
        """``every`` None: nobody moves."""
        self.messages = self.actions = 0
        before, started_at = self.server.seconds(), time.monotonic()
        end = started_at + SECONDS
        if every is None:
            await asyncio.sleep(SECONDS)
        else:
            await asyncio.gather(*(table.play(end, every) for table in self.tables))
        took = time.monotonic() - started_at
        cpu = self.server.seconds() - before
        return {
            "messages": self.messages, "actions": self.actions, "cpu": cpu, "seconds": took,
            "core": round(cpu / took, 3),
        }  # fmt: skip

    def memory(self) -> int:
        """Bytes that are resident."""
        pages = int(Path(f"/proc/{self.server.process.pid}/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")


async def measure() -> dict[str, Any]:
    import resource

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    connector = aiohttp.TCPConnector(limit=0)
    async with (
        aiohttp.ClientSession(connector=connector) as client,
        contextlib.AsyncExitStack() as stack,
    ):
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server, ready = await started(
            stack, "penultima", "club", "--port", "0", "--json", "--no-rtc",
            "--host", "127.0.0.1", "--max-tables", str(TABLES),
            "--journal", f"{folder}/club.sqlite3",
        )  # fmt: skip
        reference, _ = await started(stack, "tests.bench.club", "echo")
        club = Club(server, ready)
        empty = club.memory()
        began = time.monotonic()
        await club.fill(client)
        filled = time.monotonic() - began
        await asyncio.sleep(4)  # the countdowns
        print(f"seated in {filled:.1f} s", file=sys.stderr, flush=True)
        idle = await club.block(None)
        paced = await club.block(2.0)
        full: list[dict[str, float]] = []
        echoed: list[dict[str, float]] = []
        for _ in range(BLOCKS):
            echoed.append(await echo_block(client, reference))
            full.append(await club.block(0.0))
        memory = club.memory()
        for table in club.tables:
            for seat in table.seats:
                seat.beating.cancel()
                seat.reader.cancel()

    def rate(blocks: list[dict[str, float]]) -> float:
        return sum(b["messages"] for b in blocks) / sum(b["cpu"] for b in blocks)

    actions = paced["actions"] / paced["seconds"]
    return {
        "tables": len(club.tables),
        "seats": SEATS,
        "opened_and_seated_seconds": round(filled, 1),
        "bytes_a_table": round((memory - empty) / len(club.tables)),
        "nobody_moves": idle,
        "one_action_per_2_s": {
            **paced,
            "actions_a_second": round(actions, 1),
            "core_of_the_actions": round(paced["core"] - idle["core"], 3),
        },
        "as_many_as_they_take": full[-1],
        "messages_a_cpu_second": {"penultima": round(rate(full)), "echo": round(rate(echoed))},
        "ratio": {"messages_a_cpu_second": round(rate(full) / rate(echoed), 2)},
    }


def main() -> dict[str, Any]:
    """Figures and ratios; the goals are 0.7 for the ratio and a fifth of a core for a thousand
    tables with one action per two seconds (BENCH_TABLES=1000)."""
    return asyncio.run(measure())


if __name__ == "__main__":
    if sys.argv[1:] == ["echo"]:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(echo())
    else:
        print(json.dumps(main(), indent=2))
