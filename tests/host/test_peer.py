"""`--peer`: what is said on the console, and what is left at the end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from penultima.host import peer
from penultima.host.invitation import Invitation
from penultima.host.options import Options
from penultima.host.peer import PHRASES, PeerWay
from penultima.host.phrases import LANGUAGES, Phrases
from penultima.host.surroundings import Surroundings
from penultima.host.tables import Tables
from tests.host.peerservers import Fake
from tests.host.phones import eventually

INVITATION = Invitation("abcdef", "s" * 16, "h" * 24)
OPTIONS = Options(peer=True, site="https://uno.example/")


class Notes:
    """What the console was told, and what still holds."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.holds: list[str] = []

    def note(self, text: str, *, holds: bool = False) -> None:
        self.said.append(text)
        if holds:
            self.holds.append(text)

    def no_longer(self, text: str) -> None:
        self.holds.remove(text)


def way(notes: Any) -> PeerWay:
    return PeerWay(OPTIONS, Phrases("en"), notes, Surroundings(Tables()), INVITATION)


async def test_what_is_wrong_holds_on_the_console_until_it_is_not_so() -> None:
    notes = Notes()
    one = way(notes)
    one._trouble("unreachable", "Connection refused")
    one._trouble("unreachable", "Connection refused")
    assert notes.said == ["No 0.peerjs.com (Connection refused): nobody new comes in from far away. Retrying."]
    one._trouble("taken", "")
    assert notes.holds == ["0.peerjs.com: somebody else uses this table's identity. Retrying; or --new."]
    one._up()
    assert notes.holds == []
    assert notes.said[-1] == "Friends far away can come in: 0.peerjs.com knows this table."


async def test_strangers_and_floods_are_told_of_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = Notes()
    one = way(notes)
    for _ in range(100):
        one._stranger()
        one._trouble("flood", "")
    assert notes.said == [
        "Calls without this table's link, left unanswered: 1.",
        "0.peerjs.com sends far too much: read slowly; the match does not notice.",
    ]
    assert notes.holds == []
    for told in one._told:
        one._told[told] -= peer.STRANGERS_SECONDS
    one._stranger()
    assert notes.said[-1] == "Calls without this table's link, left unanswered: 101."


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_fits_into_a_line_of_the_console(lang: str) -> None:
    for phrase in (*PHRASES.values(), "far_up", "far_strangers"):
        text = Phrases(lang)(phrase, server="0.peerjs.com", reason="HTTP 502", n=1000)
        assert len(text) < 80, text


async def test_nobody_finds_us_before_we_know_our_address_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A guest who comes earlier would be given an answer that leads nowhere."""
    from penultima.host.ice import Ice, Server
    from penultima.host.stun import Reflector

    fake = Fake()
    await fake.start()
    around = Surroundings(Tables(), ice=Ice((Server("stun", "192.0.2.7", 3478),)))
    options = Options(peer=True, site="https://uno.example/", peer_server=peer.links.PeerServer.read(fake.url))
    one = PeerWay(options, Phrases("en"), Notes(), around, INVITATION)  # type: ignore[arg-type]
    await around.load_rtc()
    task = asyncio.create_task(one.run())
    await asyncio.sleep(0.3)
    assert not fake.clients
    around.reflector = Reflector(around.ice.reflectors)
    await asyncio.sleep(0.2)
    assert not fake.clients
    around.reflector._looked.set()
    await eventually(lambda: fake.clients)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    # A server that says nothing is not waited for.
    monkeypatch.setattr(peer, "PREPARING_SECONDS", 0.1)
    around.reflector = None
    task = asyncio.create_task(one.run())
    await eventually(lambda: fake.clients)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await fake.stop()


async def test_the_end_of_the_program_leaves_nothing_behind() -> None:
    fake = Fake()
    await fake.start()
    one = PeerWay(
        Options(peer=True, site="https://uno.example/", peer_server=peer.links.PeerServer.read(fake.url)),
        Phrases("en"), Notes(), Surroundings(Tables()), INVITATION,  # type: ignore[arg-type]
    )  # fmt: skip
    task = asyncio.create_task(one.run())
    await eventually(lambda: fake.clients)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await eventually(lambda: not fake.clients)
    assert not [each for each in asyncio.all_tasks() if "peerserver" in each.get_name()]
    await fake.stop()
