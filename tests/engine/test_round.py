"""What one round does where a case file cannot say it, and what broke once."""

from __future__ import annotations

import pytest

from penultima.engine.cards import card
from penultima.engine.errors import Refused
from penultima.engine.round import Round
from penultima.engine.rules import Rules
from penultima.engine.shuffle import Shuffles
from penultima.engine.waiting import Colour, Free
from tests.engine.helpers import SEED, cards, do, may, position, refusal, round_at, text


def test_a_copy_leaves_the_shuffles_of_the_original_alone() -> None:
    """Else thinking ahead would change what is drawn after the next reshuffle."""
    at = position("r1 r2 r3 | y1 y2 y3", discard="g1 g2 g3 g4 g5 b6 b7 r5", draw="b9")
    ahead, untouched = (Round.from_position(at, Shuffles(SEED, 1)) for _ in range(2))
    for _ in range(3):
        thought = ahead.copy()
        do(thought, "0 draw", "1 draw")
    for now in (ahead, untouched):
        do(now, "0 draw", "1 draw")
    assert ahead.hands == untouched.hands
    assert ahead.pile == untouched.pile


def test_drawing_no_cards_leaves_the_pile_alone() -> None:
    now = round_at("r1 | y1")
    before = list(now.pile)
    now.draw_cards(0, 0, "custom")
    assert now.pile == before


def test_a_colour_owed_after_shuffle_hands_becomes_the_one_that_was_in_force() -> None:
    """RULES 9.3: only with none in force is it red."""
    now = round_at("WH r2 | y1 y2 | g1 g2", rules="classic deck=112", discard="b5", turn=0)
    do(now, "0 WH")
    assert now.waiting == Colour(0, False, "b")
    now.take_out(0)
    assert now.colour == "b"
    assert now.waiting == Free(1)


def test_shuffle_hands_works_in_any_deck() -> None:
    """NOTATION: a file may hold any cards at all."""
    now = round_at("WH r2 r3 | y1 y2 y3")
    do(now, "0 WH")
    assert may(now, 0) == {"colour r", "colour y", "colour g", "colour b"}


def test_a_wild_is_never_too_late_for_jumping_in() -> None:
    """RULES 7.8: it could not have been played out of turn a moment ago either."""
    now = round_at("W W r4 | y1 y2 | g1 g2 | W b1", rules="classic jump_in=on twins=on")
    do(now, "0 W=r")
    assert refusal(now, "3 W=b") == "not_your_turn"
    assert refusal(now, "0 W=b") == "not_your_turn"
    do(now, "1 draw")
    assert now.turn == 2
    assert refusal(now, "3 W=b") == "not_your_turn"
    assert refusal(now, "0 W=b") == "not_your_turn"


def test_a_misplay_is_no_pass() -> None:
    """RULES 3.5: blocked only when every player in turn has passed."""
    now = round_at("y1 y2 | g1 g2", rules="classic misplay=draw_two", discard="r5", draw="-")
    do(now, "0 draw", "1 g1", "0 draw")
    assert not now.over
    do(now, "1 draw")
    assert now.over
    assert now.waiting.why == "blocked"  # type: ignore[union-attr]


@pytest.mark.parametrize("size", [1, 2, 7])
def test_refused_moves_change_nothing(size: int) -> None:
    now = Round.deal(Rules.of("party", hand_size=size), range(3), 0, Shuffles(SEED, 1))
    hands = [list(hand) for hand in now.hands]
    for seat in range(3):
        for move in ("pass", "accept", "challenge", "colour r", "catch 1", "r7>1", "W+4"):
            if refusal(now, f"{seat} {move}") is not None:
                with pytest.raises(Refused):
                    do(now, f"{seat} {move}")
    assert [list(hand) for hand in now.hands] == hands


def test_the_pile_is_drawn_from_its_end_and_the_helpers_say_it_the_other_way_round() -> None:
    now = round_at("y1 | g1", draw="r1 r2 r3")
    do(now, "0 draw")
    assert now.hands[0] == list(cards("y1 r1"))
    assert text(now.pile) == "r3 r2"
    assert now.top is card("b5")
