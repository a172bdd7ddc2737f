"""Whole matches through faulty lines: every phone's view ends equal to the table's.

A run is its seed; a failure names it. `World(seed, ...).run(...)` has it again.
"""

from __future__ import annotations

import random

import pytest

from penultima.table.loopback import Faults, Loopback
from tests.table.world import World

KINDS = {
    "quiet": Faults(delay=(0.01, 0.05)),
    "losses": Faults(loss=0.1, delay=(0.01, 0.1)),
    "doubles": Faults(doubling=0.3, delay=(0.01, 0.1)),
    "reordered": Faults(delay=(0.0, 0.9), stall=0.01),
    "cuts": Faults(cut=0.01, delay=(0.01, 0.1)),
    "everything": Faults(loss=0.05, doubling=0.1, delay=(0.0, 0.4), stall=0.01, cut=0.004),
}


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_a_match_over_bad_lines_ends_the_same_for_all(kind: str, seed: int) -> None:
    world = World(seed, KINDS[kind])
    world.run(until=20_000)
    world.settle()
    world.check()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 7))
def test_a_host_that_is_killed_again_and_again_loses_nothing(seed: int) -> None:
    killed = 0
    while not killed:  # a match may be over before it comes to that
        world = World(seed, KINDS["everything"], crash=0.01)
        world.run(until=40_000)
        world.settle()
        world.check()
        killed = world.injected["killed"]
        seed += 100


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["party target=50", "icebreaker target=50", "classic target=150"])
def test_house_rules_over_bad_lines(rules: str) -> None:
    world = World(11, KINDS["everything"], rules=rules, guests=3, bots=2)
    world.run(until=40_000)
    world.settle()
    world.check()


def test_the_same_seed_is_the_same_run() -> None:
    def run() -> list[dict[str, object]]:
        world = World(5, KINDS["everything"], crash=0.005)
        world.run(until=40_000)
        return world.journal

    assert run() == run()


def test_a_loopback_without_faults_carries_everything_in_order() -> None:
    link = Loopback()
    for number in range(100):
        link.to_table.send(str(number), 1.0)
    assert link.due() == 1.0
    assert link.to_table.receive(1.0) == [str(number) for number in range(100)]
    assert link.due() is None


def test_the_faults_are_about_as_many_as_were_asked_for_and_the_same_for_the_same_seed() -> None:
    def run(seed: int) -> list[str]:
        link = Loopback(Faults(loss=0.2, doubling=0.2, delay=(0.0, 1.0)), random.Random(seed))
        for number in range(1000):
            link.to_page.send(str(number), number / 100)
        assert 300 < link.injected < 500
        return link.to_page.receive(1000.0)

    assert run(1) == run(1) != run(2)
    texts = run(1)
    assert texts != sorted(texts, key=int)
    assert 700 < len(set(texts)) < 900


def test_a_cut_line_carries_nothing_any_more() -> None:
    link = Loopback()
    link.to_table.send("a", 0.0)
    link.cut()
    link.to_page.send("b", 0.0)
    assert link.is_cut
    assert link.due() is None
