"""A data channel with aiortc as the guest, beside the WebSocket and without it."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.host.conftest import Host
from tests.host.phones import HOST_KEY, RtcPhone, eventually


async def test_messages_go_both_ways(host: Host) -> None:
    ana = await host.seated("Ana", rtc=True, host=HOST_KEY)
    await ana.say("datachannel", t="ping", i=3, seq=ana.seq)
    assert await ana.hear_where("pong") == ("datachannel", {"t": "pong", "i": 3})
    answer = await ana.ask("datachannel", t="host", do="title", value="Otra")
    assert answer["t"] == "done"
    await ana.until(lambda view: view["title"] == "Otra")
    path, _ = next((p, m) for p, m in reversed(ana.log) if m["t"] == "view")
    assert path == "datachannel"


async def test_what_comes_by_websocket_is_answered_by_data_channel(host: Host) -> None:
    ana = await host.seated("Ana", rtc=True, host=HOST_KEY)
    await ana.say(n=2, t="host", do="lock")
    path, answer = await ana.hear_where("done")
    assert (path, answer["n"]) == ("datachannel", 2)


async def test_the_match_goes_on_without_the_websocket(host: Host) -> None:
    ana = await host.seated("Ana", rtc=True, host=HOST_KEY)
    beto = await host.seated("Beto")
    await ana.cut()
    await ana.socket_closed.wait()
    assert (await ana.ask("datachannel", t="host", do="title", value="Sin red"))["t"] == "done"
    await beto.until(lambda view: view["title"] == "Sin red")
    await ana.until(lambda view: view["title"] == "Sin red")
    assert not any(seat.get("state") for seat in beto.view["seats"])


async def test_the_match_goes_on_without_the_data_channel(host: Host) -> None:
    ana = await host.seated("Ana", rtc=True, host=HOST_KEY)
    await ana.pc.close()
    assert (await ana.ask(t="host", do="title", value="Cable"))["t"] == "done"
    await ana.until(lambda view: view["title"] == "Cable")
    path, _ = next((p, m) for p, m in reversed(ana.log) if m["t"] == "view")
    assert path == "websocket"
    assert len(host.around.sessions) == 1


async def test_without_both_the_page_is_gone(host: Host) -> None:
    ana = await host.seated("Ana", rtc=True)
    await ana.cut()
    await ana.pc.close()
    await eventually(lambda: not host.around.sessions)


def deafen(phone: RtcPhone) -> None:
    """The channel is open, and nothing arrives at either end."""
    phone.channel.remove_all_listeners("message")
    for protocol in phone.pc.sctp.transport.transport._connection._protocols:
        protocol.datagram_received = lambda *_: None
        protocol.transport.sendto = lambda *_: None


async def test_a_page_that_lacks_the_view_it_was_sent_gets_it_the_other_way(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penultima.host.session.DOUBT", 0.3)
    ana = await host.seated("Ana", rtc=True, host=HOST_KEY)
    beto = await host.seated("Beto", rtc=True)
    deafen(beto)
    await asyncio.sleep(0.4)
    assert (await ana.ask(t="host", do="title", value="Por el otro lado"))["t"] == "done"
    before = beto.seq
    await asyncio.sleep(0.4)
    # Its heartbeat on the socket says what it has.
    await beto.say(t="ping", i=1, seq=before)
    await beto.until(lambda view: view["title"] == "Por el otro lado", patience=1)
    # From then on the socket has it all, at once.
    assert (await ana.ask(t="host", do="title", value="Y sin preguntar"))["t"] == "done"
    await beto.until(lambda view: view["title"] == "Y sin preguntar", patience=0.5)
    # So are answers to what is asked there.
    beto.n += 1
    await beto.say(t="vote", n=beto.n, value="stacking=same")
    assert (await beto.hear_where("done", "refused", patience=0.5))[0] == "websocket"


async def test_a_view_that_is_sent_once_more_still_says_what_happened(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penultima.host.session.DOUBT", 0.4)
    ana = await host.seated("Ana", rtc=True, host=HOST_KEY)
    beto = await host.seated("Beto", rtc=True)
    before = beto.seq
    deafen(beto)
    assert (await ana.ask(t="host", do="add_bot", value="easy"))["t"] == "done"
    # Too early to doubt the channel: the view is repeated there, for nobody.
    await beto.say(t="ping", i=1, seq=before)
    await asyncio.sleep(0.5)
    await beto.say(t="ping", i=2, seq=before)
    await beto.until(lambda view: len(view["seats"]) == 3, patience=1)
    assert [each["e"] for each in beto.all("view")[-1]["e"]] == ["joined"]


async def test_a_request_on_the_socket_says_that_the_channel_is_deaf(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penultima.host.session.DOUBT", 0.3)
    ana = await host.seated("Ana", rtc=True, host=HOST_KEY)
    deafen(ana)
    await asyncio.sleep(0.4)
    request = {"n": 2, "t": "host", "do": "title", "value": "Cable"}
    await ana.say("datachannel", **request)
    await ana.say(**request)
    assert (await ana.hear_where("done", patience=0.5))[0] == "websocket"


async def test_what_a_dead_data_channel_swallowed_comes_by_websocket(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penultima.host.session.HEARTBEAT", 0.2)
    monkeypatch.setattr("penultima.host.session.SILENT", 0.5)
    monkeypatch.setattr("penultima.host.session.DEAD", 1.5)
    ana = await host.seated("Ana", rtc=True, host=HOST_KEY)
    beto = await host.seated("Beto")

    async def keep_answering() -> None:
        while True:
            await asyncio.sleep(0.15)
            for phone in (ana, beto):
                await phone.say(t="pong", i=0)

    beating = asyncio.create_task(keep_answering())
    deafen(ana)
    request = {"n": 2, "t": "host", "do": "title", "value": "Por el otro lado"}
    await ana.say(**request)
    await ana.until(lambda view: view.get("title") == "Por el otro lado")
    # The answer went the dead way; asked again, the same number brings the same answer.
    await ana.say(**request)
    assert (await ana.hear("done"))["n"] == 2
    beating.cancel()


async def test_no_offer_before_a_seat(host: Host) -> None:
    phone = await host.rtc_phone()
    await phone.hello()
    await phone.open_channel(expect="no_channel")
    assert phone.all("no_channel")[0]["code"] == "not_seated"


async def test_the_shared_screen_may_offer(host: Host) -> None:
    screen = await host.rtc_phone()
    await screen.hello(watch=True)
    await screen.open_channel()


async def test_no_offer_before_the_hello(host: Host) -> None:
    phone = await host.rtc_phone()
    await phone.say(t="offer", id="1", sdp="v=0")
    assert (await phone.hear("closed"))["code"] == "bad_hello"


async def test_without_rtc_the_websocket_carries_on(new_host: Callable[..., Any]) -> None:
    host: Host = await new_host(rtc=False)
    host.open_table()
    ana = await host.rtc_phone()
    await ana.hello(host=HOST_KEY)
    await ana.sit("Ana")
    await ana.open_channel(expect="no_channel")
    assert ana.all("no_channel")[0]["code"] == "not_allowed"
    assert (await ana.ask(t="host", do="lock"))["t"] == "done"


async def test_garbage_as_an_offer_is_refused(host: Host) -> None:
    ana = await host.seated("Ana", host=HOST_KEY)
    await ana.say(t="offer", id="x", sdp="v=0\r\nm=audio 9 RTP/AVP 0\r\n")
    assert await ana.hear("no_channel") == {"t": "no_channel", "id": "x", "code": "bad_message"}
    assert (await ana.ask(t="host", do="lock"))["t"] == "done"


async def test_a_new_offer_takes_the_place_of_the_old_channel(host: Host) -> None:
    ana = await host.seated("Ana", rtc=True, host=HOST_KEY)
    old = ana.pc
    await ana.open_channel()
    assert (await ana.ask("datachannel", t="host", do="lock"))["t"] == "done"
    assert len(host.around.sessions) == 1
    await old.close()


async def test_too_many_offers_are_refused(host: Host) -> None:
    ana = await host.seated("Ana")
    for number in range(6):
        await ana.say(t="offer", id=str(number), sdp="v=0")
    codes = [(await ana.hear("no_channel"))["code"] for _ in range(6)]
    assert codes[:3] == ["bad_message"] * 3
    assert set(codes[3:]) == {"too_fast"}


async def test_a_channel_that_does_not_open_is_closed(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    from aiortc import RTCConfiguration, RTCPeerConnection

    from penultima.host import datachannel

    monkeypatch.setattr(datachannel, "OPENING_SECONDS", 0.3)
    ana = await host.seated("Ana")
    pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    pc.createDataChannel("table")
    await pc.setLocalDescription(await pc.createOffer())
    await ana.say(t="offer", id="1", sdp=pc.localDescription.sdp)
    await ana.hear("answer")
    session = next(iter(host.around.sessions))
    assert session._data is not None
    await asyncio.sleep(0.5)
    assert session._data is None
    await datachannel.all_closed(3)
    assert not datachannel._tasks
    await pc.close()


async def test_a_second_data_channel_ends_the_first(host: Host) -> None:
    ana = await host.seated("Ana", rtc=True)
    ana.pc.createDataChannel("another")
    session = next(iter(host.around.sessions))
    await eventually(lambda: session._data is None)


async def test_a_stuck_guest_does_not_slow_the_others(host: Host) -> None:
    ana = await host.seated("Ana", host=HOST_KEY)
    stuck = await host.seated("Eva", rtc=True)
    plain = await host.seated("Beto")
    plain.vanish()
    for protocol in stuck.pc.sctp.transport.transport._connection._protocols:
        protocol.transport.sendto = lambda *_: None  # nothing is acknowledged any more
    longest = 0.0
    loop = asyncio.get_running_loop()
    runner = host.tables.get("aaaaaa")
    assert runner is not None
    page = next(iter(runner._pages.values()))
    for _ in range(3):
        # A flood of views for all: a table that says 200 kB a second to everybody.
        for _ in range(100):
            for each in runner._pages.values():
                each.deliver("view", {"seq": 1}, '{"t":"view","seq":1,"v":{},"e":"' + "x" * 2000 + '"}')
        started = loop.time()
        await ana.say(t="ping", i=1, seq=ana.seq)
        await ana.hear("pong")
        longest = max(longest, loop.time() - started)
        await asyncio.sleep(0.35)
    assert longest < 0.25
    assert page is not None
    for session in host.around.sessions:
        for path in (session._data, session._socket):
            assert path is None or path.buffered < 150_000
        assert len(session._outbox) <= 2


async def test_candidates_that_come_before_the_answer_are_kept(host: Host) -> None:
    from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription

    ana = await host.seated("Ana")
    pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    opened = asyncio.Event()
    pc.createDataChannel("table").on("open", opened.set)
    await pc.setLocalDescription(await pc.createOffer())
    lines = pc.localDescription.sdp.split("\r\n")
    bare = [line for line in lines if not line.startswith(("a=candidate", "a=end-of"))]
    await ana.say(t="offer", id="1", sdp="\r\n".join(bare))
    for line in lines:
        if line.startswith("a=candidate"):
            await ana.say(t="candidate", id="1", candidate=line[2:], mid="0")
    await ana.say(t="candidate", id="1", candidate="", mid="0")
    await ana.say(
        t="candidate",
        id="1",
        candidate="candidate:1 1 udp 2113937151 6f1c.local 51000 typ host",
        mid="0",
    )
    answer = await ana.hear("answer")
    # The guest hears nothing of the host's addresses: only what it trickled can connect them.
    sdp = "\r\n".join(
        line for line in answer["sdp"].split("\r\n") if not line.startswith("a=candidate")
    )
    await pc.setRemoteDescription(RTCSessionDescription(sdp, "answer"))
    async with asyncio.timeout(5):
        await opened.wait()
    await pc.close()


async def test_a_handler_that_raises_is_logged_and_closes_the_channel(
    host: Host, caplog: pytest.LogCaptureFixture
) -> None:
    ana = await host.seated("Ana", rtc=True)
    session = next(iter(host.around.sessions))
    assert session._data is not None

    def broken(_: object) -> None:
        raise RuntimeError("broken")

    session._data.on_text = broken
    ana.channel.send("x")
    await eventually(lambda: session._data is None)
    assert "in a handler of a data channel" in caplog.text


async def test_what_is_not_text_is_refused(host: Host) -> None:
    ana = await host.seated("Ana", rtc=True)
    ana.channel.send(b"\x00\x01")
    assert await ana.hear_where("refused") == (
        "datachannel",
        {"t": "refused", "n": 0, "code": "bad_message"},
    )


def test_the_library_is_the_one_that_was_examined() -> None:
    from importlib.metadata import version

    assert version("aiortc").startswith("1.16.")
    assert version("aioice").startswith("0.13.")
