"""The page says how it is connected, and when it is not, which of the usual causes fits."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.catalogue import LANGUAGES, say
from tests.browser.people import Person

NO_CHANNEL = "delete window.RTCPeerConnection;"
# A socket that neither opens nor fails: what a filter that drops packets makes of it.
NO_SOCKET = """
window.WebSocket = class extends EventTarget {
  readyState = 0;
  send() {}
  close() {}
};"""
OFFLINE = "Object.defineProperty(Navigator.prototype, 'onLine', {get: () => false});"


def test_the_panel_says_how_how_fast_and_since_when(host, phone) -> None:
    table = host()
    direct, plain = Person(phone(), "Ana"), Person(phone(script=NO_CHANNEL, size=(360, 640)), "Beto")
    for person, way in ((direct, "direct"), (plain, "socket")):
        person.enter(table.url)
        if way == "direct":
            person.on("rtc")
        person.tap("menu")
        expect(person.see("menu-link")).to_contain_text(say("es", f"link.{way}"))
        person.tap("menu-link")
        panel = person.see("link-panel")
        expect(panel).to_have_attribute("data-how", way)
        expect(panel).to_contain_text(say("es", f"link.{way}"))
        expect(person.see("link-rtt")).to_contain_text("ms", timeout=8000)
        expect(person.see("link-since")).to_contain_text("segundo")
        sealed = "link.sealed.yes" if way == "direct" else "link.sealed.no"
        expect(person.see("link-sealed")).to_contain_text(say("es", sealed))


@pytest.mark.timeout(180)
def test_within_twelve_seconds_a_page_says_why_it_cannot_come_in(host, phone) -> None:
    table = host()
    causes = {
        "blocked": phone(script=NO_SOCKET, size=(360, 640)),
        "unreachable": phone(script=NO_SOCKET, locale="pt-BR"),
        "stopped": phone(script=NO_SOCKET, locale="en-GB"),
        "offline": phone(script=NO_SOCKET + OFFLINE),
    }
    causes["unreachable"].page.route("**/healthz", lambda route: None)
    causes["stopped"].page.route("**/healthz", lambda route: route.abort("connectionrefused"))
    languages = {"unreachable": "pt-BR", "stopped": "en"}
    for each in causes.values():
        each.goto(table.url)
    for cause, each in causes.items():
        box = each.page.get_by_test_id("trouble")
        expect(box).to_have_attribute("data-cause", cause, timeout=12_000)
        language = languages.get(cause, "es")
        expect(box).to_contain_text(say(language, f"trouble.{cause}"))
        expect(box).to_contain_text(say(language, f"trouble.{cause}.try"))
        retry = each.page.get_by_test_id("trouble-retry")
        expect(retry).to_be_in_viewport()
        retry.tap()
    assert set(LANGUAGES) == {"es", *languages.values()}


def test_a_host_that_has_stopped_is_said_and_its_return_needs_no_tap(host, phone) -> None:
    table = host()
    ana = Person(phone(), "Ana")
    ana.enter(table.url)
    table.kill()
    bar = ana.see("conn")
    expect(bar).to_contain_text(say("es", "trouble.stopped"), timeout=12_000)
    again = host(port=table.port, folder=table.folder)
    expect(bar).to_have_attribute("data-state", "ok", timeout=15_000)
    assert again.ready["url"] == table.ready["url"]
