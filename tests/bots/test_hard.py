"""The thinker: bounded by its limit, in slices, and better for it."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from penultima.bots import hard
from penultima.bots.hard import Comparison, Hard, Limit
from penultima.bots.memory import Memory
from penultima.bots.normal import Normal
from penultima.bots.standing import chance
from penultima.bots.worlds import Worlds
from penultima.engine.actions import DRAW, Action, Play, action
from penultima.engine.events import Coloured, Dealt, Drew, Passed, Played
from penultima.engine.match import Match
from penultima.engine.rules import Rules
from tests.engine.helpers import cards, match_at, text
from tests.engine.random_play import everywhere

HANDS = "b3 b7 r5 g2|r1 r2 r3 y5"


def thoughts(mind: Hard, hands: str = HANDS, seed: int = 1) -> list[Action]:
    """The best answer so far, slice by slice."""
    return list(mind.think(match_at(hands).view(0), random.Random(seed)))


def test_thinks_about_no_more_worlds_than_it_may() -> None:
    looked = [thoughts(Hard(Limit(worlds=worlds))) for worlds in (0, 1, 2)]
    a_world = len(looked[1]) - len(looked[0])
    assert a_world >= 2, "a slice is one option in one world"
    assert len(looked[2]) == len(looked[1]) + a_world
    assert all(isinstance(each, Play) or each is DRAW for each in looked[2])


def test_stops_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(1_000_000))
    monkeypatch.setattr("penultima.bots.hard.time.perf_counter", lambda: float(next(now)))
    a_world = len(thoughts(Hard(Limit(worlds=1)))) - len(thoughts(Hard(Limit(worlds=0))))
    # On this clock a slice takes a second.
    slices = len(thoughts(Hard(Limit(seconds=3.5 * a_world))))
    assert slices == 2 + 4 * a_world


def test_time_that_passes_between_two_slices_is_not_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr("penultima.bots.hard.time.perf_counter", lambda: now)
    slices = 0
    for _ in Hard(Limit(seconds=1.0, worlds=3)).think(match_at(HANDS).view(0), random.Random(1)):
        slices += 1
        now += 100.0
    assert slices == len(thoughts(Hard(Limit(worlds=3))))


def test_without_time_it_plays_as_the_fair_player_would() -> None:
    match = match_at("b3 r4 r5 g2|r1 r2 r3 y5")
    plain = Normal().turn(match.view(0), random.Random(3))
    assert Hard(Limit(worlds=0)).turn(match.view(0), random.Random(3)) is plain


def test_does_not_think_where_there_is_nothing_to_choose() -> None:
    assert thoughts(Hard(), "b3|r1 r2") == [action("b3")]
    assert thoughts(Hard(), "r3 r4|r1 r2") == [DRAW]


def test_answers_with_what_it_has_found_when_it_was_let_to_ponder() -> None:
    view = match_at(HANDS).view(0)
    rng = random.Random(1)
    mind = Hard(Limit(worlds=64))
    pondering = mind.ponder(view, rng)
    # Asked before it had a moment: as the fair player, and no worlds are looked at meanwhile.
    assert mind.turn(view, random.Random(3)) is Normal().turn(view, random.Random(3))
    expected = thoughts(Hard(Limit(worlds=64)))
    for best in expected[:30]:
        next(pondering)
        assert mind.turn(view, rng) is best


def test_what_it_pondered_is_for_that_moment_only() -> None:
    mind = Hard(Limit(worlds=8))
    for _ in mind.ponder(match_at(HANDS).view(0), random.Random(1)):
        pass
    other = match_at("g5|r1", colour="g", discard="g1").view(0)
    assert mind.turn(other, random.Random(1)) is action("g5")


# --- comparing


def compared(*worlds: Iterable[float], judged: Iterable[float] = (0.0, 0.0)) -> Comparison:
    options = [action("r1"), action("r2"), action("r3")]
    comparison = Comparison(list(zip(judged, options, strict=False)))
    for values in worlds:
        comparison.add(list(values))
    return comparison


def test_believes_the_judge_before_it_has_looked() -> None:
    assert compared(judged=(0.5, 0.4)).best() is action("r1")


def test_believes_many_worlds_more_than_the_judge() -> None:
    worlds = [(0.5, 0.6), (0.3, 0.5), (0.4, 0.5), (0.4, 0.6)] * 6
    assert compared(*worlds, judged=(0.1, 0.0)).best() is action("r2")
    gain, unsure = compared(*worlds, judged=(0.1, 0.0)).gain(1, 0)
    assert gain == pytest.approx(0.15, abs=0.02)
    assert unsure < 0.02


def test_believes_the_judge_more_than_two_worlds_that_disagree() -> None:
    worlds = [(0.0, 1.0), (0.9, 0.2)]
    assert compared(*worlds, judged=(0.1, 0.0)).best() is action("r1")


def test_lets_go_what_can_hardly_be_the_best() -> None:
    worlds = [(0.5, 0.1, 0.5), (0.4, 0.1, 0.5), (0.5, 0.2, 0.4), (0.4, 0.1, 0.3)] * 4
    comparison = compared(*worlds, judged=(0.0, 0.0, 0.0))
    comparison.let_go()
    assert comparison.options == [action("r1"), action("r3")]
    assert not comparison.clear


def test_two_that_are_the_same_are_not_thought_about_for_ever() -> None:
    comparison = compared(*[(0.5, 0.5)] * hard.LOOKS)
    comparison.let_go()
    assert comparison.clear


# --- worlds


def started() -> Match:
    match = Match(Rules.of("classic"), ["Ana", "Beto", "Carla"], seed=bytes(32))
    match.start(dealer=2)
    return match


def test_imagines_only_what_can_be() -> None:
    match = started()
    seat = match.round.turn
    view = match.view(seat)
    worlds = Worlds(view, Memory(), random.Random(1))
    for _ in range(20):
        world = worlds.one()
        assert text(world.hands[seat]) == text(view.hand)
        assert [len(hand) for hand in world.hands] == list(view.counts)
        assert everywhere(world) == everywhere(match.round)


def test_imagines_nobody_with_a_colour_it_has_just_drawn_on() -> None:
    memory = Memory()
    memory.watch([Dealt(1, 2, 7, (0, 1, 2)), Coloured(0, "g"), Drew(1, 1, "turn", 1)], 0)
    memory.of(2).cards = list(cards("bS"))
    worlds = Worlds(started().view(0), memory, random.Random(1))
    for _ in range(20):
        world = worlds.one()
        assert all(card.colour != "g" for card in world.hands[1])
        assert "bS" in text(world.hands[2])


def wilds_of(seat: int, *events: object) -> float:
    """How many wilds that hand has on average, after Carla dealt and ``events``."""
    memory = Memory()
    memory.watch([Dealt(1, 2, 7, (0, 1, 2)), Coloured(0, "g"), *events], 0)  # type: ignore[list-item]
    worlds = Worlds(started().view(0), memory, random.Random(1))
    made = [worlds.one().hands[seat] for _ in range(200)]
    return sum(card.colour is None for hand in made for card in hand) / len(made)


def test_imagines_few_wilds_where_somebody_drew() -> None:
    usual = wilds_of(1)
    assert usual > 0.4
    assert wilds_of(1, Drew(1, 1, "turn", 1)) < usual / 3
    # What came since is not known, nor what was kept of what could be played.
    assert wilds_of(1, Drew(1, 1, "turn", 1), Drew(1, 6, "caught", 6)) > usual / 2
    kept = wilds_of(1, Drew(1, 1, "turn", 1), Passed(1))
    assert usual / 3 < kept


def test_imagines_the_colour_that_somebody_chose() -> None:
    def has_blue(*events: object) -> float:
        memory = Memory()
        memory.watch([Dealt(1, 2, 7, (0, 1, 2)), *events], 0)  # type: ignore[list-item]
        # With one card left there is much to be wrong about.
        view = match_at("r1 r2 r3|y1|g1 g2 g3").view(0)
        worlds = Worlds(view, memory, random.Random(1))
        return sum(worlds.one().hands[1][0].colour == "b" for _ in range(200)) / 200

    assert has_blue(Played(1, *cards("W"), "b")) > 0.7 > has_blue() + 0.3


# --- what a moment is worth


def worth(hands: str, **more: str) -> float:
    return chance(match_at(hands, **more).round, 0)


def test_a_last_card_that_fits_wins() -> None:
    assert worth("r3|b1 b2", discard="r5") == 1.0
    assert worth("b3|b1 b2", discard="r5") < 0.9


def test_better_hands_are_worth_more() -> None:
    here = worth("r3 b4 g5|y1 y2 y3", discard="r5")
    assert worth("r3 b4 W|y1 y2 y3", discard="r5") > here
    assert worth("r3 b4 g5 g7 y8|y1 y2 y3", discard="r5") < here
    assert worth("r3 b4 g5|y1", discard="r5") < here
    assert worth("r3 r4|y1 y2 y3", discard="r5") > worth("r3 b4|y1 y2 y3", discard="r5")


def test_chances_of_all_sum_to_about_one() -> None:
    for players in (2, 3, 4, 7):
        match = Match(Rules.of("classic"), [str(seat) for seat in range(players)], seed=bytes(32))
        match.start()
        total = sum(chance(match.round, seat) for seat in range(players))
        assert 0.75 < total < 1.7
