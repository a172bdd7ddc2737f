"""The offer of a data channel: read strictly, then written anew.

aiortc believes what it is told, so it never sees a line that a guest wrote: what it needs is
picked out and checked here, and the description it gets is ours. That also leaves out what
stalls the connecting: names ending in `.local`, and the end of the candidates.
"""

from __future__ import annotations

import ipaddress
import logging
import re
from dataclasses import dataclass

from penultima.host import limits

logger = logging.getLogger(__name__)

CANDIDATES = 24  # a phone has two to six; each costs a check every few milliseconds

_MEDIA = re.compile(r"m=application \d{1,5} UDP/DTLS/SCTP webrtc-datachannel")
_UFRAG = re.compile(r"[A-Za-z0-9+/]{4,256}")
_PWD = re.compile(r"[A-Za-z0-9+/]{22,256}")
_MID = re.compile(r"[A-Za-z0-9_-]{1,16}")
_NUMBER = re.compile(r"\d{1,10}")
_FINGERPRINT = re.compile(
    r"(sha-256|sha-384|sha-512) ([0-9A-F]{2}(?::[0-9A-F]{2})*)", re.IGNORECASE
)
_DIGEST_BYTES = {"sha-256": 32, "sha-384": 48, "sha-512": 64}
_CANDIDATE = re.compile(
    r"(?P<foundation>[A-Za-z0-9+/]{1,32}) 1 udp (?P<priority>\d{1,10}) (?P<ip>[0-9A-Fa-f.:]{2,45}) "
    r"(?P<port>\d{1,5}) typ (?P<type>host|srflx|relay)(?: .*)?",
    re.IGNORECASE,
)


class BadOffer(ValueError):
    """This is no offer of one data channel. Says what is wrong, for the log."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An address at which the page may be reached."""

    foundation: str
    priority: int
    ip: str
    port: int
    kind: str

    def __str__(self) -> str:
        return f"{self.foundation} 1 udp {self.priority} {self.ip} {self.port} typ {self.kind}"


@dataclass(frozen=True, slots=True)
class Offer:
    """All that the host believes of an offer."""

    mid: str
    ufrag: str
    pwd: str
    fingerprints: tuple[tuple[str, str], ...]
    setup: str
    sctp_port: int
    max_message_size: int
    candidates: tuple[Candidate, ...]

    def sdp(self) -> str:
        lines = [
            "v=0",
            "o=- 0 0 IN IP4 0.0.0.0",
            "s=-",
            "t=0 0",
            f"a=group:BUNDLE {self.mid}",
            "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
            "c=IN IP4 0.0.0.0",
            f"a=mid:{self.mid}",
            f"a=ice-ufrag:{self.ufrag}",
            f"a=ice-pwd:{self.pwd}",
            *(f"a=fingerprint:{name} {value}" for name, value in self.fingerprints),
            f"a=setup:{self.setup}",
            f"a=sctp-port:{self.sctp_port}",
            f"a=max-message-size:{self.max_message_size}",
            *(f"a=candidate:{candidate}" for candidate in self.candidates),
        ]
        return "\r\n".join(lines) + "\r\n"


def parse(sdp: str) -> Offer:
    """What of a description is believed; :class:`BadOffer` if it is none of a data channel."""
    if len(sdp) > limits.SDP or len(sdp.encode()) > limits.SDP:
        raise BadOffer("too big")
    attributes: dict[str, list[str]] = {}
    media = 0
    for line in sdp.replace("\r\n", "\n").split("\n"):
        if line.startswith("m="):
            media += 1
            if not _MEDIA.fullmatch(line):
                raise BadOffer("something else than a data channel")
        elif line.startswith("a="):
            name, _, value = line[2:].partition(":")
            attributes.setdefault(name, []).append(value)
    if media != 1:
        raise BadOffer(f"{media} media lines")
    if "ice-lite" in attributes:
        raise BadOffer("ice-lite")

    setup = _one(attributes, "setup", re.compile("actpass|active|passive"))
    sctp_port = int(_one(attributes, "sctp-port", _NUMBER, default="5000"))
    if not 0 < sctp_port < 65536:
        raise BadOffer("sctp-port")
    return Offer(
        mid=_one(attributes, "mid", _MID),
        ufrag=_one(attributes, "ice-ufrag", _UFRAG),
        pwd=_one(attributes, "ice-pwd", _PWD),
        fingerprints=_fingerprints(attributes.get("fingerprint", [])),
        setup=setup,
        sctp_port=sctp_port,
        max_message_size=int(_one(attributes, "max-message-size", _NUMBER, default="65536")),
        candidates=_candidates(attributes.get("candidate", [])),
    )


def read(sdp: str) -> Offer | None:
    """The same for whoever only has to answer; why not stands in the log."""
    try:
        return parse(sdp)
    except BadOffer as error:
        logger.info("offer not taken: %s", error)
        return None


def candidate(text: str) -> Candidate | None:
    """A trickled candidate, or None for one that is of no use here (`.local`, TCP, the end)."""
    match = _CANDIDATE.fullmatch(text.removeprefix("a=").removeprefix("candidate:").strip())
    if match is None:
        return None
    try:
        ip = ipaddress.ip_address(match["ip"])
    except ValueError:
        return None
    port = int(match["port"])
    # Nobody makes the host knock on its own doors, nor at everybody's.
    if ip.is_loopback or ip.is_unspecified or ip.is_multicast or ip.is_reserved:
        return None
    if ip.version == 6 and ip.is_link_local:
        return None
    if not 0 < port < 65536:
        return None
    priority = min(int(match["priority"]), 2**31 - 1)
    return Candidate(match["foundation"], priority, str(ip), port, match["type"].lower())


def _one(
    attributes: dict[str, list[str]], name: str, form: re.Pattern[str], default: str | None = None
) -> str:
    values = attributes.get(name, [] if default is None else [default])
    if len(values) != 1 or not form.fullmatch(values[0]):
        raise BadOffer(name)
    return values[0]


def _fingerprints(values: list[str]) -> tuple[tuple[str, str], ...]:
    found = []
    for value in values:
        match = _FINGERPRINT.fullmatch(value)
        if match is None:
            continue  # a kind that is not known here proves nothing
        name, digest = match[1].lower(), match[2].upper()
        if len(digest.split(":")) != _DIGEST_BYTES[name]:
            raise BadOffer("fingerprint")
        found.append((name, digest))
    if not 0 < len(found) <= 4:
        raise BadOffer("fingerprint")
    return tuple(found)


def _candidates(values: list[str]) -> tuple[Candidate, ...]:
    found = [candidate(value) for value in values[: 4 * CANDIDATES]]
    return tuple(one for one in found if one is not None)[:CANDIDATES]
