"""Nothing is cut off, too small or out of reach: every screen, size and language.

One page a language; scenes are shown to it one after another (stage.py), and each is measured where
it stands, in the page, by one look at everything that is visible.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import scenes
from tests.browser.scenes import SCENES
from tests.browser.stage import STAND_IN, Stage

PHONES = [(360, 640), (390, 844), (768, 1024), (1280, 800)]
LOW = (640, 360)

# All that there is to find fault with, in words; none is good.
MEASURE = """
() => {
  const strict = STRICT;
  const faults = [];
  // What is still on its way in is smaller than it will be.
  for (const motion of document.getAnimations())
    if (motion.effect?.getComputedTiming().endTime !== Infinity) motion.finish();
  const app = document.getElementById("app");
  const wide = innerWidth + 1;
  const shown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const named = (e) => {
    const id = e.dataset.testid ?? e.dataset.card ?? e.className?.baseVal ?? e.className;
    return `${e.tagName.toLowerCase()}.${id} "${(e.textContent || "").trim().slice(0, 30)}"`;
  };
  // A decoration may hang over the edge, and what is only for the ear is nowhere.
  const beside = ".confetti, .fan, .offscreen, .ring-place, #flights, .mark, svg";
  if (document.documentElement.scrollWidth > wide) faults.push("the page scrolls sideways");
  for (const e of app.querySelectorAll("*")) {
    if (e.closest(beside) || !shown(e)) continue;
    const box = e.getBoundingClientRect();
    if (box.width === 0) continue;
    if (box.left < -1 || box.right > wide) faults.push(`${named(e)} over the edge`);
    const style = getComputedStyle(e);
    if (/auto|scroll/.test(style.overflowX) && e.scrollWidth > e.clientWidth + 1)
      faults.push(`${named(e)} scrolls sideways`);
    if (!strict) continue;
    // Names are the players' own, and the newest of what happened stands below the rest.
    const text = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim() !== "");
    if (!text || e.closest(".name, .report-text, option")) continue;
    for (let up = e; up !== app; up = up.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(up);
      const room = up.getBoundingClientRect();
      if (/hidden|clip/.test(overflowX) && (box.left < room.left - 1 || box.right > room.right + 1))
        faults.push(`${named(e)} is cut off at the side`);
      if (up.matches(".happening") && !e.matches(":last-child")) break;
      if (/auto|scroll/.test(overflowY)) break;
      if (/hidden|clip/.test(overflowY) && (box.top < room.top - 2 || box.bottom > room.bottom + 2))
        faults.push(`${named(e)} is cut off`);
      if (up === e && /hidden|clip/.test(overflowX) && e.scrollWidth > e.clientWidth + 1)
        faults.push(`${named(e)} is cut short`);
      if (up === e && /hidden|clip/.test(overflowY) && e.scrollHeight > e.clientHeight + 2)
        faults.push(`${named(e)} loses lines`);
    }
  }
  if (app.querySelector("main.game") && document.documentElement.scrollHeight > innerHeight + 1)
    faults.push("the table scrolls");

  const hit = (e, x, y) => {
    const found = document.elementFromPoint(x, y);
    return found !== null && (e === found || e.contains(found));
  };
  for (const e of app.querySelectorAll("button, a[href], input, select, textarea, summary")) {
    if (!shown(e)) continue;
    const box = e.getBoundingClientRect();
    let inside = { top: 0, bottom: innerHeight, left: 0, right: innerWidth };
    for (let up = e.parentElement; up !== null; up = up.parentElement) {
      if (!/auto|scroll/.test(getComputedStyle(up).overflowY)) continue;
      const room = up.getBoundingClientRect();
      inside = { ...inside, top: Math.max(inside.top, room.top), bottom: Math.min(inside.bottom, room.bottom) };
    }
    // Half out of sight: that is what scrolling is for.
    if (box.top < inside.top - 1 || box.bottom > inside.bottom + 1) continue;
    if (box.width < 43.9 || box.height < 43.9) {
      faults.push(`${named(e)} is ${box.width.toFixed(0)}x${box.height.toFixed(0)}`);
      continue;
    }
    const card = e.matches("button.held");
    const x = card ? box.left + 22 : box.left + box.width / 2;
    const y = card ? box.top + 22 : box.top + box.height / 2;
    if (!hit(e, x, y)) {
      // Under a sheet, a pause or the lobby's foot; never the cards, ¡UNO! and Pillar.
      const over = document.elementFromPoint(x, y)?.closest(".sheet-place, .pause, .conn, .claims, [class$=-foot]");
      if (!over || e.closest(".hand, .actions, .strip")) faults.push(`${named(e)} is covered`);
      continue;
    }
    // A cross of 44 px: the corners may be round.
    for (const [dx, dy] of [[-21, 0], [21, 0], [0, -21], [0, 21]])
      if (!hit(e, x + dx, y + dy)) {
        const over = document.elementFromPoint(x + dx, y + dy)?.closest(".sheet-place, .pause, .claims, [class$=-foot]");
        if (!over) faults.push(`${named(e)} exposes less than 44 px`);
      }
  }
  return [...new Set(faults)];
}
"""


def opened(host: Any, phone: Any, locale: str = "es-ES", lang: str = "") -> Stage:
    guest = phone(locale=locale, script=STAND_IN, reduced_motion="reduce", device_scale_factor=1)
    started = host()
    return Stage(guest.page).open(f"http://127.0.0.1:{started.port}", lang=lang)


def look(
    stage: Stage, size: tuple[int, int], *, text: int = 100, strict: bool = False
) -> list[str]:
    page = stage.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("(size) => { document.documentElement.style.fontSize = `${size}%`; }", text)
    measure = MEASURE.replace("STRICT", "true" if strict else "false")
    faults = []
    for name, scene in SCENES.items():
        found = stage.show(scene, measure=measure, painted=False)
        faults += [f"{name} {size[0]}x{size[1]} at {text} %: {each}" for each in found]
    return faults


@pytest.mark.timeout(180)
def test_every_screen_fits_every_size(host, phone) -> None:
    stage = opened(host, phone)
    faults = [fault for size in (*PHONES, LOW) for fault in look(stage, size)]
    assert faults == []


@pytest.mark.timeout(180)
def test_every_screen_fits_with_letters_twice_as_large(host, phone) -> None:
    stage = opened(host, phone)
    sizes = (PHONES[0], PHONES[3])
    assert [fault for size in sizes for fault in look(stage, size, text=200)] == []


@pytest.mark.timeout(120)
@pytest.mark.parametrize("locale", ["pt-BR", "en-GB"])
def test_every_screen_fits_in_the_other_languages(host, phone, locale) -> None:
    stage = opened(host, phone, locale)
    faults = look(stage, PHONES[0]) + look(stage, LOW)
    assert faults + look(stage, PHONES[0], text=200) == []


@pytest.mark.timeout(120)
def test_a_language_forty_per_cent_longer_is_cut_off_nowhere(host, phone) -> None:
    stage = opened(host, phone, lang="x-long")
    faults = [fault for size in PHONES[:2] for fault in look(stage, size, strict=True)]
    assert faults == []


@pytest.mark.parametrize("size", [(360, 640), (360, 560)])
def test_twenty_five_cards_are_all_in_sight_and_forty_scroll_in_the_hand(host, phone, size) -> None:
    stage = opened(host, phone)
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
    host, phone
) -> None:
    stage = opened(host, phone)
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


def test_the_colour_sheet_leaves_uno_on_top_and_working(host, phone) -> None:
    stage = opened(host, phone)
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
