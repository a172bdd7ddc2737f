"""`kill -9` of the real program in the middle of real matches, with real phones on both kinds of path.

What a phone was told was done stands in the journal, once; everybody comes back; the match ends.
A few kills in `make test`; `KILLS=50` for more.
"""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path

import aiohttp
import pytest

from penultima.host.archive import found
from penultima.host.store import Store
from tests.host.program import Program
from tests.torture.player import Player, check, moves, playing

KILLS = int(os.environ.get("KILLS", "4"))


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
        try:
            async with playing(program, players):
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
            assert await asyncio.to_thread(program.interrupt) == 0
            program.close()
    store = Store(tmp_path / "penultima" / "journal.sqlite3")
    assert found(store, next(each for each in store.tables() if each.code == code)).told["code"] == code
    records = list(store.records(code))
    store.close()
    done = check(records, players)
    assert sum(record["kind"] == "restored" for record in records) == KILLS
    assert "Traceback" not in (tmp_path / "stderr").read_text()
    print(f"\n{KILLS} kills, {done} answered requests, none lost, none twice")
