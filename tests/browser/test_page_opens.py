"""The least that must be true of the page: it opens, it is alone with its host, it throws nothing."""

from __future__ import annotations


def test_the_page_of_a_new_table_opens(host, phone) -> None:
    guest = phone()
    guest.goto(host().url)
    guest.page.wait_for_selector("#app > *")
    assert guest.console == []
    assert not guest.page.locator(".too-old").is_visible()


def test_a_browser_without_what_the_look_needs_says_so_at_once(host, phone) -> None:
    guest = phone()
    guest.page.add_init_script("CSS.supports = (name) => name !== 'width'")
    guest.goto(host().url)
    guest.page.wait_for_selector(".too-old p", state="visible")


def test_a_browser_that_cannot_read_the_script_says_so_after_a_while(host, phone) -> None:
    guest = phone()
    guest.page.route("**/assets/index-*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    guest.goto(host().url)
    told = guest.page.locator(".too-old p").first
    assert not told.is_visible()
    guest.page.evaluate("for (const each of document.getAnimations()) each.finish()")
    assert told.is_visible()
