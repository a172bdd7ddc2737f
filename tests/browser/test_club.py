"""The page of who runs a club: tables are opened, seen, handed out and closed on a phone."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser import axe
from tests.browser.stage import MEASURE
from tests.browser.test_acceptance_layout import LOW, PHONES

CLUB = ("club",)


def link(host: Any, url: str = "") -> str:
    """As seen from this machine."""
    parts = urlsplit(url or host.ready["club_url"])
    return f"http://127.0.0.1:{host.port}{parts.path}#{parts.fragment}"


def opened(page: Page, title: str, preset: str = "classic") -> str:
    """Opens a table and leaves the sheet with its links open; the table's code."""
    page.get_by_test_id("club-name").fill(title)
    page.get_by_test_id("club-preset").select_option(preset)
    page.get_by_test_id("club-open").click()
    expect(page.get_by_test_id("club-links")).to_be_visible()
    guests = page.get_by_test_id("link-guests").get_attribute("data-link") or ""
    return guests.partition("#")[2].partition(".")[0]


def test_a_table_is_opened_handed_out_and_closed(host, phone) -> None:
    club = host(command=CLUB)
    keeper = phone()
    page = keeper.goto(link(club))
    expect(page).to_have_title("Club · Penúltima")
    code = opened(page, "Viernes", "party")
    for kind in ("guests", "host"):
        section = page.get_by_test_id(f"link-{kind}")
        expect(section.get_by_test_id("qr").locator("path")).not_to_have_attribute("d", "")
    guests = page.get_by_test_id("link-guests").get_attribute("data-link")
    own = page.get_by_test_id("link-host").get_attribute("data-link")
    assert own.startswith(f"{guests}.")
    page.get_by_test_id("close").click()

    ana, beto = phone(), phone()
    for who, name, where in ((ana, "Ana", own), (beto, "Beto", guests)):
        who.goto(link(club, where))
        who.page.get_by_test_id("name-input").fill(name)
        who.page.get_by_test_id("enter").click()
        expect(who.page.get_by_test_id("lobby")).to_be_visible()
    row = page.get_by_test_id(f"table-{code}")
    expect(row).to_contain_text("Ana")
    expect(row).to_contain_text("Beto")
    expect(row).to_contain_text("Esperando a que empiece")
    ana.page.get_by_test_id("start").click()
    expect(row).to_contain_text("Ronda 1")
    assert beto.views[-1]["v"]["rules"] == "party"

    page.get_by_test_id(f"close-{code}").click()
    expect(page.get_by_test_id("close-no")).to_be_focused()
    page.get_by_test_id("close-no").click()
    expect(row).to_be_visible()
    expect(page.get_by_test_id(f"close-{code}")).to_be_focused()
    page.get_by_test_id(f"close-{code}").click()
    page.get_by_test_id("close-yes").click()
    expect(row).to_have_count(0)
    expect(page.get_by_test_id("said")).to_have_text("Mesa cerrada")
    for who in (ana, beto):
        expect(who.page.get_by_test_id("closed")).to_have_attribute("data-code", "table_closed")


def test_a_full_club_says_so_and_loses_nothing(host, phone) -> None:
    club = host("--max-tables", "1", command=CLUB)
    page = phone(locale="en-GB").goto(link(club))
    opened(page, "First")
    page.get_by_test_id("close").click()
    page.get_by_test_id("club-name").fill("Second")
    page.get_by_test_id("club-open").click()
    expect(page.get_by_test_id("said")).to_contain_text("No room for another table")
    expect(page.get_by_test_id("club-name")).to_have_value("Second")
    expect(page.get_by_text("First")).to_be_visible()


def test_a_wrong_key_is_told_in_plain_words(host, phone) -> None:
    club = host(command=CLUB)
    for fragment in ("#a." + "x" * 24, "#a.short", ""):
        page = phone(locale="pt-BR").goto(f"http://127.0.0.1:{club.port}/club{fragment}")
        expect(page.get_by_test_id("club")).to_have_attribute("data-line", "bad")
        expect(page.get_by_role("heading")).to_have_text("Este link não abre o clube")


def test_the_page_finds_the_club_again_after_a_restart(host, phone) -> None:
    club = host(command=CLUB)
    page = phone().goto(link(club))
    code = opened(page, "Sigue")
    page.get_by_test_id("close").click()
    club.kill()
    expect(page.get_by_test_id("club")).to_have_attribute("data-line", "lost")
    expect(page.get_by_test_id("club-open")).to_be_disabled()
    host(command=CLUB, folder=club.folder)
    expect(page.get_by_test_id("club")).to_have_attribute("data-line", "open", timeout=20_000)
    expect(page.get_by_test_id(f"table-{code}")).to_be_visible()


@pytest.mark.timeout(120)
def test_nothing_is_cut_off_or_too_small_and_axe_finds_nothing(host, phone) -> None:
    club = host(command=CLUB)
    who = phone(reduced_motion="reduce", device_scale_factor=1)
    page = who.goto(link(club).replace("/club#", "/club?lang=x-long#"))
    measure = f"() => ({MEASURE})(true)"
    faults: list[str] = []

    def look(where: str) -> None:
        for size in (*PHONES, LOW):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.evaluate("() => scrollTo(0, 0)")
            faults.extend(f"{where} {size}: {each}" for each in page.evaluate(measure))
        page.set_viewport_size({"width": 360, "height": 640})
        page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
        wide = page.evaluate("() => document.documentElement.scrollWidth > innerWidth + 1")
        faults.extend([f"{where}: scrolls sideways with letters twice as large"] if wide else [])
        page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
        faults.extend(f"{where}: {each}" for each in page.evaluate(axe.run(preload=True)))

    expect(page.get_by_test_id("club-open")).to_be_enabled()
    page.evaluate(axe.script())
    look("empty")
    code = opened(page, "El torneo de los viernes en casa")
    look("links")
    page.get_by_test_id("close").click()
    opened(page, "W" * 40)
    page.get_by_test_id("close").click()
    look("list")
    page.get_by_test_id(f"close-{code}").click()
    look("sure")
    assert faults == [], "\n".join(faults)
    assert who.strangers == []
