"""Cards and decks (RULES 1)."""

from __future__ import annotations

import copy
import pickle
from collections import Counter

import pytest

from penultima.engine.actions import CATCH, CHOOSE, DRAW, action, play
from penultima.engine.cards import COLOURS, DECKS, FACES, card, decks_needed, points


def test_equal_faces_are_one_object() -> None:
    for each in FACES.values():
        assert card(each.text) is each
        assert copy.copy(each) is each
        assert copy.deepcopy(each) is each
        assert pickle.loads(pickle.dumps(each)) is each


def test_equal_actions_are_one_object() -> None:
    for text in ("draw", "pass", "accept", "challenge", "uno", "colour b", "catch 2", "r7", "W=b",
                 "r7>2", "WC1=r>2", "WH", "W+4=g"):  # fmt: skip
        each = action(text)
        assert str(each) == text
        assert action(text) is each
        assert copy.copy(each) is each
        assert copy.deepcopy([each])[0] is each
        assert pickle.loads(pickle.dumps(each)) is each
    assert action("r7>2") is play(card("r7"), None, 2)
    assert (action("draw"), action("catch 3"), action("colour y")) == (DRAW, CATCH[3], CHOOSE["y"])


@pytest.mark.parametrize(
    "text",
    ["", " ", "r", "r10", "R7", "x7", "7r", "W+2", "W=", "W=x", "r7>", "r7>10", "r7>-1", "r7> 2",
     "draw ", "DRAW", "colour", "colour x", "catch", "catch 10", "catch x", "r7\n", "W=b>", "w",
     "r7=b=r", "catch ²", "r7>²", "WC4", "uno uno"],
)  # fmt: skip
def test_what_is_no_action_is_refused_by_its_text(text: str) -> None:
    with pytest.raises(ValueError, match="not an action"):
        action(text)


def test_a_card_does_not_change() -> None:
    wild = card("W")
    with pytest.raises(AttributeError):
        wild.colour = "r"  # a wild never *gets* a colour
    with pytest.raises(AttributeError):
        wild.anything = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("size", [108, 112])
def test_the_deck_has_what_the_rules_say(size: int) -> None:
    """RULES 1.1, 1.2"""
    deck = Counter(each.text for each in DECKS[size])
    assert sum(deck.values()) == size
    for colour in COLOURS:
        assert deck.pop(f"{colour}0") == 1
        for rank in [*"123456789", "S", "R", "+2"]:
            assert deck.pop(f"{colour}{rank}") == 2
    assert (deck.pop("W"), deck.pop("W+4")) == (4, 4)
    assert deck == ({} if size == 108 else {"WH": 1, "WC1": 1, "WC2": 1, "WC3": 1})


@pytest.mark.parametrize(
    ("text", "worth"),
    [("r0", 0), ("y5", 5), ("b9", 9), ("gS", 20), ("gR", 20), ("g+2", 20), ("W", 50), ("W+4", 50),
     ("WH", 40), ("WC1", 40), ("WC2", 40), ("WC3", 40)],
)  # fmt: skip
def test_every_card_has_its_points(text: str, worth: int) -> None:
    """RULES 1.3"""
    assert points([card(text)]) == worth
    assert points([card(text)] * 3) == 3 * worth


def test_the_decks_are_worth_what_they_are_worth() -> None:
    assert points(list(DECKS[108])) == 4 * (2 * 45 + 6 * 20) + 8 * 50 == 1240
    assert points(list(DECKS[112])) == 1240 + 4 * 40


@pytest.mark.parametrize("deck", [108, 112])
def test_decks_are_added_when_one_cannot_serve(deck: int) -> None:
    """RULES 1.4"""
    for players in range(2, 11):
        for size in range(1, 16):
            needed = decks_needed(deck, players, size)
            if (players, size) == (10, 10):
                assert needed == 2  # decided by name
            else:
                assert needed == (2 if players * size + 1 > deck else 1)
            assert deck * needed > players * size


def test_no_hand_is_worth_anything_but_its_cards() -> None:
    assert points([]) == 0
    assert points(()) == 0
