"""Round after round at one table of the real program, with people who come and go all the time.

Two phones on WebSockets, two on data channels, bots in some matches. In the end the program holds as
much memory and as many files and sockets as after the first rounds, and the journal has grown by its
records alone. A few rounds in `make test`; `ROUNDS=500 pytest -s tests/torture/test_soak.py` for more.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.host.phones import Phone
from tests.host.program import Program
from tests.torture.player import Player, playing

ROUNDS = int(os.environ.get("ROUNDS", "8"))
WARM = max(3, ROUNDS // 20)
"""Rounds after which it holds what it needs."""
# Margins. What a record keeps in memory is nothing that may be seen here: 500 rounds have 30,000.
MEMORY_KB = 12_000
RECORD_BYTES = 1_500
PATIENCE = 600.0
LOG_BYTES = 8_000_000


class Organiser(Player):
    """Starts what is to be started; every fourth match is with bots."""

    matches = 0
    rounds = 0
    _round = 0

    def wish(self, phone: Phone) -> dict[str, Any] | None:
        view = phone.view
        if view["phase"] == "round" and view["round"] != self._round:
            self.matches += view["round"] == 1
            self._round = view["round"]
            self.rounds += 1
        if view["phase"] == "over":
            self._round = 0
            bots = [number for number, seat in enumerate(view["seats"]) if seat and seat.get("bot")]
            with_bots = self.matches % 4 == 0
            if with_bots and len(bots) < 2:
                return self.request(t="host", do="add_bot", value="easy")
            if not with_bots and bots:
                return self.request(t="host", do="remove", seat=bots[0])
        return super().wish(phone)


@dataclass
class Held:
    """What the program holds at a moment."""

    memory: int  # kilobytes
    files: int

    @classmethod
    def by(cls, program: Program) -> Held:
        place = Path(f"/proc/{program.process.pid}")
        memory = int((place / "status").read_text().split("VmRSS:")[1].split()[0])
        return cls(memory, len(list((place / "fd").iterdir())))


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what a program holds is read from Linux's /proc")
@pytest.mark.timeout(6 * 3600)
async def test_round_after_round_nothing_is_kept_that_is_not_needed(tmp_path: Path) -> None:
    rng = random.Random(f"soak {ROUNDS}")
    rejoins = 0
    async with aiohttp.ClientSession() as client:
        program = await Program.start(tmp_path, "--port", "0", "--fast", "--rules", "classic target=50")
        ana = Organiser("Ana", client, rng, rtc=False)
        players = [ana, *(Player(name, client, rng, rtc=name != "Dora") for name in ("Beto", "Carla", "Dora"))]
        try:
            async with playing(program, players, PATIENCE):
                ana.pending = ana.request(t="host", do="start")
                await until(lambda: ana.rounds > WARM, PATIENCE * WARM)
                start = await settled(program, players)
                began, log = time.monotonic(), 0
                while ana.rounds < ROUNDS:
                    at = ana.rounds
                    player = rng.choice(players)
                    player.back.clear()
                    assert player.phone is not None
                    await player.phone.cut()
                    rejoins += 1
                    await asyncio.wait_for(player.back.wait(), PATIENCE)
                    log = max(log, size(tmp_path, "*-wal"))
                    await until(lambda at=at: ana.rounds > at or rng.random() < 0.004, PATIENCE)
                    if ana.rounds > at and ana.rounds % 50 == 0:
                        print(f"{ana.rounds} rounds, {Held.by(program)}", flush=True)
                took = time.monotonic() - began
                end = await settled(program, players, start.files)
        finally:
            assert await asyncio.to_thread(program.interrupt) == 0
            program.close()
    errors = (tmp_path / "stderr").read_text()
    assert "Traceback" not in errors
    assert "never" not in errors
    records = max(player.newest for player in players)
    journal = size(tmp_path, "journal.sqlite3*")
    print(
        f"\n{ana.rounds} rounds in {ana.matches} matches, {rejoins} rejoins, {took:.0f} s: memory {start.memory} kB "
        f"{end.memory - start.memory:+} kB, open files {start.files} {end.files - start.files:+}, journal {records} "
        f"records, {journal / 1e6:.1f} MB, its log {log / 1e6:.1f} MB at most"
    )
    assert end.files <= start.files
    assert end.memory - start.memory < MEMORY_KB
    assert journal < records * RECORD_BYTES + 100_000
    assert log < LOG_BYTES


def size(folder: Path, pattern: str) -> int:
    return sum(each.stat().st_size for each in folder.rglob(pattern))


async def until(condition: Callable[[], bool], patience: float) -> None:
    async with asyncio.timeout(patience):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def settled(program: Program, players: list[Player], files: int = 0) -> Held:
    """What it holds with everybody there, and the connections of before closed."""
    await asyncio.gather(*(asyncio.wait_for(player.back.wait(), PATIENCE) for player in players))
    held = Held.by(program)
    for _ in range(15):
        await asyncio.sleep(1.0)
        before, held = held, Held.by(program)
        if held.files <= files if files else held.files == before.files:
            break
    return held
