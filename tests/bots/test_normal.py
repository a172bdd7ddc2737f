"""What the fair player does, one sentence each. Seat 0 is asked unless a test says otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from penultima.bots.normal import Normal
from penultima.engine.actions import CALL, action
from penultima.engine.cards import COLOURS, card
from penultima.engine.events import (
    Challenged,
    Coloured,
    Dealt,
    Drew,
    Event,
    HandShown,
    Played,
    Swapped,
    seen_by,
)
from penultima.engine.match import Match
from penultima.engine.position import Pending
from penultima.engine.rules import Rules
from tests.engine.helpers import cards, match_at


def may_do(match: Match, seat: int = 0, *, mind: Normal | None = None) -> set[str]:
    """What a normal bot does there, with every chance it may take; its call left out."""
    found = set()
    for chance in range(12):
        bot = mind if mind is not None else Normal()
        view = match.view(seat)
        chosen = bot.choose(view, random.Random(chance))
        if chosen is CALL and seat not in view.exposed:
            chosen = bot.turn(view, random.Random(chance))
        found.add(str(chosen))
    return found


def does(match: Match, seat: int = 0, *, mind: Normal | None = None) -> str:
    """What it does there whatever the chance."""
    found = may_do(match, seat, mind=mind)
    assert len(found) == 1, f"it depends on chance: {found}"
    return found.pop()


def watching(events: Sequence[Event], seat: int = 0) -> Normal:
    bot = Normal()
    bot.watch([seen_by(event, seat) for event in events], seat)
    return bot


# --- cards and colours


def test_keeps_the_wild_when_a_number_fits() -> None:
    assert does(match_at("b3 W r4 g2 y8|r1 r2 r3 r4 r5")) == "b3"


def test_plays_the_wild_rather_than_draw_when_nothing_else_fits_and_the_end_is_near() -> None:
    assert does(match_at("W r4 r7|r1 y2")) == "W=r"


def test_names_the_colour_it_holds_most_of() -> None:
    assert does(match_at("W g1 g4 g7 y2 r9|r1 r2 r3 y4 y5")) == "W=g"


def test_chooses_the_colour_it_holds_most_of_after_a_first_card_wild() -> None:
    match, seat = turned_up_wild()
    held = [each.colour for each in match.view(seat).hand if each.colour is not None]
    most = max(held.count(colour) for colour in COLOURS)
    for chosen in may_do(match, seat):
        assert held.count(chosen.removeprefix("colour ")) == most


def turned_up_wild() -> tuple[Match, int]:
    for number in range(400):
        match = Match(Rules.of("classic"), ["Ana", "Beto"], seed=number.to_bytes(32, "big"))
        match.start(dealer=1)
        if match.view(0).wait == "colour":
            return match, 0
    raise AssertionError("no deal turns a Wild up")


def test_names_the_colour_the_next_one_drew_on_when_its_own_are_equal() -> None:
    for lacking in ("g", "y"):
        match = match_at("W g4 y4|r1 r2")
        mind = watching([Coloured(0, lacking), Drew(1, 1, "turn", 1)])
        assert does(match, mind=mind) == f"W={lacking}"


def test_plays_towards_its_strongest_colour() -> None:
    assert does(match_at("b5 r5 r1 r2 r8 b9|y1 y2 y3 y4 y6", discard="g5")) == "r5"


def test_goes_on_at_once_when_a_chain_of_skips_ends_the_round() -> None:
    assert does(match_at("bS b7|r1 r2 r3")) == "bS"


def test_keeps_the_wild_as_the_last_card() -> None:
    assert does(match_at("W b3|r1 r2 r3")) == "b3"


# --- the others


def test_plays_draw_two_against_the_one_with_one_card() -> None:
    assert does(match_at("b+2 b3 b8 b7|r1|y1 y2 y3 y4 y5|g1 g2 g3 g4")) == "b+2"


def test_skips_the_one_with_one_card_rather_than_let_it_play() -> None:
    assert does(match_at("bS b3 b8 b7|r1|y1 y2 y3 y4 y5|g1 g2 g3 g4")) == "bS"


def test_turns_the_direction_away_from_the_one_with_one_card() -> None:
    assert does(match_at("bR b3 b8 b7|r1|y1 y2 y3 y4 y5|g1 g2 g3 g4 g6")) == "bR"


def test_does_not_skip_to_the_one_with_one_card() -> None:
    assert "bS" not in may_do(match_at("bS b3 b8 b7|r1 r2 r3 r4 r5|y1|g1 g2 g3 g4"))


def test_of_two_alike_hits_the_one_nearer_to_the_target() -> None:
    rules = "classic deck=112 custom1=draw_two"
    hands = "WC1 r1 y1 g1|r1 r2 r3 r4 r5|r1 r2 r3 r4 r5|r1 r2 r3 r4 r5"
    match = match_at(hands, rules=rules, scores=[0, 0, 450, 0])
    assert all(each.endswith(">2") for each in may_do(match))


# --- calling and catching


def test_calls_before_it_plays_its_last_but_one() -> None:
    match = match_at("b3 b4|r1 r2 r3")
    bot = Normal()
    assert str(bot.choose(match.view(0), random.Random(1))) == "uno"
    match.play(0, action("uno"))
    assert str(bot.choose(match.view(0), random.Random(1))) in {"b3", "b4"}


def test_does_not_call_when_it_is_going_to_draw() -> None:
    assert does(match_at("r3 r4|r1 r2 r3", discard="b5")) == "draw"


def test_catches_whoever_did_not_call() -> None:
    match = match_at("r3 r4 r6|b1 b2|g1 g2 g3", turn=1)
    match.play(1, action("b1"))
    assert str(Normal().wants(match.view(0), random.Random(1))) == "catch 1"


def test_calls_when_a_swap_left_it_with_one_card() -> None:
    match = match_at("g1|r7 b2 b3", rules="classic seven_swap=on", discard="r5", turn=1)
    match.round.hands[1] = list(cards("r7 b2"))
    match.play(1, action("r7>0"))
    assert str(Normal().wants(match.view(0), random.Random(1))) == "uno"


def test_wants_nothing_when_there_is_nothing() -> None:
    assert Normal().wants(match_at("r3 r4|b1 b2", turn=1).view(0), random.Random(1)) is None


# --- challenges


FOUR = Pending(4, 1, bluff=True)


def four(opener: str, events: Sequence[Event] = (), **more: object) -> str:
    """Seat 0 faces a Wild Draw Four of seat 1, who held ``opener`` and played on yellow."""
    discard = "y5 W+4"
    match = match_at(
        f"r1 r2 r3 r4|{opener}", discard=discard, colour="g", pending=FOUR, **more
    )
    before: list[Event] = [Dealt(1, 1, 7, (0, 1)), Coloured(0, "y")]
    mind = watching([*before, *events, Played(1, card("W+4"), "g")])
    return does(match, mind=mind)


def test_challenges_a_full_hand() -> None:
    assert four("r1 r2 r5 r6 r7 g1 g2 b1 b2 b3") == "challenge"


def test_accepts_from_somebody_who_has_just_drawn_on_that_colour() -> None:
    assert four("r1 r2 r5 r6 r7", [Drew(1, 1, "turn", 1)]) == "accept"


def test_challenges_somebody_who_had_chosen_that_colour() -> None:
    chosen = [Played(1, card("W"), "y")]
    assert four("r1 r2 r5", chosen) == "challenge"


def test_challenges_on_the_evidence_of_a_hand_it_gave_away() -> None:
    match = match_at("r1 r2|g1 g2 g3", discard="y5 W+4", colour="g", pending=FOUR)
    mind = Normal()
    gave = match_at("y2 g1 g2 W+4|r1 r2").view(0)
    mind.memory.look(gave)
    swap: list[Event] = [Swapped(1, 0), Coloured(0, "y"), Played(1, card("W+4"), "g")]
    mind.watch(swap, 0)
    assert does(match, mind=mind) == "challenge"


def test_a_stack_is_challenged_by_the_colour_that_was_in_force_when_it_was_opened() -> None:
    # Seat 1 drew on yellow, then opened; seat 2 answered, which makes green no matter (RULES 7.3).
    match = match_at(
        "r1 r2 r3 r4|r5 r6 r7|g1 g2 g3", rules="classic stacking=same",
        discard="y5 W+4 W+4", colour="b", pending=Pending(8, 1, bluff=True),
    )  # fmt: skip
    opened: list[Event] = [
        Dealt(1, 2, 7, (0, 1, 2)), Coloured(0, "y"), Drew(1, 1, "turn", 1),
        Played(1, card("W+4"), "g"),
    ]  # fmt: skip
    answered = Played(2, card("W+4"), "b", None, "answer")
    assert does(match, mind=watching([*opened, answered])) == "accept"


def test_grows_careful_when_challenges_fail() -> None:
    failed = [Challenged(0, 1, bluff=False)] * 12
    assert four("r1 r2 r5") == "challenge"
    assert four("r1 r2 r5", failed) == "accept"


# --- stacking


def test_answers_a_stack_rather_than_take_it() -> None:
    match = match_at(
        "b+2 r3 r4|r1 r2 r3", rules="classic stacking=same", discard="y+2", pending=Pending(2, 1)
    )
    assert does(match) == "b+2"


def test_answers_with_the_draw_two_before_the_draw_four() -> None:
    match = match_at(
        "W+4 b+2 r3 r4 y3|r1 r2 r3 r7|g1 g2 g3 g4",
        rules="classic stacking=cross", discard="y+2", pending=Pending(2, 2),
    )  # fmt: skip
    assert does(match) == "b+2"


# --- hands that change owner


def test_swaps_with_whoever_has_fewest_cards() -> None:
    rules = "classic seven_swap=on"
    match = match_at("b7 r3 r4 y3 y8|r1 r2 r3 r7 r8|g1|y1 y2 y6", rules=rules)
    assert does(match) == "b7>2"


def test_does_not_swap_with_someone_who_has_more_cards() -> None:
    rules = "classic seven_swap=on"
    assert does(match_at("b7 b4 r9|r1 r2 r3 r7 r8|g1 g2 g3 g4 g6", rules=rules)) == "b4"


def test_would_rather_draw_than_swap_a_good_hand_away() -> None:
    rules = "classic seven_swap=on"
    hands = "b7 W|r1 r2 r3 r7 r8 r9 y1 y2|g1 g2 g3 g4 g6 g7 g8 g9"
    assert not may_do(match_at(hands, rules=rules)) & {"b7>1", "b7>2"}


def test_keeps_its_two_cards_instead_of_rotating_them_away() -> None:
    rules = "classic zero_rotate=on"
    assert does(match_at("b0 b4 r9|r1 r2 r3 r7|g1 g2 g3 g4 g6", rules=rules)) == "b4"


def test_rotates_to_get_the_hand_of_one_card() -> None:
    rules = "classic zero_rotate=on"
    assert does(match_at("b0 b4 r9 r8 y1 y2|r1 r2 r3 r7|g1", rules=rules)) == "b0"


# --- out of turn


def test_jumps_in_with_an_identical_card() -> None:
    match = match_at("b5 r3 r4|b5 y1 y2 y3 y4|g1 g2", rules="classic jump_in=on", turn=1)
    match.play(1, action("b5"))
    assert str(Normal().wants(match.view(0), random.Random(1))) == "b5"


def test_puts_a_twin_down() -> None:
    match = match_at("b5 b5 r4 r6|g1 g2 g3|y1 y2", rules="classic twins=on")
    match.play(0, action("b5"))
    assert str(Normal().wants(match.view(0), random.Random(1))) == "b5"


def test_runs_on_with_the_same_number() -> None:
    match = match_at("b6 r6 r4 r8|g1 g2 g3|y1 y2", rules="classic runs=rank")
    match.play(0, action("b6"))
    assert str(Normal().wants(match.view(0), random.Random(1))) == "r6"


def test_calls_before_the_twin_that_leaves_one_card() -> None:
    match = match_at("b5 b5 r4|g1 g2 g3|y1 y2", rules="classic twins=on")
    match.play(0, action("b5"))
    assert str(Normal().wants(match.view(0), random.Random(1))) == "uno"


# --- other rules


def test_keeps_a_number_for_the_finish() -> None:
    rules = "classic finish=number"
    assert does(match_at("b3 bR|r1 r2 r3|g1 g2 g3", rules=rules)) == "bR"


def test_never_offers_a_card_that_does_not_match() -> None:
    rules = "classic misplay=draw_two"
    assert does(match_at("r3 y4|r1 r2 r3", rules=rules)) == "draw"


@pytest.mark.parametrize("scoring", ["low", "elimination"])
def test_sheds_points_where_they_count_against_it(scoring: str) -> None:
    hands = "b9 b1 r4 y4|r1 r2 r3"
    assert does(match_at(hands, rules=f"classic scoring={scoring}")) == "b9"


def test_does_not_block_itself_when_nothing_can_be_drawn() -> None:
    match = match_at("b3 r4|r1 r2 r3", draw="-", discard="b5")
    assert does(match) == "b3"


# --- pairs

PAIRS = "classic teams=pairs"


def test_does_not_catch_its_partner() -> None:
    match = match_at("r3 r4 r6|g1 g2 g3|b1 b2|y1 y2 y3", rules=PAIRS, turn=2)
    match.play(2, action("b1"))
    assert Normal().wants(match.view(0), random.Random(1)) is None
    assert str(Normal().wants(match.view(1), random.Random(1))) == "catch 2"


def test_never_skips_its_partner_when_it_can_avoid_it() -> None:
    # Seat 3 has left the round, so the partner of seat 1 comes next for seat 1.
    for bad in ("bS", "b+2"):
        match = match_at(f"r1 r2 r3|{bad} b3 y8 y9|g1 g2 g3|y1 y2 y3", rules=PAIRS, turn=1)
        match.take_out(2)
        assert match.round.next_to(1) == 3
        assert does(match, 1) == "b3"


def test_lets_its_partner_finish_instead_of_jumping_in() -> None:
    rules = PAIRS + " jump_in=on"
    match = match_at("b5 r3 r4|b5 y1 y2|g1|y1 y2 y3", rules=rules, turn=1)
    match.play(1, action("b5"))
    assert match.round.turn == 2
    assert Normal().wants(match.view(0), random.Random(1)) is None


def test_does_not_swap_a_partner_into_a_worse_hand() -> None:
    rules = PAIRS + " seven_swap=on"
    hands = "b7 b3 r4 y4 y6|r1 r2 r3 r4 r5|g1|y1 y2"
    assert may_do(match_at(hands, rules=rules)) <= {"b7>3", "b3"}


# --- memory


def test_a_shown_hand_is_remembered_until_it_is_played() -> None:
    mind = watching([HandShown(0, 1, cards("r1 g2"), ())])
    assert mind.memory.of(1).cards == list(cards("r1 g2"))
    mind.watch([Played(1, card("r1"))], 0)
    assert mind.memory.of(1).cards == list(cards("g2"))
    mind.forget()
    assert mind.memory.of(1).cards == []
