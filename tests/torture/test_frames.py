"""Frames and offers that nobody would send, against a running host.

The limits on a sender have tests of their own and are lifted here, so that what is behind them is
reached. `FRAMES=2000000` for more.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from penultima.bots import bot
from penultima.host import limits, offers
from penultima.table import Table
from tests.host.conftest import Host
from tests.host.phones import HOST_KEY, SECRET, Phone
from tests.host.test_offers import CHROMIUM

FRAMES = int(os.environ.get("FRAMES", "50000"))
SDPS = 2000

VALID: list[dict[str, Any]] = [
    {"t": "hello", "v": 1, "secret": SECRET, "lang": "es"},
    {"t": "hello", "v": 1, "secret": SECRET, "host": HOST_KEY, "watch": True},
    {"t": "sit", "n": 1, "name": "Ana", "id": "x" * 20},
    {"t": "act", "n": 1, "seq": 5, "a": "r7"},
    {"t": "act", "n": 2, "seq": 5, "a": "W+4=b"},
    {"t": "act", "n": 3, "seq": 5, "a": "draw"},
    {"t": "act", "n": 4, "seq": 5, "a": "catch 1"},
    {"t": "act", "n": 5, "seq": 5, "a": "colour r"},
    *(
        {"t": "host", "n": 6, "do": do, "seat": 1, "value": "normal"}
        for do in ("start", "next", "rematch", "add_bot", "bot", "take_out", "approve", "reject", "pause")
    ),
    {"t": "host", "n": 6, "do": "rules", "value": "classic stacking=same target=500"},
    {"t": "host", "n": 6, "do": "custom", "value": [{"text": "a", "effect": "swap"}] * 3},
    {"t": "host", "n": 6, "do": "agreed", "value": ["una"]},
    {"t": "host", "n": 6, "do": "title", "value": "Mesa"},
    {"t": "host", "n": 6, "do": "grace", "value": 0.5},
    {"t": "host", "n": 6, "do": "fast", "value": True},
    {"t": "vote", "n": 7, "value": "stacking=same"},
    {"t": "vote", "n": 7, "value": "yes"},
    {"t": "claim", "n": 8, "seat": 0},
    {"t": "status", "hidden": True},
    {"t": "ping", "i": 1, "seq": 3},
    {"t": "pong", "i": 1},
    {"t": "offer", "id": "1", "sdp": "v=0"},
    {"t": "candidate", "id": "1", "candidate": "candidate:1 1 udp 1 192.0.2.1 9 typ host", "mid": "0"},
]  # fmt: skip
ODD: list[Any] = [
    None, True, False, 0, -1, 1, 2**31, 2**63, -(2**70), 1e308, 0.5, "", " ", "a" * 3000, "\x00", "\ud800",
    "\u202eAna", "é" * 30, "\U0001f469\u200d\U0001f467" * 9, "<script>", "'; DROP TABLE records; --", [], {}, [[]], [None] * 50, {"t": "act"},
    {"a": {"b": {"c": 1}}}, "classic deck=112", "winner_rule=on", "W=", "r7>99", "catch -1", "colour x", 99, 10,
]  # fmt: skip


def mutated(rng: random.Random) -> str | bytes:
    """A message that was one once."""
    message = dict(rng.choice(VALID))
    if "n" in message:
        message["n"] = rng.choice([rng.randrange(1, 100_000), rng.randrange(1, 50)])
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        what = rng.random()
        field = rng.choice(list(message))
        if what < 0.6:
            message[field] = rng.choice(ODD)
        elif what < 0.75:
            del message[field]
            message.setdefault("t", "act")
        else:
            message[rng.choice(["t", "n", "seat", "value", "x", "__class__", "digest"])] = rng.choice(ODD)
    try:
        text = json.dumps(message, ensure_ascii=rng.random() < 0.8)
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(message)
    how = rng.random()
    if how < 0.7:
        return text
    if how < 0.8:
        return text[: rng.randrange(len(text) + 1)]
    if how < 0.88:
        at = rng.randrange(len(text))
        return text[:at] + rng.choice('{}[]",:\\0e-\n\t') + text[at + rng.randrange(3) :]
    if how < 0.92:
        return text + rng.choice([text, "]", "\x00", "," * 100])
    if how < 0.94:
        return rng.choice(["[" * 3000, '{"t":' * 500, "NaN", "Infinity", '"', "1e999", "\ufeff{}"])
    data = bytearray(text.encode())
    for _ in range(rng.randrange(1, 4)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


@pytest.fixture
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MESSAGES_A_SECOND", "MESSAGES_BURST", "PATIENCE", "HELLOS_A_SECOND", "HELLOS_BURST",
                 "RETURNS_A_SECOND", "RETURNS_BURST"):
        monkeypatch.setattr(limits, name, 1e12)


@pytest.fixture
def errors() -> Iterator[list[str]]:
    """What the host logs as an error."""
    found: list[str] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(logging.Formatter().format(record))

    handler = Handler(logging.ERROR)
    logging.getLogger().addHandler(handler)
    yield found
    logging.getLogger().removeHandler(handler)


def resident() -> int:
    """Kilobytes of this process in memory, if the system tells."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 0
    return int(status.split("VmRSS:")[1].split()[0])


@pytest.mark.slow
@pytest.mark.timeout(24 * 3600)
@pytest.mark.usefixtures("unlimited")
async def test_no_frame_breaks_the_host_or_disturbs_another_table(host: Host, errors: list[str]) -> None:
    now = asyncio.get_running_loop().time()
    for code in ("bbbbbb", "cccccc"):
        host.open_table(code, Table(code, SECRET, HOST_KEY, seed=b"\x09" * 32, now=now, brain=bot))
    quiet = [await host.phone("cccccc") for _ in range(2)]
    for number, phone in enumerate(quiet):
        await phone.hello(**({"host": HOST_KEY} if number == 0 else {}))
        await phone.sit(f"Quiet {number}")
    await quiet[0].ask(t="host", do="start")
    before = quiet[0].seq

    rng = random.Random("frames")
    sent = 0
    slowest = 0.0
    memory: list[int] = []
    while sent < FRAMES:
        attackers = [await attacker(host, number) for number in range(4)]
        for _ in range(50):
            for phone in attackers:
                for _ in range(10):
                    if phone.socket.closed:
                        break
                    try:
                        await phone.say_raw(mutated(rng))
                    except ConnectionError:
                        break
                    sent += 1
            started = time.monotonic()
            await quiet[1].say(t="ping", i=sent % 1000, seq=quiet[1].seq)
            await quiet[1].hear("pong", patience=20)
            slowest = max(slowest, time.monotonic() - started)
        for phone in attackers:
            await phone.close()
            host.phones.remove(phone)
        for phone in quiet:
            phone.log.clear()
            phone._next = 0
        gc.collect()
        memory.append(resident())
    assert errors == []
    assert quiet[0].seq == before, "the other table has not moved"
    for code in ("aaaaaa", "bbbbbb"):
        runner = host.tables.get(code)
        assert runner is not None
        assert not runner._task.done()
        assert not [fault for fault in runner.table.faults if "Refused" not in fault]
    # After the first tenth nothing more is kept.
    grown = memory[-1] - memory[max(1, len(memory) // 10)]
    print(f"\n{sent} frames, slowest answer next door {slowest:.2f} s, memory {grown:+} kB")
    assert grown < 40_000


async def attacker(host: Host, number: int) -> Phone:
    """A stranger, a guest and the host of a table turn on it."""
    phone = await host.phone("aaaaaa" if number < 2 else "bbbbbb")
    if number:
        await phone.hello(**({"host": HOST_KEY} if number == 3 else {}))
        await phone.sit(f"Guest {number}")
    return phone


# -------------------------------------------------------------------------------------- offers


def bent(rng: random.Random) -> str:
    """An offer that was one once."""
    lines = CHROMIUM.split("\r\n")
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(lines))
        what = rng.random()
        if what < 0.2:
            del lines[at]
        elif what < 0.4:
            lines.insert(at, rng.choice(lines))
        elif what < 0.6:
            lines[at] = lines[at][: rng.randrange(len(lines[at]) + 1)]
        elif what < 0.8 and lines[at]:
            where = rng.randrange(len(lines[at]))
            lines[at] = lines[at][:where] + rng.choice("0aZ :/=\x00é\n") + lines[at][where + 1 :]
        else:
            lines[at] += rng.choice([" x", "9" * 40, " 1", "\x00", "\r", " typ host", ":" * 300])
        if not lines:
            return ""
    return rng.choice(["\r\n", "\r\n", "\n"]).join(lines)


@pytest.mark.slow
async def test_no_offer_breaks_the_host(host: Host, errors: list[str]) -> None:
    rng = random.Random("offers")
    taken = []
    for _ in range(SDPS):
        try:
            offer = offers.parse(bent(rng))
        except offers.BadOffer:
            continue
        # What is handed on is ours, and reads as itself.
        assert offers.parse(offer.sdp()) == offer
        taken.append(offer)
    assert SDPS // 20 < len(taken) < SDPS
    ana = await host.seated("Ana")
    for _ in range(12):
        await ana.say(t="offer", id="1", sdp=bent(rng))
        answer = await ana.hear("answer", "no_channel", patience=15)
        assert answer["id"] == "1"
        await asyncio.sleep(0.3)
    assert (await ana.ask(t="host", do="start"))["code"] == "not_host"
    assert errors == []
    print(f"\n{SDPS} offers, {len(taken)} of them harmless")
