"""A phone that plays on through whatever happens to the host, and what its journal has to say of it."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Protocol

import aiohttp

from penultima.bots import bot
from penultima.host.store import Record
from penultima.table import Table
from tests.host.phones import Phone, RtcPhone


class Place(Protocol):
    """A table, as far as a phone knows of it."""

    @property
    def socket(self) -> str: ...
    secret: str
    host_key: str


@contextlib.asynccontextmanager
async def playing(place: Place, players: Sequence[Player], patience: float = 30.0) -> AsyncIterator[None]:
    """All of them sit at that table, one after another, and play on until they have played enough."""
    async with living() as begin:
        for player in players:
            player.program = place
            begin(player)
            await asyncio.wait_for(player.back.wait(), patience)
        yield


@contextlib.asynccontextmanager
async def living() -> AsyncIterator[Callable[[Player], None]]:
    """Whoever is given to what this yields plays on while in here, and hangs up afterwards."""
    tasks: dict[asyncio.Task[None], Player] = {}

    def begin(player: Player) -> None:
        tasks[asyncio.create_task(player.live())] = player

    try:
        yield begin
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for player in tasks.values():
            await player.hang_up()


class Player:
    """Plays on, whatever happens to the host: finds it again, and asks again under the same number.

    ``pause``: seconds between two looks at the table; ``thinks``: at most, before each move.
    """

    pause = 0.05
    thinks = 0.0

    def __init__(self, name: str, client: aiohttp.ClientSession, rng: random.Random, *, rtc: bool) -> None:
        self.name, self.client, self.rng, self.rtc = name, client, rng, rtc
        self.key: str | None = None
        self.n = 0
        self.pending: dict[str, Any] | None = None
        self.done: list[tuple[int, dict[str, Any]]] = []
        self.program: Place | None = None
        self.back = asyncio.Event()
        self.phone: Phone | None = None
        self.newest = 0

    async def hang_up(self) -> None:
        if self.phone is not None:
            await self.phone.close()

    async def live(self) -> None:
        while True:
            with contextlib.suppress(aiohttp.ClientError, OSError, TimeoutError, AssertionError, RuntimeError):
                await self.sit_and_play()
            if self.phone is not None:
                with contextlib.suppress(Exception):
                    await self.phone.close()
            await asyncio.sleep(self.rng.uniform(0.05, 0.3))

    async def sit_and_play(self) -> None:
        program = self.program
        assert program is not None
        kind = RtcPhone if self.rtc else Phone
        self.phone = phone = kind(self.client, program.socket)
        await phone.open()
        hello: dict[str, Any] = {"secret": program.secret}
        if self.name == "Ana":
            hello["host"] = program.host_key
        if self.key:
            hello["key"] = self.key
        welcome = await phone.hello(**hello)
        if self.key is None:
            await phone.sit(self.name)
            self.key = phone.key
            self.n = phone.n
        else:
            assert welcome["seat"] is not None, "the seat is gone"
            self.n = max(self.n, welcome["n"])
        path = "websocket"
        if self.rtc:
            await phone.open_channel()
            path = "datachannel"
        await phone.until(lambda _: True)
        assert phone.seq >= self.newest, f"{self.name} saw {self.newest}, now {phone.seq}"
        self.back.set()
        while True:
            if phone.socket_closed.is_set():
                return
            self.newest = max(self.newest, phone.seq)
            if self.pending is None:
                self.pending = self.wish(phone)
            if self.pending is None:
                if not await phone.news(self.pause):
                    await phone.say(t="ping", i=1, seq=phone.seq)
                continue
            if self.thinks:
                await asyncio.sleep(self.rng.uniform(0, self.thinks))
            await phone.say(path, **self.pending)
            while True:
                answer = await phone.hear("done", "refused", patience=2)
                if answer["n"] == self.pending["n"]:
                    break
            if answer["t"] == "done":
                self.done.append((answer["seq"], self.pending))
            self.pending = None

    def wish(self, phone: Phone) -> dict[str, Any] | None:
        view = phone.view
        if self.name == "Ana" and view["phase"] in {"between", "over"}:
            return self.request(t="host", do="next" if view["phase"] == "between" else "rematch")
        if view.get("turn") != view.get("you") or view.get("paused") or not view.get("legal"):
            return None
        forms = [form for form in view["legal"] if not form.startswith("catch")]
        plays = [form for form in forms if form[0] in "rygbW"]
        form = self.rng.choice(plays or [form for form in forms if form != "uno"])
        form = form.replace("=", "=" + self.rng.choice("rygb"))
        if ">" in form:
            form += str(self.rng.choice(view["targets"]))
        return self.request(t="act", seq=phone.seq, a=form)

    def request(self, **fields: Any) -> dict[str, Any]:
        self.n += 1
        return {"n": self.n, **fields}


async def moves(players: list[Player], more: int) -> None:
    """Until so many requests more have been answered."""
    wanted = sum(len(player.done) for player in players) + more
    async with asyncio.timeout(60):
        while sum(len(player.done) for player in players) < wanted:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def check(records: Sequence[Record], players: Sequence[Player]) -> int:
    """That all they were told was done stands in the records, once; how much that was."""
    assert [record["seq"] for record in records] == list(range(1, len(records) + 1))
    asked = [(record["who"], record["n"]) for record in records if "who" in record]
    assert len(asked) == len(set(asked))
    owners = {r["session"]: r["name"] for r in records if r["kind"] == "sit"}
    seen: set[int] = set()
    for player in players:
        for seq, request in player.done:
            record = records[seq - 1]
            assert (owners[record["who"]], record["n"]) == (player.name, request["n"]), request
            assert record.get("a") == request.get("a"), request
            assert seq not in seen
            seen.add(seq)
        assert max((seq for seq, _ in player.done), default=0) <= len(records)
        assert player.newest <= len(records)
    Table.restore(records, 0.0, brain=bot)
    return len(seen)
