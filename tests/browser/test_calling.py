"""¡UNO! and Pillar on phones (RULES 5)."""

from __future__ import annotations

from playwright.sync_api import expect

SCENE = """\
rules: classic
players: Ana Beto Caro
hands: Ana r1 W | Beto r2 r3 | Caro r4 r5
discard: r9
draw: g1 g2 g3 g4 g5 g6 g7 g8 g9
turn: Ana
"""


def state(person) -> str:
    return person.see("uno").get_attribute("data-state")


def test_a_call_in_time_a_forgotten_one_that_is_caught_and_one_that_beats_the_catch(party) -> None:
    table = party(position=SCENE)
    ana, beto, caro = table
    ana.my_turn("free")
    assert [state(person) for person in table] == ["ready", "muted", "muted"]

    # Ana calls, with the colour sheet open, and plays: nobody can catch her.
    ana.raise_card("W")
    ana.tap("play")
    ana.see("colour-sheet").wait_for()
    expect(ana.see("play")).to_be_disabled()  # what is asked for now is the colour
    box = ana.see("uno").bounding_box()
    assert box is not None
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    on_top = "([x, y]) => document.elementFromPoint(x, y).closest('[data-testid]').dataset.testid"
    assert ana.page.evaluate(on_top, middle) == "uno"
    ana.press("uno")
    expect(ana.see("uno")).to_have_attribute("data-state", "armed")
    ana.press("colour-r")
    beto.my_turn("free")
    assert state(ana) == "armed"
    assert beto.see("player-0").get_by_text("¡UNO!").is_visible()
    expect(beto.see("catch")).to_have_attribute("aria-disabled", "true")

    # Beto forgets, and Ana catches him.
    beto.play("r2")
    expect(beto.see("uno")).to_have_attribute("data-state", "urgent")
    for other in (ana, caro):
        expect(other.see("catch")).to_have_text("Pillar a Beto")
        expect(other.see("catch")).to_have_attribute("aria-disabled", "false")
    ana.press("catch")
    caro.says("Ana pilla a Beto")
    caro.says("Beto roba 2: no dijo ¡UNO!")
    beto.says("Ana te pilla")
    ana.says("Pillas a Beto")
    beto.until(lambda view: len(view["hand"]) == 3)
    assert beto.shown_hand() == ["g1", "g2", "r3"]
    assert state(beto) == "muted"
    expect(caro.see("catch")).to_have_attribute("aria-disabled", "true")

    # Caro forgets, and calls before she is caught; who comes too late waits two seconds.
    caro.my_turn("free")
    caro.play("r4")
    expect(caro.see("uno")).to_have_attribute("data-state", "urgent")
    expect(beto.see("catch")).to_have_text("Pillar a Caro")
    caro.press("uno")
    expect(caro.see("uno")).to_have_attribute("data-state", "armed")
    beto.says("Caro: ¡UNO!")
    expect(beto.see("catch")).to_have_attribute("aria-disabled", "true")
    beto.see("catch").tap(force=True)  # aria-disabled, but it says why
    expect(beto.see("catch")).to_have_js_property("disabled", value=True)
    assert beto.hint() == "Nadie se olvidó: Pillar espera 2 segundos"
    expect(beto.see("catch")).to_have_js_property("disabled", value=False, timeout=4000)
    table.settled()
    assert caro.shown_hand() == ["r5"]
    assert beto.kinds().count("caught") == 1


def test_with_two_exposed_pillar_asks_whom(party) -> None:
    scene = """\
rules: classic seven_swap=on
players: Ana Beto Caro
hands: Ana r7 r1 | Beto g1 | Caro y1 y2 y3
discard: r9
draw: g2 g3 g4 g5 g6
turn: Ana
"""
    table = party(position=scene)
    ana, beto, caro = table
    ana.play("r7", player=1)
    caro.until(lambda view: view.get("exposed") == [0, 1])
    expect(caro.see("catch")).to_have_text("Pillar a…")
    caro.tap("catch")
    caro.see("player-sheet").wait_for()
    caro.press("pick-1")
    caro.says("Pillas a Beto")
    beto.until(lambda view: len(view["hand"]) == 3)
    assert ana.hand == ["g1"]
    # A rival who can be caught is a button too.
    caro.tap("player-0")
    ana.until(lambda view: len(view["hand"]) == 3)
