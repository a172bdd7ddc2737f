"""From a text to a message or to a code and a field (protocol.md, "Limits")."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penultima import wire
from penultima.table.refusals import CODES
from penultima.wire.reading import MESSAGE, OFFER, PAGE, TABLE

GOOD: list[dict[str, Any]] = [
    {"t": "hello", "v": 1, "secret": "abcdefghjkmnpqrs"},
    {"t": "hello", "v": 1, "secret": "s", "key": "k", "host": "h", "lang": "pt-BR", "watch": True},
    {"t": "sit", "n": 1, "name": "Ana"},
    {"t": "sit", "n": 1, "name": "", "id": "0123456789abcdef"},
    {"t": "act", "n": 7, "seq": 41, "a": "W+4=r"},
    {"t": "act", "n": 7, "seq": -1, "a": "draw"},
    {"t": "host", "n": 2, "do": "start"},
    {"t": "host", "n": 2, "do": "agreed", "value": ["uno", "dos"]},
    {"t": "host", "n": 2, "do": "custom", "value": [{"text": "Canta", "effect": "swap"}] * 3},
    {"t": "host", "n": 2, "do": "grace", "value": 0.5},
    {"t": "host", "n": 2, "do": "remove", "seat": 3},
    {"t": "vote", "n": 3, "value": "yes"},
    {"t": "leave", "n": 4},
    {"t": "claim", "n": 5, "seat": 0},
    {"t": "urge", "n": 5, "seat": 0},
    {"t": "status", "hidden": False},
    {"t": "ping", "i": 0, "seq": -1},
    {"t": "pong", "i": 9},
    {"t": "offer", "id": "1", "sdp": "v=0\r\n"},
    {"t": "candidate", "id": "1", "candidate": "candidate:1 1 UDP 1 192.168.1.7 5000 typ host", "mid": "0"},
    {"t": "candidate", "id": "1", "candidate": "", "mid": None},
]


def refused(text: Any) -> tuple[str, str | None] | None:
    try:
        wire.parse(text)
    except wire.WireError as wrong:
        return wrong.code, wrong.field
    return None


@pytest.mark.parametrize("message", GOOD, ids=lambda message: message["t"])
def test_a_message_is_read_as_it_is(message: dict[str, Any]) -> None:
    assert wire.parse(json.dumps(message)) == message


def test_there_is_an_example_of_every_message_of_a_page() -> None:
    assert {message["t"] for message in GOOD} == PAGE.keys()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"n": 0}, "n"),
        ({"n": 2**31}, "n"),
        ({"n": "1"}, "n"),
        ({"n": True}, "n"),
        ({"n": 1.0}, "n"),
        ({"n": None}, "n"),
        ({"seq": -2}, "seq"),
        ({"seq": "1"}, "seq"),
        ({"a": "x" * 21}, "a"),
        ({"a": 7}, "a"),
        ({"a": ["draw"]}, "a"),
        ({"t": "acts"}, "t"),
        ({"t": None}, "t"),
        ({"t": {}}, "t"),
        ({"t": "view"}, "t"),
        ({"extra": 1}, None),
    ],
)
def test_what_is_wrong_is_named(change: dict[str, Any], field: str | None) -> None:
    message = {"t": "act", "n": 1, "seq": 1, "a": "draw"} | change
    assert refused(json.dumps(message)) == ("bad_message", field)


@pytest.mark.parametrize("field", ["n", "seq", "a"])
def test_what_is_missing_is_named(field: str) -> None:
    message = {"t": "act", "n": 1, "seq": 1, "a": "draw"}
    del message[field]
    assert refused(json.dumps(message)) == ("bad_message", field)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "null", "[]", "7", '"hello"', "{", '{"t":"leave"', "{}", '{"t":"leave","n":1}x',
        '{"t":"leave","n":1,"n":2}', '{"t":"leave","t":"sit","n":1}', '{"t":"leave","n":NaN}',
        '{"t":"host","n":1,"do":"grace","value":Infinity}', '{"t":"host","n":1,"do":"grace","value":1e999}',
        '{"t":"sit","n":1,"name":"\\ud800"}', '{"t":"sit","n":1,"name":"' + "\ud800" + '"}',
        "[" * 4000, '{"t":"host","n":1,"do":"rules","value":' + "[" * 60 + "]" * 60 + "}",
        '{"t":"host","n":1,"do":"rules","value":{"\\udfff":1}}', '{"t":"leave","n":1' + "0" * 3000 + "}",
        "\x00", "\ufeff{}", "{'t':'leave','n':1}",
    ],
)  # fmt: skip
def test_what_is_no_message_is_refused_without_a_word_of_it(text: str) -> None:
    found = refused(text)
    assert found is not None
    assert found[0] == "bad_message"
    assert found[1] in {None, "t", "n"}


@pytest.mark.parametrize("text", [None, b"{}", 7, {}])
def test_only_text_is_read(text: object) -> None:
    assert refused(text) == ("bad_message", None)


def test_a_message_has_at_most_4_kib_and_is_not_read_if_it_has_more() -> None:
    longest = json.dumps({"t": "sit", "n": 1, "name": ""})
    fill = MESSAGE - len(longest)
    assert refused(longest.replace('""', '"' + "x" * fill + '"')) is None
    assert refused(longest.replace('""', '"' + "x" * (fill + 1) + '"')) == ("too_big", None)
    assert refused("x" * 10_000_000) == ("too_big", None)
    # Bytes count, not characters.
    assert refused(json.dumps({"t": "sit", "n": 1, "name": "é" * 2500}, ensure_ascii=False)) == ("too_big", None)


def test_an_offer_may_be_longer_and_nothing_else_may_pass_for_one() -> None:
    sdp = "a=candidate\r\n" * 1000
    assert refused(json.dumps({"t": "offer", "id": "1", "sdp": sdp})) is None
    assert refused(json.dumps({"t": "offer", "id": "1", "sdp": "x" * (16 * 1024 + 1)})) == ("bad_message", "sdp")
    assert refused(json.dumps({"t": "offer", "id": "1", "sdp": "x" * OFFER})) == ("too_big", None)
    assert refused(json.dumps({"t": "sit", "n": 1, "id": '"offer"', "name": "x" * 5000})) == ("too_big", None)
    assert refused('{"name":"' + '"offer"'.replace('"', "'") + "x" * 5000) == ("too_big", None)
    trick = '{"x":"offer","t":"sit","n":1,"name":"' + "x" * 5000 + '"}'
    assert refused(trick) == ("too_big", None)


def test_a_field_that_was_made_up_is_not_told_back() -> None:
    text = json.dumps({"t": "leave", "n": 1, "c4n4ry": 1})
    with pytest.raises(wire.WireError) as wrong:
        wire.parse(text)
    assert "c4n4ry" not in str(wrong.value)
    assert wrong.value.__cause__ is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.text() | JSON.map(json.dumps))
def test_any_text_is_read_or_refused(text: str) -> None:
    found = refused(text)
    assert found is None or found[0] in {"bad_message", "too_big"}


@given(st.sampled_from(GOOD), st.dictionaries(st.sampled_from(["t", "n", "seq", "a", "name", "do", "i", "sdp"]), JSON, max_size=2))
def test_what_passes_is_what_was_sent(message: dict[str, Any], change: dict[str, Any]) -> None:
    text = json.dumps(message | change)
    if refused(text) is None:
        assert wire.parse(text) == json.loads(text)


def test_the_tables_messages_are_checked_too() -> None:
    wire.check({"t": "done", "n": 1, "seq": 2})
    with pytest.raises(wire.WireError):
        wire.check({"t": "done", "n": 1})
    with pytest.raises(wire.WireError):
        wire.check({"t": "hello"})
    assert TABLE.keys() == {
        "welcome", "seated", "view", "notice", "done", "refused", "closed", "pong", "ping", "ice", "links", "answer", "no_channel",
    }  # fmt: skip


def test_every_code_that_is_given_here_is_one_of_the_tables() -> None:
    assert {"bad_message", "too_big"} <= CODES.keys()
