"""Asking STUN servers, and data channels of a host that does.

The server is a few lines in the test's own loop; the real one is in tests/network.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from aioice import stun as messages

from penultima.host import datachannel, gathering, ice, session, stun
from tests.host.conftest import Host
from tests.host.phones import eventually

OUTSIDE = ("198.51.100.7", 40000)


class StunServer(asyncio.DatagramProtocol):
    """Answers with what it sees, or with what it is told to say."""

    def __init__(self, says: tuple[str, int] | None = None, *, loses: int = 0) -> None:
        self.says, self.loses = says, loses
        self.asked = 0

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.url = f"stun:127.0.0.1:{transport.get_extra_info('sockname')[1]}"

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self.asked += 1
        if self.asked <= self.loses:
            return
        question = messages.parse_message(data)
        answer = messages.Message(
            message_method=messages.Method.BINDING,
            message_class=messages.Class.RESPONSE,
            transaction_id=question.transaction_id,
        )
        answer.attributes["XOR-MAPPED-ADDRESS"] = self.says or addr
        self.transport.sendto(b"garbage", addr)
        self.transport.sendto(bytes(answer), addr)


@contextlib.asynccontextmanager
async def server(says: tuple[str, int] | None = None, *, loses: int = 0) -> AsyncIterator[StunServer]:
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.create_datagram_endpoint(
        lambda: StunServer(says, loses=loses), local_addr=("127.0.0.1", 0)
    )
    try:
        yield protocol
    finally:
        transport.close()


DEAF = 10**9
"""A server that loses every question."""


# ----------------------------------------------------------------------------- questions


async def test_a_server_tells_the_address_outside() -> None:
    async with server(OUTSIDE) as there:
        seen = await stun.reflect(ice.read([there.url]).stun[0])
        assert seen.outer == OUTSIDE


async def test_a_lost_question_is_asked_again() -> None:
    async with server(OUTSIDE, loses=1) as there:
        seen = await stun.reflect(ice.read([there.url]).stun[0])
        assert seen.outer == OUTSIDE
        assert there.asked == 2


async def test_what_does_not_answer_says_why() -> None:
    async with server(loses=DEAF) as there:
        for url, why in ((there.url, "silent"), ("stun:no-such-name.invalid", "name")):
            with pytest.raises(stun.NoAnswerError) as caught:
                await stun.reflect(ice.read([url]).stun[0], seconds=0.3)
            assert caught.value.why == why


async def test_the_kind_of_nat_is_told_by_two_servers() -> None:
    other = (OUTSIDE[0], OUTSIDE[1] + 1)
    async with server(OUTSIDE) as one, server(OUTSIDE) as same, server(other) as another, server() as near:
        for urls, kind in (
            ([one.url, same.url], "cone"),
            ([one.url, another.url], "symmetric"),
            ([one.url], "unknown"),
            ([near.url], "none"),
            (["stun:no-such-name.invalid"], "blocked"),
        ):
            found = await stun.nat(ice.read(urls).stun, seconds=0.5)
            assert found.kind == kind, urls


async def test_without_a_socket_to_ask_from_nobody_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @contextlib.asynccontextmanager
    async def none() -> AsyncIterator[None]:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        yield

    monkeypatch.setattr(stun, "_ear", none)
    found = await stun.nat(ice.read(["stun:127.0.0.1:9"]).stun)
    assert found.kind == "blocked"
    assert [(each.why, each.detail) for each in found.failures] == [
        ("unreachable", os.strerror(errno.EMFILE))
    ]


async def test_the_first_that_answers_is_asked_from_then_on() -> None:
    async with server(loses=DEAF) as dead, server(OUTSIDE) as alive:
        told = ice.read([dead.url, "stun:no-such-name.invalid", alive.url])
        reflector = stun.Reflector(told.reflectors)
        await reflector.look()
        assert reflector.address is not None
        assert f"stun:127.0.0.1:{reflector.address[1]}" == alive.url
        reflector = stun.Reflector(told.reflectors[:2])
        await reflector.look(0.2)
        assert reflector.address is None
        assert {each.why for each in reflector.failures} == {"silent", "name"}


async def test_who_comes_before_the_first_look_is_over_waits_for_it() -> None:
    async with server(OUTSIDE) as there:
        reflector = stun.Reflector(ice.read([there.url]).stun)
        assert await reflector.found(0.05) is None
        waiting = asyncio.create_task(reflector.found(5))
        await reflector.look()
        assert await waiting == reflector.address is not None


async def test_a_server_that_goes_and_comes_back_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stun, "SOON_SECONDS", 0.05)
    monkeypatch.setattr(stun, "PATIENCE_SECONDS", 0.1)
    monkeypatch.setattr(stun.Reflector.look, "__defaults__", (0.1,))
    async with server(OUTSIDE, loses=DEAF) as there:
        changes: list[bool] = []
        reflector = stun.Reflector(
            ice.read([there.url]).stun, on_change=lambda each: changes.append(each.address is not None)
        )
        watching = asyncio.create_task(reflector.watch())
        await eventually(lambda: changes == [False])
        there.loses = 0
        await eventually(lambda: changes == [False, True])
        there.loses = DEAF
        reflector.silent()
        await eventually(lambda: changes == [False, True, False])
        watching.cancel()


# ------------------------------------------------------------------- a host that asks one


@pytest.fixture
async def far(new_host: Callable[..., Any]) -> AsyncIterator[tuple[Host, StunServer]]:
    """A host with a STUN server, and with a relay that guests are told of."""
    async with server(OUTSIDE) as there:
        told = ice.read([there.url], ["turn:192.0.2.1"], secret="s")
        host: Host = await new_host(ice=told)
        host.around.reflector = stun.Reflector(told.reflectors)
        await host.around.reflector.look()
        host.open_table()
        yield host, there


async def test_the_answer_names_the_address_outside_and_no_relay(far: tuple[Host, StunServer]) -> None:
    host, _ = far
    ana = await host.seated("Ana", rtc=True)
    (answer,) = ana.all("answer")
    lines = [line for line in answer["sdp"].splitlines() if line.startswith("a=candidate:")]
    assert sum("typ srflx" in line for line in lines) == 1
    assert any(f"{OUTSIDE[0]} {OUTSIDE[1]} typ srflx" in line for line in lines)
    assert not any("typ relay" in line for line in lines)
    assert (await ana.ask("datachannel", t="vote", value="x"))["t"] == "refused"


async def test_it_is_asked_before_the_offer_comes(far: tuple[Host, StunServer]) -> None:
    host, there = far
    ana = await host.seated("Ana")
    before = there.asked
    await eventually(lambda: there.asked > 1)  # the first was the look
    sessions = list(host.around.sessions)
    assert sessions[0]._ahead is not None
    assert before <= there.asked
    await ana.close()
    await eventually(lambda: not host.around.sessions)
    await datachannel.all_closed(3)
    assert not datachannel._tasks


async def test_a_server_that_fell_silent_delays_the_answer_by_half_a_second_at_most(
    far: tuple[Host, StunServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    host, there = far
    there.loses = DEAF
    woken = []
    monkeypatch.setattr(host.around.reflector, "silent", lambda: woken.append(True))
    began = time.monotonic()
    ana = await host.seated("Ana", rtc=True)
    assert time.monotonic() - began < 4.0, "aiortc by itself waits five seconds"
    assert woken
    (answer,) = ana.all("answer")
    assert "typ srflx" not in answer["sdp"]


async def test_who_leaves_while_the_server_is_asked_leaves_nothing_behind(
    far: tuple[Host, StunServer], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    host, there = far
    there.loses = DEAF
    monkeypatch.setattr(gathering, "SECONDS", 1e9)
    asked = there.asked
    ana = await host.seated("Ana")
    await eventually(lambda: there.asked > asked)
    await ana.close()
    await eventually(lambda: not host.around.sessions)
    await datachannel.all_closed(3)
    await asyncio.sleep(2 * gathering.AGAIN_SECONDS)
    assert not datachannel._tasks
    assert not [each for each in asyncio.all_tasks() if each.get_coro().__name__ in {"_ask", "_outer", "_gather"}]
    assert not caplog.records


async def test_nobody_waits_while_no_server_answers(
    far: tuple[Host, StunServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    host, there = far
    assert host.around.reflector is not None
    host.around.reflector.address = None
    monkeypatch.setattr(gathering, "SECONDS", 1e9)
    asked = there.asked
    await host.seated("Ana", rtc=True)
    assert there.asked == asked


async def test_guests_are_told_of_the_servers_before_they_may_offer(
    far: tuple[Host, StunServer],
) -> None:
    host, there = far
    ana = await host.phone()
    await ana.hello()
    assert ana.all("ice") == []
    await ana.sit("Ana")
    kinds = [message["t"] for _, message in ana.log]
    assert kinds.index("ice") < kinds.index("seated")
    (told,) = ana.all("ice")
    assert told["servers"][0] == {"urls": [there.url]}
    assert told["servers"][1]["urls"] == [f"turn:192.0.2.1:3478?transport={each}" for each in ("udp", "tcp")]
    until, _, name = told["servers"][1]["username"].partition(":")
    assert 500 < int(until) - time.time() <= 600
    assert "Ana" not in name
    # Back with the key, and on the shared screen: before the welcome.
    again = await host.phone()
    await again.hello(key=ana.key)
    assert [message["t"] for _, message in again.log][:2] == ["ice", "welcome"]
    assert again.all("ice")[0]["servers"][1]["username"] != told["servers"][1]["username"]
    screen = await host.phone()
    await screen.hello(watch=True)
    assert [message["t"] for _, message in screen.log][:2] == ["ice", "welcome"]


async def test_credentials_are_renewed_before_they_expire(
    far: tuple[Host, StunServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    host, _ = far
    monkeypatch.setattr(session.ice, "LIFETIME_SECONDS", 1)
    ana = await host.seated("Ana")
    await ana.hear("ice")
    await ana.hear("ice")
    first, second = ana.all("ice")[-2:]
    assert first["servers"][1]["username"] != second["servers"][1]["username"]


async def test_at_home_nobody_is_told_of_any_server(host: Host) -> None:
    ana = await host.seated("Ana", rtc=True)
    assert ana.all("ice") == []
    assert next(iter(host.around.sessions))._ahead is None
