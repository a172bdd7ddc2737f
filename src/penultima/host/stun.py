"""Asks STUN and TURN servers: which one answers, what this end looks like from outside, whether
a relay lets us in. Every question has a bound, and an answer that is not there is an exception.

Asked ahead of time, since a server that does not answer would hold up every guest who dials:
aiortc by itself waits five seconds for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from aioice import stun, turn

from penultima.host import addresses

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from penultima.host.ice import Server

Address: TypeAlias = tuple[str, int]
Why: TypeAlias = Literal["name", "silent", "unreachable", "certificate", "credentials", "refused"]
"""A name nobody knows; nothing came back; the network says no way; TLS that proves nothing; 401;
any other error of the server's."""

PATIENCE_SECONDS: Final = 3.0
REPEATS: Final = (0.0, 0.2, 0.6, 1.4, 3.0)
"""When a question is sent again: a lost packet is not a missing server."""
AGAIN_SECONDS: Final = 300.0
SOON_SECONDS: Final = 20.0


class NoAnswerError(Exception):
    """``why`` for a program, ``detail`` for a person who looks closer (may be empty)."""

    def __init__(self, server: Server, why: Why, detail: str = "") -> None:
        super().__init__(f"{server}: {why} {detail}".rstrip())
        self.server, self.why, self.detail = server, why, detail


@dataclass(frozen=True, slots=True)
class Reflection:
    """What one server saw of us."""

    server: Server
    asked: Address
    outer: Address
    seconds: float
    other: Address | None = None
    """A second address of the same server, if it has one (RFC 5780)."""


NatKind: TypeAlias = Literal["none", "cone", "symmetric", "unknown", "blocked"]
"""No NAT; the same outer port whomever we talk to (a direct way can be made); another one for
each (only a relay helps, unless the other end has no such NAT); one answer only, which cannot
tell these two apart; no answer."""


@dataclass(frozen=True, slots=True)
class Nat:
    """What stands between this machine and the STUN servers."""

    kind: NatKind
    outer: str = ""
    reflections: tuple[Reflection, ...] = ()
    failures: tuple[NoAnswerError, ...] = ()


@dataclass(frozen=True, slots=True)
class Relay:
    """A TURN server that gave us an address."""

    server: Server
    relayed: Address
    seconds: float


# ------------------------------------------------------------------------------- questions


async def reflect(server: Server, seconds: float = PATIENCE_SECONDS) -> Reflection:
    """Which address this machine has for that server. Raises ``NoAnswerError``."""
    try:
        async with _ear() as ear:
            return await _reflect(ear, server, seconds)
    except OSError as error:  # no socket to be had
        raise NoAnswerError(server, "unreachable", error.strerror or "") from None


async def nat(servers: Sequence[Server], seconds: float = PATIENCE_SECONDS) -> Nat:
    """Which kind of NAT lies between, asked from one port. Two servers at different addresses
    tell; one alone only where it has a second address itself. What goes wrong is in the answer."""
    try:
        async with _ear() as ear:
            return await _nat(ear, servers, seconds)
    except OSError as error:  # no socket to be had
        reason = error.strerror or ""
        failures = tuple(NoAnswerError(each, "unreachable", reason) for each in servers)
        return Nat("blocked", failures=failures)


async def _nat(ear: _Ear, servers: Sequence[Server], seconds: float) -> Nat:
    answers = await asyncio.gather(
        *(_reflect(ear, server, seconds) for server in servers), return_exceptions=True
    )
    seen = [each for each in answers if isinstance(each, Reflection)]
    failures = tuple(each for each in answers if isinstance(each, NoAnswerError))
    for each in answers:
        if isinstance(each, BaseException) and not isinstance(each, NoAnswerError):
            raise each
    if not seen:
        return Nat("blocked", failures=failures)
    outers = {each.asked: each.outer for each in seen}
    for each in seen:
        if len(outers) < 2 and each.other is not None:
            with contextlib.suppress(NoAnswerError):
                outers[each.other] = (await ear.ask(each.server, each.other, seconds))[0]
    port = ear.port
    outer = seen[0].outer
    kind: NatKind
    if outer[1] == port and outer[0] in {each.address for each in addresses.interfaces()}:
        kind = "none"
    elif len(outers) < 2:
        kind = "unknown"
    else:
        kind = "cone" if len(set(outers.values())) == 1 else "symmetric"
    return Nat(kind, outer[0], tuple(seen), failures)


async def relay(
    server: Server, username: str, password: str, seconds: float = PATIENCE_SECONDS
) -> Relay:
    """Takes a relay of that TURN server, as a guest would, and gives it back. Raises
    ``NoAnswerError``."""
    loop = asyncio.get_running_loop()
    started = loop.time()
    try:
        async with asyncio.timeout(seconds):
            transport, protocol = await turn.create_turn_endpoint(
                _Relayed,
                server_addr=(server.host, server.port),
                username=username,
                password=password,
                ssl=server.scheme == "turns",
                transport=server.transport,
            )
    except TimeoutError:
        raise NoAnswerError(server, "silent") from None
    except stun.TransactionFailed as error:
        code = error.response.error_code
        raise NoAnswerError(
            server, "credentials" if code == 401 else "refused", str(code or "")
        ) from None
    except stun.TransactionError:
        raise NoAnswerError(server, "silent") from None
    except socket.gaierror:
        raise NoAnswerError(server, "name") from None
    except ssl.SSLError as error:
        raise NoAnswerError(server, "certificate", error.reason or "") from None
    except OSError as error:
        raise NoAnswerError(server, "unreachable", error.strerror or "") from None
    found = Relay(server, transport.get_extra_info("sockname"), loop.time() - started)
    transport.close()
    # A server that dies now is nobody's concern: giving back to it would take 63 s.
    await asyncio.wait([protocol.given_back], timeout=seconds)
    return found


class _Relayed(asyncio.DatagramProtocol):
    """The far end of a relay that nothing is sent through."""

    def __init__(self) -> None:
        self.given_back: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_lost(self, _exc: Exception | None) -> None:
        if not self.given_back.done():
            self.given_back.set_result(None)


async def _reflect(ear: _Ear, server: Server, seconds: float) -> Reflection:
    loop = asyncio.get_running_loop()
    started = loop.time()
    address = await _resolve(server, seconds)
    outer, other = await ear.ask(server, address, seconds - (loop.time() - started))
    return Reflection(server, address, outer, loop.time() - started, other)


async def _resolve(server: Server, seconds: float) -> Address:
    """IPv4: an address of IPv6 is the same on both sides of a router."""
    loop = asyncio.get_running_loop()
    found: asyncio.Future[Address | None] = loop.create_future()

    def told(address: Address | None) -> None:
        if not found.done():
            found.set_result(address)

    def look_up() -> None:
        address: Address | None = None
        with contextlib.suppress(OSError, UnicodeError):
            answers = socket.getaddrinfo(server.host, server.port, socket.AF_INET)
            address = str(answers[0][4][0]), int(answers[0][4][1])
        with contextlib.suppress(RuntimeError):  # the loop may be closed by now
            loop.call_soon_threadsafe(told, address)

    # Not in the loop's own threads: the end of the program would wait for them, and a name
    # server that is not there takes its time.
    threading.Thread(target=look_up, name="look-up", daemon=True).start()
    try:
        async with asyncio.timeout(seconds):
            address = await found
    except TimeoutError:
        address = None
    if address is None:
        raise NoAnswerError(server, "name")
    return address


class _Ear(asyncio.DatagramProtocol):
    """A datagram socket that asks many."""

    def __init__(self) -> None:
        self._waiting: dict[bytes, tuple[Address, asyncio.Future[stun.Message]]] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)
        self.port: int = transport.get_extra_info("sockname")[1]

    async def ask(
        self, server: Server, address: Address, seconds: float
    ) -> tuple[Address, Address | None]:
        """Our address as seen from there, and a second address of theirs."""
        loop = asyncio.get_running_loop()
        question = stun.Message(
            message_method=stun.Method.BINDING, message_class=stun.Class.REQUEST
        )
        answer: asyncio.Future[stun.Message] = loop.create_future()
        self._waiting[question.transaction_id] = address, answer
        timers = [
            loop.call_later(after, self._transport.sendto, bytes(question), address)
            for after in REPEATS
            if after < seconds
        ]
        try:
            async with asyncio.timeout(seconds):
                message = await answer
        except TimeoutError:
            raise NoAnswerError(server, "silent") from None
        except OSError as error:
            raise NoAnswerError(server, "unreachable", error.strerror or "") from None
        finally:
            del self._waiting[question.transaction_id]
            for timer in timers:
                timer.cancel()
        if "XOR-MAPPED-ADDRESS" not in message.attributes:
            raise NoAnswerError(server, "refused", str(message.error_code or ""))
        return message.attributes["XOR-MAPPED-ADDRESS"], message.attributes.get("OTHER-ADDRESS")

    def error_received(self, exc: Exception) -> None:
        """The network says no; it does not say to which question."""
        for _, answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(exc)

    def datagram_received(self, data: bytes, addr: tuple[Any, ...]) -> None:
        with contextlib.suppress(ValueError):  # anybody may send anything
            message = stun.parse_message(data)
            address, answer = self._waiting.get(message.transaction_id, (None, None))
            if answer is not None and addr[:2] == address and not answer.done():
                answer.set_result(message)


@contextlib.asynccontextmanager
async def _ear() -> AsyncIterator[_Ear]:
    loop = asyncio.get_running_loop()
    transport, ear = await loop.create_datagram_endpoint(
        _Ear,
        local_addr=("0.0.0.0", 0),  # noqa: S104 - asks, serves nobody
        family=socket.AF_INET,
    )
    try:
        yield ear
    finally:
        transport.close()


# --------------------------------------------------------------------------- ahead of time


@dataclass(eq=False)
class Reflector:
    """The STUN server that data channels ask: one that answered a while ago, and fast."""

    servers: Sequence[Server]
    on_change: Callable[[Reflector], None] = lambda _: None
    """Also when the first look finds none."""
    address: Address | None = None
    """Where it is, or None while none answers: then nobody is asked, and nobody waits."""
    failures: tuple[NoAnswerError, ...] = ()
    """Of the last look."""
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _looked: asyncio.Event = field(default_factory=asyncio.Event)

    async def found(self, seconds: float) -> Address | None:
        """Where it is; before the first look is over, waits for that so long at most."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._looked.wait()
        return self.address

    async def watch(self) -> None:
        """Looks again now and then, for ever: machines move, and so do servers."""
        while True:
            before, first = self.address, not self._looked.is_set()
            await self.look()
            if self.address != before or (first and self.address is None):
                self.on_change(self)
            self._wake.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(AGAIN_SECONDS if self.address else SOON_SECONDS):
                    await self._wake.wait()

    async def look(self, seconds: float = PATIENCE_SECONDS) -> None:
        """Asks all of them; the first to answer it is."""
        questions = [asyncio.create_task(reflect(server, seconds)) for server in self.servers]
        failures: list[NoAnswerError] = []
        try:
            for each in asyncio.as_completed(questions):
                try:
                    self.address = (await each).asked
                    break
                except NoAnswerError as error:
                    failures.append(error)
            else:
                self.address = None
        finally:
            for question in questions:
                question.cancel()
            await asyncio.gather(*questions, return_exceptions=True)
        self.failures = tuple(failures)
        self._looked.set()

    def silent(self) -> None:
        """It did not answer somebody in time: look again before the next one asks."""
        self._wake.set()
