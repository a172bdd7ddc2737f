"""Attacks through a peer connection (what aiortc 1.16 leaves open).

The attacker is a guest with a seat, or somebody who merely sends datagrams to the port. In each
case the host's loop stays free, nothing is logged as an error, and the others play on.
"""

import asyncio
import socket
from collections.abc import AsyncIterator
from struct import pack
from typing import Any

import pytest
from aiortc import rtcsctptransport as sctp

from penultima.host import rtc_guard
from tests.host.conftest import Host
from tests.host.phones import HOST_KEY, RtcPhone, eventually


class Loop:
    """Measures how long the loop was held up."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            before = loop.time()
            await asyncio.sleep(0.01)
            self.longest = max(self.longest, loop.time() - before - 0.01)


@pytest.fixture
async def held_up() -> AsyncIterator[Loop]:
    measure = Loop()
    task = asyncio.create_task(measure.watch())
    yield measure
    task.cancel()


async def attacker(host: Host) -> tuple[RtcPhone, Any]:
    phone = await host.seated("Mala", rtc=True)
    return phone, phone.pc.sctp


async def fragment(
    transport: Any, flags: int, stream: int = 0, tsn: int | None = None, size: int = 1000
) -> None:
    chunk = sctp.DataChunk(flags=flags)
    chunk.tsn = transport._local_tsn if tsn is None else tsn
    if tsn is None:
        transport._local_tsn = sctp.tsn_plus_one(transport._local_tsn)
    chunk.stream_id = stream
    chunk.stream_seq = transport._outbound_stream_seq.get(stream, 0)
    chunk.protocol = sctp.WEBRTC_STRING
    chunk.user_data = b"x" * size
    await transport._send_chunk(chunk)


async def ended(host: Host) -> None:
    """The data channel of the attacker is closed; the page itself may stay."""
    await eventually(lambda: all(session._data is None for session in host.around.sessions))


async def others_play_on(host: Host, caplog: pytest.LogCaptureFixture) -> None:
    beto = await host.seated("Beto", rtc=True)
    await beto.say("datachannel", t="ping", i=9, seq=beto.seq)
    await beto.hear("pong")
    assert not [record for record in caplog.records if record.levelname in {"ERROR", "CRITICAL"}]
    assert "Traceback" not in caplog.text


async def test_a_message_without_end(
    host: Host, held_up: Loop, caplog: pytest.LogCaptureFixture
) -> None:
    _, transport = await attacker(host)
    for number in range(600):
        await fragment(transport, sctp.SCTP_DATA_FIRST_FRAG if number == 0 else 0)
        if number % 20 == 0:
            await asyncio.sleep(0)
    await ended(host)
    assert held_up.longest < 1.0
    await others_play_on(host, caplog)


async def test_numbers_with_gaps(
    host: Host, held_up: Loop, caplog: pytest.LogCaptureFixture
) -> None:
    _, transport = await attacker(host)
    start = transport._local_tsn
    whole = sctp.SCTP_DATA_FIRST_FRAG | sctp.SCTP_DATA_LAST_FRAG | sctp.SCTP_DATA_UNORDERED
    for number in range(400):
        await fragment(transport, whole, tsn=(start + 2 + 2 * number) % 2**32, size=10)
        if number % 20 == 0:
            await asyncio.sleep(0)
    await ended(host)
    assert held_up.longest < 1.0
    await others_play_on(host, caplog)


async def test_many_streams(host: Host, caplog: pytest.LogCaptureFixture) -> None:
    _, transport = await attacker(host)
    for stream in range(10, 30):
        await fragment(transport, sctp.SCTP_DATA_FIRST_FRAG, stream=stream)
    await ended(host)
    await others_play_on(host, caplog)


async def test_acknowledging_what_was_never_sent(
    host: Host, held_up: Loop, caplog: pytest.LogCaptureFixture
) -> None:
    _, transport = await attacker(host)
    for cumulative in (0, 1, 2**31):
        sack = sctp.SackChunk()
        sack.cumulative_tsn = (transport._last_received_tsn + cumulative) % 2**32
        sack.advertised_rwnd = 1000
        sack.duplicates = []
        sack.gaps = [(1, 65535)] * 250
        await transport._send_chunk(sack)
    await ended(host)
    assert held_up.longest < 1.0
    await others_play_on(host, caplog)


async def test_an_honest_acknowledgement_with_gaps_passes() -> None:
    class Transport:
        _local_tsn = 110  # 100 to 109 are sent

    sack = sctp.SackChunk()
    sack.cumulative_tsn = 101
    sack.gaps = [(2, 3), (5, 8)]
    assert not rtc_guard._acknowledges_unsent(Transport, sack)
    sack.gaps = [(2, 3), (5, 9)]
    assert rtc_guard._acknowledges_unsent(Transport, sack)
    sack.gaps, sack.cumulative_tsn = [], 109
    assert not rtc_guard._acknowledges_unsent(Transport, sack)
    sack.cumulative_tsn = 110
    assert rtc_guard._acknowledges_unsent(Transport, sack)


@pytest.mark.parametrize("kind", [sctp.HeartbeatChunk.type, sctp.ReconfigChunk.type, 6, 9])
async def test_a_parameter_of_length_zero(
    host: Host, kind: int, held_up: Loop, caplog: pytest.LogCaptureFixture
) -> None:
    _, transport = await attacker(host)

    class Raw:
        def __bytes__(self) -> bytes:
            return pack("!BBH", kind, 0, 12) + bytes(8)

    await transport._send_chunk(Raw())
    await asyncio.sleep(0.1)
    assert held_up.longest < 1.0
    await others_play_on(host, caplog)


def test_parameters_are_read_as_the_library_does() -> None:
    params = [(5, b"abc"), (0x8008, b""), (7, b"abcd")]
    assert rtc_guard.decode_params(sctp.encode_params(params)) == params
    with pytest.raises(ValueError, match="shorter"):
        rtc_guard.decode_params(bytes(8))


@pytest.mark.parametrize(
    ("protocol", "data"),
    [
        (sctp.WEBRTC_STRING, b"\xff\xfe"),
        (sctp.WEBRTC_DCEP, bytes([sctp.DATA_CHANNEL_OPEN]) * 12),
        (sctp.WEBRTC_DCEP, b"\x03"),
        (sctp.WEBRTC_DCEP, bytes([sctp.DATA_CHANNEL_ACK])),
    ],
)
async def test_bytes_that_make_the_library_raise(
    host: Host, protocol: int, data: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    phone, transport = await attacker(host)
    await transport._send(phone.channel.id, protocol, data)
    await asyncio.sleep(0.1)
    await others_play_on(host, caplog)


def ports_of_host(host: Host) -> list[tuple[str, int]]:
    session = next(session for session in host.around.sessions if session._data is not None)
    assert session._data is not None
    connection = session._data._pc.sctp.transport.transport._connection  # type: ignore[union-attr]
    return [
        (candidate.host, candidate.port)
        for candidate in connection.local_candidates
        if ":" not in candidate.host
    ]


FORGED = [
    b"",
    b"\x15\xfe\xfd" + bytes(8) + b"\x00\x02\x02\x28",  # a fatal alert, unencrypted
    b"\x15\xfe\xff" + bytes(8) + b"\x00\x02\x01\x00",  # close_notify
    b"\x16\xfe\xfd" + bytes(40),
    b"\x80" + bytes(20),
    b"\x00\x01\x00\x08" + bytes(24),
    bytes(1400),
]


async def test_datagrams_of_somebody_else_change_nothing(
    host: Host, caplog: pytest.LogCaptureFixture
) -> None:
    ana = await host.seated("Ana", rtc=True, host=HOST_KEY)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        for address in ports_of_host(host):
            for data in FORGED * 5:
                stranger.sendto(data, address)
    await asyncio.sleep(0.1)
    assert (await ana.ask("datachannel", t="host", do="title", value="Vivo"))["t"] == "done"
    await others_play_on(host, caplog)


async def test_a_forged_alert_during_the_handshake_does_not_keep_a_guest_out(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stranger is as fast as can be: every port gets the alert before each real datagram.

    The phone in this test is an aiortc too, and gets the same guard, as a browser has its own.
    """
    from aiortc.rtcdtlstransport import RTCDtlsTransport

    stranger = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    write = RTCDtlsTransport._write_ssl
    sent = 0

    async def overheard(self: RTCDtlsTransport) -> None:
        nonlocal sent
        for candidate in self.transport._connection.local_candidates:
            if ":" not in candidate.host:
                for data in FORGED:
                    stranger.sendto(data, (candidate.host, candidate.port))
                    sent += 1
        await write(self)
        await asyncio.sleep(0)

    phone = await host.rtc_phone()
    await phone.hello(host=HOST_KEY)
    await phone.sit("Ana")
    monkeypatch.setattr(RTCDtlsTransport, "_write_ssl", overheard)
    opening = asyncio.create_task(phone.open_channel())
    await eventually(lambda: phone.pc is not None and phone.pc.sctp is not None)
    ice = phone.pc.sctp.transport.transport._connection
    await eventually(lambda: bool(ice._protocols))
    rtc_guard._guard_datagrams(ice)
    await opening
    assert sent > 0
    assert (await phone.ask("datachannel", t="host", do="lock"))["t"] == "done"
    monkeypatch.undo()
    stranger.close()
