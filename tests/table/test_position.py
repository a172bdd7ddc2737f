"""A table that opens at a position: the first match begins there, and nothing else is special."""

from __future__ import annotations

import pytest

from penultima.engine.notation import NotationError
from tests.table.room import Room

SCENE = """\
rules: classic stacking=same
players: Uno Dos
hands: Uno r7 r2 W+4 | Dos g1 g2 y3
discard: r5
draw: b1 b2 b3 b4 b5 b6 b7 b8 b9
turn: Dos
scores: Uno 40

Dos draw
= turn Uno
Uno r7
"""


def seated(text: str = SCENE) -> tuple[Room, object, object]:
    room = Room(position=text)
    return room, room.host("Ana"), room.guest("Beto")


def test_the_first_match_begins_where_the_file_leads() -> None:
    _, ana, beto = seated()
    assert ana.do("start") is None
    assert ana.view["hand"] == ["r2", "W+4"]
    assert beto.view["hand"] == ["g1", "g2", "y3", "b1"]
    assert (beto.view["top"], beto.view["turn"], beto.view["pile"]) == ("r7", 1, 8)
    assert ana.view["rules"] == "classic stacking=same"
    assert [seat["name"] for seat in ana.view["seats"]] == ["Ana", "Beto"]
    assert ana.me["score"] == 40


def test_it_begins_when_its_seats_are_filled_and_there_are_no_more() -> None:
    room = Room(position=SCENE)
    ana = room.host("Ana")
    assert ana.do("start") == "too_few"
    ana.do("add_bot", value="random")
    assert ana.do("add_bot", value="random") == "table_full"
    assert ana.do("rules", value="party") == "wrong_phase"
    assert ana.do("start") is None


def test_the_match_after_it_is_dealt_like_any_other() -> None:
    _, ana, beto = seated()
    ana.do("start")
    ana.do("end")
    assert ana.do("rules", value="party") is None
    assert ana.do("start") is None
    assert len(ana.view["hand"]) == len(beto.view["hand"]) == 7


def test_its_next_round_can_be_dealt_though_the_file_names_no_seed() -> None:
    _, ana, beto = seated(SCENE.replace("r7 r2 W+4", "r7"))
    ana.do("start")
    assert beto.view["phase"] == "between"
    assert ana.do("next") is None
    assert len(beto.view["hand"]) == 7


def test_the_journal_leads_to_the_same_position() -> None:
    room, ana, _ = seated()
    ana.do("start")
    assert room.restored().table.digest() == room.table.digest()
    before, _, _ = seated()
    again = before.restored()
    assert again.records[0]["position"] == SCENE


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("Uno r7\n", "Uno g1\n"), "expected Uno g1 to be taken, got not_in_hand"),
        (("Uno r7\n", "Uno away\n"), "'Uno away' is no move"),
        (("discard: r5", "discard: r55"), "r55"),
    ],
)
def test_a_file_that_leads_nowhere_opens_no_table(change: tuple[str, str], says: str) -> None:
    with pytest.raises(NotationError, match=says):
        Room(position=SCENE.replace(*change))
