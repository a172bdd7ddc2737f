"""A table over WebSockets, from the first byte of a real client."""

import asyncio
from typing import Any

import pytest
from aiohttp import WSServerHandshakeError

from tests.host.conftest import Host
from tests.host.phones import HOST_KEY, Phone, eventually


async def meet(phones: list[Phone]) -> None:
    """Until all of them have the same view."""
    await eventually(lambda: len({p.seq for p in phones}) == 1 and "turn" in phones[0].view)


async def test_friends_sit_down_and_play(host: Host) -> None:
    ana = await host.seated("Ana", host=HOST_KEY)
    beto = await host.seated("Beto")
    await ana.until(lambda view: len(view["seats"]) == 2)
    assert (await ana.ask(t="host", do="start"))["t"] == "done"
    await beto.until(lambda view: view["phase"] == "round")
    phones = [ana, beto]
    await meet(phones)
    for _ in range(20):
        turn = ana.view.get("turn")
        if turn is None:
            break
        move = phones[turn].first_move()
        assert move is not None
        assert (await phones[turn].act(move))["t"] == "done"
        await meet(phones)
    assert ana.seq == beto.seq
    assert ana.seq > 10
    assert ana.view["top"] == beto.view["top"]
    assert ana.view["hand"] != beto.view.get("hand")


async def test_the_link_in_the_welcome_is_the_tables(host: Host) -> None:
    runner = host.tables.get("aaaaaa")
    assert runner is not None
    runner.table.link = "http://192.168.1.7:8765/#aaaaaa.ssss"  # type: ignore[attr-defined]
    phone = await host.phone()
    assert (await phone.hello())["link"] == "http://192.168.1.7:8765/#aaaaaa.ssss"


async def test_a_ping_is_answered_once_on_its_path(host: Host) -> None:
    phone = await host.seated("Ana")
    await phone.say(t="ping", i=7, seq=phone.seq)
    assert await phone.hear("pong") == {"t": "pong", "i": 7}
    await phone.ask(t="host", do="start")
    assert len(phone.all("pong")) == 1


async def test_a_ping_that_is_behind_brings_the_view(host: Host) -> None:
    phone = await host.seated("Ana")
    await phone.until(lambda view: len(view["seats"]) == 1)
    have = len(phone.all("view"))
    await phone.say(t="ping", i=1, seq=0)
    await phone.hear("pong")
    await phone.hear("view")
    assert len(phone.all("view")) == have + 1


async def test_pings_that_lie_do_not_bring_a_view_each(host: Host) -> None:
    phone = await host.seated("Ana")
    await phone.until(lambda view: len(view["seats"]) == 1)
    have = len(phone.all("view"))
    for i in range(12):
        await phone.say(t="ping", i=i, seq=0)
    await phone.ask(t="vote", value="stacking=same")
    assert len(phone.all("pong")) == 12
    assert len(phone.all("view")) <= have + 2


async def test_a_key_brings_the_seat_back_and_closes_the_older_page(host: Host) -> None:
    old = await host.seated("Ana")
    new = await host.phone()
    welcome = await new.hello(key=old.key)
    assert welcome["seat"] == 0
    assert await old.hear("closed") == {"t": "closed", "code": "replaced"}
    async with asyncio.timeout(2):
        await old.socket_closed.wait()


async def test_a_second_hello_on_a_live_page_changes_nothing(host: Host) -> None:
    phone = await host.seated("Ana")
    welcome = await phone.hello()
    assert welcome["seat"] == 0
    assert (await phone.ask(t="sit", name="Eva"))["code"] == "already_seated"


@pytest.mark.parametrize("code", ["aaaaaa", "bbbbbb"])
async def test_a_wrong_link_and_an_unknown_table_get_the_same_end(host: Host, code: str) -> None:
    phone = await host.phone(code)
    await phone.say(t="hello", v=1, secret="x" * 16)
    assert (await phone.hear("closed"))["code"] == "bad_hello"
    async with asyncio.timeout(2):
        await phone.socket_closed.wait()


async def test_whoever_says_something_else_first_is_sent_away(host: Host) -> None:
    phone = await host.phone()
    await phone.say(t="sit", n=1, name="Ana")
    assert (await phone.hear("closed"))["code"] == "bad_hello"


async def test_who_says_nothing_is_sent_away(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penultima.host.session.HELLO_SECONDS", 0.2)
    phone = await host.phone()
    assert (await phone.hear("closed"))["code"] == "bad_hello"
    assert not host.around.sessions


GARBAGE = [
    "", "{", "null", "[]", "7", '"hello"', "{}", '{"t": 1}', '{"t": "nothing"}', '{"t": "act"}',
    '{"t": "act", "n": 5, "seq": 0, "a": 7}', '{"t": "act", "n": -1, "seq": 0, "a": "draw"}',
    '{"t": "ping"}', '{"t": "ping", "i": "x", "seq": 0}', '{"t": "offer"}',
    '{"t": "offer", "id": 1, "sdp": 2}', '{"t": "candidate"}', '{"t": "status", "hidden": 3}',
    '{"t":"ping","i":1e999,"seq":0}', '{"t":"sit","n":6,"name":"\\ud800"}', "[" * 3000,
    '{"t": "act", "n": 999999999999999999999999999999, "seq": 0, "a": "draw"}', b"\x00\xff",
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=lambda g: repr(g)[:40])
async def test_garbage_is_refused_and_nobody_else_notices(
    host: Host, garbage: Any, caplog: pytest.LogCaptureFixture
) -> None:
    ana, beto = await host.seated("Ana"), await host.seated("Beto")
    await ana.say_raw(garbage)
    refused = await ana.hear("refused")
    assert refused["code"] in {"bad_message", "not_seated", "already_seated", "name_bad"}
    assert (await beto.ask(t="host", do="start"))["code"] == "not_host"
    assert (await ana.ask(t="host", do="start"))["code"] == "not_host"
    assert not caplog.records


async def test_too_big_is_said_so_and_the_page_stays(host: Host) -> None:
    phone = await host.seated("Ana")
    await phone.say(t="ping", i=1, seq=1, padding="x" * 5000)
    assert (await phone.hear("refused"))["code"] == "too_big"
    await phone.say(t="offer", id="1", sdp="v=0\r\n" * 4000)
    assert (await phone.hear("refused"))["code"] == "too_big"
    await phone.say(t="ping", i=2, seq=1)
    assert (await phone.hear("pong"))["i"] == 2


async def test_enormous_closes_the_connection_of_the_sender_only(host: Host) -> None:
    ana, beto = await host.seated("Ana"), await host.seated("Beto")
    await ana.say_raw("x" * 200_000)
    async with asyncio.timeout(3):
        await ana.socket_closed.wait()
    assert ana.socket.close_code == 1009
    await beto.say(t="ping", i=2, seq=1)
    assert (await beto.hear("pong"))["i"] == 2


async def test_too_fast_hurts_only_the_sender(host: Host) -> None:
    ana, beto = await host.seated("Ana"), await host.seated("Beto")
    for n in range(60):
        await ana.say(t="act", n=100 + n, seq=0, a="draw")
    await beto.say(t="ping", i=5, seq=1)
    assert (await beto.hear("pong", patience=0.5))["i"] == 5
    codes = set()
    while "too_fast" not in codes:
        codes.add((await ana.hear("refused"))["code"])
    await asyncio.sleep(0.5)
    refused = {r["n"] for r in ana.all("refused") if r["code"] == "too_fast"}
    assert refused <= {100 + n for n in range(60)}


async def test_who_never_stops_is_closed(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("penultima.host.limits.PATIENCE", 30)
    phone = await host.seated("Ana")
    for _ in range(100):
        await phone.say_raw("nonsense")
    assert (await phone.hear("closed"))["code"] == "too_many"


async def test_hellos_of_strangers_wait_their_turn(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penultima.host.limits.HELLOS_A_SECOND", 1.0)
    started = asyncio.get_running_loop().time()
    phones = [await host.phone() for _ in range(8)]
    for phone in phones:
        await phone.say(t="hello", v=1, secret="x" * 16)
    # Somebody with the link, from the same address, is not slowed down by them.
    ana = await host.phone()
    await ana.hello()
    assert not phones[-1].all("closed")
    await asyncio.gather(*(phone.hear("closed") for phone in phones))
    # Five at once, then one a second.
    assert asyncio.get_running_loop().time() - started > 2.5


async def test_who_guesses_and_hangs_up_keeps_the_place_busy(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else an address would have as many tries a second as it can open connections."""
    monkeypatch.setattr("penultima.host.limits.CONNECTIONS_AN_ADDRESS", 3)
    monkeypatch.setattr("penultima.host.limits.HELLOS_BURST", 1.0)
    monkeypatch.setattr("penultima.host.limits.HELLOS_A_SECOND", 0.5)
    for _ in range(4):
        phone = await host.phone()
        await phone.say(t="hello", v=1, secret="x" * 16)
        await asyncio.sleep(0.03)
        await phone.cut()
        await asyncio.sleep(0.03)
    with pytest.raises(WSServerHandshakeError) as refusal:
        await host.phone()
    assert refusal.value.status == 429


async def test_a_hundred_guests_of_one_address_come_back_at_once(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A club behind one router, or a proxy, after the host was restarted: nobody waits."""
    monkeypatch.setattr("penultima.host.limits.HELLOS_A_SECOND", 0.01)
    codes = [f"aaaaa{letter}" for letter in "abcdefghjk"]
    for code in codes[1:]:
        host.open_table(code)

    async def guest(code: str) -> None:
        phone = await host.phone(code)
        await phone.hello()

    await asyncio.gather(*(guest(code) for code in codes for _ in range(10)))
    # As strangers all but five of them would be turned away.
    assert sum(door.waiting for door in host.around.doorkeeper.doors.values()) == 100


async def test_one_table_has_64_pages_without_a_seat(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penultima.host.limits.CONNECTIONS_A_TABLE", 3)
    host.open_table("bbbbbb")
    for _ in range(3):
        await (await host.phone()).hello()
    late = await host.phone()
    await late.say(t="hello", v=1, secret="s" * 16)
    assert (await late.hear("closed"))["code"] == "too_many"
    await (await host.phone("bbbbbb")).hello()


async def test_an_address_has_64_connections_without_a_seat(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penultima.host.limits.CONNECTIONS_AN_ADDRESS", 3)
    phones = [await host.phone() for _ in range(3)]
    with pytest.raises(WSServerHandshakeError) as refusal:
        await host.phone()
    assert refusal.value.status == 429
    # Whoever has a seat is not counted: a tunnel brings all guests from one address.
    await phones[0].hello()
    await phones[0].sit("Ana")
    await host.phone()
    await phones[1].close()
    await asyncio.sleep(0.05)
    await host.phone()


async def test_a_page_that_goes_is_gone(host: Host) -> None:
    phone = await host.seated("Ana")
    assert len(host.around.sessions) == 1
    await phone.cut()
    await asyncio.sleep(0.1)
    assert not host.around.sessions
    runner = host.tables.get("aaaaaa")
    assert runner is not None
    assert runner.pages == 0
    assert all(door.waiting == 0 for door in host.around.doorkeeper.doors.values())


async def test_a_silent_page_is_pinged_and_then_given_up(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penultima.host.session.HEARTBEAT", 0.3)
    monkeypatch.setattr("penultima.host.session.DEAD", 1.2)
    phone = await host.seated("Ana")
    assert "i" in await phone.hear("ping")
    await phone.say(t="pong", i=1)
    assert len(host.around.sessions) == 1
    phone.vanish()
    await asyncio.sleep(2.2)
    assert not host.around.sessions


async def test_closing_the_table_tells_every_page(host: Host) -> None:
    phones = [await host.seated("Ana"), await host.seated("Beto"), await host.phone()]
    await phones[2].hello(watch=True)
    await host.tables.close()
    for phone in phones:
        assert (await phone.hear("closed"))["code"] == "table_closed"
        async with asyncio.timeout(2):
            await phone.socket_closed.wait()


async def test_who_asks_and_never_listens_fills_nothing(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penultima.host.limits.PATIENCE", 10**9)
    phone = await host.seated("Ana")
    phone.vanish()
    session = next(iter(host.around.sessions))
    assert session._socket is not None
    for _ in range(3000):
        session.deliver("view", {"seq": 1}, '{"t":"view","seq":1,"e":"' + "x" * 8000 + '"}')
    full = session._socket.buffered
    for _ in range(3000):
        session.text(session._socket, '{"t":"ping","i":1,"seq":1}')
    assert session._socket.buffered == full
    assert full < 100_000


async def test_the_hosts_page_has_every_link_and_all_hear_of_a_new_one(host: Host) -> None:
    near, far = "http://192.168.1.7:8765/#aaaaaa.ssss", "https://x.trycloudflare.com/#aaaaaa.ssss"
    host.around.pass_on("aaaaaa", (near, f"{near}2"))
    host.around.pass_on("bbbbbb", ("http://other",))
    ana, beto = await host.phone(), await host.phone()
    await ana.hello(host=HOST_KEY)
    await beto.hello()
    assert (await ana.hear("links"))["links"] == [near, f"{near}2"]
    host.around.pass_on("aaaaaa", (far, near))
    assert (await ana.hear("links"))["links"] == [far, near]
    assert (await beto.hear("links"))["links"] == [far]
    host.around.pass_on("aaaaaa", (far, near))
    host.around.pass_on("bbbbbb", (near,))
    await beto.ask(t="sit", name="Beto")
    assert [message["t"] for _, message in ana.log].count("links") == 2
    assert [message["t"] for _, message in beto.log].count("links") == 1
