"""Actions at the table: numbers, stale views, calls and catches with their grace, the vote."""

from __future__ import annotations

import pytest

from tests.table.room import Guest, Room, seat_three


def test_an_action_is_answered_and_shown_to_all() -> None:
    room, _, _, carla = table = seat_three()
    ana = table[1]
    room.put("b1 r7 r8", "y1 y2 y3", "g1 g2 g3")
    assert ana.act("b1") is None
    assert ana.last("done")["seq"] == room.table.seq == carla.seq
    assert carla.view["top"] == "b1"
    assert carla.view["turn"] == 1
    assert carla.events()[-1] == {"e": "played", "seat": 0, "card": "b1", "how": "turn"}


def test_a_refused_action_changes_nothing_and_disturbs_nobody() -> None:
    room, ana, beto, carla = seat_three()
    room.put("b1 r7 r8", "y1 y2 y3", "g1 g2 g3")
    seq, told, records = room.table.seq, len(carla.got), len(room.records)
    for guest, action, code in [
        (beto, "y1", "not_your_turn"),
        (ana, "r7", "no_match"),
        (ana, "b9", "not_in_hand"),
        (ana, "pass", "nothing_drawn"),
        (ana, "catch 1", "not_exposed"),
        (ana, "uno", "cannot_call"),
        (ana, "fly", "bad_move"),
        (ana, "r7>12", "bad_move"),
    ]:
        assert guest.act(action) == code, action
    assert (room.table.seq, len(carla.got), len(room.records)) == (seq, told, records)


def test_the_same_number_again_gets_the_same_answer_and_is_done_once() -> None:
    room, ana, _, carla = seat_three()
    room.put("b1 r7 r8", "y1 y2 y3", "g1 g2 g3")
    draw = {"t": "act", "n": ana.n + 1, "seq": ana.seq, "a": "draw"}
    (done, *_rest) = ana.send(draw)
    assert done["t"] == "done"
    seq, told = room.table.seq, len(carla.got)
    for _ in range(3):
        assert ana.send(draw) == [done]
    assert room.table.seq == seq
    assert len(carla.got) == told
    assert ana.me["cards"] == 4


def test_a_refusal_is_remembered_too() -> None:
    room, ana, _, _ = seat_three()
    room.put("b1 r7 r8", "y1 y2 y3", "g1 g2 g3")
    wrong = {"t": "act", "n": ana.n + 1, "seq": ana.seq, "a": "r7"}
    assert ana.send(wrong) == ana.send(wrong) == [{"t": "refused", "n": ana.n + 1, "code": "no_match"}]


def test_numbers_may_come_out_of_order_but_what_is_very_old_is_let_go() -> None:
    room, ana, _, _ = seat_three()
    room.put("b1 r7 r8", "y1 y2 y3", "g1 g2 g3")
    n = ana.n
    assert ana.send({"t": "host", "n": n + 2, "do": "lock"})[0]["t"] == "done"
    assert ana.send({"t": "host", "n": n + 1, "do": "unlock"})[0]["t"] == "done"
    assert ana.send({"t": "host", "n": n + 50, "do": "lock"})[0]["t"] == "done"
    assert ana.send({"t": "host", "n": n + 3, "do": "unlock"}) == []
    assert ana.view["locked"] is True


def test_numbers_go_on_where_they_were_after_a_return() -> None:
    room, ana, beto, _ = seat_three()
    room.put("b1 r7 r8", "y1 y2 y3", "g1 g2 g3")
    ana.act("draw")
    n = ana.n
    ana.vanish()
    ana.come_back()
    assert ana.last("welcome")["n"] == n
    (again,) = ana.send({"t": "act", "n": n, "seq": ana.seq, "a": "draw"})
    assert again["t"] == "done"
    assert beto.view["seats"][0]["cards"] == 4


def test_a_turn_action_chosen_on_an_older_turn_is_stale() -> None:
    room, ana, beto, carla = seat_three()
    room.put("b1 r7 r8 b8", "b2 y2 y3", "b3 g2 g3")
    old = ana.seq
    assert ana.act("b1") is None
    assert beto.act("b2") is None
    assert carla.act("b3") is None
    assert ana.act("draw", seq=old) == "stale"
    assert ana.act("draw", seq=ana.seq + 1) == "stale", "the future is no better"
    assert ana.act("b8") is None


def test_what_does_not_touch_the_turn_makes_nothing_stale() -> None:
    room, ana, beto, carla = seat_three()
    room.put("b1 r7", "y1 y2 y3", "g1 g2 g3")
    old = ana.seq
    beto.send({"t": "status", "hidden": True})
    ana.do("lock")
    assert ana.act("uno", seq=old) is None
    assert ana.act("b1", seq=old) is None
    assert carla.view["turn"] == 1


def test_out_of_turn_the_rules_alone_decide() -> None:
    room, ana, beto, carla = seat_three()
    room.put("b1 r7 r8", "y1 y2 y3", "b1 g2 g3", rules="classic jump_in=on")
    old = carla.seq
    assert ana.act("b1") is None
    assert carla.act("b1", seq=old) is None, "a jump-in"
    assert beto.act("y1", seq=old) == "not_your_turn"


def test_a_catch_and_a_call_go_by_who_came_first() -> None:
    room, ana, beto, carla = seat_three()
    room.put("b1 r7", "y1 y2 y3", "g1 g2 g3")
    ana.act("b1")
    assert carla.view["exposed"] == [0]
    assert carla.act("catch 0") is None
    assert ana.act("uno") == "cannot_call"
    assert beto.act("catch 0") == "not_exposed"
    assert ana.me["cards"] == 3


def exposed_within_the_grace() -> tuple[Room, Guest, Guest, Guest]:
    """Ana has one card left, and has not called."""
    room, ana, beto, carla = seat_three()
    ana.do("grace", value=1.5)
    room.put("b1 r7", "y1 y2 y3", "g1 g2 g3")
    ana.act("b1")
    return room, ana, beto, carla


def test_within_the_grace_a_catch_waits_and_a_call_is_in_time() -> None:
    room, ana, beto, carla = exposed_within_the_grace()
    room.pass_time(0.4)
    assert carla.ask("act", a="catch 0", seq=carla.seq) is None, "no answer yet"
    assert carla.send({"t": "act", "n": carla.n, "seq": carla.seq, "a": "catch 0"}) == []
    room.pass_time(1.0)
    assert ana.act("uno") is None
    assert carla.last("refused") == {"t": "refused", "n": carla.n, "code": "not_exposed"}
    assert ana.me["cards"] == 1
    assert beto.view["seats"][0]["called"] is True


def test_after_the_grace_the_first_catch_counts() -> None:
    room, ana, beto, carla = seat_three()
    ana.do("grace", value=1.0)
    room.put("b1 r7", "y1 y2 y3", "g1 g2 g3")
    ana.act("b1")
    carla.ask("act", a="catch 0", seq=carla.seq)
    beto.ask("act", a="catch 0", seq=beto.seq)
    room.pass_time(0.9)
    assert ana.me["cards"] == 1
    room.pass_time(0.2)
    assert ana.me["cards"] == 3
    assert carla.last("done")["n"] == carla.n
    assert beto.last("refused")["code"] == "not_exposed"
    assert [event for event in ana.events() if event["e"] == "caught"] == [{"e": "caught", "by": 2, "seat": 0}]


def test_twenty_taps_a_second_do_not_beat_a_caller_within_the_grace() -> None:
    room, ana, _, carla = exposed_within_the_grace()
    for _ in range(28):
        carla.ask("act", a="catch 0", seq=carla.seq)
        room.pass_time(0.05)
    assert ana.act("uno") is None
    assert ana.me["cards"] == 1


def test_a_held_catch_stands_still_while_the_match_is_paused() -> None:
    room, ana, beto, carla = exposed_within_the_grace()
    carla.ask("act", a="catch 0", seq=carla.seq)
    ana.do("pause")
    assert beto.act("catch 0") == "paused"
    room.pass_time(60)
    assert ana.me["cards"] == 1
    ana.do("resume")
    room.pass_time(3.5)
    assert ana.me["cards"] == 1, "half a second of the grace has gone by"
    room.pass_time(1.2)
    assert ana.me["cards"] == 3


def test_a_challenged_hand_is_on_the_challengers_page_alone() -> None:
    room, ana, beto, carla = seat_three()
    room.put("W+4 b2 r3", "y1 y2 y3", "g1 g2 g3")
    ana.act("W+4=r")
    assert beto.view["challengeable"] is True
    assert beto.act("challenge") is None
    assert beto.view["shown"] == {"of": 0, "cards": ["b2", "r3"], "guilty": ["b2"]}
    assert {"e": "hand_shown", "seat": 1, "of": 0} in carla.events()
    assert "shown" not in ana.view
    assert "b2" not in str(carla.got)
    beto.vanish()
    beto.come_back()
    assert beto.view["shown"]["guilty"] == ["b2"], "it survives a reload"


def test_events_come_once_and_a_return_gets_none() -> None:
    room, ana, beto, _ = seat_three()
    room.put("b1 r7 r8", "y1 y2 y3", "g1 g2 g3")
    ana.act("b1")
    beto.vanish()
    beto.come_back()
    assert beto.got[-1]["e"] == []
    beto.send({"t": "ping", "i": 1, "seq": 3})
    assert [message["t"] for message in beto.got[-2:]] == ["pong", "view"]
    assert beto.got[-1]["e"] == []
    beto.send({"t": "ping", "i": 2, "seq": beto.seq})
    assert beto.got[-1] == {"t": "pong", "i": 2}


def test_the_newest_hello_has_the_seat_and_there_is_no_ping_pong() -> None:
    room, ana, beto, _ = seat_three()
    room.put("b1 r7 r8", "y1 y2 y3", "g1 g2 g3")
    first = ana.conn
    del room.guests[first]
    room.table.outbox()
    ana.dial(key=ana.key)
    told = len(ana.got)
    room.table.receive(first, {"t": "act", "n": ana.n + 1, "seq": ana.seq, "a": "b1"}, room.now)
    room.table.disconnect(first, room.now)
    room.pass_time(10)
    assert len(ana.got) == told, "what the older connection does is nobody's business"
    assert "paused" not in beto.view
    assert ana.act("b1") is None


WINNER_RULE = "classic winner_rule=on"


def test_the_winner_proposes_and_everybody_else_agrees() -> None:
    room, ana, beto, carla = seat_three()
    ana.do("rules", value=WINNER_RULE)
    ana.do("start")
    assert ana.code("vote", value="stacking=same") == "wrong_phase"
    room.put("b1", "y2 y3", "g1 g2", rules=WINNER_RULE)
    ana.act("b1")
    assert beto.code("vote", value="stacking=same") == "not_allowed"
    assert beto.code("vote", value="yes") == "wrong_phase"
    assert ana.code("vote", value="stacking=perhaps") == "bad_rules"
    assert ana.code("vote", value="target=50") == "bad_rules"
    assert ana.code("vote", value="stacking=same") is None
    assert ana.code("vote", value="yes") == "not_allowed"
    assert beto.code("vote", value="yes") is None
    assert carla.view["vote"] == {"by": 0, "value": "stacking=same", "yes": [1], "no": []}
    assert carla.code("vote", value="no") is None
    assert carla.view["rules"] == WINNER_RULE
    assert carla.code("vote", value="yes") is None
    assert carla.view["rules"] == "classic stacking=same winner_rule=on"
    assert "vote" not in carla.view
    assert ana.code("vote", value="jump_in=on") == "wrong_phase", "one a round"
    assert ana.do("next") is None
    assert room.match.round.rules["stacking"] == "same"
    assert carla.kinds().count("vote_closed") == 1


def test_a_written_rule_can_be_proposed_and_lapses_with_the_next_round() -> None:
    room, ana, beto, carla = seat_three()
    room.put("b1", "y2 y3", "g1 g2", rules=WINNER_RULE)
    ana.act("b1")
    assert ana.code("vote", value="x" * 141) == "bad_rules"
    assert ana.code("vote", value="Quien gana canta") is None
    beto.must("vote", value="yes")
    assert ana.do("next") is None
    assert "agreed" not in carla.view
    assert {"e": "vote_closed", "by": 0, "value": "Quien gana canta", "passed": False} in carla.events()


def test_a_vote_goes_on_without_who_leaves_and_ends_without_who_proposed() -> None:
    for leaver, passed in (("Carla", True), ("Ana", False)):
        room, ana, beto, carla = seat_three()
        room.put("b1", "y2 y3", "g1 g2", rules=WINNER_RULE)
        ana.act("b1")
        ana.must("vote", value="twins=on")
        beto.must("vote", value="yes")
        next(guest for guest in (ana, carla) if guest.name == leaver).must("leave")
        assert [e["passed"] for e in beto.events() if e["e"] == "vote_closed"] == [passed]
        assert ("twins=on" in beto.view["rules"]) is passed


def test_a_ballot_that_cannot_come_into_force_is_none() -> None:
    rules = "classic teams=pairs winner_rule=on"
    room, ana, beto, carla = seat_three()
    dani = room.guest("Dani")
    room.put("b1", "y2 y3", "g1 g2", "r1 r2", rules=rules)
    ana.act("b1")
    ana.must("vote", value="twins=on")
    beto.must("vote", value="yes")
    dani.must("leave")
    # Pairs are four: with three, no rules can be agreed on that keep them.
    assert carla.code("vote", value="yes") == "bad_rules"
    for guest in ana, carla:
        guest.send({"t": "ping", "i": 1, "seq": -1})
        assert guest.view["vote"]["yes"] == [1]
    ana.must("vote", value="runs=rank")
    assert beto.code("vote", value="yes") is None
    assert carla.code("vote", value="yes") == "bad_rules"
    assert ana.view["rules"] == rules


def test_bots_have_no_vote() -> None:
    room, ana, beto, carla = seat_three()
    beto.must("leave")
    carla.must("leave")
    ana.do("add_bot", value="random")
    room.put("b1", "y2 y3", rules=WINNER_RULE)
    ana.act("b1")
    assert ana.code("vote", value="twins=on") is None
    assert ana.view["rules"] == "classic twins=on winner_rule=on"


@pytest.mark.parametrize("kind", ["act", "vote", "leave"])
def test_who_has_no_seat_plays_no_part(kind: str) -> None:
    room, _, _, _ = seat_three()
    from tests.table.room import Guest

    page = Guest(room, "Eva")
    assert page.code(kind, a="draw", seq=page.seq, value="yes") == "not_seated"


def test_a_game_action_needs_a_game() -> None:
    room = Room()
    assert room.host("Ana").act("draw") == "wrong_phase"
