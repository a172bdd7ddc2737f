"""What is committed can be had again: records, replay, the table that comes back."""

from __future__ import annotations

import random

import pytest

from penultima.bots import bot
from penultima.table import RestoreError, Table
from tests.table.room import Guest, Room, seat_three


def played() -> tuple[Room, Guest, Guest]:
    """A table with some history: rules, bots, a round, a loss, a stand-in, a vote of nothing."""
    room = Room(brain=bot)
    ana, beto = room.host("Ana"), room.guest("Beto")
    ana.do("rules", value="icebreaker")
    ana.do("agreed", value=["Sin mirar, ¿eh?", "It's \"fair\""])
    ana.do("add_bot", value="normal")
    ana.do("add_bot", value="random")
    ana.do("grace", value=0.5)
    ana.do("start")
    beto.vanish()
    room.pass_time(6)
    ana.do("bot", seat=1, value="easy")
    rng = random.Random(4)
    for _ in range(25):
        legal = ana.view.get("legal") or []
        if ana.view.get("turn") == 0 and legal:
            ana.act(str(rng.choice(room.match.legal(0))))
        room.pass_time(2)
    beto.come_back()
    room.pass_time(2)
    assert room.table.faults == []
    return room, ana, beto


def test_every_change_is_one_record_and_the_numbers_have_no_gap() -> None:
    room, _, _ = played()
    assert [record["seq"] for record in room.records] == list(range(1, room.table.seq + 1))
    assert room.records[0]["kind"] == "open"
    asked = [(record["who"], record["n"]) for record in room.records if "who" in record]
    assert len(asked) == len(set(asked))


def test_the_records_lead_to_the_same_table() -> None:
    room, _, _ = played()
    again = room.restored()
    restored, paused = again.records[room.table.seq :]
    assert restored["kind"] == "restored", "that it was restored is a record itself"
    assert restored["digest"] == room.table.digest()
    assert (paused["kind"], paused["reason"]) == ("pause", "away"), "and nobody is hurried"
    was, now = room.table.console(), again.table.console()
    for told in (was, now):
        del told["seq"], told["connections"], told["paused"]
        for player in told["players"]:
            del player["state"]
    assert now == was


def test_everybody_is_away_after_a_restart_and_comes_back_with_the_old_key() -> None:
    room, ana, beto = played()
    hand = beto.view["hand"]
    again = room.restored()
    states = [player["state"] for player in again.table.console()["players"]]
    assert states == ["away", "away", None, None]
    again.pass_time(6)
    assert again.table.console()["paused"] == ["away"]
    for guest in (ana, beto):
        guest.room = again
        guest.come_back()
    assert ana.view["paused"] == ["countdown"]
    assert beto.view["hand"] == hand
    again.pass_time(3.1)
    assert "paused" not in beto.view


def test_a_request_that_was_committed_is_not_done_again_after_a_restart() -> None:
    room, ana, _, _ = seat_three()
    ana.do("start")
    ana.do("lock")
    again = room.restored()
    ana.room = again
    ana.come_back()
    assert ana.last("welcome")["n"] == ana.n
    seq = again.table.seq
    (answer,) = [m for m in ana.send({"t": "host", "n": ana.n, "do": "lock"}) if m["t"] == "done"]
    assert answer["seq"] < seq
    assert again.table.seq == seq


def test_the_next_cards_are_the_same_after_a_restart() -> None:
    room, _, _ = played()
    again = room.restored()
    assert again.match.round.pile == room.match.round.pile
    room.match.scores = again.match.scores = [0] * 4
    for each in (room, again):
        each.table.commit("end")
        each.table.commit("start")
    assert again.match.round.hands == room.match.round.hands


def test_a_journal_that_does_not_fit_is_not_believed() -> None:
    room, _, _ = played()
    records = room.records
    act = next(i for i, record in enumerate(records) if record["kind"] == "act")
    broken = [
        [],
        records[1:],
        records[:5] + records[6:],
        [{**records[0], "schema": 99}, *records[1:]],
        [*records[:act], {**records[act], "digest": "0"}, *records[act + 1 :]],
        [*records[:act], {**records[act], "a": "r99"}, *records[act + 1 :]],
        [*records[:act], {**records[act], "kind": "miracle"}, *records[act + 1 :]],
        [records[0], {}],
    ]
    for each in broken:
        with pytest.raises(RestoreError):
            Table.restore(each, 0.0)


def test_any_beginning_of_a_journal_is_a_table() -> None:
    room, _, _ = played()
    for length in range(1, len(room.records), 7):
        table = Table.restore(room.records[:length], 0.0)
        restored = table.journal()[0]
        assert restored["seq"] == length + 1
        assert restored["digest"] == room.records[length - 1]["digest"]


def test_no_bot_moves_before_people_are_back() -> None:
    """The host was started again when it was a bot's turn (RULES 9.1)."""
    for seed in range(20):
        room = Room(brain=bot, seed=bytes([seed]) * 32)
        ana, beto = room.host("Ana"), room.guest("Beto")
        ana.do("add_bot", value="normal")
        ana.do("start")
        if room.match.round.turn == 2:
            break
    again = room.restored()
    before = again.match.digest()
    again.pass_time(30)
    assert again.match.digest() == before
    for guest in (ana, beto):
        guest.room = again
        guest.come_back()
    again.pass_time(2.9)
    assert again.match.round.turn == 2
    again.pass_time(2.5)
    assert again.match.round.turn != 2


def test_what_held_up_the_program_that_died_is_no_matter_of_the_next() -> None:
    room, ana, _, _ = seat_three()
    ana.do("start")
    room.table.hold("disk", room.now)
    room.drain()
    assert room.table.console()["paused"] == ["disk"]
    again = room.restored()
    assert again.table.console()["paused"] == ["away"]
