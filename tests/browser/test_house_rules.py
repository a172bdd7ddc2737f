"""House rules played through the page: what each asks of the fingers (RULES 7, 10)."""

from __future__ import annotations

from playwright.sync_api import expect

SWAPS = """\
rules: classic deck=112 seven_swap=on custom2=draw_two custom2_text='Bebe agua'
players: Ana Beto Caro
hands: Ana r7 y1 y2 | Beto WC2 g1 g2 g3 | Caro b1 b2 b3
discard: r5
draw: g4 g5 g6 g7 g8 g9
turn: Ana
"""
STACKS = """\
rules: classic stacking=same
players: Ana Beto Caro
hands: Ana r+2 r1 b9 | Beto g+2 g1 g4 y4 | Caro r8 g7 r9 y9
discard: r5
draw: b1 b2 b3 b4 b5 b6 b7
turn: Ana
"""
RUNS = """\
rules: classic runs=rank draw=until_playable
players: Ana Beto
hands: Ana r4 y4 b4 g1 g2 | Beto y1 y2 y3
discard: r5
draw: y6 y8 r3 b4 r9 r8
turn: Ana
"""


def test_a_seven_asks_for_a_player_and_a_custom_card_for_a_player_and_a_colour(party) -> None:
    table = party(position=SWAPS)
    ana, beto, caro = table
    ana.my_turn("free")
    ana.raise_card("r7")
    ana.tap("play")
    sheet = ana.see("player-sheet")
    expect(sheet).to_have_accessible_name("¿Con quién cambias la mano?")
    assert [each.inner_text().split("\n")[-2:] for each in sheet.locator(".person").all()] == [
        ["Beto", "4 cartas"],
        ["Caro", "3 cartas"],
    ]
    # It can be cancelled, and nothing has been played.
    ana.tap("close")
    assert ana.shown()["top"] == "r5"
    ana.play("r7", player=2)
    beto.my_turn("free")
    table.settled()
    assert (ana.shown_hand(), caro.shown_hand()) == (["b1", "b2", "b3"], ["y1", "y2"])
    beto.says("Ana cambia la mano con Caro")
    caro.says("Ana cambia la mano contigo")
    assert not [card for card in ("b1", "y1") if f'"{card}"' in beto.phone.frames[-1].text]

    expect(beto.page.locator('button.held[data-card="WC2"]')).to_have_accessible_name(
        "comodín propio 2, Bebe agua, se puede jugar"
    )
    beto.raise_card("WC2")
    beto.tap("play")
    beto.tap("pick-0")
    beto.press("colour-y")
    caro.my_turn("free")
    table.settled()
    assert ana.shown_hand() == ["b1", "b2", "b3", "g4", "g5"]
    assert caro.shown()["colour"] == "y"
    ana.says("Robas 2: carta especial")


def test_a_run_that_ends_with_a_seven_asks_first_for_whom_it_swaps_with(party) -> None:
    """Between its cards there is no time to ask: anybody may act (RULES 7.5, 7.10)."""
    scene = """\
rules: classic runs=rank_or_sequence seven_swap=on
players: Ana Beto Caro
hands: Ana r6 r7 b7 y1 | Beto g1 g2 g3 | Caro b1 b2 b3 b4
discard: r5
draw: g4 g5 g6 g7 g8 g9
turn: Ana
"""
    table = party(position=scene)
    ana, _, caro = table
    ana.my_turn("free")
    for card in ("r6", "r7", "b7"):
        ana.raise_card(card)
    # The other 7 would be in another hand by then: it begins anew, and cannot begin.
    expect(ana.page.locator("button.held[data-card=b7]")).to_have_attribute("data-live", "false")
    ana.tap("play")
    ana.tap("pick-2")
    table.settled()
    caro.says("Ana cambia la mano contigo")
    assert ana.shown_hand() == ["b1", "b2", "b3", "b4"]
    assert caro.shown_hand() == ["b7", "y1"]
    assert ana.refusals() == []


def test_a_draw_two_is_answered_with_another_and_the_sum_passes_on(party) -> None:
    table = party(position=STACKS)
    ana, beto, caro = table
    ana.play("r+2")
    beto.my_turn("answer")
    assert beto.shown()["pending"] == "+2"
    expect(beto.see("draw")).to_have_text("Robar 2")
    # Nothing but the answer is alive, and a tap on something else says why.
    live = beto.page.locator('button.held[data-live="true"]')
    assert live.evaluate_all("all => all.map(e => e.dataset.card)") == ["g+2"]
    beto.raise_card("g1")
    assert beto.hint() == "Primero responde al +2 o roba"
    beto.play("g+2")
    caro.my_turn("answer")
    assert caro.shown()["pending"] == "+4"
    assert caro.hint() == "Te caen 4"
    caro.press("draw")
    ana.my_turn("free")
    table.settled()
    assert caro.shown_hand() == sorted(["r8", "g7", "r9", "y9", "b1", "b2", "b3", "b4"])
    caro.says("Robas 4: te llevaste lo acumulado")
    assert ana.shown()["pending"] is None


def test_out_of_turn_with_an_equal_card(party) -> None:
    scene = """\
rules: classic jump_in=on
players: Ana Beto Caro
hands: Ana r8 r1 b9 | Beto g1 g4 y4 | Caro r8 g7 r9
discard: r5
draw: b1 b2 b3 b4
turn: Ana
"""
    table = party(position=scene)
    ana, beto, caro = table
    ana.my_turn("free")
    expect(caro.page.locator('button.held[data-card="r8"]')).to_have_attribute("data-live", "false")
    ana.play("r8")
    beto.my_turn("free")
    expect(caro.page.locator('button.held[data-card="r8"]')).to_have_attribute("data-live", "true")
    assert caro.hint() == "¡Puedes colarte!"
    caro.play("r8")
    ana.my_turn("free")
    table.settled()
    assert caro.shown_hand() == ["g7", "r9"]
    beto.says("Caro se cuela con 8 rojo")
    assert beto.shown()["turn"] == "other"


def test_cards_of_a_run_are_marked_in_order_and_drawing_goes_on_until_one_fits(party) -> None:
    table = party(position=RUNS)
    ana, beto = table
    ana.my_turn("free")
    for card in ("r4", "b4", "y4"):
        ana.raise_card(card)
    expect(ana.see("play")).to_have_text("Jugar 3")
    assert ana.hint() == "3 cartas elegidas"
    ana.tap("play")
    beto.until(lambda view: view["top"] == "y4" and len(view["seats"]) == 2)
    beto.my_turn("free")
    table.settled()
    assert ana.shown_hand() == ["g1", "g2"]
    how = [event["how"] for event in beto.events if event["e"] == "played"]
    assert how == ["turn", "run", "run"]
    beto.says("Ana sigue con 4 amarillo")

    # Beto has yellow cards and plays one; Ana draws until something fits: the fourth card.
    beto.play("y1")
    ana.my_turn("free")
    ana.press("draw")
    ana.my_turn("drawn")
    table.settled()
    assert ana.shown_hand() == ["g1", "g2", "y6"]
    expect(ana.page.locator('button.held[data-card="y6"]')).to_have_attribute(
        "aria-pressed", "true"
    )
