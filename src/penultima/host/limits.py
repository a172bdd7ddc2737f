"""Limits that hurt only the sender (protocol.md section 8).

A bucket holds tokens; a message takes one. Addresses are counted by IPv6 network, since one
phone owns a whole /64.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field

# The sizes of single messages are the wire's (`penultima.wire`), before anything is parsed.
SDP = 16 * 1024
# Above this the WebSocket itself closes (1009); up to here the page is told `too_big`.
FRAME = 64 * 1024
BODY = 16 * 1024
BODY_SECONDS = 5.0

MESSAGES_A_SECOND, MESSAGES_BURST = 10.0, 20.0
OFFERS_A_SECOND, OFFERS_BURST = 0.5, 3.0
HELLOS_A_SECOND, HELLOS_BURST = 5.0, 5.0
CONNECTIONS_AN_ADDRESS = 64
# A sender that goes on after this many refusals in a row is closed.
PATIENCE = 200


class Bucket:
    """`rate` tokens a second, at most `burst` at once."""

    __slots__ = ("_burst", "_rate", "_tokens", "_when")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate, self._burst = rate, burst
        self._tokens, self._when = burst, now

    def take(self, now: float) -> bool:
        self._refill(now)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def reserve(self, now: float) -> float:
        """Takes a token on credit; the seconds until it is there."""
        self._refill(now)
        self._tokens -= 1
        return max(0.0, -self._tokens / self._rate)

    def full(self, now: float) -> bool:
        self._refill(now)
        return self._tokens >= self._burst

    def _refill(self, now: float) -> None:
        if now > self._when:
            self._tokens = min(self._burst, self._tokens + (now - self._when) * self._rate)
        self._when = now  # also a clock that was put back goes on from there


@dataclass(slots=True)
class _Visitor:
    hellos: Bucket
    waiting: int = 0  # connections without a seat


@dataclass(slots=True)
class Doorkeeper:
    """Counts, for each address, the hellos and the connections that hold no seat yet.

    Whoever has a seat is not counted: a tunnel brings all guests from one address.
    """

    visitors: dict[str, _Visitor] = field(default_factory=dict)

    def enter(self, address: str, now: float) -> bool:
        visitor = self._visitor(address, now)
        if visitor.waiting >= CONNECTIONS_AN_ADDRESS:
            return False
        visitor.waiting += 1
        return True

    def seated_or_gone(self, address: str, now: float) -> None:
        """One connection less to count."""
        key = network(address)
        visitor = self.visitors.get(key)
        if visitor is None:
            return
        visitor.waiting = max(0, visitor.waiting - 1)
        if not visitor.waiting and visitor.hellos.full(now):
            del self.visitors[key]

    def hello(self, address: str, now: float) -> float:
        """Seconds that this hello has to wait for its turn."""
        return self._visitor(address, now).hellos.reserve(now)

    def _visitor(self, address: str, now: float) -> _Visitor:
        key = network(address)
        visitor = self.visitors.get(key)
        if visitor is None:
            if len(self.visitors) > 4096:
                self._forget(now)
            visitor = self.visitors[key] = _Visitor(Bucket(HELLOS_A_SECOND, HELLOS_BURST, now))
        return visitor

    def _forget(self, now: float) -> None:
        for key, visitor in list(self.visitors.items()):
            if not visitor.waiting and visitor.hellos.full(now):
                del self.visitors[key]


def network(address: str) -> str:
    """What one sender owns: an IPv4 address, or an IPv6 /64."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)
