"""docs/coturn.md: who gets a relay, and where it leads. The configuration is the page's own."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aioice import stun as messages
from aioice import turn

from penultima.host import ice, stun
from tests.host.test_certificate import made
from tests.network import coturn
from tests.network.coturn import SECRET, URL, Coturn
from tests.network.namespaces import INTERNET, INTERNET_TOO, Homes

pytestmark = pytest.mark.slow

TOLD = ice.read(turn=[URL], secret=SECRET)
UDP, TCP = TOLD.turn
ECHO_PORT = 40404
ECHO = f"""
import socket
line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
line.bind(("{INTERNET_TOO}", {ECHO_PORT}))
while True:
    data, source = line.recvfrom(2048)
    line.sendto(source[0].encode() + b" " + data, source)
"""


def take(homes: Homes, server: ice.Server, username: str, password: str) -> stun.Relay:
    for _ in range(3):
        try:
            return homes.guest.call(lambda: stun.relay(server, username, password))
        except stun.NoAnswerError as error:
            # 437: the router gave out a port for which coturn still has somebody's relay.
            if error.detail != "437":
                raise
    raise AssertionError("437 three times")


class Heard(asyncio.DatagramProtocol):
    def __init__(self) -> None:
        self.data: asyncio.Queue[bytes] = asyncio.Queue()
        self.closed = asyncio.Event()

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed.set()

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self.data.put_nowait(data)


@contextlib.asynccontextmanager
async def open_relay(server: ice.Server, *, lives: float = 600) -> AsyncIterator[tuple[Any, Heard]]:
    username, password = ice.limited(SECRET, "ana", time.time() - ice.LIFETIME_SECONDS + lives)
    transport, heard = await turn.create_turn_endpoint(
        Heard, (server.host, server.port), username, password, transport=server.transport
    )
    yield transport, heard
    transport.close()
    await heard.closed.wait()


async def bind(transport: Any, address: str, channel: int = 0x4000) -> int | None:
    """Asks for a way to that address; the code of the refusal."""
    inner = transport._TurnTransport__inner_protocol
    try:
        await inner.channel_bind(channel, (address, 9))
    except messages.TransactionFailed as refused:
        return refused.response.error_code
    return None


@pytest.fixture(scope="module")
def echo(homes: Homes) -> None:
    homes.internet.start(sys.executable, "-c", ECHO)
    homes.internet.listening(ECHO_PORT)


@pytest.mark.parametrize("server", [UDP, TCP], ids=["udp", "tcp"])
def test_a_guest_is_relayed_to_the_other_end(homes: Homes, relay: Coturn, echo: None, server: ice.Server) -> None:
    async def talk() -> bytes:
        async with open_relay(server) as (transport, heard), asyncio.timeout(5):
            transport.sendto(b"hello", (INTERNET_TOO, ECHO_PORT))
            return await heard.data.get()

    assert homes.guest.call(talk) == f"{INTERNET} hello".encode()


@pytest.mark.parametrize("server", [UDP, TCP], ids=["udp", "tcp"])
@pytest.mark.parametrize(
    ("secret", "age"), [("another secret", 0), (SECRET, ice.LIFETIME_SECONDS + 5)], ids=["wrong", "expired"]
)
def test_nobody_else_gets_a_relay(homes: Homes, relay: Coturn, server: ice.Server, secret: str, age: float) -> None:
    with pytest.raises(stun.NoAnswerError) as caught:
        take(homes, server, *ice.limited(secret, "eva", time.time() - age))
    assert (caught.value.why, caught.value.detail) == ("credentials", "401")


def test_a_fixed_name_is_no_way_in(homes: Homes, relay: Coturn) -> None:
    with pytest.raises(stun.NoAnswerError) as caught:
        take(homes, UDP, "ana", "ana")
    assert caught.value.detail == "401"


def test_nothing_is_relayed_to_this_machine_or_to_private_networks(homes: Homes, relay: Coturn) -> None:
    addresses = [
        INTERNET, "127.0.0.1", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.254", "192.168.10.2",
        "100.64.0.1", "169.254.169.254", "192.0.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255",
    ]  # fmt: skip

    async def ask() -> dict[str, int | None]:
        async with open_relay(UDP) as (transport, _):
            return {each: await bind(transport, each, 0x4001 + n) for n, each in enumerate(addresses)}

    assert homes.guest.call(ask) == dict.fromkeys(addresses, 403)


def test_what_may_be_reached_is_not_refused(homes: Homes, relay: Coturn) -> None:
    async def ask() -> list[int | None]:
        async with open_relay(UDP) as (transport, _):
            return [await bind(transport, each, 0x4001 + n) for n, each in enumerate((INTERNET_TOO, homes.public, "8.8.8.8"))]

    assert homes.guest.call(ask) == [None, None, None]


def test_a_relay_outlives_its_credentials(homes: Homes, relay: Coturn) -> None:
    async def ask() -> int | None:
        async with open_relay(UDP, lives=2) as (transport, _):
            await asyncio.sleep(3.5)
            return await bind(transport, INTERNET_TOO)

    assert homes.guest.call(ask) is None


def test_a_dead_server_is_told_from_a_strict_one(homes: Homes, relay: Coturn) -> None:
    dead = ice.read(turn=["turn:203.0.113.99", f"turn:{INTERNET}:9"], secret=SECRET).turn
    found = []
    for server in dead:
        with pytest.raises(stun.NoAnswerError) as caught:
            homes.guest.call(lambda server=server: stun.relay(server, *TOLD.credentials(time.time()), seconds=1))
        found.append(caught.value.why)
    assert set(found) <= {"silent", "unreachable"}


def test_behind_port_443_a_certificate_that_the_guest_trusts_is_asked_for(
    homes: Homes, relay: Coturn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cert, key = made(tmp_path, INTERNET)
    ports = {"listening-port=3478\n": "listening-port=3480\n"}
    Coturn(homes.internet, tmp_path, changes=ports | coturn.tls(cert, key))
    (server,) = ice.read(turn=[f"turns:{INTERNET}:443"], secret=SECRET).turn
    with pytest.raises(stun.NoAnswerError) as caught:
        take(homes, server, *TOLD.credentials(time.time()))
    assert caught.value.why == "certificate"
    monkeypatch.setenv("SSL_CERT_FILE", str(cert))
    assert take(homes, server, *TOLD.credentials(time.time())).relayed[0] == INTERNET


# --- the kinds of NAT, as the host's own question finds them


@pytest.mark.parametrize("kind", ["open", "cone", "symmetric", "blocked"])
def test_a_host_knows_its_router(homes: Homes, relay: Coturn, kind: Any) -> None:
    servers = ice.read([f"stun:{INTERNET}", f"stun:{INTERNET_TOO}"]).stun
    homes.host_router.nat("cone" if kind == "blocked" else kind, blocked="udp" if kind == "blocked" else "")
    try:
        found = homes.host.call(lambda: stun.nat(servers, seconds=1))
    finally:
        homes.host_router.nat("cone")
    assert found.kind == {"open": "cone"}.get(kind, kind)
    assert found.outer == ("" if kind == "blocked" else homes.public)


def test_spaces_are_gone_in_the_end() -> None:
    from tests.network import namespaces

    try:
        namespaces.ensure()
    except namespaces.NoNamespaces as error:
        pytest.skip(str(error))

    def fails() -> None:
        with namespaces.Net() as net:
            made.append(net.space("a"))
            made[0].start("sleep", "100")
            assert made[0].name in namespaces._ip("netns", "list")
            raise RuntimeError

    made: list[namespaces.Space] = []
    with pytest.raises(RuntimeError):
        fails()
    (space,) = made
    assert space.started[0].returncode != 0
    assert space.name not in namespaces._ip("netns", "list")


def test_the_page_is_what_runs() -> None:
    text = coturn.configuration()
    assert "use-auth-secret\n" in text
    assert f"static-auth-secret={SECRET}\n" in text
