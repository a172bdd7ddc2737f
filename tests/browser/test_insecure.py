"""The page over http under a name, as it is on a LAN: an insecure context."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.people import Person

SCENE = """\
rules: classic
players: Ana Beto
hands: Ana r1 y2 W | Beto r3 b4 g5
discard: r9
draw: g1 g2 g3 g4 g5
turn: Ana
"""


def pasted(person: Person) -> str:
    """What a paste gives now."""
    person.page.evaluate(
        """() => {
          const area = document.createElement("textarea");
          area.id = "pasted";
          document.body.append(area);
          area.focus();
        }"""
    )
    person.page.keyboard.press("Control+V")
    return str(person.page.evaluate("document.getElementById('pasted').value"))


def test_everything_goes_on_where_the_browser_calls_the_page_insecure(party) -> None:
    table = party(insecure=True, position=SCENE, start=False)
    ana, beto = table
    assert ana.page.evaluate("isSecureContext") is False
    missing = """["locks", "clipboard", "share", "wakeLock", "serviceWorker"]
        .filter((name) => navigator[name] === undefined)"""
    assert ana.page.evaluate(missing) == [
        "locks",
        "clipboard",
        "share",
        "wakeLock",
        "serviceWorker",
    ]

    # Copying by the old way, and no button for what cannot be.
    link = table.url
    assert ana.page.get_by_text("Compartir", exact=True).count() == 0
    ana.tap("copy-link")
    expect(ana.see("copy-link")).to_have_text("Enlace copiado")
    assert pasted(ana) == link
    expect(ana.see("qr").locator("path")).to_have_attribute("d", re.compile("M"))

    ana.press("start")
    table.on("rtc")
    ana.my_turn("free")
    ana.play("W", colour="b")
    beto.my_turn("free")
    beto.page.reload()
    beto.my_turn("free")
    beto.on("rtc")
    beto.play("b4")
    ana.my_turn("free")
    ana.press("draw")
    beto.my_turn("free")
    table.settled()
    for person in table:
        assert person.phone.console == []
        assert person.phone.exceptions == []
        assert person.phone.strangers == []


def test_where_nothing_can_be_copied_the_link_is_there_to_be_selected(party) -> None:
    no_copying = "document.execCommand = () => { throw new Error('no'); };"
    table = party(insecure=True, position=SCENE, start=False, script=no_copying)
    ana, _ = table
    ana.tap("copy-link")
    by_hand = ana.page.locator(".by-hand")
    expect(by_hand).to_contain_text(table.url)
    select = "getComputedStyle(document.querySelector('.by-hand code')).userSelect"
    assert ana.page.evaluate(select) in {"text", "all", "auto"}


def test_by_a_name_that_the_host_does_not_go_by_nothing_opens(host, launch, phone) -> None:
    table = host()
    browser = launch("--host-resolver-rules=MAP rebound.test 127.0.0.1")
    mallory = phone(browser=browser)
    answer = mallory.page.goto(table.at("http://rebound.test"))
    assert answer.status == 421
    assert mallory.page.locator("#app").count() == 0
