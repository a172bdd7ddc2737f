"""Bad input through the page: refused in the player's language, nobody else disturbed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.catalogue import LANGUAGES, say, sentences
from tests.browser.people import Person

LOCALES = {"es": "es-MX", "pt-BR": "pt-BR", "en": "en-GB"}

NAMES = {
    "": "name_empty",
    "   ": "name_empty",
    "x" * 21: "name_long",
    "x" * 10_000: "name_long",
    "👩‍👩‍👧‍👦" * 20: "name_long",
    "Ana\x07": "name_bad",
    "Ana\u202eaeb": "name_bad",
    "\u200b": "name_bad",
}


def in_all_languages(person: Person, key: str, **values: object) -> None:
    """The page says so in each language, and in the end in its own again."""
    for language in (*LANGUAGES, "es"):
        person.page.get_by_role("button", name=say(language, "language"), exact=True).tap()
        text = say(language, key, **values)
        expect(person.page.get_by_text(text, exact=True).first).to_be_visible()
        assert person.page.evaluate("document.documentElement.lang") == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_that_does_not_do_is_refused_with_a_reason_and_the_next_one_enters(
    host, phone, language
) -> None:
    table = host()
    ana = Person(phone(locale=LOCALES[language], size=(360, 640)), "Ana")
    ana.phone.goto(table.url)
    field = ana.see("name-input")
    note = ana.page.locator("#name-note")
    expect(ana.see("enter")).to_have_text(say(language, "enter.go"))
    for name, code in NAMES.items():
        # As a paste that the field's own limit does not hold back.
        field.evaluate("field => { field.maxLength = 20_000; }")
        field.fill("")
        expect(field).to_have_value("")
        field.fill(name)
        ana.tap("enter")
        expect(note).to_have_text(say(language, f"why.{code}"))
        expect(field).to_have_attribute("aria-invalid", "true")
    # Nobody has noticed anything.
    assert not [event for event in table.events if event["event"] == "joined"]
    field.fill("  Ana  ")
    ana.tap("enter")
    ana.see("lobby").wait_for()
    assert [seat["name"] for seat in ana.view["seats"]] == ["Ana"]


def test_two_of_one_name_are_told_apart(party, phone) -> None:
    table = party(1, start=False)
    other = Person(phone(), "ANA").enter(table.url)
    expect(other.see("player-1").locator(".name")).to_have_text("ANA 2")


LOOKALIKES = {"ana ": "ana 2", "Аnа": "Аnа 2", "Αna": "Αna 2", "Ána": "Ána 2"}
"""Beside Ana: the same, with Cyrillic and Greek letters, with an accent."""
MARKUP = ("<b>Ana</b>", "<img src=x>", "{{7*7}}", "&lt;i&gt;", "><svg/onload=a>")


def test_nobody_passes_for_a_neighbour(party, phone) -> None:
    table = party(1, start=False)
    (ana,) = table
    other = Person(phone(), "Mal")
    for typed, shown in LOOKALIKES.items():
        other.name = typed
        other.enter(table.url)
        expect(ana.see("player-1").locator(".name")).to_have_text(shown)
        ana.tap("remove-1")
        ana.tap("remove-yes")
        other.page.wait_for_selector('[data-testid="closed"][data-code="removed"]')
        expect(ana.page.locator(".players li")).to_have_count(1)
        other.page.reload()


def test_a_name_is_text_wherever_it_stands(host, phone) -> None:
    """In the lobby, at the table, in what happens, and in what is read out."""
    table = host()
    people = [Person(phone(), name) for name in MARKUP]
    for seat, person in enumerate(people):
        person.enter(table.at(host=seat == 0))
    first, last = people[0], people[-1]
    for seat, name in enumerate(MARKUP):
        expect(first.see(f"player-{seat}").locator(".name")).to_have_text(name)
    first.press("start")
    for person in people:
        person.see("table").wait_for()
    last.page.close()
    expect(first.see("paused")).to_contain_text(f"Esperando a {MARKUP[-1]}", timeout=15_000)
    first.says(say("es", "tell.away", name=MARKUP[-1]))
    for person in people[:-1]:
        assert person.page.locator("b:text-is('Ana'), img[src=x], svg[onload]").count() == 0
        assert "49" not in person.page.inner_text("body")


def test_nobody_starts_alone_and_the_eleventh_finds_no_seat(party, phone) -> None:
    table = party(1, start=False)
    (ana,) = table
    expect(ana.see("start")).to_have_attribute("aria-disabled", "true")
    ana.see("start").tap(force=True)
    expect(ana.see("toast")).to_have_text(say("es", "why.too_few"))
    assert ana.see("toast").evaluate("toast => getComputedStyle(toast).pointerEvents") == "none"
    assert ana.view["phase"] == "lobby"

    for count in range(2, 11):
        ana.tap("add-bot")
        expect(ana.page.locator(".players li")).to_have_count(count)
    expect(ana.see("add-bot")).to_have_count(0)
    late = Person(phone(size=(360, 640)), "Zoe")
    late.phone.goto(table.url)
    late.see("name-input").fill("Zoe")
    late.tap("enter")
    in_all_languages(late, "why.table_full")
    assert len(ana.view["seats"]) == 10
    ana.tap("remove-9")  # a bot in the lobby has nothing to lose: nobody is asked
    expect(ana.page.locator(".players li")).to_have_count(9)
    late.tap("enter")
    late.see("lobby").wait_for()


def test_a_locked_table_says_so_before_and_after(party, phone) -> None:
    table = party(1, start=False)
    (ana,) = table
    ana.tap("lock")
    expect(ana.see("lock")).to_have_text(say("es", "lobby.unlock"))
    expect(ana.see("who-may")).to_have_text(say("es", "lobby.locked"))
    late = Person(phone(), "Zoe")
    late.phone.goto(table.url)
    expect(late.page.locator("#name-note")).to_have_text(say("es", "enter.locked"))
    late.see("name-input").fill("Zoe")
    late.tap("enter")
    in_all_languages(late, "why.table_locked")
    assert [seat["name"] for seat in ana.view["seats"]] == ["Ana"]
    ana.tap("lock")
    expect(ana.see("lock")).to_have_text(say("es", "lobby.lock"))
    expect(ana.see("who-may")).not_to_have_text(say("es", "lobby.locked"))
    late.tap("enter")
    late.see("lobby").wait_for()


@pytest.mark.parametrize("change", ["secret", "code", "host key"])
def test_a_link_with_a_wrong_letter_opens_nothing(party, phone, change) -> None:
    table = party(1, start=False)
    code, secret, key = table.host.host_url.partition("#")[2].split(".")
    turned = {letter: "b" if letter == "a" else "a" for letter in (*code, *secret, *key)}
    parts = {
        "secret": [code, turned[secret[0]] + secret[1:]],
        "code": [code[:-1] + turned[code[-1]], secret],
        "host key": [code, secret, turned[key[0]] + key[1:]],
    }
    stranger = Person(phone(), "Mal")
    stranger.phone.goto(table.url.partition("#")[0] + "#" + ".".join(parts[change]))
    stranger.page.wait_for_selector('[data-testid="closed"][data-code="bad_hello"]')
    in_all_languages(stranger, "closed.bad_hello")
    told = [each for each in stranger.phone.received() if each["t"] not in {"refused", "closed"}]
    assert told == [], "not even who sits there"


def test_half_a_link_asks_for_the_whole_one(host, phone) -> None:
    table = host()
    ana = Person(phone(), "Ana")
    ana.phone.goto(table.url[:-3])
    expect(ana.page.get_by_role("heading", name=say("es", "nolink.title"))).to_be_visible()
    ana.page.locator("#link").fill(table.url[:-1])
    ana.page.get_by_role("button", name=say("es", "nolink.open")).tap()
    expect(ana.page.locator("#link-note")).to_have_text(say("es", "nolink.bad"))
    ana.page.locator("#link").fill(table.url)
    ana.page.get_by_role("button", name=say("es", "nolink.open")).tap()
    ana.sit()


def test_every_refusal_has_a_sentence_in_every_language() -> None:
    from penultima.engine.errors import REFUSALS
    from penultima.table import refusals

    codes = {*REFUSALS, *refusals.CODES}
    for language in LANGUAGES:
        missing = {code for code in codes if f"why.{code}" not in sentences(language)}
        assert missing == set(), f"{language}: {missing}"
        assert all(text.strip() for text in sentences(language).values())
