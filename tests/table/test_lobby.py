"""Coming in, sitting down, what the host sets, leaving."""

from __future__ import annotations

import pytest

from penultima.engine.cards import card
from tests.table.room import HOST_KEY, SECRET, Guest, Room, seat_three


def test_a_page_sees_the_table_and_who_sits_there_before_it_takes_a_seat() -> None:
    room = Room()
    room.host("Ana")
    page = Guest(room, "Beto")
    assert page.last("welcome") == {
        "t": "welcome", "v": 1, "conn": page.conn, "seat": None, "host": False, "n": 0,
        "link": room.table.link,
    }  # fmt: skip
    assert page.view == {
        "phase": "lobby", "title": "La mesa", "host": 0, "rules": "classic",
        "seats": [{"name": "Ana"}],
    }  # fmt: skip


def test_sitting_down_gives_a_seat_and_a_key_of_256_bits() -> None:
    room = Room()
    ana = room.host("Ana")
    beto = room.guest("Beto")
    assert (ana.seat, beto.seat) == (0, 1)
    assert len(beto.last("seated")["key"]) == 43
    assert beto.last("seated")["key"] != ana.last("seated")["key"]
    assert "joined" in ana.kinds()


def test_the_journal_holds_hashes_of_keys_and_no_key() -> None:
    room, ana, beto, carla = seat_three()
    written = str(room.records)
    assert not any(guest.key in written for guest in (ana, beto, carla))


@pytest.mark.parametrize(
    ("hello", "code", "closed"),
    [
        ({"secret": "wrong"}, "bad_secret", "bad_hello"),
        ({"host": "wrong"}, "bad_secret", "bad_hello"),
        ({"v": 2}, "bad_version", "version"),
    ],
)
def test_a_hello_that_is_no_good_is_turned_away(hello: dict, code: str, closed: str) -> None:
    room = Room()
    page = Guest(room, "Eva", **hello)
    assert page.last("refused")["code"] == code
    assert page.last("closed")["code"] == closed
    before = len(page.got)
    page.send({"t": "sit", "n": 1, "name": "Eva"})
    assert len(page.got) == before, "a closed connection is not listened to"


def test_nothing_is_done_before_hello() -> None:
    room = Room()
    conn = room.table.connect(room.now)
    room.table.receive(conn, {"t": "sit", "n": 1, "name": "Eva"}, room.now)
    assert room.table.outbox() == [(conn, {"t": "refused", "n": 0, "code": "not_seated"})]


def test_an_unknown_key_gives_no_seat_and_no_refusal() -> None:
    room = Room()
    page = Guest(room, "Eva", key="x" * 43)
    assert page.last("welcome")["seat"] is None


def test_the_host_key_opens_the_hosts_seat_from_anywhere() -> None:
    room = Room()
    ana = room.host("Ana")
    other = Guest(room, "Ana", host=HOST_KEY)
    assert other.last("welcome")["seat"] == 0
    assert other.last("welcome")["host"] is True
    assert ana.last("closed")["code"] == "replaced"
    assert other.do("lock") is None


def test_a_shared_screen_has_no_seat_and_takes_none() -> None:
    room, _, beto, _ = seat_three()
    screen = Guest(room, "TV", watch=True)
    assert "you" not in screen.view
    assert room.table.may_offer(screen.conn)
    assert screen.code("sit", name="TV") == "not_allowed"
    assert beto.code("sit", name="Beto") == "already_seated"


def test_only_who_has_a_seat_or_is_a_screen_may_offer_a_data_channel() -> None:
    room = Room()
    page = Guest(room, "Eva")
    assert not room.table.may_offer(page.conn)
    page.sit()
    assert room.table.may_offer(page.conn)
    assert not room.table.may_offer(99)


def test_the_eleventh_is_refused() -> None:
    room = Room()
    room.host("0")
    for number in range(1, 10):
        room.guest(f"Nr {number}x")
    eleventh = Guest(room, "Once")
    assert eleventh.code("sit", name="Once") == "table_full"
    assert len(eleventh.view["seats"]) == 10


@pytest.mark.parametrize(
    ("name", "code"),
    [("", "name_empty"), ("x" * 4000, "name_long"), ("a\x00b", "name_bad")],
)
def test_a_bad_name_is_refused_and_nobody_is_disturbed(name: str, code: str) -> None:
    room = Room()
    ana = room.host("Ana")
    page = Guest(room, "?")
    seq, told = room.table.seq, len(ana.got)
    assert page.code("sit", name=name) == code
    assert room.table.seq == seq
    assert len(ana.got) == told


def test_a_taken_name_gets_a_number() -> None:
    room = Room()
    room.host("Ana")
    assert room.guest("ana").me["name"] == "ana 2"


def test_a_locked_table_takes_nobody_but_whom_it_has() -> None:
    room, ana, beto, _ = seat_three()
    assert ana.do("lock") is None
    assert Guest(room, "Eva").code("sit", name="Eva") == "table_locked"
    assert beto.view["locked"] is True
    beto.vanish()
    beto.come_back()
    assert beto.last("welcome")["seat"] == 1
    ana.do("unlock")
    assert Guest(room, "Eva").code("sit", name="Eva") is None


def test_a_guest_has_none_of_the_hosts_powers() -> None:
    _, ana, beto, _ = seat_three()
    for deed in ("start", "lock", "remove", "rules", "end", "approve", "what"):
        assert beto.do(deed, seat=0, value="classic") == "not_host"
    assert ana.do("what") == "bad_message"


def test_starting_alone_is_refused() -> None:
    room = Room()
    ana = room.host("Ana")
    assert ana.do("start") == "too_few"
    assert ana.view["phase"] == "lobby"


def test_bots_are_added_by_level_and_removed() -> None:
    room = Room()
    ana = room.host("Ana")
    for level in ("easy", "normal", "hard", "random"):
        assert ana.do("add_bot", value=level) is None
    assert ana.do("add_bot", value="genius") == "bad_message"
    assert [seat.get("bot") for seat in ana.view["seats"]] == [None, "easy", "normal", "hard", "random"]
    assert len({seat["name"] for seat in ana.view["seats"]}) == 5
    assert ana.do("remove", seat=2) is None
    assert ana.view["seats"][2] is None
    assert ana.do("remove", seat=2) == "no_such_seat"
    assert ana.do("remove", seat=77) == "no_such_seat"
    assert ana.do("remove", seat=0) == "not_allowed", "the host does not throw herself out"


def test_a_bot_that_the_program_does_not_have_is_refused() -> None:
    room = Room(brain={}.__getitem__)
    assert room.host("Ana").do("add_bot", value="hard") == "bad_message"


def test_a_seat_given_up_in_the_lobby_is_free_for_the_next_and_its_key_is_dead() -> None:
    room, ana, beto, _ = seat_three()
    beto.must("leave")
    assert beto.last("closed")["code"] == "left"
    assert ana.view["seats"][1] is None
    again = Guest(room, "Beto", key=beto.key)
    assert again.last("welcome")["seat"] is None
    again.sit()
    assert again.seat == 1


def test_the_seats_close_up_when_a_match_starts() -> None:
    _, ana, beto, carla = seat_three()
    beto.must("leave")
    assert ana.do("start") is None
    assert (ana.seat, carla.seat) == (0, 1)
    assert [seat["name"] for seat in carla.view["seats"]] == ["Ana", "Carla"]
    assert carla.view["phase"] == "round"


def test_who_is_removed_is_told_and_out() -> None:
    room, ana, beto, _ = seat_three()
    ana.do("remove", seat=1)
    assert beto.last("closed")["code"] == "removed"
    assert Guest(room, "Beto", key=beto.key).last("welcome")["seat"] is None


def test_rules_are_set_in_notation_and_bad_ones_name_the_field() -> None:
    _, ana, beto, _ = seat_three()
    assert ana.do("rules", value="party hand_size=5") is None
    assert beto.view["rules"] == "party hand_size=5"
    assert "rules_changed" in beto.kinds()
    for notation, field in [
        ("classic stacking=sometimes", "stacking"),
        ("classic misplay=draw_two jump_in=on", "misplay"),
        ("poker", "rules"),
        ("classic wings=on", "rules"),
        ("classic hand_size=16", "hand_size"),
        ('classic "', "rules"),
    ]:
        answer = ana.ask("host", do="rules", value=notation)
        assert (answer["code"], answer["field"]) == ("bad_rules", field), notation
    assert beto.view["rules"] == "party hand_size=5"


def test_rules_that_need_another_number_of_players_are_refused_at_the_start() -> None:
    _, ana, _, _ = seat_three()
    assert ana.do("rules", value="classic teams=pairs") is None
    answer = ana.ask("host", do="start")
    assert (answer["code"], answer["field"]) == ("bad_rules", "teams")


def test_written_rules_and_custom_cards_are_shown_and_stay_when_other_rules_change() -> None:
    _, ana, beto, _ = seat_three()
    cards = [{"text": "Canta", "effect": "all_draw"}, {"text": "", "effect": "none"}, {"text": "¿'?", "effect": "swap"}]
    assert ana.do("agreed", value=["Nadie mira el móvil", "Quien pierde friega, \"hoy\""]) is None
    assert ana.do("custom", value=cards) is None
    assert ana.do("rules", value="classic deck=112") is None
    assert beto.view["agreed"] == ["Nadie mira el móvil", "Quien pierde friega, \"hoy\""]
    assert beto.view["custom"] == cards
    assert ana.do("agreed", value=[]) is None
    assert "agreed" not in beto.view


@pytest.mark.parametrize(
    ("deed", "value", "field"),
    [
        ("agreed", ["x"] * 6, "agreed"),
        ("agreed", ["x" * 141], "agreed"),
        ("agreed", [7], "agreed"),
        ("agreed", "x", "agreed"),
        ("agreed", ["a\u202eb"], "agreed"),
        ("custom", [], "custom"),
        ("custom", [{"text": "x", "effect": "explode"}] * 3, "custom1"),
        ("custom", [{"text": "x" * 61}] * 3, "custom1_text"),
        ("custom", [{"txt": "x"}] * 3, "custom1"),
        ("custom", [1, 2, 3], "custom1"),
        ("grace", 1.6, "catch_grace"),
        ("grace", -0.1, "catch_grace"),
    ],
)
def test_what_cannot_be_a_rule_is_refused_with_its_field(deed: str, value: object, field: str) -> None:
    room = Room()
    ana = room.host("Ana")
    answer = ana.ask("host", do=deed, value=value)
    assert (answer["code"], answer.get("field")) == ("bad_rules", field)


def test_the_title_is_cleaned_like_a_name() -> None:
    _, ana, beto, _ = seat_three()
    assert ana.do("title", value="  Cena  del viernes ") is None
    assert beto.view["title"] == "Cena del viernes"
    assert ana.do("title", value="") == "name_empty"
    assert ana.do("title", value="a\u202eb") == "name_bad"
    assert ana.do("title", value="x" * 41) == "name_long"
    assert ana.do("title", value=3) == "bad_message"


def test_a_second_hello_on_a_live_seat_changes_nothing() -> None:
    room, ana, beto, carla = seat_three()
    seq = room.table.seq
    beto.send({"t": "hello", "v": 1, "secret": SECRET, "key": beto.key})
    assert beto.last("welcome")["seat"] == 1
    beto.send({"t": "hello", "v": 1, "secret": SECRET, "key": carla.key})
    assert beto.last("refused")["code"] == "already_seated"
    beto.send({"t": "hello", "v": 1, "secret": "nonsense"})
    assert beto.last("refused")["code"] == "bad_secret"
    assert room.table.seq == seq
    assert beto.do("lock") == "not_host"
    assert carla.me["name"] == "Carla"
    assert ana.do("start") is None


def test_a_page_without_a_seat_may_say_hello_again_with_the_key_it_remembered() -> None:
    room, _, beto, _ = seat_three()
    beto.vanish()
    page = Guest(room, "Beto")
    assert page.last("welcome")["seat"] is None
    page.send({"t": "hello", "v": 1, "secret": SECRET, "key": beto.key})
    assert page.last("welcome")["seat"] == 1


def test_who_sits_down_twice_because_the_answer_was_lost_has_one_seat() -> None:
    room = Room()
    room.host("Ana")
    page = Guest(room, "Beto")
    page.must("sit", name="Beto", id="f" * 32)
    first = page.key
    page.vanish()
    page.dial()
    page.n = 0
    page.must("sit", name="Beto", id="f" * 32)
    assert page.seat == 1
    assert len(page.view["seats"]) == 2
    assert page.key != first
    assert Guest(room, "x", key=first).last("welcome")["seat"] is None, "the first key is dead"


def test_who_comes_while_a_round_runs_is_dealt_in_with_the_next() -> None:
    room, ana, beto, _carla = seat_three()
    ana.do("start")
    dora = room.guest("Dora")
    assert dora.seat == 3
    assert dora.me["state"] == "next"
    assert "hand" not in dora.view
    assert dora.act("draw") == "not_your_turn"
    room.put_last_card()
    assert dora.view["phase"] == "between"
    assert beto.do("next") == "not_host"
    assert ana.do("next") is None
    assert len(dora.view["hand"]) >= 7
    assert "state" not in dora.me


def test_who_came_and_left_during_a_round_leaves_no_trace() -> None:
    room, ana, _, _ = seat_three()
    ana.do("start")
    for number in range(20):
        room.guest(f"Nr {number}").must("leave")
    assert len(ana.view["seats"]) == 3


def test_who_leaves_a_round_and_comes_back_has_the_same_name_again() -> None:
    room, ana, rosa, _ = seat_three()
    second = room.guest(rosa.name)
    assert second.me["name"] == f"{rosa.name} 2"
    ana.do("start")
    left = second.seat
    second.must("leave")
    again = room.guest(rosa.name)
    assert again.me["name"] == f"{rosa.name} 2"
    assert [each["state"] for each in ana.view["seats"][left:]] == ["gone", "next"]
    room.put("b1", "y2 y3", "y4 y5", "")
    assert ana.act("b1") is None
    assert ana.do("next") is None
    assert again.me["name"] == f"{rosa.name} 2"
    assert len(again.view["hand"]) >= 7
    # A seat that a bot keeps for its person is still that person's, and so is the name.
    again.vanish()
    room.pass_time(6)
    assert ana.do("bot", seat=again.seat) is None
    assert room.guest(rosa.name).me["name"] == f"{rosa.name} 3"
    again.come_back()
    assert again.me["name"] == f"{rosa.name} 2"


def test_a_bot_that_was_sent_away_in_a_round_leaves_its_name_to_the_next() -> None:
    _, ana, _, _ = seat_three()
    ana.do("add_bot", value="easy")
    ana.do("start")
    name = ana.view["seats"][3]["name"]
    for _ in range(10):
        ana.do("remove", seat=len(ana.view["seats"]) - 1)
        ana.do("add_bot", value="easy")
    assert ana.view["seats"][3]["name"] == name
    assert " " not in ana.view["seats"][-1]["name"], "no number after it"


def test_the_next_round_and_another_match_are_the_hosts_to_start() -> None:
    room, ana, beto, carla = seat_three()
    assert ana.do("next") == "wrong_phase"
    assert ana.do("rematch") == "wrong_phase"
    ana.do("start")
    assert ana.do("start") == "wrong_phase"
    assert ana.do("rules", value="party") == "wrong_phase"
    room.put_last_card(scores=(450, 0, 0))
    assert ana.view["phase"] == "over"
    assert ana.view["winners"] == [0]
    assert ana.do("next") == "wrong_phase"
    assert ana.do("rules", value="party") is None
    assert ana.do("rematch") is None
    assert (ana.seat, beto.seat, carla.seat) == (0, 1, 2)
    assert carla.view["rules"] == "party"
    assert carla.view["phase"] == "round"
    assert "score" not in ana.me


def test_the_host_can_end_the_match() -> None:
    _, ana, beto, _ = seat_three()
    assert ana.do("end") == "wrong_phase"
    ana.do("start")
    assert ana.do("end") is None
    assert beto.view["phase"] == "lobby"
    assert "hand" not in beto.view


def test_two_matches_of_one_table_are_not_dealt_alike_but_two_tables_of_one_seed_are() -> None:
    def deal() -> tuple[list[str], list[str]]:
        _, ana, _, _ = seat_three()
        ana.do("start")
        first = ana.view["hand"]
        ana.do("end")
        ana.do("start")
        return first, ana.view["hand"]

    one, two = deal(), deal()
    assert one == two
    assert one[0] != one[1]
    assert all(card(text) for text in one[0])


def test_the_console_is_told_everything_but_secrets() -> None:
    room, ana, _, _ = seat_three()
    ana.do("start")
    told = room.table.console()
    assert [player["name"] for player in told["players"]] == ["Ana", "Beto", "Carla"]
    assert told["phase"] == "round"
    assert not {"hand", "pile", "secret", "host_key"} & told.keys()


def test_when_the_host_goes_every_page_is_told() -> None:
    room, ana, beto, carla = seat_three()
    room.table.close(room.now)
    room.drain()
    assert {guest.last("closed")["code"] for guest in (ana, beto, carla)} == {"table_closed"}
