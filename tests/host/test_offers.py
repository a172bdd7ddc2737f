"""An offer is read strictly and written anew."""

import pytest

from penultima.host import offers
from penultima.host.offers import BadOffer

FINGERPRINT = ":".join(["AB"] * 32)
CHROMIUM = "\r\n".join(
    [
        "v=0",
        "o=- 4611731400430051336 2 IN IP4 127.0.0.1",
        "s=-",
        "t=0 0",
        "a=group:BUNDLE 0",
        "a=extmap-allow-mixed",
        "a=msid-semantic: WMS",
        "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
        "c=IN IP4 0.0.0.0",
        "a=candidate:1 1 udp 2113937151 192.168.1.9 51000 typ host generation 0 network-cost 999",
        "a=candidate:2 1 udp 2113937151 6f1c2f9e-aaaa.local 51001 typ host generation 0",
        "a=candidate:3 1 tcp 1518280447 192.168.1.9 9 typ host tcptype active",
        "a=end-of-candidates",
        "a=ice-ufrag:jh5+",
        "a=ice-pwd:aaaaaaaaaaaaaaaaaaaaaaaa",
        "a=ice-options:trickle",
        f"a=fingerprint:sha-256 {FINGERPRINT}",
        "a=setup:actpass",
        "a=mid:0",
        "a=sctp-port:5000",
        "a=max-message-size:262144",
        "",
    ]
)


def test_what_is_needed_is_picked_out() -> None:
    offer = offers.parse(CHROMIUM)
    assert (offer.mid, offer.ufrag, offer.setup, offer.sctp_port) == ("0", "jh5+", "actpass", 5000)
    assert [str(each) for each in offer.candidates] == [
        "1 1 udp 2113937151 192.168.1.9 51000 typ host"
    ]
    written = offer.sdp()
    assert ".local" not in written
    assert "end-of-candidates" not in written
    assert "extmap" not in written
    assert offers.parse(written) == offer


def test_the_library_takes_what_we_write() -> None:
    from aiortc.sdp import SessionDescription

    description = SessionDescription.parse(offers.parse(CHROMIUM).sdp())
    media = description.media[0]
    assert media.ice.usernameFragment == "jh5+"
    assert media.dtls is not None
    assert media.dtls.fingerprints[0].value == FINGERPRINT
    assert len(media.ice_candidates) == 1


def changed(old: str, new: str) -> str:
    assert old in CHROMIUM
    return CHROMIUM.replace(old, new)


@pytest.mark.parametrize(
    "sdp",
    [
        "",
        "v=0",
        "x" * 20_000,
        "é" * 9_000,
        CHROMIUM + CHROMIUM,
        CHROMIUM + "m=audio 9 UDP/TLS/RTP/SAVPF 111\r\n",
        changed("m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "m=video 9 RTP/AVP 96"),
        changed("UDP/DTLS/SCTP", "DTLS/SCTP"),
        changed("a=ice-ufrag:jh5+\r\n", ""),
        changed("a=ice-ufrag:jh5+", "a=ice-ufrag:a"),
        changed("a=ice-ufrag:jh5+", "a=ice-ufrag:a b c d"),
        changed("a=ice-ufrag:jh5+", "a=ice-ufrag:jh5+\r\na=ice-ufrag:jh6+"),
        changed("a=ice-pwd:aaaaaaaaaaaaaaaaaaaaaaaa", "a=ice-pwd:short"),
        changed("a=ice-pwd:aaaaaaaaaaaaaaaaaaaaaaaa", "a=ice-pwd:" + "a" * 300),
        changed(f"a=fingerprint:sha-256 {FINGERPRINT}\r\n", ""),
        changed(FINGERPRINT, FINGERPRINT[:-3]),
        changed("sha-256", "sha-1"),
        changed("a=setup:actpass", "a=setup:holdconn"),
        changed("a=setup:actpass\r\n", ""),
        changed("a=mid:0", "a=mid:0 0"),
        changed("a=mid:0", "a=mid:" + "0" * 50),
        changed("a=mid:0\r\n", ""),
        changed("a=sctp-port:5000", "a=sctp-port:0"),
        changed("a=sctp-port:5000", "a=sctp-port:99999"),
        changed("a=sctp-port:5000", "a=sctp-port:-1"),
        changed("a=max-message-size:262144", "a=max-message-size:" + "9" * 40),
        changed("a=ice-options:trickle", "a=ice-lite"),
    ],
)
def test_anything_else_is_no_offer(sdp: str) -> None:
    with pytest.raises(BadOffer):
        offers.parse(sdp)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "candidate:1 1 udp 1 0.0.0.0 5 typ host",
        "candidate:1 1 udp 1 127.0.0.1 5 typ host",
        "candidate:1 1 udp 1 ::1 5 typ host",
        "candidate:1 1 udp 1 224.0.0.1 5 typ host",
        "candidate:1 1 udp 1 255.255.255.255 5 typ host",
        "candidate:1 1 udp 1 fe80::1 5 typ host",
        "candidate:1 1 udp 1 192.168.1.9 0 typ host",
        "candidate:1 1 udp 1 192.168.1.9 70000 typ host",
        "candidate:1 1 udp 1 999.1.1.1 5 typ host",
        "candidate:1 1 udp 1 host.example 5 typ host",
        "candidate:1 1 udp 1 a-b.local 5 typ host",
        "candidate:1 2 udp 1 192.168.1.9 5 typ host",
        "candidate:1 1 tcp 1 192.168.1.9 5 typ host",
        "candidate:1 1 udp 1 192.168.1.9 5 typ prflx",
        "candidate:1 1 udp -1 192.168.1.9 5 typ host",
        "candidate:" + "1" * 40 + " 1 udp 1 192.168.1.9 5 typ host",
        "garbage",
    ],
)
def test_a_candidate_that_leads_nowhere_is_left_out(text: str) -> None:
    assert offers.candidate(text) is None


def test_a_candidate_of_a_phone() -> None:
    found = offers.candidate(
        "candidate:842163049 1 UDP 4294967295 2001:DB8::5 46154 typ srflx raddr 10.0.0.5 rport 9"
    )
    assert str(found) == "842163049 1 udp 2147483647 2001:db8::5 46154 typ srflx"


def test_a_flood_of_candidates_is_cut() -> None:
    one = "a=candidate:1 1 udp 2113937151 192.168.1.9 51000 typ host generation 0 network-cost 999"
    sdp = changed(one, "\r\n".join(f"a=candidate:1 1 udp 1 10.0.0.9 {n} typ host" for n in range(1, 99)))
    assert len(offers.parse(sdp).candidates) == offers.CANDIDATES
