"""The table as the browser's worker sees it: texts in, texts out, a clock of its own."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from penultima.offline import Practice, Trouble

ROOT = Path(__file__).parent.parent.parent
SEED = "07" * 32


def rehearse() -> ModuleType:
    path = ROOT / "static" / "offline-build" / "rehearse.py"
    spec = importlib.util.spec_from_file_location("rehearse_under_test", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def begin(*bots: str, rules: str = "classic", name: str = "Ana", fast: bool = False) -> Practice:
    wish = {"name": name, "bots": list(bots) or ["normal"], "rules": rules, "fast": fast}
    return Practice.begin(json.dumps(wish), SEED, 0.0)


class Page:
    """What the page and the worker keep of a game."""

    def __init__(self, game: Practice) -> None:
        self.game = game
        self.messages: list[dict[str, Any]] = []
        self.journal: list[str] = []
        self.due: float | None = None

    def hear(self, said: str) -> list[dict[str, Any]]:
        told = json.loads(said)
        assert set(told) <= {"out", "journal", "due"}
        self.journal += told["journal"]
        self.due = told.get("due")
        new = [json.loads(text) for text in told["out"]]
        self.messages += new
        return new

    def open(self, now: float = 0.0) -> list[dict[str, Any]]:
        self.hear(self.game.connect(now))
        hello = {"t": "hello", "v": 1, "secret": "alone", "host": "alone", "key": self.game.key}
        return self.say(now, **hello)

    def say(self, now: float, **message: Any) -> list[dict[str, Any]]:
        return self.hear(self.game.receive(json.dumps(message), now))

    def act(self, now: float, a: str) -> list[dict[str, Any]]:
        answers = [m["n"] for m in self.messages if m["t"] in {"welcome", "done", "refused"}]
        return self.say(now, t="act", n=answers[-1] + 1, seq=self.seq, a=a)

    def tick(self, now: float) -> list[dict[str, Any]]:
        return self.hear(self.game.tick(now))

    @property
    def view(self) -> dict[str, Any]:
        return next(m for m in reversed(self.messages) if m["t"] == "view")["v"]

    @property
    def seq(self) -> int:
        return next(m for m in reversed(self.messages) if m["t"] == "view")["seq"]


def test_the_first_hello_deals_and_the_page_sees_it() -> None:
    page = Page(begin("easy", "normal"))
    page.open()
    welcome = page.messages[0]
    assert (welcome["t"], welcome["seat"], welcome["host"]) == ("welcome", 0, True)
    views = [m for m in page.messages if m["t"] == "view"]
    assert len(views) == 1
    assert views[0]["v"]["phase"] == "round"
    assert page.view["seats"][0]["name"] == "Ana"
    assert [seat.get("bot") for seat in page.view["seats"]] == [None, "easy", "normal"]
    assert "dealt" in [event["e"] for event in views[0]["e"]]


def test_nothing_that_is_a_bot_s_own_crosses_over() -> None:
    page = Page(begin("normal", "normal", "normal"))
    page.open()
    assert len(page.view["hand"]) == 7
    text = json.dumps(page.messages)
    assert text.count('"hand"') == 1
    assert "seed" not in text


def test_time_moves_the_bots_and_only_time() -> None:
    page = Page(begin("normal", fast=True))
    page.open()
    for _ in range(40):
        if page.view.get("turn") == 0:
            break
        assert page.due is not None
        page.tick(page.due)
    before = page.seq
    assert "done" in [m["t"] for m in page.act(9.0, "draw")]
    assert page.seq == before + 1
    if "pass" in page.view["legal"]:
        page.act(9.0, "pass")
    # A clock that stands still: whatever the page says, no bot moves.
    seq = page.seq
    assert page.due is not None
    for i in range(10):
        page.say(9.0, t="ping", i=i, seq=seq)
    assert page.seq == seq
    page.tick(page.due)
    assert page.seq > seq


def test_a_page_that_comes_back_has_its_seat_and_the_whole_view() -> None:
    page = Page(begin("easy"))
    page.open()
    hand = page.view["hand"]
    new = page.open(3.0)
    assert [m["t"] for m in new if m["t"] in {"welcome", "view"}] == ["welcome", "view"]
    assert page.view["hand"] == hand
    assert page.view["phase"] == "round"
    assert "paused" not in page.view


def test_away_for_an_hour_nothing_is_lost() -> None:
    page = Page(begin("easy"))
    page.open()
    for now in range(0, 3600, 60):
        page.tick(float(now))
    assert "paused" not in page.view
    assert page.view["seats"][0].get("state") is None


def test_a_kept_game_goes_on_where_it_was() -> None:
    page = Page(begin("normal", "easy", fast=True))
    page.open()
    now = 0.0
    for _ in range(12):
        if page.due is not None and page.view.get("turn") != 0:
            now = max(now, page.due)
            page.tick(now)
        elif page.view.get("turn") == 0:
            form = next(f for f in ("draw", "pass", "accept", *page.view["legal"]) if f in page.view["legal"])
            page.act(now, form.replace("=", "=r"))
    view = page.view
    again = Page(Practice.resume(page.journal, page.game.key, 1000.0))
    again.open(1000.0)
    assert again.view["hand"] == view["hand"]
    assert again.view["top"] == view["top"]
    assert again.view["turn"] == view["turn"]
    # And it can be interrupted once more.
    third = Page(Practice.resume(page.journal + again.journal, page.game.key, 0.0))
    third.open()
    assert third.view["hand"] == view["hand"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda lines: [],
        lambda lines: lines[:-2] + lines[-1:],
        lambda lines: [*lines[:-1], "{"],
        lambda lines: [*lines, "{}"],
        lambda lines: [1, None],
        lambda lines: ["[" * 100_000],
        lambda lines: [lines[0].replace('"now":0', '"now":[]'), *lines[1:]],
        lambda lines: [line.replace('"key":"', '"key":"é') for line in lines],
        lambda lines: [re.sub('"key":"[^"]*"', '"key":7', line) for line in lines],
    ],
)
def test_a_spoilt_record_says_so(spoil: Any) -> None:
    page = Page(begin("easy"))
    page.open()
    for _ in range(6):
        page.tick(page.due or 0.0)
    with pytest.raises(Trouble, match=r"^not_kept$"):
        Practice.resume(spoil(page.journal), page.game.key, 0.0)


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"bots": []}, "too_few"),
        ({"bots": ["easy"] * 4}, "table_full"),
        ({"bots": ["genius"]}, "bad_message bots"),
        ({"rules": "nonsense"}, "bad_rules rules"),
        ({"rules": "classic teams=pairs"}, "bad_rules teams"),
        ({"rules": "classic target=9"}, "bad_rules target"),
        ({"name": ""}, "name_empty"),
        ({"name": "x" * 90}, "name_long"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_code(wish: dict[str, Any], code: str) -> None:
    usual = {"name": "Ana", "bots": ["easy"], "rules": "classic", "fast": False}
    with pytest.raises(Trouble) as raised:
        Practice.begin(json.dumps(usual | wish), SEED, 0.0)
    assert str(raised.value) == code


def test_a_rehearsal_plays_whole_games() -> None:
    lines = rehearse().rehearse().splitlines()
    assert len(lines) == 4
    assert lines[2] == "bad_rules rules"
