"""A Wild Draw Four challenged on phones: who sees the hand, and what all are told (RULES 4)."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

# Faces of Ana's hand that are nowhere else.
SCENE = """\
rules: classic
players: Ana Beto Caro
hands: Ana W+4 {hand} | Beto g1 g2 g3 | Caro b1 b2 b3
discard: r5
draw: g4 g5 g6 g7 g8 g9 b4 b5 b6 b7 b8 b9
turn: Ana
"""
BLUFF, LEGAL = ("r2", "y8", "bR"), ("y2", "y8", "bR")


@pytest.mark.parametrize("hand", [BLUFF, LEGAL], ids=["bluff", "legal"])
def test_only_the_challenger_sees_the_hand_and_all_see_the_verdict(party, hand) -> None:
    bluff = hand is BLUFF
    table = party(position=SCENE.format(hand=" ".join(hand)))
    ana, beto, caro = table
    ana.my_turn("free")
    ana.play("W+4", colour="g")

    # Only the one who faces it is asked, and neither answer is the default.
    beto.see("four").wait_for()
    expect(beto.see("accept").locator("strong")).to_have_text("Aceptar +4")
    expect(beto.see("challenge").locator("strong")).to_have_text("Desafiar")
    assert not beto.see("four").locator(".main").count()
    table.settled()
    for other in (ana, caro):
        assert not other.see("four").is_visible()
    beto.press("challenge")
    table.settled()

    shown = beto.see("shown")
    shown.wait_for()
    cards = shown.locator("[data-card]")
    assert sorted(cards.evaluate_all("all => all.map(e => e.dataset.card)")) == sorted(hand)
    guilty = shown.locator(".guilty").evaluate_all("all => all.map(e => e.dataset.card)")
    assert guilty == (["r2"] if bluff else [])
    assert not ana.see("shown").is_visible()
    assert not caro.see("shown").is_visible()

    # The frames, from the deal on: nobody else was sent such a card, in whatever place.
    for person in (ana, caro):
        for frame in person.phone.frames:
            if frame.sent or frame.message["t"] != "view":
                continue
            told = frame.message
            if person is ana:
                told["v"].pop("hand", None)
                told["v"].pop("legal", None)
            assert "shown" not in told["v"]
            assert not [card for card in hand if f'"{card}"' in str(told).replace("'", '"')]
    assert any(f'"{hand[1]}"' in frame.text for frame in beto.phone.frames), "the search finds it"

    loser, draws = ("Ana", 4) if bluff else ("Beto", 6)
    caro.says(": era farol" if bluff else "no era farol")
    caro.says(f"{loser} roba {draws}")
    beto.says("Desafías a Ana")
    ana.says("Beto te desafía")
    assert [seat["cards"] for seat in caro.view["seats"]] == ([7, 3, 3] if bluff else [3, 9, 3])

    beto.tap("seen")
    shown.wait_for(state="hidden")
    assert beto.shown()["turn"] == ("me" if bluff else "other")
    assert caro.shown()["turn"] == ("other" if bluff else "me")
    assert caro.shown()["colour"] == "g"


def test_who_accepts_draws_four_and_loses_the_turn(party) -> None:
    table = party(position=SCENE.format(hand="y2 y8"))
    ana, beto, caro = table
    ana.play("W+4", colour="b")
    beto.see("four").wait_for()
    beto.press("accept")
    caro.my_turn("free")
    beto.says("Robas 4: aceptaste el +4")
    table.settled()
    assert not ana.see("shown").is_visible()
    assert "hand_shown" not in [*ana.kinds(), *beto.kinds(), *caro.kinds()]
    assert beto.shown_hand() == sorted(["g1", "g2", "g3", "g4", "g5", "g6", "g7"])
