"""One connection, two paths: a change between them loses nothing (protocol.md, "Connections, seats, numbers")."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from tests.browser.people import NUMBERS, Person


def hellos(person) -> int:
    return sum(each["t"] == "hello" for each in person.phone.sent())


def test_nothing_is_lost_when_a_path_closes_while_the_other_lives(party) -> None:
    table = party(position=NUMBERS)
    ana, beto = table
    table.on("rtc")

    # The data channel closes under the finger: the socket carries the tap, and what follows.
    ana.raise_card("r1")
    ana.page.evaluate("__net.closeChannel()")
    ana.tap("play")
    beto.my_turn("free")
    ana.on("ws")
    beto.play("r5")
    ana.my_turn("free")
    assert ana.shown()["top"] == "r5"
    # Some seconds later there is a channel again.
    ana.on("rtc")
    assert hellos(ana) == 1

    # The socket closes while the channel lives.
    ana.raise_card("r2")
    ana.page.evaluate("__net.closeSocket()")
    ana.tap("play")
    beto.my_turn("free")
    beto.page.evaluate("__net.closeSocket()")
    beto.play("r6")
    ana.my_turn("free")
    table.on("rtc")

    table.settled()
    assert [e["card"] for e in beto.events if e["e"] == "played"] == ["r1", "r5", "r2", "r6"]
    for person in table:
        assert person.shown()["top"] == "r6"
        acts = [e for e in person.phone.sent() if e["t"] == "act"]
        assert len({each["n"] for each in acts}) == 2, "a repeated one has its old number"
        assert person.kinds().count("away") == 0
        assert not person.see("paused").is_visible()
    assert table.host.events[-1]["event"] not in {"away", "paused"}


@pytest.mark.alone
def test_a_silent_channel_is_given_up_for_the_socket(party) -> None:
    """The channel does not close: nothing comes through it any more."""
    silent = """
      (() => {
        const create = RTCPeerConnection.prototype.createDataChannel;
        let count = 0;
        RTCPeerConnection.prototype.createDataChannel = function (...args) {
          const channel = create.apply(this, args);
          if (count++ > 0) return channel;
          const send = channel.send;
          channel.addEventListener("message", (e) => window.__mute && e.stopImmediatePropagation());
          channel.send = (data) => window.__mute || send.call(channel, data);
          return channel;
        };
      })();"""
    table = party(position=NUMBERS, phones={0: {"script": silent}})
    ana, beto = table
    table.on("rtc")
    ana.page.evaluate("window.__mute = true")
    ana.raise_card("r1")
    ana.tap("play")
    # After two seconds the tap is repeated on the socket, and the answer comes there.
    beto.page.wait_for_selector('main[data-turn="me"]', timeout=4_000)
    ana.until(lambda view: view["top"] == "r1")
    beto.play("r5")
    ana.my_turn("free")
    assert [e["card"] for e in ana.events if e["e"] == "played"] == ["r1", "r5"]
    assert hellos(ana) == 1
    assert not beto.see("paused").is_visible()
    assert "away" not in beto.kinds()


@pytest.mark.alone
def test_ten_seconds_without_a_link(party) -> None:
    """A bar by 3 s, the others see the pause at 5 s and its end, all is equal 2 s after."""
    table = party(position=NUMBERS)
    ana, beto = table
    table.on("rtc")
    ana.play("r1")
    beto.my_turn("free")

    ana.note_bar()
    cut, cut_at = time.monotonic(), time.time()
    ana.page.evaluate("__net.cut(true)")

    bar = ana.bar_after(cut_at)
    beto.until(lambda view: view.get("paused") == ["away"])
    paused = time.monotonic() - cut
    expect(beto.see("paused")).to_contain_text("Esperando a Ana")
    expect(beto.see("hint")).to_have_text("La partida está en pausa")
    expect(beto.see("paused")).to_contain_text("quedan 9:5")
    assert 4.0 <= paused <= 6.0, f"the others saw the pause after {paused:.1f} s"
    assert bar <= 3.0, f"the bar came after {bar:.1f} s"
    assert ana.shown_hand() == sorted(ana.hand), "the hand stays readable"

    ana.page.wait_for_timeout(max(0, int((cut + 10 - time.monotonic()) * 1000)))
    ana.page.evaluate("__net.cut(false)")
    back = time.monotonic()
    ana.until(lambda view: view.get("paused") == ["countdown"])
    table.settled()
    assert time.monotonic() - back <= 2.0
    expect(ana.see("conn")).to_have_attribute("data-state", "ok")
    for person in table:
        expect(person.see("paused")).to_contain_text("Seguimos en")
    for person in table:
        person.until(lambda view: "paused" not in view)
        person.see("paused").wait_for(state="hidden")
    assert ana.shown()["top"] == beto.shown()["top"] == "r1"
    beto.play("r5")
    ana.my_turn("free")


def test_who_sits_down_while_the_answer_is_lost_sits_once(host, phone) -> None:
    table = host()
    ana = Person(phone(), "Ana")
    ana.phone.goto(table.url)
    ana.see("name-input").fill("Ana")
    ana.until(lambda view: view.get("phase") == "lobby")
    ana.page.evaluate("__net.deaf(true)")
    ana.tap("enter")
    ana.wait(lambda: [event for event in table.events if event["event"] == "joined"])
    ana.page.evaluate("__net.deaf(false), __net.closeSocket()")
    ana.see("lobby").wait_for()
    assert [seat["name"] for seat in ana.view["seats"]] == ["Ana"]
    # The key that came in the end is the one that counts.
    ana.page.reload()
    ana.see("lobby").wait_for()
    assert ana.view["you"] == 0
