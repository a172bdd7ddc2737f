"""What aiortc 1.16 and aioice 0.13 leave open, closed here. Both are pinned for that reason.

A guest holds the far end of a peer connection and may write into it what it likes:

- fragments of a message that never ends are kept and scanned again each time; so are numbers
  received out of order, and streams nobody opened: all are counted here, and too many of them
  end the connection;
- a parameter of length zero (INIT, HEARTBEAT, ABORT, RECONFIG) is read for ever: read anew here;
- an acknowledgement names ranges of numbers that were never sent, and each is written out in
  memory, seconds a packet: not let through;
- whatever raises inside kills the receiving task and writes a traceback to the log: ends the
  connection instead.

Anybody else may send datagrams to the port: aioice hands them to DTLS whatever their source, so
a forged alert ends a handshake. Only the addresses of the peer get through here.

`tests/host/test_rtc_guard.py` attacks each of these.
"""

# ruff: noqa: SLF001 - the doors that have to be watched are private ones

from __future__ import annotations

import logging
from struct import unpack_from
from typing import TYPE_CHECKING, Any

from aiortc import rtcsctptransport

if TYPE_CHECKING:
    from collections.abc import Callable

    from aioice.ice import Connection, StunProtocol
    from aiortc import RTCPeerConnection
    from aiortc.rtcsctptransport import Chunk, RTCSctpTransport

logger = logging.getLogger(__name__)

# The longest message a page has to send is an offer: 18 fragments of 1,160 bytes.
PENDING_BYTES = 64 * 1024
PENDING_CHUNKS = 128
MISORDERED = 128
STREAMS = 4

_RECEIVE_WINDOW = 1024 * 1024  # what RTCSctpTransport starts with


def harden_library() -> None:
    """Once for the process. The times are RFC 9260's start value, and a floor measured with a
    phone's losses in mind: at 3 % the 99th percentile falls from 1.0 to 0.4 s."""
    module: Any = rtcsctptransport
    module.decode_params = decode_params
    module.SCTP_RTO_MIN = 0.2
    module.SCTP_RTO_INITIAL = 1.0


def decode_params(body: bytes) -> list[tuple[int, bytes]]:
    """As aiortc's own, but a parameter is at least as long as its header (RFC 9260 3.2.1)."""
    params = []
    position = 0
    while position <= len(body) - 4:
        kind, length = unpack_from("!HH", body, position)
        if length < 4:
            raise ValueError("SCTP parameter shorter than its header")
        params.append((kind, body[position + 4 : position + length]))
        position += length + (-length % 4)
    return params


def guard(pc: RTCPeerConnection, on_hostile: Callable[[str], None]) -> None:
    """To be called once the remote description is set: then the transports are there."""
    sctp = pc.sctp
    if sctp is None:
        raise ValueError("no data channel was offered")
    _guard_sctp(sctp, on_hostile)
    _guard_datagrams(sctp.transport.transport._connection)


def _guard_sctp(sctp: RTCSctpTransport, on_hostile: Callable[[str], None]) -> None:
    inner: Any = sctp
    handle_data, receive_chunk = inner._handle_data, inner._receive_chunk
    ended = False

    def end(why: str) -> None:
        nonlocal ended
        if not ended:
            ended = True
            inner._inbound_streams.clear()
            inner._sack_misordered.clear()
            on_hostile(why)

    async def guarded_data(data: bytes) -> None:
        if ended:
            return
        try:
            await handle_data(data)
        except ConnectionError:
            raise
        except Exception as error:  # noqa: BLE001 - a guest's bytes may raise anything in there
            end(f"{type(error).__name__} in a packet")
            return
        why = _excess(inner)
        if why:
            end(why)

    async def guarded_chunk(chunk: Chunk) -> None:
        if ended:
            return
        if isinstance(chunk, rtcsctptransport.SackChunk) and _acknowledges_unsent(inner, chunk):
            end("acknowledges what was never sent")
            return
        await receive_chunk(chunk)

    inner._handle_data = guarded_data
    inner._receive_chunk = guarded_chunk


def _excess(sctp: Any) -> str:
    """Cheap in the usual case: nothing pending, one stream."""
    streams = sctp._inbound_streams
    if len(streams) > STREAMS:
        return "too many streams"
    if len(sctp._sack_misordered) > MISORDERED:
        return "too many gaps"
    if _RECEIVE_WINDOW - sctp._advertised_rwnd > PENDING_BYTES:
        return "message without end"
    if sum(len(stream.reassembly) for stream in streams.values()) > PENDING_CHUNKS:
        return "message in too many pieces"
    return ""


def _acknowledges_unsent(sctp: Any, sack: Any) -> bool:
    """Gaps count from the cumulative number; none reaches beyond what was sent, and they do not
    overlap (RFC 9260 3.3.4)."""
    outstanding = (sctp._local_tsn - sack.cumulative_tsn - 1) % 2**32
    if outstanding >= 2**31:
        return True
    numbers = sum(end - start + 1 for start, end in sack.gaps)
    return numbers > outstanding or any(end > outstanding for _, end in sack.gaps)


def _guard_datagrams(connection: Connection) -> None:
    for protocol in connection._protocols:
        _filter(protocol, connection)


def _filter(protocol: StunProtocol, connection: Connection) -> None:
    inner: Any = connection
    received = protocol.datagram_received
    known: set[tuple[Any, ...]] = set()  # a peer's address stays one: asked once each

    def filtered(data: bytes | str, addr: tuple[Any, ...]) -> None:
        if not data:
            return
        # STUN starts with two zero bits and authenticates itself (RFC 7983).
        stun = isinstance(data, bytes) and data[0] < 4
        if not stun and addr not in known:
            if not _from_peer(inner, addr):
                return
            known.add(addr)
        try:
            received(data, addr)
        except Exception as error:  # noqa: BLE001 - anybody's bytes may raise anything in there
            logger.debug("datagram dropped: %s", type(error).__name__)

    protocol.datagram_received = filtered  # type: ignore[method-assign]


def _from_peer(connection: Any, addr: tuple[Any, ...]) -> bool:
    """An address that the peer named in its offer, or proved by a signed check. Not only that of
    the chosen pair: while several are being nominated the ends may choose differently for a while.
    """
    source = (str(addr[0]).partition("%")[0], addr[1])
    return any(source == pair.remote_addr for pair in connection._nominated.values()) or any(
        source == (candidate._network_host, candidate.port)
        for candidate in connection._remote_candidates
    )
