"""Friends far away: the static copy of the page, from another origin, and a PeerServer between it
and the host, who has no port that they could reach."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from penultima.host import site
from penultima.host.app import packaged_client
from penultima.host.sealed import Seal
from tests.browser.conftest import Host, Phone
from tests.browser.people import Person
from tests.host.peerservers import Fake, Real

SCENE = """\
rules: classic
players: Ana Beto
hands: Ana r1 r4 | Beto r2 y8 b9
discard: r9
draw: r7 b1 b2 b3 b4 g6 g1 g2
turn: Ana
"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`penultima site`, on some web space."""
    folder = tmp_path_factory.mktemp("site")
    site.write(folder / "uno", packaged_client())
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/uno/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def peer_server() -> Iterator[Real]:
    server = Real()
    yield server
    server.close()


@pytest.fixture
def far(
    host: Callable[..., Host],
    phone: Callable[..., Phone],
    published: str,
    peer_server: Real,
    tmp_path: Path,
) -> Callable[..., Any]:
    """`far("Ana", "Beto")`: a table whose people are all far away; the first one is the host."""

    def gather(*names: str, server: str = peer_server.url, **options: Any) -> tuple[Host, list[Person]]:
        scene = tmp_path / "scene.partida"
        scene.write_text(SCENE)
        arguments = ("--peer", "--site", published, "--peer-server", server, "--stun", "none")
        started = host(*arguments, "--position", str(scene), **options)
        link = started.ready["url"]
        assert link.startswith(f"{published}#peer=")
        assert link.endswith(started.ready["host_url"].partition("#")[2].rpartition(".")[0])
        people = [Person(phone(reduced_motion="reduce"), name) for name in names]
        for number, person in enumerate(people):
            key = "" if number else "." + started.ready["host_url"].rpartition(".")[2]
            person.enter(link + key)
        return started, people

    return gather


def begin(people: list[Person]) -> None:
    people[0].press("start")
    for person in people:
        person.see("table").wait_for()
        person.on("rtc")


def test_a_round_is_played_to_its_end_and_the_peerserver_learns_nothing(far: Callable[..., Any], phone: Callable[..., Phone]) -> None:
    started, people = far("Ana", "Beto")
    ana, beto = people
    begin(people)
    ana.press("uno")
    ana.play("r1")
    beto.my_turn()
    beto.play("r2")
    ana.my_turn()
    ana.play("r4")
    for person in people:
        person.until(lambda view: view["phase"] in {"between", "over"})
    assert ana.view["result"]["winner"] == ana.view["you"]
    # All that went through the PeerServer, in full.
    for person in people:
        said = person.phone.sent("ws")
        assert [each["type"] for each in said][:2] == ["OFFER", "OFFER"]
        for message in said + person.phone.received("ws"):
            assert set(message) <= {"type", "src", "dst", "payload"}
            assert set(message.get("payload", {})) <= {"box"}
    # The shared screen comes the same way.
    page, _, table = started.ready["url"].rpartition("/#")
    screen = phone(size=(1280, 720))
    screen.goto(f"{page}/?mesa#{table}")
    screen.page.get_by_test_id("mesa").wait_for()


def test_a_lost_peerserver_changes_nothing_at_the_table_and_people_come_back_by_it_later(far: Callable[..., Any], peer_server: Real) -> None:
    started, people = far("Ana", "Beto")
    ana, beto = people
    begin(people)
    peer_server.close()
    ana.press("uno")
    ana.play("r1")
    beto.my_turn()
    hand = beto.hand
    beto.page.reload()
    beto.page.wait_for_selector('[data-testid="far"][data-cause="signalling"]')
    again = Real(peer_server.port)
    try:
        beto.page.wait_for_selector('main[data-testid="table"][data-turn="me"]', timeout=20_000)
        assert beto.hand == hand
        beto.until(lambda view: not view.get("paused"))
        beto.play("r2")
        ana.my_turn()
    finally:
        again.close()
    notes = [each["text"] for each in started.events if each["event"] == "note"]
    assert any("localhost" in text for text in notes)


def test_a_host_that_was_killed_goes_on_under_the_same_link_and_the_seats_come_back(far: Callable[..., Any], host: Callable[..., Host], published: str, peer_server: Real) -> None:
    started, people = far("Ana", "Beto")
    ana, beto = people
    begin(people)
    ana.press("uno")
    ana.play("r1")
    beto.my_turn()
    hand, link = beto.hand, started.ready["url"]
    started.kill()
    beto.page.wait_for_selector('[data-testid="conn"]:not([data-state="ok"])', timeout=20_000)
    again = host("--peer", "--site", published, "--peer-server", peer_server.url, "--stun", "none", folder=started.folder)
    assert again.ready["resumed"]
    assert again.ready["url"] == link
    beto.page.wait_for_selector('[data-testid="conn"][data-state="ok"]', timeout=30_000, state="attached")
    assert beto.hand == hand
    beto.until(lambda view: not view.get("paused"))
    beto.play("r2")
    ana.my_turn()


def test_the_page_says_that_the_host_is_not_there(phone: Callable[..., Phone], published: str, peer_server: Real) -> None:
    guest = phone()
    at = peer_server.url
    page = guest.goto(f"{published}#peer=abcdefgh23456789&at={at}&abcdef.ssssssssssssssss")
    page.wait_for_selector('[data-testid="far"][data-cause="host"]', timeout=15_000)


@pytest.fixture
def hostile() -> Iterator[Fake]:
    """A PeerServer that sits in the middle; in a loop of its own, since these tests wait."""
    fake = Fake()
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(fake.start(), loop).result(10)
    yield fake
    asyncio.run_coroutine_threadsafe(fake.stop(), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)
    loop.close()


def test_an_answer_that_was_not_sealed_with_the_tables_secret_is_refused(hostile: Fake, phone: Callable[..., Phone], host: Callable[..., Host], published: str) -> None:
    """The server swaps what the data channel's fingerprint stands in."""
    own = Seal("a secret of its own", "to guest")

    def twist(message: dict[str, Any]) -> dict[str, Any]:
        if message["type"] == "ANSWER":
            payload = own.seal(json.dumps({"t": "opened", "id": "x", "ice": []}), message["src"], message["dst"])
            return {**message, "payload": payload}
        return message

    hostile.twist = twist
    server = hostile.url.replace("127.0.0.1", "localhost")  # no stranger to the page
    started = host("--peer", "--site", published, "--peer-server", server, "--stun", "none")
    guest = phone()
    page = guest.goto(started.ready["url"])
    page.wait_for_selector('[data-testid="far"][data-cause="foreign"]', timeout=15_000)
    assert not [frame for frame in guest.frames if frame.path == "rtc"]
    assert not [each for each in hostile.seen if each["type"] == "CANDIDATE" and "box" in each["payload"]]
    # Once the server keeps to its part, the page comes in by itself.
    hostile.twist = lambda message: message
    page.get_by_test_id("name-input").fill("Ana")
    page.get_by_test_id("enter").tap()
    page.wait_for_selector('[data-testid="lobby"]', timeout=15_000)


def test_on_the_way_into_a_table_nearby_nothing_of_it_is_loaded(party: Callable[..., Any]) -> None:
    people = party(2)
    for person in people:
        assert not [url for url in person.phone.requests if "/far-" in url]
