"""On a phone, who thinks hard does it in slices while the others would be waiting anyway."""

from __future__ import annotations

import time

from penultima.offline import thinking
from tests.offline.test_practice import Page, begin


def waiting_for_a_bot() -> Page:
    """A hard bot is in turn, and has something to think about."""
    page = Page(begin("hard", fast=True))
    page.open()
    for _ in range(30):
        if page.view.get("turn") == 1 and page.game.think() and page.game.think():
            return page
        if page.view.get("turn") == 1:
            page.tick(page.due or 0.0)
            continue
        legal = page.view["legal"]
        form = next(f for f in (*legal, "draw") if f not in {"uno", "challenge"})
        page.act(page.due or 0.0, form.replace("=", "=r"))
    raise AssertionError("no bot ever had to think")


def test_every_level_has_a_bot_here() -> None:
    assert {thinking.brain(level).level for level in thinking.LEVELS} == set(thinking.LEVELS)
    assert {"easy", "normal", "hard"} <= set(thinking.LEVELS)


def test_it_thinks_between_two_calls_and_answers_at_once() -> None:
    page = waiting_for_a_bot()
    longest = slices = 0.0
    more = True
    while more:
        began = time.perf_counter()
        more = page.game.think()
        longest = max(longest, time.perf_counter() - began)
        slices += 1
    assert slices > 5
    assert longest < 0.25, "a slice is a fraction of the thinking"
    seq = page.seq
    began = time.perf_counter()
    page.tick(page.due or 0.0)
    assert page.seq > seq
    assert time.perf_counter() - began < 0.2
    assert page.game.faults == ""


def test_thinking_ends_with_the_turn_it_was_about() -> None:
    page = waiting_for_a_bot()
    page.tick(page.due or 0.0)
    # Not ready, and asked all the same: it hurries, and moves.
    assert page.view.get("turn") != 1 or page.view.get("wait") != "free" or page.seq > 5
    assert page.game.faults == ""


def test_nobody_else_ponders() -> None:
    page = Page(begin("easy", "normal"))
    page.open()
    for _ in range(6):
        assert page.game.think() is False
        page.tick(page.due or 0.0)
