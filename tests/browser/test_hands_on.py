"""What fingers, keys and the phone itself do to a page, on scenes of paper (UX 3 and 4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import scenes
from tests.browser.catalogue import LANGUAGES, say
from tests.browser.scenes import SCENES, Scene
from tests.browser.stage import STAND_IN, Address, Stage

MINE = SCENES["table"]


@pytest.fixture
def stage(origin: str, phone: Any) -> Stage:
    guest = phone(script=STAND_IN, reduced_motion="reduce", device_scale_factor=1)
    return Stage(guest.page).open(origin)


def acts(stage: Stage) -> list[str]:
    return [each["a"] for each in stage.said("act")]


def order(stage: Stage) -> list[str]:
    cards: list[str] = stage.page.locator("button.held").evaluate_all(
        "all => all.sort((a, b) => a.parentElement.offsetLeft - b.parentElement.offsetLeft).map(e => e.dataset.card)"
    )
    return cards


def switch(stage: Stage, name: str) -> None:
    page = stage.page
    page.get_by_test_id("menu").tap()
    page.get_by_test_id(name).tap()
    page.get_by_test_id("close").tap()


def test_the_title_says_whose_turn_it_is(stage) -> None:
    stage.show(MINE)
    expect(stage.page).to_have_title(say("es", "turn.title"))
    stage.show(SCENES["table-6"])
    expect(stage.page).to_have_title("La casa de Ana · Penúltima")


def test_the_hand_is_sorted_as_one_likes_it(stage) -> None:
    hand = ["g7", "r3", "W", "r7", "b2"]
    stage.show(Scene(scenes.table(hand=hand)))
    page = stage.page
    ways = {"colour": [], "number": [], "none": hand}
    for way in ways:
        page.get_by_test_id("menu").tap()
        page.get_by_role("button", name=say("es", f"menu.sort.{way}"), exact=True).tap()
        page.get_by_test_id("close").tap()
        ways[way] = order(stage)
    assert [card[0] for card in ways["colour"]] in (list("rrgbW"), list("Wrrgb"))
    numbers = [card[1:] for card in ways["number"] if card != "W"]
    assert numbers == ["2", "3", "7", "7"]
    assert ways["none"] == hand


def test_a_dimmed_card_says_why_and_a_raised_one_is_played(stage) -> None:
    stage.show(MINE)
    page = stage.page
    page.locator(scenes.card("r3")).tap(position={"x": 14, "y": 20})
    expect(page.get_by_test_id("hint")).to_have_text("No coincide: va verde, 4 o comodín")
    assert acts(stage) == []
    # Two events of one finger raise and play; more do no more.
    for _ in range(3):
        page.locator(scenes.card("g7")).evaluate("(card) => card.click()")
    assert acts(stage) == ["g7"]


@pytest.mark.parametrize(("by", "said", "raised"), [((2, -9), [], "true"), ((4, -70), ["g7"], None)])
def test_a_drift_is_a_tap_and_a_swipe_upwards_plays(stage, by, said, raised) -> None:
    stage.show(MINE)
    card = stage.page.locator(scenes.card("g7"))
    box = card.bounding_box()
    finger = stage.page.context.new_cdp_session(stage.page)
    for kind, part in (("touchStart", 0), ("touchMove", 0.5), ("touchMove", 1), ("touchEnd", None)):
        where = [] if part is None else [{"x": box["x"] + 14 + part * by[0], "y": box["y"] + 40 + part * by[1]}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})
    stage.page.evaluate("__stage.frames()")
    assert acts(stage) == said
    if raised is not None:
        expect(card).to_have_attribute("aria-pressed", raised)


def test_who_may_go_on_after_the_own_card_is_not_told_to_jump_in(stage) -> None:
    hint = stage.page.get_by_test_id("hint")
    jump = SCENES["jump"]
    stage.show(jump)
    expect(hint).to_have_text(say("es", "hint.jump"))
    (played,) = jump.events
    stage.show(replace(jump, events=({**played, "seat": 0},)))
    expect(hint).to_have_text(say("es", "hint.more"))


def test_who_has_the_key_of_a_seat_is_asked_once_and_needs_nobody_to_vouch(stage) -> None:
    known = SCENES["still-ana"]
    away = {**known.view, "seats": scenes.seats(3, s0={"state": "away", "left": 300})}
    stage.show(replace(known, view=away))
    page = stage.page
    page.get_by_test_id("still-yes").wait_for()
    assert page.get_by_test_id("claim-0").count() == 0
    page.get_by_test_id("still-no").tap()
    page.get_by_test_id("claim-0").wait_for()


def test_one_tap_plays_for_who_has_chosen_that(stage) -> None:
    stage.show(MINE)
    switch(stage, "pref-onetap")
    stage.page.wait_for_timeout(600)  # no second tap of the finger that began the round
    stage.page.locator(scenes.card("g7")).tap(position={"x": 14, "y": 20})
    assert acts(stage) == ["g7"]


def test_letters_do_what_they_say_until_they_are_switched_off(stage) -> None:
    page = stage.page
    stage.show(Scene(scenes.table(hand=["g7", "b2"], legal=["g7", "draw", "uno"])))
    page.keyboard.press("u")
    assert acts(stage) == ["uno"]
    page.get_by_test_id("menu").tap()
    keys = page.get_by_test_id("pref-keys")
    # Shown where there is a keyboard; here it is switched by hand.
    keys.evaluate("(e) => e.click()")
    page.get_by_test_id("close").tap()
    page.keyboard.press("d")
    assert acts(stage) == ["uno"]


def test_a_catch_of_nobody_costs_two_seconds_without_the_button(stage) -> None:
    page = stage.page
    stage.show(SCENES["table-6"])
    page.get_by_test_id("catch").tap(force=True)
    expect(page.get_by_test_id("catch")).to_have_attribute("disabled", "")
    expect(page.get_by_test_id("hint")).to_have_text(say("es", "why.not_exposed"))
    expect(page.get_by_test_id("catch")).not_to_have_attribute("disabled", "", timeout=6000)
    assert acts(stage) == []


def test_uno_waits_for_the_answer_to_a_four(stage) -> None:
    four = SCENES["four"].view
    assert four is not None
    view = four | {"hand": ["g7", "b2"], "legal": ["accept", "challenge", "uno"]}
    stage.show(Scene(view, SCENES["four"].events))
    uno = stage.page.get_by_test_id("uno")
    expect(uno).to_have_attribute("data-state", "muted")
    uno.tap(force=True)
    assert acts(stage) == []
    expect(stage.page.get_by_test_id("hint")).to_have_text(say("es", "why.must_answer", n=4))


def test_the_back_button_closes_what_is_open_and_leaves_at_the_second_press(stage) -> None:
    page = stage.page
    stage.show(MINE)
    table = page.url
    page.get_by_test_id("menu").tap()
    page.go_back()
    expect(page.get_by_test_id("sheet-menu")).to_have_count(0)
    page.go_back()
    expect(page.get_by_test_id("hint")).to_have_text(say("es", "back.again"))
    assert page.url == table
    page.go_back()
    page.wait_for_url("about:blank")


@pytest.mark.parametrize("name", ["lobby-menu", "menu", "colour", "raised"])
def test_escape_closes_what_is_open_wherever_the_focus_is(stage, name) -> None:
    page = stage.page
    stage.show(SCENES[name])
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Escape")
    expect(page.locator(".sheet")).to_have_count(0)
    expect(page.locator("button.held.marked")).to_have_count(int(name == "colour"))


@pytest.mark.parametrize(
    ("name", "opener", "way"),
    [
        ("lobby", "rules", []),
        ("lobby", "menu", ["menu-host", "menu-invite"]),
        ("lobby", "remove-2", []),
        ("table", "menu", ["menu-rules"]),
        ("propose", "propose", []),
    ],
)
def test_a_sheet_that_is_closed_gives_the_focus_back(stage, name, opener, way) -> None:
    """Also where what opened it lies under it and cannot have the focus meanwhile."""
    page = stage.page
    stage.show(replace(SCENES[name], taps=()))
    for each in [opener, *way]:
        page.get_by_test_id(each).focus()
        page.keyboard.press("Enter")
        expect(page.locator(".sheet")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".sheet")).to_have_count(0)
    expect(page.get_by_test_id(opener)).to_be_focused()


def test_a_finger_quicker_than_the_table_changes_every_rule_that_it_taps(stage) -> None:
    """The table has answered none of them yet; each wish holds those before it."""
    page = stage.page
    stage.show(SCENES["rules"])
    for _ in range(3):
        page.locator('[data-rule="hand_size"] .stepper button').last.tap()
    page.locator('[data-rule="jump_in"] button').tap()
    wishes = [each["value"] for each in stage.said("host") if each["do"] == "rules"]
    assert wishes == ["party hand_size=6", "party", "party hand_size=8", "party hand_size=8 jump_in=off"]
    expect(page.locator('[data-rule="jump_in"] [role=switch]')).to_have_attribute("aria-checked", "false")


def test_a_setting_that_changes_no_word_leaves_the_page_as_it_is(stage) -> None:
    """What is written on the root has a slow phone style forty cards anew, also if it is the same."""
    page = stage.page
    stage.show(SCENES["hand-40"])
    page.evaluate(
        """() => {
          window.written = [];
          new MutationObserver((all) => written.push(...all.map((each) => each.attributeName)))
            .observe(document.documentElement, { attributes: true });
        }"""
    )
    switch(stage, "pref-sound")
    page.get_by_test_id("menu").tap()
    page.get_by_role("button", name="English").tap()
    page.get_by_role("button", name="Close").tap()
    assert page.evaluate("written") == ["lang"]


def test_turning_the_phone_keeps_what_was_chosen(stage) -> None:
    page = stage.page
    stage.show(SCENES["raised"])
    for size in ({"width": 844, "height": 390}, {"width": 390, "height": 844}):
        page.set_viewport_size(size)
        expect(page.locator(scenes.card("g7"))).to_have_attribute("aria-pressed", "true")
        expect(page.get_by_test_id("play")).to_be_in_viewport(ratio=1)
        expect(page.get_by_test_id("uno")).to_be_in_viewport(ratio=1)


def test_nobody_is_kept_from_zooming(stage) -> None:
    content = stage.page.locator("meta[name=viewport]").get_attribute("content")
    assert "user-scalable" not in content
    assert "maximum-scale" not in content


def test_the_language_is_changed_on_the_first_screen_and_stays(stage) -> None:
    page = stage.page
    stage.show(SCENES["enter"])
    for language in LANGUAGES:
        page.get_by_role("button", name=say(language, "language"), exact=True).tap()
        expect(page.get_by_test_id("enter")).to_have_text(say(language, "enter.go"))
        expect(page.locator("html")).to_have_attribute("lang", language)
    page.reload()
    stage.show(SCENES["enter"])
    expect(page.get_by_test_id("enter")).to_have_text(say(LANGUAGES[-1], "enter.go"))


def test_without_a_wake_lock_a_silent_picture_keeps_the_screen_on(origin, phone) -> None:
    silent = """
      Object.defineProperty(navigator, "wakeLock", { value: undefined });
      window.played = [];
      HTMLMediaElement.prototype.play = async function () { played.push(this.muted); };
    """
    guest = phone(script=STAND_IN + silent, reduced_motion="reduce")
    stage = Stage(guest.page).open(origin, at=Address("insecure"))
    stage.show(Scene(scenes.lobby(3), at=Address("insecure")))
    assert guest.page.evaluate("played") == []
    stage.show(Scene(scenes.table(), at=Address("insecure")))
    guest.page.wait_for_function("played.length > 0")
    assert set(guest.page.evaluate("played")) == {True}


def test_a_browser_that_keeps_nothing_plays_as_well(origin, phone) -> None:
    """Inside a chat program, or with all storage forbidden."""
    nothing = """
      for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
    """
    guest = phone(script=STAND_IN.replace("sessionStorage.removeItem", "void ").replace("localStorage.removeItem", "void ") + nothing)  # fmt: skip
    stage = Stage(guest.page).open(origin)
    stage.show(Scene(scenes.outside(scenes.lobby(3)), host=False))
    guest.page.get_by_test_id("name-input").fill("Ana 🎉")
    guest.page.get_by_test_id("enter").tap()
    assert stage.said("sit")[-1]["name"] == "Ana 🎉"
    stage.show(MINE)
    guest.page.locator(scenes.card("g7")).tap(position={"x": 14, "y": 20})
    expect(guest.page.locator(scenes.card("g7"))).to_have_attribute("aria-pressed", "true")


def test_a_browser_that_cannot_come_in_asks_for_no_name(stage) -> None:
    stage.show(SCENES["too-old"])
    expect(stage.page.get_by_test_id("far")).to_have_text(say("es", "far.cause.insecure"))
    expect(stage.page.get_by_test_id("name-input")).to_have_count(0)


def test_who_has_left_is_on_no_list_and_who_is_cut_off_is_marked(stage) -> None:
    page = stage.page
    stage.show(SCENES["enter-away"])
    who = page.locator(".who li")
    expect(who).to_have_count(4)
    expect(who.filter(has_text="Carla")).to_contain_text(say("es", "seat.away"))
    expect(page.locator(".who")).not_to_contain_text("Beto")
    # Who was cut off may ask for the seat, also while a bot plays.
    for seat in (2, 4):
        expect(page.get_by_test_id(f"claim-{seat}")).to_be_visible()


def test_who_asks_for_the_seat_back_between_rounds_is_answered_there(stage) -> None:
    stage.show(SCENES["round-end-claim"])
    stage.page.get_by_test_id("approve-1").tap()
    assert stage.said("host")[-1] | {"n": 0} == {"t": "host", "n": 0, "do": "approve", "seat": 1}


def test_the_hosts_page_has_what_the_host_can_do(stage) -> None:
    page = stage.page
    stage.show(SCENES["host"])
    sheet = page.get_by_test_id("sheet-host")
    expect(sheet.get_by_test_id("out-2")).to_have_count(1)
    expect(sheet.get_by_test_id("out-3")).to_have_count(0)
    for each in ("host-pause", "host-lock", "add-bot", "menu-invite", "menu-screen", "host-fast", "host-title", "menu-end"):
        expect(sheet.get_by_test_id(each)).to_have_count(1)
    title = sheet.get_by_test_id("host-title")
    title.fill("Domingo")
    title.press("Enter")
    assert stage.said("host")[-1] | {"n": 0} == {"t": "host", "n": 0, "do": "title", "value": "Domingo"}
    sheet.get_by_test_id("menu-invite").tap()
    expect(page.get_by_test_id("sheet-invite").get_by_test_id("qr")).to_be_visible()
