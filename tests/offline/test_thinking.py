"""On a phone, who thinks hard does it in slices while the others would be waiting anyway."""

from __future__ import annotations

import math

import pytest

from penultima.bots import LEVELS
from penultima.bots.hard import Hard, Limit
from penultima.bots.worlds import Worlds
from penultima.engine.round import Round
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


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_has_a_bot_here(level: str) -> None:
    assert thinking.brain(level).level == level


def test_the_hard_one_is_bounded_by_a_deadline_and_by_no_count() -> None:
    mind = thinking.brain("hard")
    assert isinstance(mind, Hard)
    assert mind._limit == Limit(seconds=0.3, worlds=math.inf)


def test_it_thinks_between_two_calls_and_answers_at_once() -> None:
    page = waiting_for_a_bot()
    slices = 0
    while page.game.think():
        slices += 1
    assert slices > 5
    seq = page.seq
    page.tick(page.due or 0.0)
    assert page.seq > seq
    assert page.game.faults == ""


def test_a_move_that_is_due_does_not_wait_for_the_thinking(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = waiting_for_a_bot()
    looked = 0
    one = Worlds.one

    def counted(worlds: Worlds) -> Round:
        nonlocal looked
        looked += 1
        return one(worlds)

    monkeypatch.setattr(Worlds, "one", counted)
    page.game.think()
    looked = 0
    page.tick(page.due or 0.0)
    assert looked == 0


def test_thinking_ends_with_the_turn_it_was_about() -> None:
    page = waiting_for_a_bot()
    page.tick(page.due or 0.0)
    # Not ready, and asked all the same: it moves.
    assert page.view.get("turn") != 1 or page.view.get("wait") != "free" or page.seq > 5
    assert page.game.faults == ""


def test_nobody_else_ponders() -> None:
    page = Page(begin("easy", "normal"))
    page.open()
    for _ in range(6):
        assert page.game.think() is False
        page.tick(page.due or 0.0)
