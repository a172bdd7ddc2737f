"""What each kind of seat is shown, field by field (RULES 11, docs/protocol.md 5)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from penultima.engine.cards import card
from penultima.engine.match import Match
from penultima.engine.position import Pending
from penultima.engine.rules import Rules
from penultima.engine.view import View
from tests.engine.helpers import SEED, cards, do, match_at

PROTOCOL = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


def seen(match: Match, seat: int | None) -> dict[str, object]:
    plain = match.plain(seat)
    assert json.loads(json.dumps(plain)) == plain
    return plain


def test_before_the_first_deal_there_is_nothing_to_see() -> None:
    match = Match(Rules.of(), ["Ana", "Beto"], seed=SEED)
    with pytest.raises(ValueError, match="dealt"):
        match.view(0)


def test_the_player_in_turn_sees_hand_and_moves() -> None:
    match = match_at("r7 g2 W | y1 y2 | b1", discard="g9 g8 b2 b3 b4 r5", draw="g1 g3", dealer=1)
    assert seen(match, 0) == {
        "phase": "round",
        "round": 1,
        "dealer": 1,
        "turn": 0,
        "wait": "free",
        "top": "r5",
        "colour": "r",
        "dir": 1,
        "pile": 2,
        "discard": 6,
        "under": ["g8", "b2", "b3", "b4"],
        "hand": ["r7", "g2", "W"],
        "legal": ["r7", "W=", "draw"],
    }


def test_the_others_see_their_own_hand_and_nothing_to_do() -> None:
    match = match_at("r7 g2 W | y1 y2 y3 | b1", discard="r5", draw="g1")
    plain = seen(match, 1)
    assert plain["hand"] == ["y1", "y2", "y3"]
    assert "legal" not in plain
    assert "under" not in plain
    assert match.view(1).counts == (3, 3, 1)


def test_somebody_without_a_seat_sees_the_public_part() -> None:
    match = match_at("r7 g2 | y1 y2 | b1 b2", discard="r5")
    plain = seen(match, None)
    assert not {"hand", "legal", "drawn", "shown"} & set(plain)
    mine = {key: value for key, value in seen(match, 0).items() if key not in {"hand", "legal"}}
    assert plain == mine


def test_a_drawn_card_is_told_to_who_drew_it() -> None:
    match = match_at("g2 g3 | y1 y2", discard="r5", draw="r1 b1")
    do(match, "0 draw")
    assert seen(match, 0)["drawn"] == "r1"
    assert seen(match, 0)["legal"] == ["r1", "pass"]
    assert seen(match, 1)["wait"] == "drawn"
    assert "drawn" not in seen(match, 1)
    assert (match.view(0).drawn, match.view(1).drawn) == (card("r1"), None)


def test_pending_cards_are_told_to_all_with_who_opened() -> None:
    match = match_at("W+4 g2 g3 | y1 y2 | b1 b2", discard="r5")
    do(match, "0 W+4=b")
    for seat in (0, 1, 2, None):
        plain = seen(match, seat)
        assert (plain["wait"], plain["pending"], plain["opener"]) == ("answer", 4, 0)
        assert plain["challengeable"] is True
        assert plain["colour"] == "b"
    assert seen(match, 1)["legal"] == ["accept", "challenge", "uno"]
    assert "legal" not in seen(match, 0)


def test_a_stack_of_draw_twos_cannot_be_challenged() -> None:
    match = match_at(
        "r1 r2 | y1 y+2", discard="r+2", rules="classic stacking=same", turn=1,
        pending=Pending(2, 0),
    )  # fmt: skip
    assert "challengeable" not in seen(match, 1)
    assert seen(match, 1)["legal"] == ["y+2", "accept", "uno"]


def test_no_colour_is_in_force_while_it_is_owed() -> None:
    match = match_at("WH r7 r8 | y1 y2 | b1 b2", discard="r5", rules="classic deck=112")
    do(match, "0 WH")
    assert seen(match, 1)["wait"] == "colour"
    assert "colour" not in seen(match, 1)
    assert [each for each in seen(match, 0)["legal"] if "colour" in each] == [  # type: ignore[attr-defined]
        "colour r", "colour y", "colour g", "colour b",
    ]  # fmt: skip


def test_exposure_and_calls_are_told_to_all() -> None:
    match = match_at("r7 g2 | y1 y2 | b1 b2", discard="r5")
    do(match, "0 r7")
    assert seen(match, 2)["exposed"] == [0]
    assert "catch 0" in seen(match, 2)["legal"]  # type: ignore[operator]
    assert seen(match, 0)["legal"] == ["uno"]
    do(match, "0 uno")
    assert "exposed" not in seen(match, 1)
    assert match.view(1).called == {0}


def test_choices_are_left_open_and_players_to_choose_from_are_named() -> None:
    match = match_at(
        "r7 WC1 r2 | y1 y2 | b1 b2 | g1 g2", discard="r5",
        rules="classic seven_swap=on deck=112 custom1=swap",
    )  # fmt: skip
    plain = seen(match, 0)
    assert plain["legal"] == ["r7>", "WC1=>", "r2", "draw"]
    assert plain["targets"] == [1, 2, 3]
    match.take_out(2)
    assert seen(match, 0)["targets"] == [1, 3]


def test_the_challenged_hand_is_shown_until_the_next_turn_action() -> None:
    match = match_at("W+4 r2 g3 | y1 y2 | b1 b2", discard="r5", draw="b3 b4 b5 b6 b7 b8")
    do(match, "0 W+4=y", "1 challenge")
    assert seen(match, 1)["shown"] == {"of": 0, "cards": ["r2", "g3"], "guilty": ["r2"]}
    for seat in (0, 2, None):
        assert "shown" not in seen(match, seat)
    do(match, "1 y1")
    assert "shown" not in seen(match, 1)


def test_when_it_is_over_the_hands_lie_open() -> None:
    match = match_at("r7 | y1 W | b1 b2", discard="r5")
    do(match, "0 r7")
    for seat in (0, 1, None):
        plain = seen(match, seat)
        assert (plain["phase"], plain["wait"]) == ("between", "over")
        assert "turn" not in plain
        assert plain["result"] == {
            "winner": 0,
            "points": 54,
            "gained": [54, 0, 0],
            "hands": [[], ["y1", "W"], ["b1", "b2"]],
            "why": "won",
        }
        assert "legal" not in plain
    match.next_round()
    assert "result" not in seen(match, 0)


def test_a_blocked_round_has_no_winner() -> None:
    match = match_at("r1 r2 | g1 g2", draw="-")
    do(match, "0 draw", "1 draw")
    result = seen(match, 0)["result"]
    assert isinstance(result, dict)
    assert "winner" not in result
    assert result["why"] == "blocked"


def test_the_winners_of_the_match_are_told() -> None:
    match = match_at("r7 | y1 W", discard="r5", scores=[480, 0])
    do(match, "0 r7")
    assert (seen(match, 1)["phase"], seen(match, 1)["winners"]) == ("over", [0])
    assert match.view(1).scores == (531, 0)


def test_a_seat_that_is_out_watches() -> None:
    match = match_at("r7 g2 | y1 y2 | b1 b2", discard="r5")
    match.take_out(2)
    view = match.view(2)
    assert (view.hand, view.legal, view.counts) == ((), (), (2, 2, 0))
    assert view.status == ("in", "in", "out")
    assert seen(match, 2) == seen(match, None)


def test_a_paused_match_offers_nothing() -> None:
    """RULES 9.1"""
    match = match_at("r7 g2 | y1 y2", discard="r5")
    match.pause("away")
    assert "legal" not in seen(match, 0)
    assert seen(match, 0)["hand"] == ["r7", "g2"]


def test_a_view_does_not_change_with_the_match() -> None:
    match = match_at("r7 g2 g3 | y1 y2", discard="r5")
    view = match.view(0)
    before = repr(view)
    do(match, "0 r7")
    assert repr(view) == before
    assert view.hand == cards("r7 g2 g3")


def test_a_view_knows_what_fits_and_who_is_next() -> None:
    match = match_at("r7 g2 g3 | y1 y2 | b1 b2", discard="r5", direction=-1)
    view: View = match.view(1)
    assert [each.text for each in cards("r7 g5 g2 W") if view.fits(each)] == ["r7", "g5", "W"]
    assert (view.next_to(0), view.next_to(1), view.top) == (2, 0, card("r5"))


def test_the_protocol_names_every_field() -> None:
    """docs/protocol.md 5"""
    section = PROTOCOL.partition("## 5 ")[2].partition("## 6 ")[0]
    told = set(re.findall(r"`(\w+)`", section))
    match = match_at(
        "W+4 r7 r2 | y1 y2 y3 | b1 b2", discard="g1 r5", rules="classic seven_swap=on",
        draw="b3 b4 b5 b6 b7 r9 b8",
    )  # fmt: skip
    fields = set(seen(match, 0))
    do(match, "0 W+4=y")
    fields |= set(seen(match, 1))
    do(match, "1 challenge", "1 y1")
    fields |= set(seen(match, 2))
    fields |= {"drawn", "shown", "result", "winners", "exposed"}
    assert fields <= told
