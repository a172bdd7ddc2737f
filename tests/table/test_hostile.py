"""Whatever arrives, the table answers with a code and goes on as if nothing had been."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from penultima.table.powers import DEEDS
from tests.table.room import HOST_KEY, SECRET, Guest, Room, seat_three

JUNK: list[Any] = [
    None, True, False, 0, -1, 1, 7, 2**31, 2**200, -(2**70), 0.5, float("inf"), float("nan"), "", "x",
    "classic", "yes", "x" * 5000, "\ud800", "\x00", "r7>2", "draw", "catch 1", [], [[]], {}, {"t": "hello"},
    ["a"] * 50, [None], {"text": 1}, [{"text": "a", "effect": "swap"}] * 3, b"x", (1, 2),
]  # fmt: skip
KINDS = (
    "hello", "sit", "act", "host", "vote", "leave", "claim", "urge", "status", "ping", "pong", "offer",
    "candidate", "view", "", "__init__",
)  # fmt: skip
FIELDS = ("n", "seq", "a", "do", "seat", "value", "name", "id", "hidden", "i", "v", "secret", "key", "host", "watch")


def rubbish(rng: random.Random) -> Any:
    if rng.random() < 0.05:
        return rng.choice(JUNK)
    message: dict[Any, Any] = {"t": rng.choice(KINDS) if rng.random() < 0.97 else rng.choice(JUNK)}
    for field in FIELDS:
        if rng.random() < 0.6:
            message[field] = rng.choice(JUNK)
    # Now and then nearly right, so that it gets in deeper.
    if rng.random() < 0.8:
        message["n"] = rng.randrange(1, 60)
    if rng.random() < 0.6:
        message["do"] = rng.choice(DEEDS)
    if rng.random() < 0.6:
        message["seq"] = rng.randrange(0, 60)
    if rng.random() < 0.5:
        message["seat"] = rng.randrange(0, 4)
    if rng.random() < 0.3:
        message |= {"v": 1, "secret": SECRET}
    return message


def test_no_message_makes_the_table_raise() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        room = Room(seed=bytes([seed]) * 32)
        guests = [Guest(room, "A", host=HOST_KEY), Guest(room, "B"), Guest(room, "C"), Guest(room, "D")]
        for guest in guests[:3]:
            guest.sit()
        if seed % 2:
            guests[0].do("start")
        for _ in range(80):
            guest = rng.choice(guests)
            room.table.receive(guest.conn, rubbish(rng), room.now)
            room.drain()
            if rng.random() < 0.1:
                room.pass_time(rng.choice([0.1, 1.0, 7.0]))
        assert room.restored().table.digest() == room.table.digest(), f"seed {seed}"


STANDING = seat_three()


@settings(max_examples=200)
@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
))
def test_nothing_that_json_can_say_changes_a_table(message: Any) -> None:
    room, ana, *_ = STANDING
    seq = room.table.seq
    answers = ana.send(message)
    assert {answer["code"] for answer in answers} <= {"bad_message"}
    assert room.table.seq == seq


def test_what_is_told_back_is_code_and_field_and_never_what_was_sent() -> None:
    room = Room()
    ana = room.host("Ana")
    canary = "c4n4ry"
    for message in [
        {"t": canary},
        {"t": "host", "n": 5, "do": canary},
        {"t": "host", "n": 6, "do": "rules", "value": f"classic {canary}=on"},
        {"t": "host", "n": 7, "do": "rules", "value": canary},
        {"t": "host", "n": 8, "do": "agreed", "value": [canary * 40]},
        {"t": "act", "n": 9, "seq": 1, "a": canary},
        {"t": "vote", "n": 10, "value": canary},
        {"t": "sit", "n": 11, "name": canary},
        {"t": "hello", "v": 1, "secret": canary},
        {"t": "claim", "n": 12, "seat": canary},
    ]:
        answers = ana.send(message)
        assert answers, message
        assert canary not in json.dumps(answers)


def test_of_an_unknown_connection_nothing_is_heard() -> None:
    room, _, _, _ = seat_three()
    room.table.receive(99, {"t": "ping", "i": 1, "seq": 0}, room.now)
    room.table.disconnect(99, room.now)
    assert not room.table.alive(99, room.now)
    assert room.table.outbox() == []


def test_an_offer_that_reaches_the_table_is_answered_that_there_is_no_channel() -> None:
    _, ana, _, _ = seat_three()
    ana.send({"t": "offer", "id": "1", "sdp": "v=0"})
    assert ana.got[-1] == {"t": "no_channel", "id": "1", "code": "not_allowed"}
    assert ana.send({"t": "candidate", "id": "1", "candidate": "x", "mid": "0"}) == []
