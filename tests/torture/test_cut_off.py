"""The journal's file as a power cut leaves it: the write-ahead log ends anywhere.

What is read back is whole commits, in order, without a gap; nothing is missing that was on the disk
by then; and the records lead to the table that they led to. `IMAGES=2000` for more of them.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from penultima.bots import bot
from penultima.host.store import Store
from penultima.table import Table
from tests.simulation.world import CALM, World

IMAGES = int(os.environ.get("IMAGES", "200"))


def records() -> list[dict[str, Any]]:
    """A whole match, as a journal has it."""
    return World(7, CALM, rules="party target=400").play().disk.records


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_log_that_ends_anywhere_is_a_beginning_of_the_match(tmp_path: Path) -> None:
    rng = random.Random(f"images {IMAGES}")
    every = records()[:160]
    path = tmp_path / "journal.sqlite3"
    log = path.with_name(path.name + "-wal")
    store = Store(path)
    ends = [(0, 0)]
    at = 0
    while at < len(every):
        size = rng.choice([1, 1, 1, 2, 5])
        store.append([("k7m2pq", every[at : at + size])])
        at = min(at + size, len(every))
        ends.append((log.stat().st_size, at))
    boundaries = {count for _, count in ends}
    whole, main = log.read_bytes(), path.read_bytes()
    store.close()
    digests = [""] + [json.loads(json.dumps(record))["digest"] for record in every]
    lengths: set[int] = set()
    for number in range(IMAGES):
        folder = tmp_path / f"image-{number}"
        folder.mkdir()
        cut = rng.randrange(len(whole) + 1)
        torn = bytearray(whole[:cut])
        kind = rng.choice(["cut", "cut", "torn", "noise"])
        if kind == "torn" and cut > 64:
            # The last sector was being written.
            cut = max(0, cut - 512)
            torn[cut:] = rng.randbytes(len(torn) - cut)
        elif kind == "noise":
            torn += rng.randbytes(rng.randrange(1, 9000))
        image = folder / path.name
        image.write_bytes(main)
        image.with_name(image.name + "-wal").write_bytes(torn)
        again = Store(image)
        assert again.set_aside is None, (number, cut, kind)
        kept = list(again.records("k7m2pq"))
        again.close()
        assert kept == every[: len(kept)], (number, cut, kind)
        assert len(kept) in boundaries, (number, cut, kind)
        assert len(kept) >= max(count for end, count in ends if end <= cut), (number, cut, kind)
        if len(kept) not in lengths:
            lengths.add(len(kept))
            if kept:
                table = Table.restore(kept, 0.0, brain=bot)
                assert table.journal()[0]["digest"] == digests[len(kept)]
        shutil.rmtree(folder)
    assert len(lengths) > 20
    print(f"\n{IMAGES} images, {len(lengths)} different lengths of {len(every)} records")
