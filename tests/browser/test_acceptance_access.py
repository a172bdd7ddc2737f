"""For everyone: axe-core, keyboard, names, announcements, and no stranger asked."""

from __future__ import annotations

import re
import time
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import axe, scenes
from tests.browser.catalogue import say
from tests.browser.policy import choose
from tests.browser.scenes import SCENES
from tests.browser.stage import STAND_IN, Stage

PARTS = 3
"""So many tests share the screens: none of them is long, and they can run beside each other."""


def opened(origin: str, phone: Any, **options: Any) -> tuple[Stage, Any]:
    guest = phone(script=STAND_IN, reduced_motion="reduce", device_scale_factor=1, **options)
    return Stage(guest.page).open(origin), guest


@pytest.mark.timeout(180)
@pytest.mark.parametrize("part", range(PARTS))
def test_axe_finds_nothing_on_any_screen_or_sheet(origin, phone, part) -> None:
    guest = phone(script=STAND_IN, reduced_motion="reduce", device_scale_factor=1)
    guest.context.add_init_script(axe.script())
    stage = Stage(guest.page).open(origin)
    faults = stage.show(SCENES["table"], measure=axe.run(preload=True))
    whole, colours = axe.run(), axe.run(["color-contrast"])
    for name, scene in [*SCENES.items()][part::PARTS]:
        faults += [f"dark {name}: {each}" for each in stage.show(scene, measure=whole)]
        # What a light room changes are the colours.
        stage.page.emulate_media(color_scheme="light")
        faults += [f"light {name}: {each}" for each in stage.page.evaluate(colours)]
        stage.page.emulate_media(color_scheme="dark")
    assert faults == [], "\n".join(faults)
    # Not one of these screens has asked anybody but the host for anything.
    assert guest.strangers == []
    assert {url.split("/")[2] for url in guest.requests if url.startswith("http")} == {
        stage.page.url.split("/")[2]
    }


# What forced colours leave of a screen: cards in their own colours, buttons with an edge, and whatever
# may be pressed now unlike what may not.
FORCED = """
() => {
  const faults = [];
  // A sheet that fades in is not seen yet, and what is not seen is not looked at.
  for (const motion of document.getAnimations())
    if (motion.effect?.getComputedTiming().endTime !== Infinity) motion.finish();
  const shown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const named = (e) => e.dataset.testid ?? e.className;
  const clear = (colour) => colour.startsWith("rgba") && colour.endsWith(", 0)");
  for (const e of document.querySelectorAll("#app button")) {
    if (!shown(e) || e.matches(".held, .pile, .happening")) continue;
    const style = getComputedStyle(e);
    const edge = parseFloat(style.borderTopWidth) >= 1 && style.borderTopStyle !== "none" && !clear(style.borderTopColor);
    const own = style.forcedColorAdjust === "none" && !clear(style.backgroundColor);
    if (!edge && !own && style.textDecorationLine !== "underline" && !e.querySelector("i")) faults.push(`${named(e)} has no edge`);
  }
  for (const path of document.querySelectorAll("#app .card path[fill], #app .colour .sign path"))
    if (getComputedStyle(path).forcedColorAdjust === "auto") faults.push(`${named(path.closest(".card, .colour"))} has lost its colours`);
  const looks = (e) => {
    const { backgroundColor, color, borderTopColor, outlineStyle } = getComputedStyle(e);
    return [backgroundColor, color, borderTopColor, outlineStyle].join();
  };
  const muted = [...document.querySelectorAll('.act[aria-disabled="true"]:not(.armed, .urgent)')].map(looks);
  for (const e of document.querySelectorAll(".act:is(.live, .ready, .urgent, .armed)"))
    if (muted.includes(looks(e))) faults.push(`${named(e)} looks as if it could not be pressed`);
  return faults;
}
"""


def test_forced_colours_leave_cards_buttons_and_what_may_be_pressed_apart(origin, phone) -> None:
    stage, _ = opened(origin, phone)
    stage.page.emulate_media(forced_colors="active")
    assert stage.page.evaluate("matchMedia('(forced-colors: active)').matches")
    faults = [
        f"{name}: {each}"
        for name, scene in SCENES.items()
        for each in stage.show(scene, measure=FORCED, painted=False)
    ]
    assert faults == [], "\n".join(faults)


# ---------------------------------------------------------------------------------- announcements


def test_my_turn_is_announced_once_and_the_rest_at_most_every_700_ms(origin, phone) -> None:
    stage, _ = opened(origin, phone)
    page = stage.page
    stage.show(scenes.Scene(scenes.table(turn=1, legal=None), scenes.PLAYED))
    page.evaluate(
        """() => {
          window.heard = [];
          for (const id of ["say-polite", "say-assertive"]) {
            const line = document.querySelector(`[data-testid=${id}]`);
            new MutationObserver(() => heard.push({ id, at: performance.now(), text: line.textContent }))
              .observe(line, { childList: true, characterData: true, subtree: true });
          }
        }"""
    )
    # Ten moves in a second, then my turn, in which the table goes on changing.
    for k in range(10):
        event = {"e": "played", "seat": 1 + k % 3, "card": f"g{k}", "how": "turn"}
        view = scenes.table(turn=1 + (k + 1) % 3, legal=None, top=f"g{k}", discard=20 + k)
        page.evaluate("([v, e]) => __stage.show(v, e, [])", [view, [event]])
        page.wait_for_timeout(60)
    for k in range(3):
        view = scenes.table(top="g9", discard=31, seats=scenes.seats(4, s2={"called": k > 0}))
        page.evaluate("([v]) => __stage.show(v, [], [])", [view])
        page.wait_for_timeout(100)
    page.wait_for_timeout(1600)
    heard = page.evaluate("heard")
    turns = [each["text"] for each in heard if each["id"] == "say-assertive" and each["text"]]
    assert len(turns) == 1
    assert turns[0].startswith("Tu turno")
    polite = [each for each in heard if each["id"] == "say-polite"]
    assert 2 <= len(polite) <= 6
    gaps = [b["at"] - a["at"] for a, b in pairwise(polite)]
    assert min(gaps) >= 690
    # Nothing of it has been left out.
    told = " ".join(each["text"] for each in polite)
    for k in range(10):
        assert f"{k} verde" in told


# ------------------------------------------------------------------------------ without a finger

ROUND = """\
rules: classic
players: Ana Beto Caro
hands: Ana r7 W b4 | Beto r5 g8 | Caro y3 g2
discard: r1
draw: g5 r9 y4 g6 b1 b8 r3 y2 g1 y6 r2 b9 g4 y8 r4 b6 y1 g9 r6 b3 y9 g7 r8 y5
turn: Ana
"""


def by_keyboard(person: Any) -> None:
    """One decision, with nothing but the keys of a keyboard."""
    page, view = person.page, person.view
    keys = page.keyboard
    choice = choose(view)
    before = person.seq
    if choice.does in ("draw", "pass"):
        keys.press(choice.does[0])
    elif choice.does == "colour":
        pick(page, f'[data-testid="colour-{choice.colour}"]')
    elif choice.does in ("accept", "challenge"):
        pick(page, f'[data-testid="{choice.does}"]')
    else:
        if choice.call:
            keys.press("u")
            person.after(before)
            before = person.seq
        # Into the hand, along it, twice Enter: raised and played.
        pick(page, 'button.held[tabindex="0"]', press=False)
        keys.press("Home")
        for _ in range(len(view["hand"])):
            if page.evaluate("document.activeElement.dataset.card") == choice.does:
                break
            keys.press("ArrowRight")
        assert page.evaluate("document.activeElement.dataset.card") == choice.does
        if page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "false":
            keys.press("Enter")
        keys.press("Enter")
        if choice.asked is not None:
            page.wait_for_selector('[data-testid="colour-sheet"]')
            pick(page, f'[data-testid="colour-{choice.colour}"]')
    person.after(before)


def pick(page: Any, selector: str, *, press: bool = True) -> None:
    """Tab until it has the focus."""
    page.wait_for_selector(selector)
    for _ in range(60):
        if page.evaluate("(s) => document.activeElement?.matches(s) ?? false", selector):
            break
        page.keyboard.press("Tab")
    assert page.evaluate("(s) => document.activeElement.matches(s)", selector), selector
    assert page.evaluate("document.activeElement.matches(':focus-visible')")
    if press:
        page.keyboard.press("Enter")


def by_name(person: Any) -> None:
    """One decision, with nothing but the roles and names that a screen reader offers."""
    page, view = person.page, person.view
    choice = choose(view)
    before = person.seq

    def button(name: str) -> Any:
        return page.get_by_role("button", name=name, exact=True)

    if choice.does == "draw":
        button(say("es", "act.draw")).press("Enter")
    elif choice.does == "pass":
        button(say("es", "act.pass")).press("Enter")
    elif choice.does in ("accept", "challenge"):
        page.get_by_role(
            "button", name=re.compile("^" + re.escape(say("es", f"act.{choice.does}")))
        ).press("Enter")
    elif choice.does == "colour":
        pressed_in(page.get_by_role("dialog"), f"colour.{choice.colour}")
    else:
        if choice.call:
            button(say("es", "uno.ready")).press("Enter")
            person.after(before)
            before = person.seq
        name = spoken(choice.does)
        raised = page.get_by_role("button", name=say("es", "card.marked", card=name), exact=True)
        if raised.count() == 0:
            button(say("es", "card.playable", card=name)).first.press("Enter")
        raised.first.press("Enter")
        if choice.asked is not None:
            sheet = page.get_by_role("dialog", name=say("es", "ask.colour"))
            pressed_in(sheet, f"colour.{choice.colour}")
    person.after(before)


def pressed_in(sheet: Any, key: str) -> None:
    """Its button of that name. A sheet takes the focus when it has been drawn, and would take the key with it."""
    expect(sheet).to_be_focused()
    sheet.get_by_role("button", name=say("es", key)).press("Enter")


def spoken(card: str) -> str:
    if card.startswith("W"):
        return say("es", f"card.{card}")
    rank = card[1:]
    named = say("es", f"rank.{rank}") if rank in ("S", "R", "+2") else rank
    return say("es", "card.coloured", rank=named, colour=say("es", f"colour.{card[0]}"))


@pytest.mark.timeout(150)
@pytest.mark.parametrize("way", [by_keyboard, by_name])
def test_a_whole_round_of_three(party, way) -> None:
    table = party(position=ROUND)
    end = time.monotonic() + 100
    while time.monotonic() < end:
        table.settled()
        view = table[0].view
        if view["phase"] != "round":
            break
        way(table.people[view["turn"]])
    table.settled()
    for person in table:
        assert person.view["phase"] != "round"
        assert person.view["result"]["why"] == "won"
        person.see("round-end").or_(person.see("match-end")).wait_for()
    host = table[0].page
    if way is by_keyboard:
        pick(host, '[data-testid="next-round"]')
    else:
        host.get_by_role("button", name=say("es", "end.next"), exact=True).press("Enter")
    table[1].until(lambda each: each["phase"] == "round" and each["round"] == view["round"] + 1)
