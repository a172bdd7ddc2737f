"""When bots move (RULES 5.5): thinking time, never pouncing on a person, never stopping a table."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from penultima.bots import bot
from penultima.engine.actions import CALL, Action, Catch, action
from penultima.engine.events import Drew, Event
from penultima.engine.view import View
from tests.table.room import Guest, Room


class Scripted:
    """Does what it is told, when it may, and notes when it was asked."""

    def __init__(self, *wishes: str) -> None:
        self.wishes = wishes
        self.watched: list[Event] = []

    def choose(self, view: View, rng: random.Random) -> Action | None:
        return next((a for a in map(action, self.wishes) if a in view.legal), None)

    def watch(self, events: Sequence[Event], seat: int) -> None:
        self.watched += events


def table_of(*bots: object, **options: object) -> tuple[Room, Guest, Guest]:
    """Ana and Beto, and these bots behind them."""
    waiting = iter(bots)
    room = Room(brain=lambda _level: next(waiting), **options)
    ana, beto = room.host("Ana"), room.guest("Beto")
    room.table._bots.knows = lambda _level: True
    for _ in bots:
        assert ana.do("add_bot", value="normal") is None
    return room, ana, beto


def when(room: Room, guest: Guest, kind: str, within: float = 10.0) -> float:
    """Seconds until that page is told of an event of that kind."""
    began, known = room.now, guest.kinds().count(kind)
    while guest.kinds().count(kind) == known:
        assert room.now - began < within, f"no {kind}"
        room.pass_time(0.01)
    return room.now - began


@pytest.mark.parametrize(("card", "least", "most"), [("b1", 0.7, 1.4), ("bR", 1.3, 2.0)])
def test_a_bot_thinks_as_long_as_a_person_and_looks_longer_at_an_action_card(
    card: str, least: float, most: float
) -> None:
    room, ana, _ = table_of(Scripted("b9"))
    room.put(f"{card} r1 r2" if card == "b1" else "r1 r2 r3", f"{card} y1 y2", "b9 g1 g2 g3", turn=1)
    beto = next(guest for guest in room.guests.values() if guest.name == "Beto")
    if card == "bR":
        room.match.round.direction = -1
    assert beto.act(card) is None
    assert least <= when(room, ana, "played") <= most + 0.02


def test_fast_bots_are_fast() -> None:
    room, ana, beto = table_of(Scripted("b9"))
    assert ana.do("fast", value=True) is None
    assert beto.view["fast"] is True
    assert ana.do("fast", value="yes") == "bad_message"
    room.put("r1 r2 r3", "b1 y1 y2", "b9 g1 g2 g3", turn=1)
    beto.act("b1")
    assert when(room, ana, "played") <= 0.5


def test_a_bot_does_not_catch_a_person_before_a_second_and_a_fifth() -> None:
    for _ in range(5):
        room, ana, beto = table_of(Scripted("catch 1"))
        room.put("b7 r2 r3", "b1 y1", "b9 g1 g2 g3", turn=1)
        beto.act("b1")
        assert when(room, ana, "caught") >= 1.2
        assert beto.me["cards"] == 3


def test_a_bots_own_turn_waits_as_long_so_that_the_person_can_still_call() -> None:
    room, ana, beto = table_of(Scripted("b9"))
    room.put("r1 r2 r3", "b1 y1", "b9 g1 g2 g3", turn=1)
    beto.act("b1")
    room.pass_time(1.1)
    assert beto.view["exposed"] == [1]
    assert beto.act("uno") is None
    assert when(room, ana, "played") >= 0.0


def test_time_in_a_pause_is_no_time_for_the_one_who_has_to_call() -> None:
    room, ana, beto = table_of(Scripted("catch 1"))
    room.put("b7 r2 r3", "b1 y1", "b9 g1 g2 g3", turn=1)
    beto.act("b1")
    room.pass_time(0.5)
    ana.do("pause")
    room.pass_time(30)
    assert beto.view["exposed"] == [1]
    ana.do("resume")
    room.pass_time(3.6)
    assert beto.view["exposed"] == [1]
    assert beto.act("uno") is None


def test_a_bot_calls_and_only_bots_are_caught_at_once() -> None:
    room, ana, _ = table_of(Scripted("uno", "b9"), Scripted("catch 2", "b8"))
    room.put("r1 r2 r3", "b1 y1 y2", "b9 g1", "b8 b7 b6 b5", turn=2)
    room.table._settle()
    assert when(room, ana, "called") <= 1.5
    when(room, ana, "played")
    room.pass_time(1.4)
    assert "caught" not in ana.kinds()


def test_a_bot_sees_of_events_what_its_seat_may() -> None:
    seeing = Scripted("draw", "pass")
    room, ana, _ = table_of(seeing)
    room.put("b1 r2 r3", "b1 y1 y2", "b9 g1 g2 g3")
    ana.act("draw")
    drawn = [event for event in seeing.watched if isinstance(event, Drew)]
    assert drawn[-1] == Drew(0, 1, "turn", 1) or drawn[-1].cards == ()


class Broken:
    def choose(self, view: View, rng: random.Random) -> Action | None:
        raise ZeroDivisionError


class Cheat:
    def choose(self, view: View, rng: random.Random) -> Action | None:
        return action("W+4=r")


class Idle:
    def choose(self, view: View, rng: random.Random) -> Action | None:
        return None


class Muddled(Idle):
    """Fails at every thing that it is asked besides."""

    def ponder(self, view: View, rng: random.Random) -> Iterator[None]:
        raise ZeroDivisionError

    def watch(self, events: Sequence[Event], seat: int) -> None:
        raise ZeroDivisionError


class Breaking(Idle):
    """Fails while it ponders."""

    def ponder(self, view: View, rng: random.Random) -> Iterator[None]:
        yield
        raise ZeroDivisionError


@pytest.mark.parametrize("made", [Broken, Cheat, Idle, Muddled, Breaking])
def test_a_bot_that_fails_does_not_stop_the_table(made: type) -> None:
    room, ana, _ = table_of(made())
    room.put("b1 r2 r3", "b1 y1 y2", "r9 g1 g2 g3", turn=2, draw="g1 g3 g4")
    room.table._settle()
    while room.table.think():
        pass
    room.pass_time(5)
    assert ana.view["turn"] == 0
    assert bool(room.table.faults) is (made is not Idle)


def test_a_plan_does_not_fire_into_another_turn() -> None:
    room, ana, beto = table_of(Scripted("b9", "draw", "pass"), Scripted())
    room.put("r1 r2 r3", "b1 y1 y2", "b9 g1 g2 g3", "b2 b3 b4", turn=1)
    beto.act("b1")
    room.pass_time(0.3)
    ana.do("remove", seat=2)
    room.pass_time(10)
    assert not [e for e in ana.events() if e["e"] == "played" and e["seat"] == 2]


@pytest.mark.parametrize("rules", ["classic", "party", "icebreaker", "berserker"])
@pytest.mark.parametrize("seed", [1, 2])
def test_bots_play_whole_matches_by_themselves(rules: str, seed: int) -> None:
    room = Room(seed=bytes([seed]) * 32, brain=bot, rules=f"{rules} target=50", fast=True)
    ana = Guest(room, "Ana", host="abcdefghjkmnpqrstuvwxyz2")
    for level in ("normal", "easy", "random"):
        assert ana.do("add_bot", value=level) is None
    assert ana.do("start") is None
    for _ in range(40):
        while ana.view["phase"] == "round":
            room.pass_time(5)
        if ana.view["phase"] == "over":
            break
        assert ana.do("next") is None
    assert ana.view["winners"]
    assert room.table.faults == []
    assert room.table.deadline() is None
    assert room.restored().table.digest() == room.table.digest()


def test_a_catch_is_not_a_turn_action_and_nor_is_a_call() -> None:
    from penultima.table.ledger import changes_turn, closes_exposure

    assert not changes_turn(CALL)
    assert not changes_turn(Catch(1))
    assert changes_turn(action("colour r"))
    assert not closes_exposure(action("colour r"))
    assert closes_exposure(action("draw"))
