"""Whole matches through everything that can go wrong, and one check over all of it.

In `make test` at least 20,000 faults. `FAULTS=1000000 pytest tests/simulation -k as_many` goes on
until there were so many; a run that fails prints its seed, and `SEED=... -k one_seed` has it again.
"""

from __future__ import annotations

import copy
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest

from penultima.host.runner import Runner
from penultima.table.numbers import Numbers
from penultima.table.pages import Pages
from penultima.table.table import Table
from tests.simulation.world import World, variation

CHUNKS = 10
FAULTS = 2_000
"""In each chunk at least."""


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_nothing_is_lost_doubled_or_seen_too_early(chunk: int) -> None:
    injected: Counter[str] = Counter()
    seed = 1_000 * chunk
    while sum(injected.values()) < FAULTS:
        injected += variation(seed).play().injected
        seed += 1


@pytest.mark.skipif("FAULTS" not in os.environ, reason="by flag: FAULTS=1000000")
@pytest.mark.timeout(24 * 3600)
def test_as_many_faults_as_were_asked_for() -> None:
    injected: Counter[str] = Counter()
    seed = int(os.environ.get("SEED", "100000"))
    started, wanted = time.monotonic(), int(os.environ["FAULTS"])
    matches = 0
    while sum(injected.values()) < wanted:
        injected += variation(seed).play().injected
        seed, matches = seed + 1, matches + 1
    took = time.monotonic() - started
    print(f"\n{sum(injected.values())} faults in {matches} matches, {took:.0f} s: {dict(injected)}")


@pytest.mark.skipif("SEED" not in os.environ, reason="by flag: SEED=...")
def test_one_seed() -> None:
    print(f"\n{dict(variation(int(os.environ['SEED'])).play().injected)}")


def test_the_same_seed_is_the_same_run() -> None:
    one, other = (variation(103).play() for _ in range(2))
    assert one.disk.records == other.disk.records
    assert one.injected == other.injected
    assert one.history.sights == other.history.sights


@pytest.mark.slow
def test_every_kind_of_fault_comes_about() -> None:
    injected: Counter[str] = Counter()
    channels: Counter[str] = Counter()
    for seed in range(104, 112):
        world = variation(seed).play()
        injected += world.injected
        channels += world.channels
    # Of what is said to negotiate a data channel enough is lost that some never open.
    assert channels["opened"] > 20
    assert channels["given up"] > 20
    assert injected.keys() == {
        "lost", "doubled", "late", "stalled", "cut", "frozen", "second tab", "back to the older tab",
        "killed on a message", "killed before a commit", "killed during a commit",
        "killed after a commit", "stopped and started", "disk full", "clock jumped", "host asleep",
    }  # fmt: skip


# --------------------------------------------------------- the check finds what it is there for


def fails(*seeds: int) -> str:
    """What the check says of the first run that it does not let pass."""
    for seed in seeds:
        world = World(seed)
        try:
            world.play(until=3_000)
        except AssertionError as error:
            return str(error)
    return ""


@pytest.mark.slow
def test_it_finds_what_is_shown_before_it_is_kept() -> None:
    async def settle(self: Runner, *, patient: bool = True) -> bool:
        self._uncommitted += self.table.journal()
        self._show(self._letters())
        if self._uncommitted:
            await self._is_kept(self._journal.commit(self.code, self._uncommitted))
        return True

    with mock.patch.object(Runner, "_settle", settle):
        assert fails(*range(20))


def test_it_finds_a_request_that_is_done_twice() -> None:
    with (
        mock.patch.object(Numbers, "is_new", return_value=True),
        mock.patch.object(Numbers, "answer", return_value=None),
    ):
        assert fails(*range(10))


def test_it_finds_an_answer_that_is_not_true() -> None:
    answer = Pages.answer

    def wrong(self: Pages, request: Any, given: Any) -> None:
        answer(self, request, given - 1 if isinstance(given, int) else given)

    with mock.patch.object(Pages, "answer", wrong):
        assert fails(*range(5))


def leaking(change: Callable[[dict[str, Any]], None]) -> Any:
    show = Table._show

    def shown(self: Table, *what: Any) -> None:
        show(self, *what)
        said = self._pages._outbox
        number, message = said[-1]
        if self._ledger.seq % 20 == 0 and message["v"].get("hand"):
            message = copy.deepcopy(message)
            change(message)
            said[-1] = (number, message)

    return mock.patch.object(Table, "_show", shown)


def test_it_finds_a_card_that_is_not_for_the_page() -> None:
    def one_card_more(message: dict[str, Any]) -> None:
        message["v"]["hand"].append("r7")

    with leaking(one_card_more):
        assert fails(*range(5))


def test_it_finds_an_event_that_was_not() -> None:
    def one_event_more(message: dict[str, Any]) -> None:
        message["e"].insert(0, {"e": "called", "seat": 1})

    with leaking(one_event_more):
        assert fails(*range(5))


@pytest.mark.slow
def test_it_finds_a_view_of_another_moment() -> None:
    def later(message: dict[str, Any]) -> None:
        message["seq"] -= 1

    with leaking(later):
        assert fails(*range(5))


@pytest.mark.slow
def test_the_world_can_be_read() -> None:
    """What a failing run shows is plain data."""
    world = variation(110).play()
    assert json.loads(json.dumps(world.disk.records)) == world.disk.records
    assert sys.getsizeof(world.history.sights) > 0
