"""The thinker: bounded by its limit, in slices, and better for it."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence

import pytest

from penultima.bots import hard
from penultima.bots.guesses import Guesses
from penultima.bots.hard import Comparison, Hard, Limit
from penultima.bots.memory import Memory
from penultima.bots.normal import Normal
from penultima.bots.standing import chance
from penultima.bots.worlds import Worlds
from penultima.engine.actions import DRAW, Action, Play, action
from penultima.engine.cards import DECKS, FACES, Card, card
from penultima.engine.events import (
    Challenged,
    Dealt,
    Drew,
    Event,
    HandsShuffled,
    Passed,
    Played,
    Reshuffled,
    Rotated,
    Swapped,
    TurnedUp,
)
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


def test_whoever_lets_it_ponder_never_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    mind = Hard(Limit(worlds=8))
    next(mind.ponder(match_at(HANDS).view(0), random.Random(1)))
    monkeypatch.setattr(Worlds, "one", lambda _: pytest.fail("it thinks"))
    # As after a catch, which adds to its hand while it is in turn.
    more = match_at(HANDS.replace("|", " b1 b2|")).view(0)
    assert mind.turn(more, random.Random(3)) is Normal().turn(more, random.Random(3))


# --- comparing


def compared(*worlds: Iterable[float], judged: Iterable[float] = (0.0, 0.0)) -> Comparison:
    options = [action("r1"), action("r2"), action("r3")]
    comparison = Comparison(list(zip(judged, options, strict=False)))
    for values in worlds:
        comparison.add(list(values))
    return comparison


def test_believes_the_judge_before_it_has_looked() -> None:
    assert compared(judged=(0.1, 0.08)).best() is action("r1")


def test_believes_many_worlds_more_than_the_judge() -> None:
    worlds = [(0.5, 0.6), (0.3, 0.5), (0.4, 0.5), (0.4, 0.6)] * 6
    assert compared(*worlds, judged=(0.02, 0.0)).best() is action("r2")
    gain, unsure = compared(*worlds, judged=(0.02, 0.0)).gain(1, 0)
    assert gain == pytest.approx(0.15, abs=0.02)
    assert unsure < 0.02


def test_believes_the_judge_more_than_two_worlds_that_disagree() -> None:
    worlds = [(0.0, 1.0), (0.9, 0.2)]
    assert compared(*worlds, judged=(0.02, 0.0)).best() is action("r1")


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
    worlds = Worlds(view, Memory(), Guesses(), random.Random(1))
    for _ in range(20):
        world = worlds.one()
        assert text(world.hands[seat]) == text(view.hand)
        assert [len(hand) for hand in world.hands] == list(view.counts)
        assert everywhere(world) == everywhere(match.round)


def test_deals_known_cards_where_they_are_known_to_be() -> None:
    match = started()
    memory = Memory()
    memory.of(2).cards = list(cards("bS"))
    worlds = Worlds(match.view(0), memory, Guesses(), random.Random(1))
    for _ in range(20):
        world = worlds.one()
        assert "bS" in text(world.hands[2])
        assert everywhere(world) == everywhere(match.round)


DEAL = Dealt(1, 2, 7, (0, 1, 2)), TurnedUp(card("g5"))


def held(*events: Event) -> list[Card]:
    """What Beto has in 300 worlds after the deal and ``events``, as Ana may think."""
    guesses = Guesses()
    guesses.watch([*DEAL, *events])
    worlds = Worlds(started().view(0), Memory(), guesses, random.Random(1))
    return [card for _ in range(300) for card in worlds.one().hands[1]]


def of(colour: str | None, hands: list[Card]) -> float:
    return sum(card.colour == colour for card in hands) / len(hands)


def test_imagines_little_of_a_colour_where_somebody_drew_on_it() -> None:
    usual, drew = held(), held(Drew(1, 1, "turn", 1))
    assert of("g", usual) > 0.1
    assert of("g", drew) < of("g", usual) / 3
    assert of(None, drew) < of(None, usual) / 2
    # Nor cards of another colour that would have gone on the 5.
    fives = [sum(card.rank == "5" for card in hands) for hands in (usual, drew)]
    assert fives[1] < fives[0] / 2


def test_what_comes_later_is_not_known() -> None:
    drew = Drew(1, 1, "turn", 1)
    assert of("g", held(drew, Drew(1, 6, "caught", 6))) > of("g", held()) / 3


def test_imagines_wilds_where_somebody_kept_a_card_that_fits() -> None:
    drew = Drew(1, 1, "turn", 1)
    assert of(None, held(drew, Passed(1))) > 2 * of(None, held(drew))


def test_a_drawn_card_that_is_played_says_nothing_about_the_others() -> None:
    drew = Drew(1, 1, "turn", 1)
    kept, played = held(drew), held(drew, Played(1, card("g7")))
    assert of("g", played) <= of("g", kept)
    assert of("r", played) == pytest.approx(of("r", kept), abs=0.06)


def test_a_drawn_card_that_does_not_fit_is_not_the_one_that_is_played_later() -> None:
    # Nothing is left to draw: the others pass, and it is the turn of who drew again.
    between = Drew(1, 1, "turn", 1), Passed(2, blocked=True), Passed(0, blocked=True)
    assert of("b", held(*between, Played(1, card("W"), "b"))) > 1.4 * of("b", held(*between))


def test_of_cards_drawn_until_one_fits_only_the_last_may_be_played() -> None:
    drew = Drew(1, 5, "turn", 5)
    kept, played = held(drew), held(drew, Played(1, card("W"), "b"))
    assert of("b", played) == pytest.approx(of("b", kept), abs=0.05)


def test_imagines_the_colour_that_somebody_chose_and_not_the_one_that_was_left() -> None:
    for wild in ("W", "W+4"):
        hands = held(Played(1, card(wild), "b"))
        assert of("b", hands) > 1.4 * of("b", held())
        assert of("g", hands) < of("g", held()) / 3


@pytest.mark.parametrize(
    ("stacking", "top", "without"),
    [
        ("same", "r+2", {"+2"}),
        ("cross", "r+2", {"+2", "W+4"}),
        ("same", "W+4", {"W+4"}),
        ("cross", "W+4", {"W+4"}),
        ("off", "r+2", set()),
    ],
)
@pytest.mark.parametrize(
    "end",
    [
        [Drew(1, 2, "draw_two", 2)],
        [Drew(1, 4, "stack", 4)],
        [Challenged(1, 0, bluff=True), Drew(0, 4, "bluff", 4)],
        [Challenged(1, 0, bluff=False), Drew(1, 6, "challenge", 6, 2)],
    ],
)
def test_who_did_not_answer_a_stack_has_hardly_what_answers_it(
    stacking: str, top: str, without: set[str], end: list[Event]
) -> None:
    played = Played(0, card(top), "r" if top == "W+4" else None)
    usual, after = guessed([played, *end], "off"), guessed([played, *end], stacking)
    # What was drawn then may be anything.
    fresh = next((each.count for each in end if isinstance(each, Drew) and each.seat == 1), 0)
    for face in FACES.values():
        held, before = after[face.order] - fresh / 106, usual[face.order] - fresh / 106
        if face.rank in without:
            assert 0.0 < held < before / 10
        else:
            assert before <= held < before * 1.3


def guessed(events: Sequence[Event], stacking: str) -> list[float]:
    guesses = Guesses()
    guesses.stacking = stacking
    guesses.watch([*DEAL, *events])
    rates = guesses.of(1)
    assert rates is not None
    return rates


def test_it_knows_whether_a_stack_could_be_answered() -> None:
    mind = Hard(Limit(worlds=1))
    match = Match(Rules.of("party"), ["Ana", "Beto", "Carla"], seed=bytes(32))
    match.start(dealer=2)
    view = match.view(match.round.turn)
    for _ in mind.think(view, random.Random(1)):
        pass
    assert mind._guesses.stacking == view.rules["stacking"] != "off"


def test_guesses_travel_with_the_hands() -> None:
    drew = Drew(2, 1, "turn", 1)
    assert of("g", held(drew)) > of("g", held()) * 0.8
    assert of("g", held(drew, Swapped(1, 2))) < of("g", held()) / 3
    assert of("g", held(drew, Rotated(-1))) < of("g", held()) / 3
    assert of("g", held(drew, Swapped(1, 2), HandsShuffled(0))) == of("g", held(HandsShuffled(0)))


def test_a_guess_holds_as_many_cards_as_the_hand() -> None:
    guesses = Guesses()
    guesses.watch([*DEAL, Played(1, card("gS")), Drew(0, 1, "turn", 1), Drew(2, 2, "draw_two", 2)])
    unseen = Counter(DECKS[108])
    unseen.subtract([card("g5"), card("gS")])
    for seat, count in ((0, 8), (1, 6), (2, 9)):
        rates = guesses.of(seat)
        assert rates is not None
        expected = sum(left * (1 - math.exp(-rates[face.order])) for face, left in unseen.items())
        assert expected == pytest.approx(count, abs=0.2)


def test_begins_to_guess_in_the_midst_of_a_round() -> None:
    match = started()
    view = match.view(0)
    guesses = Guesses()
    guesses.watch([Drew(1, 1, "turn", 1)])
    assert not guesses.begun
    guesses.begin(view)
    assert guesses.begun
    first = guesses.of(1)
    assert first is not None
    assert len(set(first)) == 1
    guesses.watch([Drew(1, 1, "turn", 1)])
    drew = guesses.of(1)
    assert drew is not None
    top = view.discard[-1]
    assert drew[top.order] < min(
        rate for face, rate in zip(FACES.values(), drew, strict=True)
        if not face.is_wild and face.colour != view.colour and face.rank != top.rank
    )  # fmt: skip


def test_a_reshuffled_pile_can_be_held_again() -> None:
    guesses = Guesses()
    played = [Played(seat, each) for seat in (0, 1) for each in DECKS[108][seat : 40 : 2]]
    guesses.watch([*DEAL, *played, Reshuffled(40), Drew(2, 1, "turn", 1)])
    rates = guesses.of(2)
    assert rates is not None
    top = played[-1].card
    unseen = [each for each in DECKS[108] if each is not top]
    expected = sum(1 - math.exp(-rates[face.order]) for face in unseen)
    assert expected == pytest.approx(8, abs=0.2)


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
