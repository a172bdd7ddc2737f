"""Guests in networks like those of real people: which way connects them to the host, and whether
they stay at the table when the network changes under them.

A Chromium in a network namespace behind a router of its own, a host behind another, coturn (as
docs/coturn.md has it) and a PeerServer between them. The WebSocket comes through a forwarded port,
or there is none (`--peer`). A few combinations usually; `NATS=all pytest -s -k best_way
tests/browser/test_nats.py` measures all of them and prints the table of docs/reliability.md.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright

from hatch_build import node
from penultima.host import site
from penultima.host.app import packaged_client
from tests.browser.conftest import FLAGS, Host
from tests.browser.people import NUMBERS, Person
from tests.host import peerservers
from tests.network import coturn
from tests.network.conftest import homes, net, relay
from tests.network.namespaces import INTERNET, INTERNET_TOO, Homes

__all__ = ["homes", "net", "relay"]

# One worker for all of them: their networks, relay and hosts take a while to set up.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(90), pytest.mark.xdist_group("nats")]

STUN = ("--stun", f"stun:{INTERNET}", "--stun", f"stun:{INTERNET_TOO}")
TURN = ("--turn", coturn.URL, "--turn-secret", coturn.SECRET)
SERVERS = {"none": (), "stun": STUN, "turn": TURN}

GIVEN_UP_S = 12.0
"""A page tries for ten seconds."""

# Every connection that the page made, so that it can be asked which way it took.
WATCH = """
(() => {
  const Plain = window.RTCPeerConnection;
  window.__links = [];
  window.RTCPeerConnection = class extends Plain {
    constructor(...args) {
      super(...args);
      window.__links.push(this);
      const born = performance.now();
      this.addEventListener("connectionstatechange", () => {
        if (this.connectionState === "connected") this.__ms = performance.now() - born;
      });
    }
  };
})();
"""
WAY = """
async () => {
  const stats = await window.__links.at(-1).getStats();
  const all = [...stats.values()];
  const transport = all.find((each) => each.type === "transport");
  const pair = stats.get(transport.selectedCandidatePairId);
  const [near, far] = [stats.get(pair.localCandidateId), stats.get(pair.remoteCandidateId)];
  return near.candidateType === "relay" ? `turn/${near.relayProtocol}` : "direct";
}
"""
MS = "window.__links.at(-1).__ms"
GIVEN_UP = "window.__links.length > 0 && window.__links[0].connectionState === 'closed'"


@dataclass(frozen=True)
class Case:
    """Which servers the host was told of, both routers, and the way that connects them."""

    servers: str
    host: Any
    guest: Any
    way: str

    def __str__(self) -> str:
        return f"{self.servers}-{self.host}-{self.guest}"


def expected(servers: str, host: str, guest: str) -> str:
    """What the rules of NAT say; the test says whether it is so."""
    udp = guest != "no-udp"
    meets = host == "open" or "symmetric" not in {host, guest} or guest == "open"
    if servers != "none" and udp and meets:
        return "direct"
    if servers != "turn":
        return "websocket"
    return "turn/udp" if udp else "turn/tcp"


ALL = [
    Case(servers, host, guest, expected(servers, host, guest))
    for servers, host, guest in product(
        SERVERS, ("open", "cone", "symmetric"), ("open", "cone", "symmetric", "no-udp")
    )
]
FEW = [
    case
    for case in ALL
    if str(case)
    in {
        "stun-cone-cone",
        "stun-symmetric-cone",
        "turn-cone-cone",
        "turn-cone-symmetric",
    }
]
CASES = ALL if os.environ.get("NATS") == "all" else FEW


@pytest.fixture(scope="module")
def far(playwright: Playwright, chromium_path: str, homes: Homes, tmp_path_factory: Any) -> Iterator[Browser]:
    """A Chromium in the guest's network."""
    script: Path = tmp_path_factory.mktemp("far") / "chromium"
    script.write_text(f'#!/bin/sh\nexec {" ".join(homes.guest.within)} {chromium_path} "$@"\n')
    script.chmod(0o755)
    running = playwright.chromium.launch(executable_path=script, args=FLAGS)
    yield running
    running.close()


@pytest.fixture(scope="module")
def hosts(homes: Homes, relay: coturn.Coturn, tmp_path_factory: Any) -> Iterator[Callable[[str], Host]]:
    """The program in the host's network, once for each kind of servers."""
    running: dict[str, Host] = {}

    guests: Counter[str] = Counter()

    def start(servers: str) -> Host:
        guests[servers] += 1
        number = guests[servers] // 10  # so many seats has a table
        key = f"{servers}-{number}"
        if key not in running:
            running[key] = started(homes, servers, tmp_path_factory.mktemp("host"), number=number)
        return running[key]

    yield start
    for each in running.values():
        each.stop()
        each.check()


def started(homes: Homes, servers: str, folder: Path, *arguments: str, number: int) -> Host:
    port = 8700 + 10 * number + list(SERVERS).index(servers)
    return Host(
        ("--port", str(port), "--public-url", f"http://{homes.public}:{port}", *SERVERS[servers], *arguments),
        folder,
        within=homes.host.within,
    )


@contextlib.contextmanager
def ending(host: Host) -> Iterator[Host]:
    """The program stops whatever happens, and its log is read if all went well."""
    try:
        yield host
    except BaseException:
        host.kill()
        raise
    host.stop()
    host.check()


def set_up(homes: Homes, host: str, guest: str) -> None:
    homes.host_router.nat(host)  # type: ignore[arg-type]
    if guest == "no-udp":
        homes.guest_router.nat("cone", blocked="udp")
    else:
        homes.guest_router.nat(guest)  # type: ignore[arg-type]


def way(person: Person) -> str:
    """How the page is connected, once that is settled."""
    end = time.monotonic() + GIVEN_UP_S
    while person.channel != "rtc":
        if time.monotonic() > end or person.page.evaluate(GIVEN_UP):
            return "websocket"
        person.page.wait_for_timeout(20)
    return str(person.page.evaluate(WAY))


@pytest.fixture(scope="module")
def table() -> Iterator[dict[str, str]]:
    """What was found, printed when all of it is there."""
    found: dict[str, str] = {}
    yield found
    if CASES is not ALL:
        return
    guests = list(dict.fromkeys(case.guest for case in ALL))
    print("\n| servers | host | " + " | ".join(guests) + " |\n|---|---|" + "---|" * len(guests))
    for servers, host in dict.fromkeys((case.servers, case.host) for case in ALL):
        row = [found.get(f"{servers}-{host}-{guest}", "?") for guest in guests]
        print(f"| {servers} | {host} | " + " | ".join(row) + " |")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_best_way_that_there_is(
    case: Case,
    homes: Homes,
    hosts: Callable[[str], Host],
    far: Browser,
    phone: Callable[..., Any],
    table: dict[str, str],
) -> None:
    set_up(homes, case.host, case.guest)
    host = hosts(case.servers)
    ana = Person(phone(browser=far, script=WATCH), "Ana")
    ana.enter(host.at(f"http://{homes.public}"))
    found = way(ana)
    table[str(case)] = found if found == "websocket" else f"{found} {ana.page.evaluate(MS):.0f} ms"
    assert found == case.way


ALONE = NUMBERS.replace("Beto", "Bot")


@pytest.fixture
def round_(
    homes: Homes, relay: coturn.Coturn, far: Browser, phone: Callable[..., Any], tmp_path: Path
) -> Iterator[tuple[Person, Person]]:
    """Ana and Beto in a round, both in the guest's network, with a relay for the bad case."""
    set_up(homes, "cone", "cone")
    file = tmp_path / "scene.partida"
    file.write_text(NUMBERS)
    with ending(started(homes, "turn", tmp_path, "--position", str(file), number=5)) as host:
        ana, beto = (Person(phone(browser=far, script=WATCH), name) for name in ("Ana", "Beto"))
        ana.enter(host.at(f"http://{homes.public}", host=True))
        beto.enter(host.at(f"http://{homes.public}"))
        ana.press("start")
        for person in (ana, beto):
            person.see("table").wait_for()
            assert way(person) == "direct"
        yield ana, beto


# The page talks to a PeerServer without TLS on its own machine only: so it does, and this passes it on.
NEAR = f"""
import asyncio

async def pass_on(source, sink):
    while data := await source.read(65536):
        sink.write(data)
        await sink.drain()
    sink.close()

async def serve(reader, writer):
    try:
        far_reader, far_writer = await asyncio.open_connection("{INTERNET}", 9000)
    except OSError:
        writer.close()
        return
    both = pass_on(reader, far_writer), pass_on(far_reader, writer)
    await asyncio.gather(*both, return_exceptions=True)
    far_writer.close()
    writer.close()

async def main():
    await (await asyncio.start_server(serve, "127.0.0.1", 9000)).serve_forever()

asyncio.run(main())
"""


@dataclass(frozen=True)
class Meeting:
    """A PeerServer on the internet, and the page as the guest finds it."""

    server: Any
    arguments: tuple[str, ...]


@pytest.fixture(scope="module")
def meeting(homes: Homes, relay: coturn.Coturn, tmp_path_factory: Any) -> Meeting:
    folder = tmp_path_factory.mktemp("site")
    site.write(folder / "uno", packaged_client())
    # On the guest's own machine, since only there a page without a certificate counts as secure.
    homes.guest.start(
        sys.executable, "-m", "http.server", "8000", "--bind", "127.0.0.1", "--directory", str(folder),
        stdout=DEVNULL, stderr=DEVNULL,
    )  # fmt: skip
    server = homes.internet.start(
        str(node()), str(peerservers.installed()), "--port", "9000", "--host", INTERNET,
        stdin=DEVNULL, stdout=DEVNULL,
    )  # fmt: skip
    homes.guest.listening(8000, "tcp")
    homes.internet.listening(9000, "tcp")
    for space in (homes.guest, homes.host):
        space.start(sys.executable, "-c", NEAR)
        space.listening(9000, "tcp")
    page = ("--site", "http://localhost:8000/uno/", "--peer-server", "http://localhost:9000")
    return Meeting(server, ("--peer", *page))


@pytest.mark.parametrize(
    ("host", "guest", "expected_way"),
    [
        ("symmetric", "cone", "turn/udp"),
        ("cone", "no-udp", "turn/tcp"),
        ("cone", "cone", "direct"),  # last: it ends the PeerServer
    ],
)
def test_without_any_port_the_peerserver_brings_them_together_and_is_not_missed_afterwards(
    host: str,
    guest: str,
    expected_way: str,
    homes: Homes,
    meeting: Meeting,
    far: Browser,
    phone: Callable[..., Any],
    tmp_path: Path,
) -> None:
    set_up(homes, host, guest)
    file = tmp_path / "scene.partida"
    file.write_text(ALONE)
    arguments = (*meeting.arguments, *STUN, *TURN, "--position", str(file))
    with ending(Host(("--port", "0", *arguments), tmp_path, within=homes.host.within)) as program:
        ana = Person(phone(browser=far, script=WATCH), "Ana")
        ana.enter(program.ready["url"] + "." + program.ready["host_url"].rpartition(".")[2])
        assert way(ana) == expected_way
        if expected_way != "direct":
            return
        ana.press("add-bot")
        ana.press("start")
        ana.my_turn()
        meeting.server.kill()
        ana.page.wait_for_timeout(1000)
        ana.play("r1")
        ana.until(lambda view: view.get("discard", 0) > 1)
        assert ana.page.evaluate("window.__links.length") == 1


def both_know(*people: Person, top: str) -> None:
    for person in people:
        person.until(lambda view: view.get("top") == top and "paused" not in view, seconds=30)


def made(person: Person) -> int:
    """How many connections the page has made by now."""
    return int(person.page.evaluate("window.__links.length"))


def test_guests_play_on_when_udp_is_blocked_in_the_middle_of_a_round_and_when_they_change_networks(
    homes: Homes, round_: tuple[Person, Person]
) -> None:
    ana, beto = round_
    ana.play("r1")
    both_know(ana, beto, top="r1")
    homes.guest_router.nat("cone", blocked="udp")
    beto.play("r5")  # at once, by the WebSocket
    both_know(ana, beto, top="r5")
    # A while later there is a data channel again, through the relay by TCP.
    ana.wait(lambda: made(ana) > 1 and ana.channel == "rtc", 40)
    assert ana.page.evaluate(WAY) == "turn/tcp"
    ana.play("r2")
    both_know(ana, beto, top="r2")
    # From Wi-Fi to mobile data: other addresses, and what was connected is no more.
    before = made(beto)
    homes.roam()
    try:
        beto.wait(lambda: made(beto) > before and way(beto) == "direct", 40)
        both_know(ana, beto, top="r2")
        beto.play("r6")
        both_know(ana, beto, top="r6")
        # Nothing was seen twice, or in another order.
        played = [each["card"] for each in ana.events if each["e"] == "played"]
        assert played == [each for each in ("r1", "r5", "r2", "r6") if each in played]
    finally:
        homes.settle()
