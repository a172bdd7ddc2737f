"""Guests who come by way of a PeerServer, and what a hostile one can do: to the table, nothing."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from penultima.host import far, limits, peerserver
from penultima.host.far import FarDoor
from penultima.host.ice import NONE, Ice, Server
from penultima.host.links import PeerServer
from penultima.host.peer import Names
from penultima.host.peerserver import Registration
from penultima.host.sealed import Seal
from tests.host.conftest import CODE, Host
from tests.host.peerservers import Fake, Guest, Real
from tests.host.phones import HOST_KEY, SECRET, Phone, eventually
from tests.host.test_certificate import made as certificate

NAMES = Names.of(HOST_KEY)


@dataclass
class Far:
    """A table with its door at a PeerServer."""

    host: Host
    url: str
    door: FarDoor
    registration: Registration
    ups: list[bool] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    strangers: int = 0

    def guest(self, secret: str = SECRET) -> Guest:
        guest = Guest(self.host.client, self.url, NAMES.peer_id, secret)
        self.host.stack.push_async_callback(guest.close)
        return guest

    async def seated(self, name: str, **hello: Any) -> Guest:
        guest = await self.guest().enter()
        await guest.hello(**hello)
        if guest.seat is None and "key" not in hello:
            await guest.sit(name)
        return guest


@pytest.fixture
async def far_at(host: Host, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Callable[..., Far]]:
    """`far_at(url)` registers the host's table there. Waits are a tenth of the usual."""
    monkeypatch.setattr(peerserver, "WAITS", tuple(wait / 10 for wait in peerserver.WAITS))
    running = []

    def start(url: str, ice: Ice = NONE) -> Far:
        host.around.ice = ice
        door = FarDoor(host.around, CODE, SECRET, NAMES.peer_id)
        registration = Registration(PeerServer.read(url), NAMES.peer_id, NAMES.token)
        made = Far(host, url, door, registration)

        def stranger() -> None:
            made.strangers += 1

        door.send, door.on_stranger = registration.send, stranger
        registration.on_message = door.heard
        registration.on_up = lambda: made.ups.append(True)
        registration.on_trouble = lambda trouble, _: made.troubles.append(trouble)
        running.append((door, asyncio.create_task(registration.run())))
        return made

    yield start
    for door, task in running:
        door.close()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
async def fake() -> AsyncIterator[Fake]:
    server = Fake()
    await server.start()
    yield server
    await server.stop()


@pytest.fixture(scope="module")
def real() -> Iterator[Real]:
    server = Real()
    yield server
    server.close()


async def up(made: Far) -> Far:
    await eventually(lambda: made.registration.up)
    return made


async def plays(*phones: Phone) -> None:
    """The first one who may does something, and all see it."""
    before = phones[0].seq
    phone = next(each for each in phones if each.first_move())
    move = phone.first_move()
    assert move is not None
    assert (await phone.act(move))["t"] == "done"
    for each in phones:
        await each.until(lambda _, each=each: each.seq > before)


# --------------------------------------------------------------------------- the real server


@pytest.mark.slow
async def test_two_friends_far_away_play_by_way_of_the_real_peerserver(far_at: Callable[..., Far], real: Real) -> None:
    made = await up(far_at(real.url))
    ana = await made.seated("Ana", host=HOST_KEY)
    beto = await made.seated("Beto")
    await ana.ask(t="host", do="start")
    for phone in (ana, beto):
        await phone.until(lambda view: view["phase"] == "round")
    for _ in range(6):
        await plays(ana, beto)
    assert not ana.all("offer")
    assert made.strangers == 0


async def test_a_lost_registration_is_made_again_and_nobody_at_the_table_notices(far_at: Callable[..., Far]) -> None:
    server = Real()
    try:
        made = await up(far_at(server.url))
        ana = await made.seated("Ana", host=HOST_KEY)
        await ana.ask(t="host", do="add_bot", value="easy")
        await ana.ask(t="host", do="start")
        await ana.until(lambda view: view["phase"] == "round")
        server.close()
        await eventually(lambda: made.troubles)
        assert made.troubles[0] == "unreachable"
        await ana.until(lambda view: view.get("turn") == view["you"])
        await plays(ana)
    finally:
        server.close()
    again = Real(server.port)
    try:
        await up(made)
        beto = await made.guest().enter()
        await beto.hello()
        assert not ana.gone.is_set()
    finally:
        again.close()


@pytest.mark.slow
async def test_the_same_id_with_our_token_takes_the_place_of_an_older_connection(far_at: Callable[..., Far], real: Real) -> None:
    # The real one does not say OPEN then: the message to ourselves tells.
    async with aiohttp.ClientSession() as client:
        older = await client.ws_connect(PeerServer.read(real.url).socket(NAMES.peer_id, NAMES.token))
        assert json.loads((await older.receive()).data) == {"type": "OPEN"}
        made = await up(far_at(real.url))
        assert (await (await made.guest().enter()).hello())["seat"] is None
        await older.close()


@pytest.mark.slow
async def test_an_id_that_somebody_else_has_is_refused_and_tried_again(far_at: Callable[..., Far], real: Real) -> None:
    async with aiohttp.ClientSession() as client:
        other = await client.ws_connect(PeerServer.read(real.url).socket(NAMES.peer_id, "another"))
        await other.receive()
        made = far_at(real.url)
        await eventually(lambda: made.troubles == ["taken", "taken"])
        await other.close()
        await up(made)


@pytest.mark.slow
async def test_a_guest_who_lost_the_channel_comes_back_to_the_seat_with_the_key(far_at: Callable[..., Far], real: Real) -> None:
    made = await up(far_at(real.url))
    ana = await made.seated("Ana")
    await ana.pc.close()
    back = await made.guest().enter()
    assert (await back.hello(key=ana.key))["seat"] == ana.seat


@pytest.mark.slow
async def test_nobody_is_there_when_the_host_is_not(host: Host, real: Real) -> None:
    guest = Guest(host.client, real.url, "nobody-of-this-id", SECRET)
    host.stack.push_async_callback(guest.close)
    await guest.open()
    await guest.signal("OFFER", t="knock", v=1)
    async with asyncio.timeout(8):
        await guest.expired.wait()


async def test_a_wrong_key_of_the_server_is_told_in_its_words(far_at: Callable[..., Far], real: Real) -> None:
    made = far_at(real.url + "?key=another")
    await eventually(lambda: made.troubles)
    assert made.troubles[0] == "refused"


# ---------------------------------------------------------------------------------- knocking


async def test_the_servers_for_a_guest_come_with_the_answer_to_the_knock(far_at: Callable[..., Far], fake: Fake) -> None:
    turn = Server("turn", "192.0.2.7", 3478)
    ice = Ice((Server("stun", "192.0.2.7", 3478),), (turn,), secret="of the relay")
    made = await up(far_at(fake.url, ice))
    guest = made.guest()
    await guest.open()
    first, second = [await guest.knock() for _ in range(2)]
    stun, relay = first["ice"]
    assert stun == {"urls": ["stun:192.0.2.7:3478"]}
    assert relay["urls"] == [str(turn)]
    assert relay["credential"]
    assert second["ice"][1]["username"] != relay["username"]
    # ... and nobody on the way reads them.
    assert all(list(message["payload"]) == ["box"] for message in fake.seen if "echo" not in message["payload"])


async def test_another_version_is_told_so(far_at: Callable[..., Far], fake: Fake) -> None:
    guest = (await up(far_at(fake.url))).guest()
    await guest.open()
    await guest.signal("OFFER", t="knock", v=2)
    assert await guest.answer() == {"t": "shut", "code": "version"}


async def test_a_crowd_is_let_in_bit_by_bit(far_at: Callable[..., Far], fake: Fake) -> None:
    guest = (await up(far_at(fake.url))).guest()
    await guest.open()
    for _ in range(60):
        await guest.signal("OFFER", t="knock", v=1)
    answers = [(await guest.answer())["t"] for _ in range(40)]
    assert answers.count("opened") <= far.KNOCKS_BURST + 2
    await asyncio.sleep(0.3)
    assert guest.answers.qsize() <= 4, "the rest is answered by nothing"


async def test_an_offer_that_is_no_good_is_refused_and_its_ticket_gone(far_at: Callable[..., Far], fake: Fake) -> None:
    guest = (await up(far_at(fake.url))).guest()
    await guest.open()
    name = (await guest.knock())["id"]
    await guest.signal("OFFER", t="offer", id=name, sdp="v=0")
    assert await guest.answer() == {"t": "no_channel", "id": name, "code": "bad_message"}
    await guest.signal("OFFER", t="offer", id=name, sdp="v=0")
    await guest.signal("CANDIDATE", t="candidate", id=name, candidate="x", mid="0")
    assert (await guest.knock())["t"] == "opened"


# --------------------------------------------------------------------------------- strangers


async def test_without_the_secret_nothing_is_answered(far_at: Callable[..., Far], fake: Fake) -> None:
    made = await up(far_at(fake.url))
    stranger = made.guest(secret="another-secret-1")
    await stranger.open()
    for payload in ({"box": "AAAA"}, {"box": 7}, {"box": "é"}, {"sdp": "v=0"}, "offer", None, {"box": "A" * 40_000}):
        await stranger.raw(type="OFFER", dst=NAMES.peer_id, payload=payload)
    await stranger.signal("OFFER", t="knock", v=1)
    await eventually(lambda: made.strangers == 8)
    friend = made.guest()
    await friend.open()
    assert (await friend.knock())["t"] == "opened"
    from_host = [message for message in fake.seen if message["src"] == NAMES.peer_id]
    assert stranger.id not in {message["dst"] for message in from_host}


async def test_an_offer_played_back_from_elsewhere_is_nothing(far_at: Callable[..., Far], fake: Fake) -> None:
    made = await up(far_at(fake.url))
    friend = await made.guest().enter()
    recorded = [message for message in fake.seen if message["src"] == friend.id]
    await eventually(lambda: made.door._tickets == {})
    answers = len(fake.seen)
    mallory = made.guest(secret="another-secret-1")
    await mallory.open()
    for message in recorded:
        await mallory.raw(**{k: v for k, v in message.items() if k != "src"})
    await eventually(lambda: made.strangers == len(recorded))
    # The server itself can say that it was the friend: the knock is new, the offer is not.
    for message in recorded[1:]:
        await fake.say(NAMES.peer_id, **message)
    await asyncio.sleep(0.2)
    said = [message for message in fake.seen[answers:] if message["src"] == NAMES.peer_id]
    assert said == []
    assert made.door._tickets == {}


async def test_a_swapped_fingerprint_does_not_open(far_at: Callable[..., Far], fake: Fake) -> None:
    """The one thing that a server in the middle would have to change."""
    made = await up(far_at(fake.url))
    own = Seal("what the server may guess", "to guest")

    def twist(message: dict[str, Any]) -> dict[str, Any]:
        if message["src"] == NAMES.peer_id and message["type"] == "ANSWER":
            payload = own.seal('{"t":"opened","id":"x","ice":[]}', message["src"], message["dst"])
            return {**message, "payload": payload}
        return message

    fake.twist = twist
    guest = made.guest()
    await guest.open()
    await guest.signal("OFFER", t="knock", v=1)
    await eventually(lambda: guest.unsealed == 1)

    def flip(message: dict[str, Any]) -> dict[str, Any]:
        if "box" not in message["payload"]:
            return message
        box = message["payload"]["box"]
        middle = len(box) // 2
        other = "A" if box[middle] != "A" else "B"
        return {**message, "payload": {"box": box[:middle] + other + box[middle + 1 :]}}

    fake.twist = flip
    await guest.signal("OFFER", t="knock", v=1)
    await eventually(lambda: made.strangers == 1)


# ---------------------------------------------------------------------------- a bad PeerServer


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "[]", "7", '{"type": 7}', '{"type": "OFFER"}', '{"type":"OFFER","src":"' + "x" * 99 + '"}', "[" * 30_000, '{"type":"OPEN","type":"OPEN"}x'],
    ids=lambda text: text[:12],
)
async def test_nonsense_is_passed_over_and_then_the_connection_given_up(far_at: Callable[..., Far], fake: Fake, text: str) -> None:
    made = await up(far_at(fake.url))
    ana = await made.seated("Ana")
    for _ in range(peerserver.NONSENSE - 1):
        await fake.clients[NAMES.peer_id][1].send_str(text)
    beto = await made.seated("Beto")
    assert made.troubles == []
    await fake.clients[NAMES.peer_id][1].send_str(text)
    await eventually(lambda: made.troubles)
    assert made.troubles == ["nonsense"]
    await eventually(lambda: len(made.ups) == 2)
    assert not ana.gone.is_set()
    assert not beto.gone.is_set()


async def test_one_endless_message_ends_the_connection_alone(far_at: Callable[..., Far], fake: Fake) -> None:
    made = await up(far_at(fake.url))
    await fake.clients[NAMES.peer_id][1].send_str("x" * (limits.FRAME + 1))
    await eventually(lambda: made.troubles)
    assert made.troubles == ["nonsense"]
    await eventually(lambda: len(made.ups) == 2)


async def test_a_flood_is_read_slowly_and_the_table_goes_on(far_at: Callable[..., Far], fake: Fake) -> None:
    made = await up(far_at(fake.url))
    ana = await made.seated("Ana")
    heard = 0
    taken = made.registration.on_message

    def count(*message: Any) -> None:
        nonlocal heard
        heard += 1
        taken(*message)

    made.registration.on_message = count

    async def flood() -> None:
        while True:
            await fake.say(NAMES.peer_id, type="OFFER", src="x", payload={"box": "A" * 1000})

    flooding = asyncio.create_task(flood())
    await eventually(lambda: made.troubles, patience=20)
    before, began = heard, asyncio.get_running_loop().time()
    for n in range(5):
        await ana.say(t="ping", i=n, seq=ana.seq)
        await ana.hear("pong", patience=20)
        await asyncio.sleep(0.2)
    took = asyncio.get_running_loop().time() - began
    flooding.cancel()
    await asyncio.gather(flooding, return_exceptions=True)
    assert made.troubles == ["flood"]
    # A busy machine's pauses save up some; without a limit they would be thousands.
    assert heard - before <= peerserver.MESSAGES_A_SECOND * took + peerserver.MESSAGES_BURST / 2
    assert not ana.gone.is_set()


@pytest.mark.parametrize("way", ["closes", "no server", "not a socket"])
async def test_a_server_that_is_none_is_asked_ever_more_seldom(far_at: Callable[..., Far], fake: Fake, way: str) -> None:
    async def close(ws: Any) -> None:
        await ws.close()

    fake.greet = close
    url = fake.url
    if way == "no server":
        await fake.stop()
    elif way == "not a socket":
        url += "/elsewhere"
    waits: list[float] = []

    async def note(seconds: float) -> bool:
        waits.append(seconds)
        return False

    made = far_at(url)
    made.registration._moved_within = note  # type: ignore[method-assign]
    await eventually(lambda: len(waits) >= 9)
    assert set(made.troubles) == {"silent" if way == "closes" else "unreachable"}
    wanted = [*peerserver.WAITS, peerserver.WAITS[-1], peerserver.WAITS[-1]]
    assert all(0.79 * want <= wait <= 1.21 * want for wait, want in zip(waits, wanted, strict=False))


async def test_a_laptop_in_another_network_registers_again_at_once(far_at: Callable[..., Far], fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peerserver, "BEAT_SECONDS", 0.05)
    monkeypatch.setattr(peerserver, "LOOK_SECONDS", 0.05)
    made = await up(far_at(fake.url))
    ana = await made.seated("Ana")
    monkeypatch.setattr(peerserver.addresses, "default_sources", lambda: {"192.0.2.7"})
    await eventually(lambda: len(made.ups) == 2)
    # Also while it waits for the next attempt.
    await fake.stop()
    monkeypatch.setattr(peerserver, "WAITS", (60.0,))
    await eventually(lambda: len(made.troubles) == 2)
    await fake.start()
    monkeypatch.setattr(peerserver.addresses, "default_sources", lambda: {"198.51.100.7"})
    await eventually(lambda: len(made.ups) == 3)
    assert not ana.gone.is_set()


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://nobody.invalid", "DNS"),
        ("http://127.0.0.1:1", "Connection refused"),
        ("{fake}/elsewhere", "HTTP 404"),
    ],
)
async def test_why_a_server_is_not_reached_is_said_in_a_word(far_at: Callable[..., Far], fake: Fake, url: str, reason: str) -> None:
    made = far_at(url.format(fake=fake.url))
    told: list[str] = []
    made.registration.on_trouble = lambda _, why: told.append(why)
    await eventually(lambda: told)
    assert told[0] == reason


async def test_a_certificate_that_nobody_vouches_for_is_called_so(far_at: Callable[..., Far], tmp_path: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate(tmp_path, "127.0.0.1"))
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0, ssl=context)
    one = far_at(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    told: list[str] = []
    one.registration.on_trouble = lambda _, why: told.append(why)
    await eventually(lambda: told)
    assert told[0] == "TLS"
    server.close()


async def test_a_server_that_takes_us_in_and_hands_nothing_on_is_left(far_at: Callable[..., Far], fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peerserver, "CONNECT_SECONDS", 0.2)

    async def swallow(ws: Any) -> None:
        async for _ in ws:
            pass

    fake.greet = swallow
    made = far_at(fake.url)
    await eventually(lambda: made.troubles)
    assert made.troubles[0] == "silent"


# ------------------------------------------------------------------------------------- names


def test_the_id_and_the_token_follow_from_the_hosts_key_and_tell_nothing_of_each_other() -> None:
    again = Names.of(HOST_KEY)
    assert again == NAMES
    assert len(NAMES.peer_id) == 16
    assert set(NAMES.peer_id) <= set("abcdefghjkmnpqrstuvwxyz23456789")
    assert Names.of("g" + HOST_KEY[1:]) != NAMES
