"""What flies over the table: it comes and goes, is never in a finger's way, and keeps still if asked to."""

from __future__ import annotations

import pytest

from tests.browser import scenes
from tests.browser.stage import STAND_IN, Scene, Stage

BEFORE = Scene(scenes.table(turn=3, legal=None, seats=scenes.seats(4, s3={"cards": 2})))
AFTER = scenes.table(discard=19, seats=scenes.seats(4, s3={"cards": 1, "called": True}))
EVENTS = (
    {"e": "called", "seat": 3},
    {"e": "played", "seat": 3, "card": "g+2", "how": "turn"},
    {"e": "drew", "seat": 1, "count": 2, "cause": "draw_two"},
)
# What has flown since, and whether a finger would meet any of it.
WATCH = """
() => {
  document.getAnimations().forEach((each) => each.cancel());  // those of the deal
  window.flown = [];
  new MutationObserver((all) => all.forEach((each) => each.addedNodes.forEach((node) => {
    if (node.matches?.(".ghost")) flown.push([node.className, getComputedStyle(node).pointerEvents]);
  }))).observe(document.body, { childList: true, subtree: true });
}
"""
SHOW = "async ([view, events]) => { await __stage.show(view, events, []); await __stage.frames(); return flown; }"


def played(stage: Stage) -> list[list[str]]:
    stage.show(BEFORE)
    stage.page.evaluate(WATCH)
    flown: list[list[str]] = stage.page.evaluate(SHOW, [AFTER, list(EVENTS)])
    return flown


def test_cards_and_words_fly_out_of_the_way_and_are_gone_again(origin, phone) -> None:
    stage = Stage(phone(script=STAND_IN, reduced_motion="no-preference").page).open(origin)
    flown = played(stage)
    assert [name for name, _ in flown if "shout" in name] == ["ghost shout call", "ghost shout hit"]
    assert len(flown) == 5  # the words, the card that was played, the two that were drawn
    assert {events for _, events in flown} == {"none"}
    stage.page.wait_for_selector("#flights:empty", state="attached")


@pytest.mark.parametrize("by", ["the device", "the page"])
def test_nothing_flies_or_swings_for_whoever_wants_less_motion(origin, phone, by) -> None:
    motion = "reduce" if by == "the device" else "no-preference"
    stage = Stage(phone(script=STAND_IN, reduced_motion=motion).page).open(origin)
    if by == "the page":
        stage.show(Scene(BEFORE.view, taps=(scenes.MENU, "[data-testid=pref-calm]")))
        stage.page.wait_for_selector("html[data-calm]")
    assert played(stage) == []
    longest = stage.page.evaluate(
        "() => Math.max(0, ...document.getAnimations().map((each) => each.effect.getComputedTiming().endTime))"
    )
    assert longest <= 150
