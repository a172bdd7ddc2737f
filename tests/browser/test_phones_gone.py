"""What happens to phones, for real: killed, stopped and stopped no more, cut off by a firewall; and a
host that stands still.

The others see the pause when they should and only then, the seat comes back by itself, all see the same,
and nobody is punished. More by flag: `CUTS=2,10,70 STOPS=3,4,12,40 pytest tests/browser/test_phones_gone.py`
(seconds).
"""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect

from tests.browser.conftest import FLAGS
from tests.browser.people import NUMBERS, Party, Person
from tests.network import namespaces

pytestmark = pytest.mark.alone

CUTS = [float(each) for each in os.environ.get("CUTS", "2,10").split(",")]
STOPS = [float(each) for each in os.environ.get("STOPS", "3,12").split(",")]
HOST, GUEST = "10.77.0.1", "10.77.0.2"
RETURN_S = 2.0
# After many attempts the next one may be two seconds off, and the kernel's own first packet two more.
RETURN_AFTER_LONG_S = 5.0
# With a tap, of a finger that takes its time.
RETURN_BY_HAND_S = 4.0


# ------------------------------------------------------------------------- a Chromium of its own


@dataclass
class Own:
    """A browser whose processes may be stopped and killed."""

    browser: Browser
    mark: str

    def processes(self) -> list[int]:
        """The main one and all that came from it. They all carry the mark or descend from who does."""
        parents: dict[int, int] = {}
        found: set[int] = set()
        for place in Path("/proc").iterdir():
            if not place.name.isdecimal():
                continue
            try:
                words = (place / "cmdline").read_bytes().split(b"\0")
                parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            parents[int(place.name)] = parent
            if self.mark.encode() in words:
                found.add(int(place.name))
        assert found, "the browser is not running"
        while more := {pid for pid, parent in parents.items() if parent in found} - found:
            found |= more
        return sorted(found)

    def signal(self, number: int) -> None:
        for pid in self.processes():
            os.kill(pid, number)


@pytest.fixture
def own_browser(playwright: Playwright, chromium_path: str, tmp_path: Path) -> Iterator[Callable[..., Own]]:
    if not sys.platform.startswith("linux"):
        pytest.skip("a browser's processes are found by Linux's /proc")
    made: list[Own] = []

    def start(within: list[str] | None = None) -> Own:
        mark = f"--penultima-mark={os.getpid()}-{len(made)}"
        program = chromium_path
        if within:
            wrapper = tmp_path / f"chromium-{len(made)}"
            wrapper.write_text(f'#!/bin/sh\nexec {shlex.join(within)} {shlex.quote(chromium_path)} "$@"\n')
            wrapper.chmod(0o755)
            program = str(wrapper)
        browser = playwright.chromium.launch(executable_path=program, args=[*FLAGS, mark])
        made.append(Own(browser, mark))
        return made[-1]

    yield start
    for own in made:
        if own.browser.is_connected():
            own.browser.close()


Standing = tuple[int, list[int], list[int]]


def standing(table: Party) -> Standing:
    """Whose turn it is, cards, scores."""
    view = table[0].view
    seats = view["seats"]
    return view["turn"], [seat["cards"] for seat in seats], [seat.get("score", 0) for seat in seats]


def goes_on(table: Party, before: Standing) -> None:
    """All see the same, nobody was punished, and it goes on, after a countdown if there was a pause."""
    table.settled()
    for person in table:
        person.until(lambda view: "paused" not in view)
        assert not {"passed", "drew", "taken_out", "standin"} & set(person.kinds())
        assert person.shown_hand() == sorted(person.hand)
    assert standing(table) == before
    turn = before[0]
    card = min(card for card in table[turn].hand if card.startswith("r"))
    table[turn].play(card)
    table[1 - turn].my_turn("free")
    for seat, person in enumerate(table):
        assert person.shown()["top"] == card
        assert person.view["you"] == seat


def pauses(person: Person) -> int:
    """How often the match has been held up because somebody was away."""
    held = [each["v"].get("paused", []) for each in person.views]
    return sum("away" in now and "away" not in before for before, now in zip([[], *held], held, strict=False))


def started(party: Any, own: Own, seat: int) -> Party:
    """The phone at `seat` is that browser; Ana has just played."""
    table: Party = party(position=NUMBERS, phones={seat: {"browser": own.browser}})
    table.on("rtc")
    table[0].play("r1")
    table[1].my_turn("free")
    return table


# -------------------------------------------------------------------------- stopped, and killed


@pytest.mark.timeout(240)
def test_a_browser_that_stands_still_pauses_the_match_only_when_that_takes_long(
    party: Any, own_browser: Callable[..., Own]
) -> None:
    own = own_browser()
    table = started(party, own, 0)
    for seconds in STOPS:
        stands_still(table, own, seconds)


def stands_still(table: Party, own: Own, seconds: float) -> None:
    ana, beto = table
    before, held = standing(table), pauses(beto)
    own.signal(signal.SIGSTOP)
    at = time.monotonic()
    try:
        if seconds > 6:
            beto.until(lambda view: view.get("paused") == ["away"])
            assert 4 <= time.monotonic() - at <= 6
            expect(beto.see("paused")).to_contain_text("Esperando a Ana")
        beto.page.wait_for_timeout(max(0.0, at + seconds - time.monotonic()) * 1000)
    finally:
        own.signal(signal.SIGCONT)
    back = time.monotonic()
    beto.until(lambda view: "state" not in view["seats"][0] and "away" not in view.get("paused", []))
    ana.until(lambda view: "state" not in view["seats"][0] and "away" not in view.get("paused", []))
    table.settled()
    assert time.monotonic() - back <= RETURN_S
    if not 4 <= seconds <= 6:  # the pause is due at five seconds, one more or less
        assert pauses(beto) - held == (seconds > 6)
    goes_on(table, before)


def test_a_browser_that_is_killed_has_its_seat_when_it_is_opened_again(
    party: Any, own_browser: Callable[..., Own], phone: Any
) -> None:
    own = own_browser()
    table = started(party, own, 1)
    ana, beto = table
    state = beto.phone.context.storage_state()
    hand, before = beto.hand, standing(table)
    time.sleep(2)  # a page is known by its heartbeat, the first of which comes after 1.5 s
    own.signal(signal.SIGKILL)
    at = time.monotonic()
    ana.until(lambda view: view.get("paused") == ["away"])
    # Its sockets were closed by the system: from that moment it counts.
    assert 4 <= time.monotonic() - at <= 6
    again = Person(phone(storage_state=state), "Beto")
    again.phone.goto(table.url)
    back = time.monotonic()
    again.tap("still-yes")
    again.until(lambda view: view.get("paused") == ["countdown"])
    assert time.monotonic() - back <= RETURN_BY_HAND_S
    assert (again.view["you"], again.hand) == (1, hand)
    table.people[1] = again
    assert pauses(ana) == 1
    goes_on(table, before)


# ------------------------------------------------------------------------------ a host that sleeps


def test_a_host_that_stood_still_blames_nobody(party: Any) -> None:
    table = party(position=NUMBERS.replace("players: Ana Beto", "players: Ana Beto Caro").replace(
        "r5 r6 r7 r8 b1 b2 b3 b4", "r5 r6 r7 r8 b1 b2 b3 b4 | Caro g7 g8"))  # fmt: skip
    ana, beto, caro = table
    table.on("rtc")
    for seconds, gone in ((8, False), (15, True)):
        if gone:
            caro.page.close()
            table.people.remove(caro)
            ana.until(lambda view: view.get("paused") == ["away"])
            ana.wait(lambda: table.host.events[-1]["event"] == "paused")
        seen = len(table.host.events)
        looks = time.monotonic()
        table.host.process.send_signal(signal.SIGSTOP)
        ana.page.wait_for_timeout(seconds * 1000)
        expect(ana.see("conn")).to_have_attribute("data-state", "bar")
        table.host.process.send_signal(signal.SIGCONT)
        back = time.monotonic()
        for person in (ana, beto):
            expect(person.see("conn")).to_have_attribute("data-state", "ok", timeout=5000)
        assert time.monotonic() - back <= RETURN_AFTER_LONG_S
        ana.page.wait_for_timeout(4000)  # what it took for silence would be shown by now
        table.settled()
        assert [seat.get("state") for seat in ana.view["seats"]] == [None, None, "away" if gone else None]
        assert ana.view.get("paused") == (["away"] if gone else None)
        said = [event for event in table.host.events[seen:] if event["event"] in {"away", "paused"}]
        assert said == [], f"gone: {gone}"
        if gone:
            # Of the ten minutes only what the host was awake for has passed.
            awake = time.monotonic() - looks - seconds
            left = ana.view["seats"][2]["left"]
            assert left >= 600 - 6 - awake - 6, f"{left} left"
    assert not {"passed", "drew", "taken_out", "standin"} & set(ana.kinds())


# ------------------------------------------------------------------------------------- cut off


@dataclass
class Wire:
    """Host and guest in networks of their own, and a cable between them."""

    host: namespaces.Space
    guest: namespaces.Space

    def drop(self, what: str = "") -> None:
        """Silently, both ways."""
        self.guest.nft(
            f"""
            table inet cut {{
              chain output {{
                type filter hook output priority 0
                oifname eth0 {what} drop
              }}
              chain input {{
                type filter hook input priority 0
                iifname eth0 {what} drop
              }}
            }}
            """
        )

    def mend(self) -> None:
        self.guest.nft("")


@pytest.fixture
def wire() -> Iterator[Wire]:
    try:
        namespaces.ensure()
    except namespaces.NoNamespaces as error:
        pytest.skip(str(error))
    with namespaces.Net() as net:
        host, guest = net.space("host"), net.space("guest")
        net.cable(host, "eth0", guest, "eth0")
        for space, address in ((host, HOST), (guest, GUEST)):
            space.ip("address", "add", f"{address}/24", "dev", "eth0")
        yield Wire(host, guest)


@pytest.fixture
def apart(party: Any, own_browser: Callable[..., Own], wire: Wire) -> Party:
    """Ana is the host's guest by the cable, Beto sits beside the host."""
    ana, beto = own_browser(wire.guest.within), own_browser(wire.host.within)
    table: Party = party(
        position=NUMBERS, within=wire.host.within, origin=f"http://{HOST}",
        phones={0: {"browser": ana.browser}, 1: {"browser": beto.browser}},
    )  # fmt: skip
    table.on("rtc")
    table[0].play("r1")
    table[1].my_turn("free")
    return table


@pytest.mark.timeout(300)
def test_who_is_cut_off_is_missed_when_that_takes_long_and_for_want_of_udp_never(
    apart: Party, wire: Wire
) -> None:
    for seconds in CUTS:
        cut_off(apart, wire, seconds)
    without_udp(apart, wire)


def cut_off(apart: Party, wire: Wire, seconds: float) -> None:
    ana, beto = apart
    before, held = standing(apart), pauses(beto)
    ana.note_bar()
    wire.drop()
    cut, cut_at = time.monotonic(), time.time()
    if seconds > 6:
        assert ana.bar_after(cut_at) <= 3.0
        beto.until(lambda view: view.get("paused") == ["away"])
        assert 4 <= time.monotonic() - cut <= 6
    beto.page.wait_for_timeout(max(0.0, cut + seconds - time.monotonic()) * 1000)
    if seconds > 6:
        left = beto.view["seats"][0]["left"]
        assert 0 < left <= 600
    wire.mend()
    back = time.monotonic()
    for person in (ana, beto):
        person.until(lambda view: "state" not in view["seats"][0] and "away" not in view.get("paused", []))
    apart.settled()
    took = time.monotonic() - back
    assert took <= (RETURN_S if seconds <= 10 else RETURN_AFTER_LONG_S), f"back after {took:.1f} s"
    expect(ana.see("conn")).to_have_attribute("data-state", "ok")
    assert pauses(beto) - held == (seconds > 6)
    goes_on(apart, before)
    apart.on("rtc")


def without_udp(apart: Party, wire: Wire) -> None:
    ana, beto = apart
    away, held = beto.kinds().count("away"), pauses(beto)
    wire.drop("meta l4proto udp")
    for _ in range(2):
        # Beto's card comes to Ana by the socket, and Ana's goes by it.
        at = time.monotonic()
        goes_on(apart, standing(apart))
        assert time.monotonic() - at <= 5
    ana.on("ws")
    wire.mend()
    ana.page.wait_for_selector('html[data-channel="rtc"]', state="attached", timeout=45_000)
    assert beto.kinds().count("away") == away
    assert pauses(beto) == held
    goes_on(apart, standing(apart))
