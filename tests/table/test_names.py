"""Names: what one may be called, and who would be taken for whom."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penultima.table import names
from penultima.table.refusals import No

FAMILY = "👩‍👩‍👧‍👦"
FLAG = "🇧🇷"


def refused(typed: str) -> str | None:
    try:
        names.clean(typed)
    except No as no:
        return no.code
    return None


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Ana", 3),
        ("e\u0301a", 2),
        ("👍🏽", 1),
        (FAMILY, 1),
        (FLAG + FLAG, 2),
        ("❤️a", 2),
        ("a👩‍🚀b", 3),
        ("", 0),
    ],
)
def test_a_grapheme_is_what_a_reader_takes_for_one_character(text: str, count: int) -> None:
    assert len(names.graphemes(text)) == count


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Ana", "Ana"),
        ("  Ana   María ", "Ana María"),
        ("Ana\u00a0\u2003María", "Ana María"),
        ("Jose\u0301", "José"),
        ("👩‍🚀 Eva", "👩‍🚀 Eva"),
        (FAMILY, FAMILY),
        (FLAG, FLAG),
        ("Zoë ❤️", "Zoë ❤️"),
        ("O'Neill-Pérez", "O'Neill-Pérez"),
        ("李雷", "李雷"),
        ("عمر", "عمر"),
        ("1", "1"),
        ("x" * 20, "x" * 20),
    ],
)
def test_a_good_name_is_kept_and_tidied(typed: str, name: str) -> None:
    assert names.clean(typed) == name


@pytest.mark.parametrize("typed", ["", " ", "   ", "\u00a0", "\u2003 "])
def test_no_name_is_no_name(typed: str) -> None:
    assert refused(typed) == "name_empty"


@pytest.mark.parametrize("typed", ["x" * 21, "x" * 10_000, FAMILY * 4, "é" * 21, "字" * 27])
def test_a_name_has_at_most_20_characters_and_80_bytes(typed: str) -> None:
    assert refused(typed) == "name_long"


@pytest.mark.parametrize(
    "typed",
    [
        "Ana\n",
        "A\x00na",
        "\x1b[31mAna",
        "Ana\u202eateB",  # right-to-left override
        "Ana\u200b",  # zero width space
        "\u200dAna",
        "A\u200dna",  # a joiner between letters
        "👩‍",  # a joiner at the end
        "Ana\ufeff",
        "A\u00adna",  # soft hyphen
        "\u2066Ana\u2069",
        "\u3164",  # Hangul filler: a letter without ink
        "A\u3164na",
        "\u0301",  # a mark without a letter
        "A\ufe00na",
        "A\U000e0061na",  # tag characters
        "Z" + "\u0300" * 5,  # piled-up marks
        "Ana\ud800",
        "Ana\u2028",
        "\ue000",  # private use
    ],
)
def test_nothing_hidden_and_nothing_that_turns_the_line(typed: str) -> None:
    assert refused(typed) == "name_bad"


@pytest.mark.parametrize(
    ("other", "taken"),
    [("ana", "Ana"), ("ANA", "Ana"), ("Аnа", "Ana"), ("Ána", "Ana"), ("l1ly", "Lily"), ("an a", "Ana")],
)
def test_a_name_that_looks_like_a_neighbours_gets_a_number(other: str, taken: str) -> None:
    assert names.unique(other, [taken]) == f"{other} 2"


def test_the_number_counts_on_and_the_name_stays_short_enough() -> None:
    assert names.unique("Ana", ["Ana", "ana 2"]) == "Ana 3"
    assert names.unique("Ana", ["Ana", "Ana 3"]) == "Ana 2", "the lowest that is free"
    assert names.unique("Ana 2", ["Ana", "Ana 2"]) == "Ana 3", "not a number after a number"
    assert names.unique("Ana 9", ["Ana", "Ana 9"]) == "Ana 2"
    assert names.unique("Sala 7", ["Sala 7", "Beto"]) == "Sala 7 2", "its own, not ours"
    long = names.unique("x" * 20, ["x" * 20])
    assert long == "x" * 18 + " 2"
    assert len(names.unique("字" * 20, ["字" * 20]).encode()) <= names.BYTES


def test_other_names_stay_as_they_are() -> None:
    assert names.unique("Anabel", ["Ana", "Beto"]) == "Anabel"


@given(st.text(max_size=90))
def test_what_comes_out_is_within_bounds_and_stays_when_typed_again(typed: str) -> None:
    code = refused(typed)
    assert code in {None, "name_empty", "name_long", "name_bad"}
    if code is not None:
        return
    name = names.clean(typed)
    assert 1 <= len(names.graphemes(name)) <= names.LONGEST
    assert len(name.encode()) <= names.BYTES
    assert names.clean(name) == name
    assert name.isprintable() or "\u200d" in name
