"""`kill -9` of the real program in the middle of real matches, with real phones on both kinds of path.

What a phone was told was done stands in the journal, once; everybody comes back; the match ends.
A few kills in `make test`; `KILLS=50` for more.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from penultima.bots import bot
from penultima.host.archive import found
from penultima.host.store import Store
from penultima.table import Table
from tests.host.phones import Phone, RtcPhone
from tests.host.program import Program

KILLS = int(os.environ.get("KILLS", "4"))


class Player:
    """Plays on, whatever happens to the host: finds it again, and asks again under the same number."""

    def __init__(self, name: str, client: aiohttp.ClientSession, rng: random.Random, *, rtc: bool) -> None:
        self.name, self.client, self.rng, self.rtc = name, client, rng, rtc
        self.key: str | None = None
        self.n = 0
        self.pending: dict[str, Any] | None = None
        self.done: list[tuple[int, dict[str, Any]]] = []
        self.program: Program | None = None
        self.back = asyncio.Event()
        self.phone: Phone | None = None
        self.newest = 0

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
                await phone.say(t="ping", i=1, seq=phone.seq)
                await asyncio.sleep(0.05)
                continue
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


@pytest.mark.slow
@pytest.mark.timeout(3600)
async def test_nothing_that_was_answered_is_lost_when_the_host_is_killed(tmp_path: Path) -> None:
    rng = random.Random(f"kills {KILLS}")
    async with aiohttp.ClientSession() as client:
        program = await Program.start(tmp_path, "--port", "0", "--rules", "party target=100")
        code = program.code
        players = [
            Player(name, client, rng, rtc=name in {"Beto", "Carla"}) for name in ("Ana", "Beto", "Carla", "Dora")
        ]
        tasks = []
        try:
            for player in players:
                player.program = program
                tasks.append(asyncio.create_task(player.live()))
                await asyncio.wait_for(player.back.wait(), 30)
            assert players[0].phone is not None
            players[0].pending = players[0].request(t="host", do="start")
            for _ in range(KILLS):
                # Now and then in the countdown, mostly in the middle of playing.
                await moves(players, rng.choice([0, 3, 10, 20]))
                await asyncio.sleep(rng.uniform(0.0, 0.5))
                for player in players:
                    player.back.clear()
                await asyncio.to_thread(program.close)
                program = await Program.start(tmp_path, "--port", "0")
                assert program.code == code
                assert program.ready["resumed"]
                for player in players:
                    player.program = program
                for player in players:
                    await asyncio.wait_for(player.back.wait(), 30)
            await moves(players, 4)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for player in players:
                if player.phone is not None:
                    await player.phone.close()
            assert await asyncio.to_thread(program.interrupt) == 0
            program.close()
    done = check(tmp_path, code, players)
    assert "Traceback" not in (tmp_path / "stderr").read_text()
    print(f"\n{KILLS} kills, {done} answered requests, none lost, none twice")


def check(folder: Path, code: str, players: list[Player]) -> int:
    store = Store(folder / "penultima" / "journal.sqlite3")
    kept = next(each for each in store.tables() if each.code == code)
    assert found(store, kept).told["code"] == code
    records = list(store.records(code))
    store.close()
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
    assert sum(record["kind"] == "restored" for record in records) == KILLS
    return len(seen)
