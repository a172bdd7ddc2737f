"""Nothing is cut off, too small or out of reach: every screen, size, language and size of letters.

Scenes are shown one after another (stage.py), each is seen in all sizes, and measured where it
stands by one look at everything that is visible (measure.js).
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.browser import scenes
from tests.browser.scenes import SCENES
from tests.browser.stage import STAND_IN, Room, Rooms, Stage

PHONES = [(360, 640), (390, 844), (768, 1024), (1280, 800)]
LOW = (640, 360)
ROOMS = [Room(*size, text) for text in (100, 200) for size in (*PHONES, LOW)]
# Words are longest where there is least room; PENULTIMA_ROOMS=all looks at every language everywhere.
NARROW = [room for room in ROOMS if (room.width, room.height) in (PHONES[0], LOW)]
TONGUES = {"es-ES": ROOMS, "pt-BR": NARROW, "en-GB": NARROW}
if os.environ.get("PENULTIMA_ROOMS") == "all":
    TONGUES = dict.fromkeys(TONGUES, ROOMS)


def opened(origin: str, phone: Any) -> Stage:
    guest = phone(script=STAND_IN, reduced_motion="reduce", device_scale_factor=1)
    return Stage(guest.page).open(origin)


def framed(origin: str, phone: Any) -> Rooms:
    options = {"reduced_motion": "reduce", "device_scale_factor": 1}
    return Rooms(phone(size=(1280, 1024), script=STAND_IN, **options).page, origin)


@pytest.mark.timeout(180)
@pytest.mark.parametrize("tongue", TONGUES)
def test_every_screen_fits_every_size_and_size_of_letters(origin, phone, tongue) -> None:
    rooms = framed(origin, phone)
    rooms.speak(tongue)
    faults = [
        f"{name} {each}"
        for name, scene in SCENES.items()
        for each in rooms.faults(scene, TONGUES[tongue])
    ]
    assert faults == [], "\n".join(faults)


@pytest.mark.timeout(120)
def test_a_language_forty_per_cent_longer_is_cut_off_nowhere(origin, phone) -> None:
    rooms = framed(origin, phone)
    rooms.speak("es-ES", lang="x-long")
    faults = [
        f"{name} {each}"
        for name, scene in SCENES.items()
        for each in rooms.faults(scene, [Room(*size) for size in PHONES[:2]], strict=True)
    ]
    assert faults == [], "\n".join(faults)


@pytest.mark.parametrize("size", [(360, 640), (360, 560)])
def test_twenty_five_cards_are_all_in_sight_and_forty_scroll_in_the_hand(origin, phone, size) -> None:
    stage = opened(origin, phone)
    page = stage.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    stage.show(SCENES["hand-25"])
    seen = page.evaluate(
        """() => {
          const hand = document.querySelector("[data-testid=hand]").getBoundingClientRect();
          const cards = [...document.querySelectorAll("button.held")].map((e) => e.getBoundingClientRect());
          return {
            whole: cards.filter((c) => c.top >= hand.top - 1 && c.bottom <= Math.min(innerHeight, hand.bottom) + 1).length,
            arena: document.querySelector(".arena").getBoundingClientRect().height,
          };
        }"""
    )
    assert seen["whole"] == 25
    assert seen["arena"] >= 180
    stage.show(SCENES["hand-40"])
    hand = page.get_by_test_id("hand")
    assert hand.evaluate("(e) => e.scrollHeight > e.clientHeight")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    last = page.locator("button.held").last
    last.scroll_into_view_if_needed()
    assert last.evaluate("(e) => e.getBoundingClientRect().bottom <= innerHeight + 1")
    assert page.locator(".arena").evaluate("(e) => e.getBoundingClientRect().height") >= 180


def test_the_buttons_stay_where_they_are_from_one_card_to_twelve_and_from_thirteen_on(
    origin, phone
) -> None:
    stage = opened(origin, phone)
    page = stage.page
    page.set_viewport_size({"width": 360, "height": 640})
    page.evaluate(
        "() => { window.uno = () => document.querySelector('[data-testid=uno]').getBoundingClientRect().top; }"
    )

    def tops(counts: range) -> set[int]:
        found = set()
        for n in counts:
            view = scenes.table(hand=scenes.DECK[:n], seats=scenes.seats(4, s0={"cards": n}))
            page.evaluate("(view) => __stage.show(view, [], [])", view)
            found.add(round(page.evaluate("uno()")))
        return found

    stage.show(SCENES["table"])
    assert len(tops(range(1, 13))) == 1
    assert len(tops(range(13, 25))) == 1


def test_the_colour_sheet_leaves_uno_on_top_and_working(origin, phone) -> None:
    stage = opened(origin, phone)
    page = stage.page
    view = scenes.table(hand=["W", "g7"], legal=["W=", "g7", "draw", "uno"])
    for size in PHONES[:2]:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        stage.show(scenes.Scene(view, (), (scenes.card("W"), "[data-testid=play]")))
        assert page.get_by_test_id("colour-sheet").is_visible()
        for button in ("uno", "catch"):
            assert page.get_by_test_id(button).evaluate(
                """(e) => {
                  const box = e.getBoundingClientRect();
                  return e.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
                }"""
            )
        page.get_by_test_id("uno").tap()
        assert stage.said("act")[-1]["a"] == "uno"
        assert page.get_by_test_id("colour-sheet").is_visible()


@pytest.mark.timeout(90)
@pytest.mark.parametrize("path", ["/", "/mesa"])
def test_which_way_the_game_goes_is_seen_beside_the_cards(origin, phone, path) -> None:
    guest = phone(script=STAND_IN, reduced_motion="reduce", device_scale_factor=1)
    stage = Stage(guest.page).open(origin, path)
    sizes = [(1280, 720), (1920, 1080)] if path == "/mesa" else [*PHONES, (844, 390)]
    for name in ("table-2", "table", "table-6", "table-10"):
        scene = SCENES[name]
        if path == "/mesa":
            scene = scenes.Scene(scenes.outside(scene.view), scene.events, host=False)
        stage.show(scene)
        for width, height in sizes:
            guest.page.set_viewport_size({"width": width, "height": height})
            heads = guest.page.evaluate(
                """() => {
                  const boxes = (all) => [...document.querySelectorAll(all)].map((e) => e.getBoundingClientRect());
                  const cards = boxes(".pile, .discard");
                  return boxes(".ring .head").filter((b) => b.width > 0).map((b) =>
                    cards.every((c) => b.right <= c.left || c.right <= b.left || b.bottom <= c.top || c.bottom <= b.top));
                }"""
            )
            assert heads == [True, True], f"{name} {width}x{height}"


@pytest.mark.timeout(90)
def test_a_pause_leaves_people_cards_and_words_apart(origin, phone) -> None:
    guest = phone(script=STAND_IN, reduced_motion="reduce", device_scale_factor=1)
    stage = Stage(guest.page).open(origin)

    def paused(n: int, *away: int) -> scenes.Scene:
        gone = {f"s{seat}": {"state": "away", "left": 540} for seat in away}
        view = scenes.table(paused=["away"], seats=scenes.seats(n, **gone), legal=None)
        return scenes.Scene(view, ({"e": "away", "seat": away[0]},))

    some = {f"{n} people": paused(n, n - 1) for n in (2, 3, 4, 6, 10)}
    some |= {"two away": paused(5, 2, 3), "countdown": SCENES["held-up"]}
    some["the host's"] = scenes.Scene(scenes.table(paused=["host"], legal=None), scenes.PLAYED)
    faults = []
    for name, scene in some.items():
        stage.show(scene)
        for width, height in (*PHONES, (360, 560), (844, 390), LOW):
            guest.page.set_viewport_size({"width": width, "height": height})
            crossed = guest.page.evaluate(
                """() => {
                  const seen = (all) => [...document.querySelectorAll(all)].filter((e) => e.checkVisibility({ visibilityProperty: true }));
                  const box = (e) => e.getBoundingClientRect();
                  // The ring of the colour is around the card.
                  const ring = (e) => {
                    const { left, top, width, height } = box(e);
                    const by = -parseFloat(getComputedStyle(e, "::before").top);
                    return new DOMRect(left - by, top - by, width + 2 * by, height + 2 * by);
                  };
                  const parts = {
                    people: seen(".rival .name, .rival .avatar, .rival .count").map(box),
                    cards: [...seen(".pile").map(box), ...seen(".discard").map(ring)],
                    words: seen(".happening span").map(box),
                    pause: seen(".pause").map(box),
                  };
                  const cross = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
                  const found = [];
                  const kinds = Object.keys(parts);
                  for (const one of kinds) for (const other of kinds)
                    if (one < other && parts[one].some((a) => parts[other].some((b) => cross(a, b)))) found.push(`${one} on ${other}`);
                  return found;
                }"""
            )
            faults += [f"{name} {width}x{height}: {each}" for each in crossed]
    assert faults == [], "\n".join(faults)


def test_a_preset_that_is_tapped_stays_under_the_finger_when_more_cards_are_shown_above(origin, phone) -> None:
    stage = opened(origin, phone)
    stage.show(SCENES["rules"])

    def top() -> float:
        where = "[data-testid=preset-party]"
        return float(stage.page.evaluate(f"document.querySelector('{where}').getBoundingClientRect().top"))

    examples = stage.page.locator(".examples li")
    before = None
    for rules in ("classic", "party", "classic"):
        stage.page.evaluate("(view) => __stage.show(view, [], [])", scenes.lobby(3, rules=rules))
        assert examples.count() == (8 if rules == "party" else 5)
        before = before or top()
        assert abs(top() - before) < 2, rules
