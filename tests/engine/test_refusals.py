"""Every refusal code, and that each says the right thing (RULES 3.6, docs/notation.md)."""

from __future__ import annotations

import pytest

from penultima.engine.errors import REFUSALS, Refused
from penultima.engine.position import Pending
from tests.engine.helpers import do, match_at, refusal

THREE = "r7 g2 W | y1 y2 W | b1 b2 b3"

# position, what was played, the wish, its code
CASES: list[tuple[dict[str, object], str, str, str]] = [
    ({}, "", "1 y1", "not_your_turn"),
    ({}, "", "1 draw", "not_your_turn"),
    ({}, "", "1 pass", "not_your_turn"),
    ({}, "", "1 colour r", "not_your_turn"),
    ({}, "", "1 challenge", "not_your_turn"),
    ({}, "", "7 draw", "not_your_turn"),
    ({}, "", "0 g2", "no_match"),
    ({}, "", "0 b9", "not_in_hand"),
    ({}, "", "0 W", "choose_colour"),
    ({}, "", "0 r7=g", "bad_move"),
    ({}, "", "0 r7>1", "bad_move"),
    ({}, "", "0 W=g>1", "bad_move"),
    ({"rules": "classic seven_swap=on"}, "", "0 r7", "choose_player"),
    ({"rules": "classic seven_swap=on"}, "", "0 r7>0", "choose_player"),
    ({"rules": "classic seven_swap=on"}, "", "0 r7>5", "choose_player"),
    ({}, "", "0 pass", "nothing_drawn"),
    ({}, "", "0 accept", "no_pending"),
    ({}, "", "0 challenge", "no_pending"),
    ({}, "", "0 colour r", "no_pending"),
    ({"draw": "r1 r2"}, "0 draw", "0 r7", "only_drawn_card"),
    ({"draw": "r1 r2"}, "0 draw", "0 draw", "only_drawn_card"),
    ({"draw": "W r2"}, "0 draw", "0 W", "choose_colour"),
    ({"draw": "r1 r2"}, "0 draw", "0 accept", "no_pending"),
    ({"turn": 1, "pending": Pending(4, 0, True)}, "", "1 y1", "must_answer"),
    ({"turn": 1, "pending": Pending(4, 0, True)}, "", "1 draw", "must_answer"),
    ({"turn": 1, "pending": Pending(4, 0, True)}, "", "1 pass", "must_answer"),
    ({"turn": 1, "pending": Pending(2, 0)}, "", "1 challenge", "no_challenge"),
    ({"turn": 1, "pending": Pending(2, 0)}, "", "2 challenge", "not_your_turn"),
    ({"rules": "classic finish=number", "hands": "rS | y1 y2 | b1 b2"}, "", "0 rS", "not_last_card"),
    ({"rules": "classic finish=number", "hands": "W | y1 y2 | b1 b2"}, "", "0 W=r", "not_last_card"),
    ({}, "", "0 catch 1", "not_exposed"),
    ({"hands": "r7 g2 | y1 y2 | b1 b2"}, "0 r7", "0 catch 0", "not_exposed"),
    ({}, "", "0 uno", "cannot_call"),
    ({"hands": "r7 g2 | y1 y2 | b1 b2"}, "", "1 uno", "cannot_call"),
    ({"hands": "r7 g2 | y1 y2 | b1 b2"}, "0 uno", "0 uno", "cannot_call"),
    ({"hands": "r7 | y1 y2 | b1 b2"}, "0 r7", "1 draw", "round_over"),
    ({"hands": "r7 | y1 y2 | b1 b2"}, "0 r7", "1 catch 0", "round_over"),
    ({"hands": "r7 | y1 y2 | b1 b2"}, "0 r7", "1 uno", "round_over"),
    (
        {"rules": "classic jump_in=on", "hands": "r7 g2 g3 | r1 y2 y3 | g9 g8 g7 | r7 b2 b3"},
        "0 r7 / 1 r1",
        "3 r7",
        "too_late",
    ),
    (
        {"rules": "classic twins=on", "hands": "r7 r7 g3 | y1 y2 y3 | b1 b2 b3"},
        "0 r7 / 1 draw",
        "0 r7",
        "too_late",
    ),
    (
        {"rules": "classic runs=rank", "hands": "r7 g7 g3 | y1 y2 y3 | b1 b2 b3"},
        "0 r7 / 1 draw",
        "0 g7",
        "too_late",
    ),
    (
        {"rules": "classic jump_in=on runs=rank", "hands": "r7 g2 g3 | r1 y2 y3 | b7 b2 b3"},
        "0 r7",
        "2 b7",
        "not_your_turn",
    ),
    ({"rules": "classic jump_in=on", "discard": "r7", "hands": "r1 g2 | y1 y2 | r7 b2"}, "",
     "2 r7", "not_your_turn"),
]  # fmt: skip


@pytest.mark.parametrize(("at", "played", "wish", "code"), CASES)
def test_each_refusal_says_why_and_changes_nothing(
    at: dict[str, object], played: str, wish: str, code: str
) -> None:
    match = match_at(**{"hands": THREE, "discard": "r5", **at})  # type: ignore[arg-type]
    do(match, *filter(None, played.split(" / ")))
    before = match.digest()
    assert refusal(match, wish) == code
    with pytest.raises(Refused) as refused:
        do(match, wish)
    assert refused.value.code == code
    assert str(refused.value) == f"{code}: {REFUSALS[code]}"
    assert match.digest() == before


def test_every_code_of_the_engine_is_tried() -> None:
    """``paused`` and ``bad_move`` by other tests as well; ``not_host`` is the table's."""
    tried = {code for *_, code in CASES} | {"paused"}
    assert tried == set(REFUSALS) - {"not_host"}


def test_a_pause_comes_before_every_other_reason() -> None:
    match = match_at(THREE)
    match.pause("away")
    for wish in ("1 y1", "0 g2", "0 catch 1", "0 uno", "7 draw"):
        assert refusal(match, wish) == "paused"


def test_before_the_deal_there_is_no_round() -> None:
    from penultima.engine.actions import DRAW
    from penultima.engine.match import Match
    from penultima.engine.rules import Rules

    match = Match(Rules.of(), ["Ana", "Beto"], seed=bytes(32))
    assert match.why_not(0, DRAW) == "round_over"
    assert match.legal(0) == ()
    with pytest.raises(Refused, match="round_over"):
        match.play(0, DRAW)
