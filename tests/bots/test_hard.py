"""The thinker: bounded by its budget, in slices, and better for it."""

from __future__ import annotations

import random

import pytest

from penultima.bots.hard import Hard, Seconds, Slices
from penultima.bots.memory import Memory
from penultima.bots.normal import Normal
from penultima.bots.tournament import tournament
from penultima.bots.worlds import Worlds
from penultima.engine.actions import Play, action
from penultima.engine.events import Coloured, Dealt, Drew
from penultima.engine.match import Match
from penultima.engine.rules import Rules
from tests.engine.helpers import cards, match_at, text
from tests.engine.random_play import everywhere


def slices(mind: Hard, hands: str, **more: str) -> tuple[int, object]:
    """How many slices it thinks, and what comes of it."""
    thinking = mind.think(match_at(hands, **more).view(0), random.Random(1))
    count = 0
    while True:
        try:
            next(thinking)
        except StopIteration as end:
            return count, end.value
        count += 1


def test_thinks_in_as_many_slices_as_it_is_given() -> None:
    count, chosen = slices(Hard(lambda: Slices(7)), "b3 b7 r5 g2|r1 r2 r3 y5")
    assert count == 8
    assert isinstance(chosen, Play)


def test_without_a_budget_it_plays_as_the_fair_player_would() -> None:
    match = match_at("b3 r4 r5 g2|r1 r2 r3 y5")
    plain = Normal().turn(match.view(0), random.Random(3))
    assert Hard(lambda: Slices(0)).turn(match.view(0), random.Random(3)) is plain


def test_does_not_think_where_there_is_nothing_to_choose() -> None:
    assert slices(Hard(lambda: Slices(7)), "b3|r1 r2")[1] is action("b3")
    assert slices(Hard(lambda: Slices(7)), "r3 r4|r1 r2") == (0, action("draw"))


def test_stops_when_its_time_is_over() -> None:
    assert Seconds(-1.0).left() < 0
    count, _ = slices(Hard(lambda: Seconds(-1.0)), "b3 b7 r5 g2|r1 r2 r3 y5")
    assert count == 1


def test_imagines_only_what_can_be() -> None:
    match = Match(Rules.of("classic"), ["Ana", "Beto", "Carla"], seed=bytes(32))
    match.start()
    seat = match.round.turn
    view = match.view(seat)
    worlds = Worlds(view, Memory(), random.Random(1))
    for _ in range(20):
        world = worlds.one()
        assert text(world.hands[seat]) == text(view.hand)
        assert [len(hand) for hand in world.hands] == list(view.counts)
        assert everywhere(world) == everywhere(match.round)


def test_imagines_nobody_with_a_colour_it_has_just_drawn_on() -> None:
    match = Match(Rules.of("classic"), ["Ana", "Beto", "Carla"], seed=bytes(32))
    match.start(dealer=2)
    memory = Memory()
    memory.watch([Dealt(1, 2, 7, (0, 1, 2)), Coloured(0, "g"), Drew(1, 1, "turn", 1)], 0)
    memory.of(2).cards = list(cards("bS"))
    worlds = Worlds(match.view(0), memory, random.Random(1))
    for _ in range(20):
        world = worlds.one()
        assert all(card.colour != "g" for card in world.hands[1])
        assert "bS" in text(world.hands[2])


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_thinking_helps() -> None:
    result = tournament(["hard", "normal"], 150, seed=1, calls=False)
    print(f"\nseed 1, no calls: {result}")
    assert result.share(0) > 0.50
