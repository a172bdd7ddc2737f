"""A bot that thinks ahead, at a table of the host: it thinks while the table waits anyway."""

import asyncio
from itertools import pairwise
from typing import Any

import pytest

from penultima.bots import bot
from penultima.bots.hard import Comparison
from penultima.host.journal import NoJournal
from penultima.host.runner import Runner
from penultima.host.thinking import Thinking
from penultima.table import Options, Table

CODE, SECRET, HOST_KEY = "aaaaaa", "abcdefghjkmnpqrs", "abcdefghjkmnpqrstuvwxyz2"


class Ana:
    """Draws whenever she can, and keeps what she drew."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.n = 0
        self.views: list[dict[str, Any]] = []
        self.enough = asyncio.Event()
        runner.join(self, {"t": "hello", "v": 1, "secret": SECRET, "host": HOST_KEY})
        self.ask("sit", name="Ana")
        self.ask("host", do="add_bot", value="hard")
        self.ask("host", do="start")

    def ask(self, t: str, **fields: Any) -> None:
        self.n += 1
        self.runner.receive(self, {"t": t, "n": self.n, **fields})

    def deliver(self, kind: str, message: dict[str, Any], text: str) -> None:
        if kind != "view":
            return
        view = message["v"]
        self.views.append(view)
        if view["phase"] != "round" or len(view.get("hand", ())) > 12:
            self.enough.set()
        elif view.get("turn") == 0:
            legal = view["legal"]
            form = next((each for each in ("pass", "draw", "accept") if each in legal), legal[0])
            self.ask("act", seq=message["seq"], a=form)

    def farewell(self, code: str) -> None: ...
    def rest(self) -> None: ...


async def test_a_hard_bot_thinks_while_its_table_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0
    add = Comparison.add

    def counted(self: Comparison, values: list[float]) -> None:
        nonlocal looked
        looked += 1
        add(self, values)

    monkeypatch.setattr(Comparison, "add", counted)
    loop = asyncio.get_running_loop()
    table = Table(
        CODE, SECRET, HOST_KEY, seed=bytes(32), now=loop.time(), title="",
        options=Options(fast=True), brain=bot,
    )  # fmt: skip
    runner = Runner(CODE, table, NoJournal(), Thinking())
    ana = Ana(runner)
    async with asyncio.timeout(60):
        await ana.enough.wait()
    await runner.close()
    assert table.faults == []
    assert [seat.get("bot") for seat in ana.views[-1]["seats"]] == [None, "hard"]
    assert looked > 20


class Pensive:
    """Always has more to think about."""

    def __init__(self, said: list[str], slices: int) -> None:
        self.said = said
        self.slices = slices

    def think(self) -> bool:
        self.said.append("slice")
        return len(self.said) < self.slices


async def test_what_comes_meanwhile_is_handled_between_two_slices() -> None:
    said: list[str] = []
    now = iter(range(1_000))
    # On this clock a slice takes longer than the loop may be held up.
    thinking = Thinking(share=1.0, clock=lambda: float(next(now)))
    table = Pensive(said, 1_000)
    thinking.wanted(table)
    loop = asyncio.get_running_loop()

    enough = asyncio.Event()

    def message() -> None:
        said.append("message")
        if said.count("slice") < 5:
            loop.call_soon(message)
        else:
            enough.set()

    loop.call_soon(message)
    async with asyncio.timeout(60):
        await enough.wait()
    for one, following in pairwise(said):
        assert (one, following) != ("slice", "slice")
    # Nothing of it is left for the tests to come.
    thinking.forget(table)


async def test_a_table_that_is_closed_is_thought_about_no_more() -> None:
    said: list[str] = []
    now = iter(range(1_000))
    thinking = Thinking(share=1.0, clock=lambda: float(next(now)))
    table = Pensive(said, 100)
    thinking.wanted(table)
    loop = asyncio.get_running_loop()
    loop.call_soon(thinking.forget, table)
    for _ in range(10):
        await asyncio.sleep(0)
    assert said == ["slice"]
