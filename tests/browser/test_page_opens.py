"""The least that must be true of the page: it opens, it is alone with its host, it throws nothing."""

from __future__ import annotations


def test_the_page_of_a_new_table_opens(host, phone) -> None:
    guest = phone()
    guest.goto(host().url)
    guest.page.wait_for_selector("#app > *")
    assert guest.console == []
