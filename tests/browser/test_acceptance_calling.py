"""¡UNO! against a quick finger (A12), and the report that a page writes of its own view."""

from __future__ import annotations

from penultima.host.cli import main

SCENE = """\
rules: classic
players: Ana Beto Caro
hands: Ana r7 yS W b4 | Beto r5 b2 | Caro y3 b5 g2
discard: r1
draw: g5 r9 y4 g6 b1 b8 r3 y2 g1 y6 r2 b9
turn: Beto
"""
HASTE = """
() => {
  const spot = document.querySelector("[data-testid=catch]");
  window.haste = setInterval(() => spot.click(), 50);
}
"""


def test_twenty_taps_a_second_do_not_beat_a_call_within_the_grace(party) -> None:
    table = party(position=SCENE)
    ana, beto, _ = table
    ana.tap("menu")
    ana.tap("menu-host")
    before = ana.seq
    ana.page.get_by_role("button", name="1,5 s", exact=True).tap()
    ana.after(before)
    ana.tap("close")
    ana.page.evaluate(HASTE)
    # The first taps caught nobody, and cost their two seconds; then he is exposed under her finger.
    ana.page.wait_for_timeout(400)
    beto.play("r5")
    beto.until(lambda view: 1 in view.get("exposed", []))
    beto.page.wait_for_timeout(300)
    beto.press("uno")
    ana.page.wait_for_timeout(2500)
    ana.page.evaluate("() => clearInterval(haste)")
    table.settled()
    assert "called" in ana.kinds()
    assert "caught" not in ana.kinds()
    assert ana.view["seats"][1]["cards"] == 1


def test_the_report_is_a_partida_of_ones_own_view_that_the_program_replays(party, tmp_path) -> None:
    table = party(position=SCENE)
    _, beto, caro = table
    beto.my_turn("free")
    for moment in ("free", "drawn", "one has left"):
        if moment == "drawn":
            beto.press("draw")
            beto.until(lambda view: view["wait"] == "drawn" or view["turn"] != 1)
        if moment == "one has left":
            caro.tap("menu")
            caro.tap("menu-leave")
            caro.tap("leave-yes")
            beto.until(lambda view: view["seats"][2].get("state") == "gone")
        beto.tap("menu")
        beto.tap("menu-report")
        text = beto.page.locator("textarea").input_value()
        beto.tap("close")
        held = [card for card in beto.hand if card != beto.view.get("drawn")]
        hands = next(line for line in text.splitlines() if line.startswith("hands:"))
        assert f"Beto {' '.join(held)} |" in hands
        assert "Ana r7 yS W b4" not in hands
        file = tmp_path / "report.partida"
        file.write_text(text, "utf-8")
        assert main(["replay", str(file)]) == 0
