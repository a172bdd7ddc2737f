"""The host's own candidates for a data channel: at once those of this machine, and those that a
STUN server tells within half a second.

aiortc gathers in one go, waits five seconds for a server that does not answer, and asks it from
every interface, also from those that lead nowhere. Here only those are asked from that lead to
the internet, and the answer to the guest goes out with what there is.
"""

# ruff: noqa: SLF001 - aiortc has no other door to its transports (pinned, see rtc_guard)

from __future__ import annotations

import asyncio
import ipaddress
from typing import TYPE_CHECKING, Any

from aioice import stun
from aioice.candidate import Candidate, candidate_foundation, candidate_priority

from penultima.host import addresses

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from aioice.ice import Connection, StunProtocol
    from aiortc import RTCPeerConnection

SECONDS = 0.5
AGAIN_SECONDS = 0.15
"""A second question in case the first was lost."""


def prepare(pc: RTCPeerConnection) -> None:
    """Makes the transport before there is an offer, so that gathering need not wait for it."""
    inner: Any = pc
    inner._RTCPeerConnection__createSctpTransport()


async def gather(pc: RTCPeerConnection, server: tuple[str, int] | None) -> bool:
    """Gathers; whether the server answered (or none was asked). The transport must be there."""
    sctp = pc.sctp
    assert sctp is not None
    gatherer = sctp.transport.transport.iceGatherer
    await gatherer.gather()  # own addresses only: nobody is asked, so this does not wait
    if server is None:
        return True
    connection = gatherer._connection
    questions = [_outer(protocol, server) for protocol in _outward(connection)]
    found = [each for each in await _within(questions) if each is not None]
    known = {(each.host, each.port) for each in connection._local_candidates}
    for each in found:
        if (each.host, each.port) not in known:
            connection._local_candidates.append(each)
    return bool(found) or not questions


def _outward(connection: Connection) -> list[StunProtocol]:
    """The sockets from which the internet is reached."""
    own = [
        each
        for each in connection._protocols
        if ipaddress.ip_address(each.local_candidate.host).version == 4
    ]
    sources = addresses.default_sources()
    return [each for each in own if each.local_candidate.host in sources] or own


async def _within(questions: list[Coroutine[Any, Any, Candidate | None]]) -> list[Candidate | None]:
    if not questions:
        return []
    tasks = [asyncio.create_task(each) for each in questions]
    try:
        done, _ = await asyncio.wait(tasks, timeout=SECONDS)
    finally:
        for task in tasks:  # also when the page is gone: its sockets are closed then
            task.cancel()
    return [task.result() for task in done]


async def _outer(protocol: StunProtocol, server: tuple[str, int]) -> Candidate | None:
    """The address that this socket has outside."""
    asked = [asyncio.create_task(_ask(protocol, server, after)) for after in (0.0, AGAIN_SECONDS)]
    try:
        for each in asyncio.as_completed(asked):
            outer = await each
            if outer is not None:
                break
    finally:
        for task in asked:
            task.cancel()
    if outer is None:
        return None
    inner = protocol.local_candidate
    return Candidate(
        foundation=candidate_foundation("srflx", "udp", inner.host),
        component=inner.component,
        transport="udp",
        priority=candidate_priority(inner.component, "srflx"),
        host=outer[0],
        port=outer[1],
        type="srflx",
        related_address=inner.host,
        related_port=inner.port,
    )


async def _ask(
    protocol: StunProtocol, server: tuple[str, int], after: float
) -> tuple[str, int] | None:
    await asyncio.sleep(after)
    if protocol.transport.is_closing():
        return None
    question = stun.Message(message_method=stun.Method.BINDING, message_class=stun.Class.REQUEST)
    try:
        answer, _ = await protocol.request(question, server)
    except (stun.TransactionError, OSError):
        return None
    outer: tuple[str, int] | None = answer.attributes.get("XOR-MAPPED-ADDRESS")
    return outer
