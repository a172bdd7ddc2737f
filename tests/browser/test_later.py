"""Parts of the page that are loaded when they are opened, and ahead of that (static/src/screens/later.tsx)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.catalogue import say

READING = re.compile(r"/assets/(reading|rules|late)-")
HERE = "performance.getEntriesByType('resource').map((each) => each.name).join()"


def enter(page: Page) -> None:
    page.get_by_test_id("name-input").fill("Ana")
    page.get_by_test_id("enter").click()
    page.get_by_test_id("lobby").wait_for()


def open_from_menu(page: Page, name: str) -> None:
    page.get_by_test_id("menu").click()
    page.get_by_test_id(f"menu-{name}").click()


@pytest.mark.parametrize("who", ["guest", "host"])
def test_what_can_be_opened_is_here_before_the_network_goes(host, phone, who: str) -> None:
    table = host()
    page = phone().goto(table.url if who == "guest" else table.host_url)
    page.get_by_test_id("name-input").wait_for()
    assert re.search(r"/assets/(reading|powers|rules|late|mesa)-", page.evaluate(HERE)) is None
    enter(page)
    wanted = ["reading", "rules", "late"] + ["powers"] * (who == "host")
    for name in wanted:
        while f"/assets/{name}-" not in page.evaluate(HERE):
            page.wait_for_timeout(50)
    assert ("/assets/powers-" in page.evaluate(HERE)) is (who == "host")
    page.wait_for_timeout(200)
    page.route("**/assets/**", lambda route: route.abort())
    open_from_menu(page, "rules")
    expect(page.get_by_test_id("rules-page")).to_contain_text(say("es", "rules.basics"))
    page.get_by_test_id("close").click()
    open_from_menu(page, "report")
    expect(page.get_by_test_id("copy-report")).to_be_visible()
    if who == "host":
        page.get_by_test_id("close").click()
        open_from_menu(page, "host")
        expect(page.get_by_test_id("host-title")).to_be_visible()


def test_what_does_not_come_says_so_and_is_asked_for_again(host, phone) -> None:
    page = phone().goto(host().url)
    page.route(READING, lambda route: route.abort())
    enter(page)
    open_from_menu(page, "rules")
    told = page.get_by_test_id("later-failed")
    expect(told).to_contain_text(say("es", "later.failed"))
    expect(told).to_have_attribute("role", "alert")
    page.unroute(READING)
    page.get_by_test_id("later-retry").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("rules-page")).to_be_visible()
    expect(told).to_have_count(0)
    expect(page.locator(".sheet")).to_be_focused()


def test_what_is_gone_from_the_server_leads_to_the_page_that_is_there_now(host, phone) -> None:
    """A host that was renewed: the scripts of the page that is open are not there any more."""
    page = phone().goto(host().url)
    gone: list[Any] = []

    def answer(route: Any) -> None:
        gone.append(route)
        route.fulfill(status=404)

    page.route(READING, answer)
    enter(page)
    open_from_menu(page, "rules")
    page.get_by_test_id("later-retry").wait_for()
    with page.expect_navigation():
        page.get_by_test_id("later-retry").click()
    page.unroute(READING)
    assert gone
    page.get_by_test_id("lobby").wait_for()
    open_from_menu(page, "rules")
    page.locator("[data-testid=rules-page], [data-testid=later-retry]").wait_for()
    if page.get_by_test_id("later-retry").count():
        page.get_by_test_id("later-retry").click()
    expect(page.get_by_test_id("rules-page")).to_be_visible()
