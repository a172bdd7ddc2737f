"""Events tell each seat what it may know, and nothing twice (RULES 11, docs/protocol.md 5)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import get_args

from penultima.engine import events
from penultima.engine.cards import card
from penultima.engine.events import KINDS, Drew, Event, HandShown, Played, plain, seen_by
from tests.engine.helpers import cards, do, match_at

PROTOCOL = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


def test_every_event_has_a_kind_that_the_protocol_names() -> None:
    assert set(get_args(Event)) == set(KINDS)
    assert len(set(KINDS.values())) == len(KINDS)
    section = PROTOCOL.partition("Events are objects")[2].partition("## 6")[0]
    assert set(KINDS.values()) <= set(re.findall(r"\w+", section))


def test_an_event_is_plain_json_with_its_kind() -> None:
    played = Played(0, card("W+4"), "r")
    assert plain(played, None) == {
        "e": "played", "seat": 0, "card": "W+4", "colour": "r", "how": "turn",
    }  # fmt: skip
    assert json.loads(json.dumps(plain(played, 3))) == plain(played, 3)


def test_drawn_cards_are_for_the_drawer() -> None:
    drew = Drew(1, 2, "draw_two", 2, 0, cards("r1 W"))
    assert seen_by(drew, 1) == drew
    assert plain(drew, 1)["cards"] == ["r1", "W"]
    for seat in (0, 2, None):
        assert seen_by(drew, seat) == Drew(1, 2, "draw_two", 2)
        assert "cards" not in plain(drew, seat)
        assert plain(drew, seat)["count"] == 2


def test_a_hand_is_shown_to_the_challenger() -> None:
    shown = HandShown(2, 0, cards("r1 g2"), cards("r1"))
    assert plain(shown, 2) == {
        "e": "hand_shown", "seat": 2, "of": 0, "cards": ["r1", "g2"], "guilty": ["r1"],
    }  # fmt: skip
    for seat in (0, 1, None):
        assert plain(shown, seat) == {"e": "hand_shown", "seat": 2, "of": 0}


def test_only_those_two_have_secrets() -> None:
    secret = {kind for kind in KINDS if hasattr(kind, "seen_by")}
    assert secret == {Drew, HandShown}
    for kind in set(KINDS) - secret:
        held = [name for name in kind._fields if name in {"cards", "guilty", "pile", "hand"}]  # type: ignore[attr-defined]
        assert not held, f"{kind.__name__}.{held} needs a seen_by"
    assert events.RoundEnded(None, ()).hands == ()


def test_a_draw_says_why_and_what_was_owed() -> None:
    def drew(hands: str, *moves: str, **more: object) -> Drew:
        found = [e for e in do(match_at(hands, **more), *moves) if isinstance(e, Drew)]
        return found[-1]

    three = "| y1 y2 y3 | b1 b2 b3"
    pile = "g1 g2 g3 g4 g5 g6 g7 g8 g9 r9"
    base: dict[str, object] = {"discard": "r5", "draw": pile}
    assert drew(f"y1 y2 y3 {three}", "0 draw", **base)[:5] == (0, 1, "turn", 1, 0)
    assert drew(f"r+2 r1 r2 {three}", "0 r+2", **base)[:5] == (1, 2, "draw_two", 2, 0)
    wild = f"W+4 g1 g2 {three}"
    assert drew(wild, "0 W+4=b", "1 accept", **base)[:5] == (1, 4, "draw_four", 4, 0)
    assert drew(wild, "0 W+4=b", "1 challenge", **base)[:5] == (1, 6, "challenge", 6, 2)
    bluff = f"W+4 r1 g2 {three}"
    assert drew(bluff, "0 W+4=b", "1 challenge", **base)[:5] == (0, 4, "bluff", 4, 0)
    stack = "r+2 r1 r2 | y+2 y2 y3 | b1 b2 b3"
    answered = drew(stack, "0 r+2", "1 y+2", "2 accept", rules="classic stacking=same", **base)
    assert answered[:5] == (2, 4, "stack", 4, 0)
    assert drew(f"r1 r2 {three}", "0 r1", "1 catch 0", **base)[:5] == (0, 2, "caught", 2, 0)
    wrong = drew(f"y1 y2 y3 {three}", "0 y1", rules="classic misplay=draw_two", **base)
    assert wrong[:5] == (0, 2, "misplay", 2, 0)
    custom = drew(
        f"WC1 y2 y3 {three}", "0 WC1=r>2", rules="classic deck=112 custom1=draw_two", **base
    )
    assert custom[:5] == (2, 2, "custom", 2, 0)
    short = drew(f"r+2 r1 r2 {three}", "0 r+2", discard="r5", draw="-")
    assert short[:5] == (1, 1, "draw_two", 2, 0)


def test_a_play_says_how() -> None:
    def how(hands: str, rules: str, *moves: str) -> str:
        told = do(match_at(hands, rules=rules, discard="r5"), *moves)
        return next(event.how for event in told if isinstance(event, Played))

    hands = "r+2 r+2 b+2 r1 | y+2 y2 y3 | r+2 b2 b3"
    assert how(hands, "classic", "0 r+2") == "turn"
    assert how(hands, "classic stacking=same", "0 r+2", "1 y+2") == "answer"
    assert how(hands, "classic jump_in=on", "0 r+2", "2 r+2") == "turn"  # it is Carla's turn
    assert how(hands, "classic jump_in=on stacking=same", "0 r+2", "2 r+2") == "jump"
    assert how(hands, "classic twins=on", "0 r+2", "0 r+2") == "twin"
    assert how(hands, "classic runs=rank", "0 r+2", "0 b+2") == "run"
