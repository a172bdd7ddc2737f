"""The shared screen: ten players without clipping, a QR in the corner, never a hand."""

from __future__ import annotations

import json

import pytest

from tests.browser import scenes
from tests.browser.scenes import SCENES, Scene
from tests.browser.stage import MEASURE, STAND_IN, Stage

SIZES = [(1280, 720), (1920, 1080)]
FULL = scenes.table(seats=scenes.FULL, you=None, hand=None, legal=None)
MOMENTS = {
    "lobby": Scene(scenes.outside(scenes.lobby(10)), host=False),
    "round": Scene(FULL, scenes.PLAYED, host=False),
    "stack": Scene(FULL | {"top": "W+4", "colour": "b", "pending": 12}, scenes.PLAYED, host=False),
    "paused": Scene(FULL | {"paused": ["away"]}, host=False),
    "round-end": Scene(scenes.outside(SCENES["round-end"].view), host=False),
    "match-end": Scene(scenes.outside(SCENES["match-end"].view), host=False),
}
CORNER = """
() => {
  const box = document.querySelector("[data-testid=qr]").getBoundingClientRect();
  const names = [...document.querySelectorAll(".rival")].map((e) => e.getBoundingClientRect());
  return {
    size: box.width,
    right: innerWidth - box.right,
    bottom: innerHeight - box.bottom,
    seats: names.filter((b) => b.left >= 0 && b.top >= 0 && b.bottom <= innerHeight).length,
    apart: names.every((a, k) => names.slice(k + 1).every((b) =>
      a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1)),
    scrolls: document.documentElement.scrollHeight > innerHeight + 1,
  };
}
"""


@pytest.mark.timeout(90)
@pytest.mark.parametrize("size", SIZES)
def test_ten_players_fit_the_shared_screen(origin, phone, size) -> None:
    screen = phone(
        size=size,
        script=STAND_IN,
        is_mobile=False,
        has_touch=False,
        device_scale_factor=1,
        reduced_motion="reduce",
    )
    stage = Stage(screen.page).open(origin, "/mesa")
    assert stage.said("hello")[0]["watch"] is True
    for name, scene in MOMENTS.items():
        faults = stage.show(scene, measure=f"() => ({MEASURE})(false)")
        assert faults == [], name
        corner = stage.page.evaluate(CORNER)
        assert corner["size"] >= 150, name
        assert corner["right"] < 100, name
        assert corner["bottom"] < 100, name
        assert corner["scrolls"] is False, name
        if name in ("round", "stack", "paused"):
            assert corner["seats"] == 10, name
            assert corner["apart"], name


def test_it_shows_a_match_without_webrtc_and_is_never_told_a_hand(party, phone) -> None:
    table = party(2, start=False)
    screen = phone(
        size=(1280, 720),
        script="delete window.RTCPeerConnection;",
        is_mobile=False,
        has_touch=False,
        device_scale_factor=1,
    )
    screen.goto(table.host.at(path="/mesa"))
    screen.page.get_by_test_id("mesa").wait_for()
    assert screen.page.get_by_test_id("qr").is_visible()
    table[0].press("start")
    mesa = screen.page.locator('[data-testid="mesa"][data-phase="round"]')
    mesa.wait_for()
    for person in table:
        person.see("table").wait_for()
    assert screen.page.locator(".rival").count() == 2
    assert screen.page.locator("button.held").count() == 0
    assert screen.page.get_by_test_id("discard").get_attribute("data-card")
    seen = [m for m in screen.received() if m["t"] == "view"]
    assert seen
    for message in seen:
        assert not {"hand", "legal", "drawn", "shown", "you"} & message["v"].keys()
        dealt = [e for e in message.get("e", []) if e["e"] in ("drew", "hand_shown")]
        assert "cards" not in json.dumps(dealt)
