"""Losing the line and coming back (RULES 9): pauses, the countdown, bots that stand in."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from penultima.engine.actions import DRAW, PASS, Action
from penultima.engine.events import Event
from penultima.engine.view import View
from penultima.table import Options, Patience, Table
from tests.table.room import CODE, HOST_KEY, SECRET, Guest, Room, seat_three


class Thinker:
    """Draws in the end, and would think for ever before."""

    def __init__(self) -> None:
        self.views: list[View] = []
        self.watched: list[Event] = []
        self.slices = 0
        self.given_up = False

    def ponder(self, view: View, rng: random.Random) -> Iterator[None]:
        self.views.append(view)
        return self._pondering()

    def _pondering(self) -> Iterator[None]:
        try:
            while True:
                self.slices += 1
                yield
        finally:
            self.given_up = True

    def choose(self, view: View, rng: random.Random) -> Action | None:
        self.views.append(view)
        return next((each for each in (DRAW, PASS) if each in view.legal), None)

    def watch(self, events: Sequence[Event], seat: int) -> None:
        self.watched += events


class Drawer:
    """A bot that draws, and keeps what it drew."""

    def choose(self, view: View, rng: random.Random) -> Action | None:
        return next((each for each in (DRAW, PASS) if each in view.legal), None)


def playing(**options: object) -> tuple[Room, Guest, Guest, Guest]:
    room = Room(brain=lambda _level: Drawer(), **options)
    ana, beto, carla = room.host("Ana"), room.guest("Beto"), room.guest("Carla")
    room.put("b1 b2 r8", "b3 y2 y3", "b4 g2 g3")
    return room, ana, beto, carla


def look_again(guest: Guest) -> None:
    """What a page counts down by itself, fresh from the table."""
    guest.send({"t": "ping", "i": 1, "seq": 0})


def test_under_three_seconds_nothing_flickers() -> None:
    room, ana, beto, _ = playing()
    told = len(ana.got)
    beto.vanish()
    room.pass_time(2.9)
    beto.come_back()
    room.pass_time(10)
    assert len(ana.got) == told


def test_after_three_seconds_a_dot_and_after_five_the_pause() -> None:
    room, ana, beto, _ = playing()
    beto.vanish()
    room.pass_time(2.9)
    assert "state" not in ana.view["seats"][1]
    room.pass_time(0.2)
    assert ana.view["seats"][1]["state"] == "away"
    assert ana.view["seats"][1]["left"] == 597
    assert "paused" not in ana.view
    room.pass_time(1.8)
    assert "paused" not in ana.view
    room.pass_time(0.2)
    assert ana.view["paused"] == ["away"]
    assert ana.view["seats"][1]["left"] == 595
    assert ana.view["hand"] == ["b1", "b2", "r8"], "the hand stays readable"
    assert "legal" not in ana.view


def test_while_paused_nothing_is_played_called_or_caught() -> None:
    room, ana, beto, carla = playing()
    beto.vanish()
    room.pass_time(6)
    for action in ("b1", "draw", "uno", "catch 2"):
        assert ana.act(action) == "paused"
    assert carla.act("b4") == "paused"


def test_the_return_starts_a_countdown_of_three_and_then_it_goes_on() -> None:
    room, ana, beto, _ = playing()
    beto.vanish()
    room.pass_time(20)
    beto.come_back()
    assert ana.view["paused"] == ["countdown"]
    assert ana.view["resume"] == 3.0
    assert "state" not in ana.view["seats"][1]
    assert ana.act("b1") == "paused"
    room.pass_time(2.9)
    assert ana.act("b1") == "paused"
    room.pass_time(0.2)
    assert "paused" not in ana.view
    assert ana.act("b1") is None


def test_several_away_and_the_last_one_back_lets_it_go_on() -> None:
    room, ana, beto, carla = playing()
    beto.vanish()
    room.pass_time(2)
    carla.vanish()
    room.pass_time(30)
    beto.come_back()
    assert ana.view["paused"] == ["away"]
    carla.come_back()
    assert ana.view["paused"] == ["countdown"]


def test_all_away_and_all_back() -> None:
    room, ana, beto, carla = playing()
    for guest in (ana, beto, carla):
        guest.vanish()
    room.pass_time(3600)
    for guest in (carla, ana, beto):
        guest.come_back()
        assert guest.last("welcome")["seat"] == guest.seat
    room.pass_time(3.1)
    assert ana.act("b1") is None
    assert ana.view["seats"][1].get("state") is None


def test_a_loss_during_the_countdown_ends_it() -> None:
    room, ana, beto, carla = playing()
    beto.vanish()
    room.pass_time(4)
    carla.vanish()
    room.pass_time(3)
    beto.come_back()
    assert ana.view["paused"] == ["away"]
    carla.come_back()
    assert ana.view["paused"] == ["countdown"]
    room.pass_time(1)
    ana.do("pause")
    assert ana.view["paused"] == ["host"]
    assert "resume" not in ana.view
    room.pass_time(10)
    ana.do("resume")
    assert ana.view["paused"] == ["countdown"]


def test_between_rounds_there_is_a_pause_as_well_and_no_countdown() -> None:
    room, ana, beto, _ = playing()
    room.put_last_card()
    beto.vanish()
    room.pass_time(6)
    assert ana.view["paused"] == ["away"]
    assert ana.do("next") == "paused"
    beto.come_back()
    assert "paused" not in ana.view
    assert ana.do("next") is None


def test_in_the_lobby_nothing_is_paused_and_the_seat_is_kept_for_ten_minutes() -> None:
    room = Room()
    ana, beto, carla = room.host("Ana"), room.guest("Beto"), room.guest("Carla")
    beto.vanish()
    carla.vanish()
    room.pass_time(590)
    assert "paused" not in ana.view
    look_again(ana)
    assert ana.view["seats"][1]["left"] == 10
    beto.come_back()
    assert beto.last("welcome")["seat"] == 1
    room.pass_time(20)
    assert len(ana.view["seats"]) == 2
    carla.come_back()
    assert carla.last("welcome")["seat"] is None


def test_the_hosts_seat_is_kept_for_ever() -> None:
    room = Room()
    ana, beto = room.host("Ana"), room.guest("Beto")
    ana.vanish()
    room.pass_time(3600)
    assert beto.view["seats"][0]["name"] == "Ana"
    ana.come_back()
    assert ana.last("welcome")["seat"] == 0


def test_in_a_match_no_timer_takes_a_seat() -> None:
    room, ana, beto, _ = playing()
    beto.vanish()
    room.pass_time(7200)
    look_again(ana)
    assert ana.view["seats"][1].get("left") == 0
    beto.come_back()
    assert beto.last("welcome")["seat"] == 1
    assert beto.view["hand"] == ["b3", "y2", "y3"]


def test_a_page_that_goes_silent_is_taken_for_lost() -> None:
    room, ana, beto, _ = playing()
    beto.send({"t": "ping", "i": 1, "seq": beto.seq})
    room.pass_time(3.7)
    assert "state" not in ana.view["seats"][1]
    room.pass_time(1.9)
    assert ana.view["seats"][1]["state"] == "away"
    assert "paused" not in ana.view
    # Wherever between two heartbeats it was lost: five seconds later, one more or less.
    room.pass_time(0.2)
    assert ana.view["paused"] == ["away"]
    beto.send({"t": "ping", "i": 2, "seq": beto.seq})
    assert ana.view["paused"] == ["countdown"]


def test_a_regular_heartbeat_keeps_a_page_alive() -> None:
    room, ana, beto, _ = playing()
    for i in range(20):
        beto.send({"t": "ping", "i": i, "seq": beto.seq})
        room.pass_time(2.5)
    assert "state" not in ana.view["seats"][1]


def test_a_page_of_which_only_a_sign_of_life_is_heard_is_here_and_comes_back() -> None:
    room, ana, beto, _ = playing()
    beto.send({"t": "ping", "i": 1, "seq": beto.seq})
    for _ in range(20):
        room.pass_time(2.5)
        assert not room.table.alive(beto.conn, room.now), "nothing follows"
    assert "state" not in ana.view["seats"][1]
    room.pass_time(8)
    assert ana.view["paused"] == ["away"]
    assert room.table.alive(beto.conn, room.now)
    room.drain()
    assert ana.view["paused"] == ["countdown"]


def test_in_another_app_is_a_state_of_its_own_and_no_loss() -> None:
    room, ana, beto, _ = playing()
    beto.send({"t": "ping", "i": 1, "seq": beto.seq})
    beto.send({"t": "status", "hidden": True})
    assert ana.view["seats"][1]["state"] == "hidden"
    room.pass_time(60)
    assert "paused" not in ana.view
    assert ana.act("b1") is None
    beto.send({"t": "status", "hidden": False})
    assert "state" not in ana.view["seats"][1]
    beto.send({"t": "status", "hidden": True})
    beto.vanish()
    room.pass_time(6)
    assert ana.view["paused"] == ["away"], "a hidden page that is gone is gone"


def test_a_silent_page_that_says_it_is_hidden_is_back_and_hidden() -> None:
    room, ana, beto, _ = playing()
    beto.send({"t": "ping", "i": 1, "seq": beto.seq})
    room.pass_time(8)
    assert ana.view["paused"] == ["away"]
    beto.send({"t": "status", "hidden": True})
    assert ana.view["seats"][1]["state"] == "hidden"
    assert ana.view["paused"] == ["countdown"]


def test_a_bot_stands_in_and_the_person_takes_the_seat_back() -> None:
    room, ana, beto, _ = playing()
    assert ana.do("bot", seat=1) == "not_away"
    beto.vanish()
    room.pass_time(6)
    assert ana.do("bot", seat=1, value="genius") == "bad_message"
    assert ana.do("bot", seat=1, value="easy") is None
    assert ana.view["seats"][1]["state"] == "standin"
    assert ana.view["paused"] == ["countdown"]
    assert ana.do("bot", seat=1) == "not_away"
    room.pass_time(3.1)
    assert ana.act("b1") is None
    assert ana.view["turn"] == 1
    room.pass_time(3)
    assert ana.view["turn"] == 2, "the bot has drawn"
    assert ana.view["seats"][1]["cards"] == 4
    beto.come_back()
    assert "state" not in ana.view["seats"][1]
    assert "paused" not in ana.view
    assert len(beto.view["hand"]) == 4
    assert "returned" in ana.kinds()


def test_a_bots_planned_move_never_fires_after_the_person_is_back() -> None:
    room, ana, beto, _ = playing()
    beto.vanish()
    room.pass_time(6)
    ana.do("bot", seat=1)
    room.pass_time(3.1)
    ana.act("b1")
    room.pass_time(0.2)
    beto.come_back()
    room.pass_time(20)
    assert ana.view["turn"] == 1
    assert ana.view["seats"][1]["cards"] == 3
    assert beto.act("b3") is None


def standing_in() -> tuple[Room, Guest, Guest, list[Thinker]]:
    """Beto is away, and a bot that thinks ahead is in turn in his seat."""
    made: list[Thinker] = []

    def brain(_level: str) -> Thinker:
        made.append(Thinker())
        return made[-1]

    room = Room(brain=brain)
    ana, beto, _ = room.host("Ana"), room.guest("Beto"), room.guest("Carla")
    room.put("b1 b2 r8", "b3 y2 y3", "b4 g2 g3")
    beto.vanish()
    room.pass_time(6)
    ana.do("bot", seat=1)
    room.pass_time(3.1)
    ana.act("b1")
    return room, ana, beto, made


def test_a_bot_that_stands_in_thinks_about_what_its_seat_may_know() -> None:
    room, _, _, made = standing_in()
    assert room.table.think()
    thinker = next(each for each in made if each.slices)
    assert thinker.views
    for view in thinker.views:
        assert view.seat == 1
        assert view == replace(room.match.view(1), legal=view.legal)
    # It has seen nothing of what came before it sat down.
    assert [type(event).__name__ for event in thinker.watched] == ["Played"]


def test_the_thinking_ends_at_once_when_the_person_is_back() -> None:
    room, ana, beto, made = standing_in()
    assert room.table.think()
    thinker = next(each for each in made if each.slices)
    beto.come_back()
    assert not room.table.think()
    assert thinker.given_up
    assert thinker.slices == 1
    room.pass_time(20)
    assert ana.view["turn"] == 1


def test_whoever_stands_in_again_starts_anew() -> None:
    room, ana, beto, made = standing_in()
    room.pass_time(3)
    beto.come_back()
    count = len(made)
    beto.vanish()
    room.pass_time(6)
    ana.do("bot", seat=1)
    room.pass_time(3.1)
    assert len(made) > count
    assert made[-1].watched == []


def test_a_seat_is_not_given_back_in_the_middle_of_the_bots_move() -> None:
    room, ana, beto, _ = playing()
    room.put("b1 b2 r8", "y1 y2 y3", "b4 g2 g3", draw="b9 g1 g2 g3")
    beto.vanish()
    room.pass_time(6)
    ana.do("bot", seat=1)
    room.pass_time(3.1)
    ana.act("b1")
    while ana.view["wait"] != "drawn":
        room.pass_time(0.1)
    beto.come_back()
    assert beto.me["state"] == "standin"
    assert beto.act("b9") == "not_allowed"
    room.pass_time(3)
    assert ana.view["turn"] == 2, "the bot has kept the card it drew"
    assert "state" not in beto.me


def test_the_host_takes_a_seat_out_and_the_person_plays_again_from_the_next_round() -> None:
    room, ana, beto, carla = playing()
    assert ana.do("take_out", seat=1) == "not_away"
    beto.vanish()
    room.pass_time(6)
    room.match.scores = [0, 30, 0]
    assert ana.do("take_out", seat=1) is None
    assert ana.view["seats"][1]["state"] == "out"
    assert ana.view["paused"] == ["countdown"]
    assert ana.do("take_out", seat=1) == "wrong_phase"
    room.pass_time(3.1)
    assert ana.act("b1") is None
    assert ana.view["turn"] == 2
    beto.come_back()
    assert beto.me["state"] == "next"
    assert beto.view.get("hand") is None
    carla.act("b4")
    ana.act("b2")
    carla.act("draw")
    carla.act("pass")
    room.match.round.hands[0][:] = [room.match.round.top]
    ana.act("draw")
    assert beto.view["seats"][1]["score"] == 30


def test_taking_out_the_last_but_one_ends_the_match() -> None:
    room, ana, beto, carla = playing()
    beto.vanish()
    carla.vanish()
    room.pass_time(6)
    ana.do("take_out", seat=1)
    assert ana.do("take_out", seat=2) is None
    assert ana.view["phase"] == "over"
    assert "paused" not in ana.view
    room.pass_time(60)
    beto.come_back()
    assert ana.do("rematch") is None
    assert ana.view["seats"][2]["state"] == "out", "Carla has not been seen since"
    assert len(beto.view["hand"]) == 7 or beto.view["seats"][1]["cards"] > 7
    room.pass_time(10)
    assert "paused" not in ana.view


def test_who_leaves_in_a_match_is_taken_out_and_who_stays_goes_on() -> None:
    room, ana, beto, carla = playing()
    ana.act("b1")
    beto.must("leave")
    assert ana.view["seats"][1]["state"] == "gone"
    assert ana.do("remove", seat=1) == "no_such_seat"
    assert ana.view["turn"] == 2
    assert carla.act("b4") is None
    room.pass_time(30)
    assert "paused" not in ana.view


def test_the_host_removes_a_person_in_the_middle_of_a_round() -> None:
    room, ana, beto, _ = playing()
    beto.vanish()
    room.pass_time(6)
    assert ana.do("remove", seat=1) is None
    assert ana.view["paused"] == ["countdown"]
    beto.come_back()
    assert beto.last("welcome")["seat"] is None


def test_whoever_lost_the_page_can_claim_the_seat_and_the_host_decides() -> None:
    room, ana, beto, carla = playing()
    other = Guest(room, "Beto")
    assert other.code("claim", seat=1) == "not_away"
    assert other.code("claim", seat=9) == "no_such_seat"
    assert carla.code("claim", seat=1) == "already_seated"
    beto.vanish()
    room.pass_time(6)
    assert other.ask("claim", seat=1) is None
    assert ana.view["seats"][1]["claim"] is True
    assert Guest(room, "Eva").code("claim", seat=1) == "not_allowed"
    assert ana.do("approve", seat=2) == "no_such_seat"
    assert ana.do("approve", seat=1) is None
    assert other.last("seated")["seat"] == 1
    assert other.view["hand"] == ["b3", "y2", "y3"]
    assert ana.view["paused"] == ["countdown"]
    room.pass_time(3.1)
    ana.act("b1")
    assert other.act("b3") is None
    beto.come_back()
    assert beto.last("welcome")["seat"] is None, "the old key is dead"


def test_a_claim_can_be_rejected_withdrawn_and_overtaken() -> None:
    room, ana, beto, _ = playing()
    beto.vanish()
    room.pass_time(6)
    other = Guest(room, "Eva")
    other.ask("claim", seat=1)
    assert ana.do("reject", seat=1) is None
    assert other.last("refused")["code"] == "not_allowed"
    assert "claim" not in ana.view["seats"][1]
    other.ask("claim", seat=1)
    other.vanish()
    assert "claim" not in ana.view["seats"][1]
    third = Guest(room, "Eva")
    third.ask("claim", seat=1)
    beto.come_back()
    assert third.last("refused")["code"] == "not_allowed"
    assert ana.do("approve", seat=1) == "no_such_seat"
    assert beto.me["name"] == "Beto"


def test_a_bots_seat_cannot_be_claimed() -> None:
    room = Room()
    ana = room.host("Ana")
    ana.do("add_bot", value="easy")
    assert Guest(room, "Eva").code("claim", seat=1) == "not_allowed"


def test_the_hosts_program_can_hold_the_match_for_a_reason_of_its_own() -> None:
    room, ana, _, _ = playing()
    room.table.hold("disk", room.now)
    room.drain()
    assert ana.view["paused"] == ["disk"]
    room.table.release("disk", room.now)
    room.drain()
    assert ana.view["paused"] == ["countdown"]


def test_time_in_which_the_host_slept_counts_against_nobody() -> None:
    room, ana, beto, _ = playing()
    beto.vanish()
    room.pass_time(100)
    look_again(ana)
    assert ana.view["seats"][1]["left"] == 500
    room.now += 8 * 3600
    room.table.tick(room.now)
    look_again(ana)
    assert ana.view["seats"][1]["left"] >= 450
    beto.come_back()
    room.now -= 5000
    room.table.tick(room.now)
    room.pass_time(3.1)
    assert ana.act("b1") is None


@pytest.mark.parametrize("seconds", [6.0, 15.0, 3600.0])
def test_a_host_that_stood_still_has_missed_nobody(seconds: float) -> None:
    room, ana, beto, carla = playing()
    for guest in (ana, beto, carla):
        guest.send({"t": "ping", "i": 1, "seq": guest.seq})
    room.pass_time(1.4)
    told = len(ana.got)
    room.now += seconds
    room.table.tick(room.now)
    room.drain()
    room.pass_time(1.5)
    for guest in (ana, beto, carla):
        guest.send({"t": "ping", "i": 2, "seq": guest.seq})
    room.pass_time(1.0)
    assert [message["t"] for message in ana.got[told:]] == ["pong"]
    # Who says nothing from now on is missed as always.
    room.pass_time(5.0)
    assert ana.view["paused"] == ["away"]


@pytest.mark.parametrize("deadline", [None])
def test_an_idle_table_asks_for_nothing(deadline: None) -> None:
    room = Room()
    room.host("Ana")
    assert room.table.deadline() is deadline


def test_patience_is_a_setting() -> None:
    patience = Patience(pause=1.0, dot=0.5, hold=60.0, countdown=0.0)
    table = Table(
        CODE, SECRET, HOST_KEY, seed=b"\1" * 32, now=0.0, options=Options(patience=patience)
    )
    pages = [table.connect(0.0), table.connect(0.0)]
    for number, page in enumerate(pages):
        hello = {"t": "hello", "v": 1, "secret": SECRET}
        table.receive(page, hello | ({"host": HOST_KEY} if number == 0 else {}), 0.0)
        table.receive(page, {"t": "sit", "n": 1, "name": f"N {number}"}, 0.0)
    table.receive(pages[0], {"t": "host", "n": 2, "do": "start"}, 0.0)
    table.disconnect(pages[1], 10.0)
    table.tick(11.1)
    assert table.console()["paused"] == ["away"]


def test_a_night_asleep_takes_no_seat_in_the_lobby() -> None:
    """Ten minutes are time during which the host was awake, wherever the sleep falls."""
    room, ana, beto, _ = seat_three()
    beto.vanish()
    room.pass_time(20)
    room.now += 12 * 3600.0
    room.table.tick(room.now)
    room.drain()
    assert [seat["name"] for seat in ana.view["seats"]] == ["Ana", "Beto", "Carla"]
    room.pass_time(300)
    assert len(ana.view["seats"]) == 3
    room.pass_time(300)
    assert [seat and seat["name"] for seat in ana.view["seats"]] == ["Ana", None, "Carla"]


def test_after_a_minute_anybody_may_ask_the_host_to_decide() -> None:
    room, ana, beto, carla = seat_three()
    ana.do("start")
    assert beto.code("urge", seat=2) == "not_away"
    carla.vanish()
    room.pass_time(50)
    assert beto.code("urge", seat=2) == "wrong_phase"
    look_again(beto)
    assert beto.view["seats"][2]["urge"] == 10
    room.pass_time(15)
    look_again(beto)
    assert beto.view["seats"][2]["urge"] == 0
    assert beto.code("urge", seat=2) is None
    assert ana.view["seats"][2]["urged"] is True
    assert "urge" not in ana.view["seats"][2]
    assert ana.events()[-1] == {"e": "urged", "seat": 2, "by": 1}
    assert beto.code("urge", seat=2) == "wrong_phase", "once is enough"
    carla.come_back()
    assert "urged" not in ana.view["seats"][2]
    ana.vanish()
    room.pass_time(70)
    assert "urge" not in beto.view["seats"][0]
    assert beto.code("urge", seat=0) == "wrong_phase", "there is nobody to ask"
