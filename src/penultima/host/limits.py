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
# Of those who do not know a table's secret, an address; of those who do, a table.
HELLOS_A_SECOND, HELLOS_BURST = 5.0, 5.0
RETURNS_A_SECOND, RETURNS_BURST = 5.0, 30.0
CONNECTIONS_AN_ADDRESS = 64
CONNECTIONS_MORE = 10  # for each further table: after a restart all come back at once
CONNECTIONS_A_TABLE = 64
# A sender that goes on after this many refusals in a row is closed.
PATIENCE = 200


class Bucket:
    """`rate` tokens a second, at most `burst` at once."""

    __slots__ = ("_burst", "_rate", "_tokens", "_when")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate, self._burst = rate, burst
        self._tokens, self._when = burst, now

    def take(self, now: float) -> bool:
        """Takes a token, if there is one; ``now`` in seconds on any clock."""
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
        """Whether nobody has taken anything for so long that it may be forgotten."""
        self._refill(now)
        return self._tokens >= self._burst

    def _refill(self, now: float) -> None:
        if now > self._when:
            self._tokens = min(self._burst, self._tokens + (now - self._when) * self._rate)
        self._when = now  # also a clock that was put back goes on from there


@dataclass(slots=True)
class _Door:
    hellos: Bucket
    waiting: int = 0  # connections without a seat


@dataclass(slots=True)
class Doorkeeper:
    """Counts hellos, and the connections that hold no seat yet.

    A stranger is counted by address. Whoever has shown to know a table's secret is counted at that
    table from then on, and whoever has a seat is not counted: a club's router, a proxy or a tunnel
    brings all guests of all tables from one address, and nobody of them is slowed down by the
    others, nor by a stranger who guesses there.
    """

    doors: dict[str, _Door] = field(default_factory=dict)

    def enter(self, address: str, now: float, tables: int = 1) -> bool:
        """A connection from there, whoever it is; ``tables``: how many it may be meant for."""
        door = self._at(network(address), now)
        if door.waiting >= CONNECTIONS_AN_ADDRESS + CONNECTIONS_MORE * max(tables - 1, 0):
            return False
        door.waiting += 1
        return True

    def gone(self, address: str, now: float) -> None:
        """One stranger less to count."""
        self._one_less(network(address), now)

    def stranger(self, address: str, now: float) -> float:
        """Seconds that a hello from there, which opens nothing, has to wait for its answer."""
        return self._at(network(address), now).hellos.reserve(now)

    def member(self, code: str, now: float) -> float | None:
        """Who knows that table's secret: the seconds to wait. None: too many wait there."""
        door = self._at(_table(code), now)
        if door.waiting >= CONNECTIONS_A_TABLE:
            return None
        door.waiting += 1
        return door.hellos.reserve(now)

    def seated_or_gone(self, code: str, now: float) -> None:
        """One member less to count."""
        self._one_less(_table(code), now)

    def _one_less(self, key: str, now: float) -> None:
        door = self.doors.get(key)
        if door is not None:
            door.waiting = max(0, door.waiting - 1)
            if not door.waiting and door.hellos.full(now):
                del self.doors[key]

    def _at(self, key: str, now: float) -> _Door:
        door = self.doors.get(key)
        if door is None:
            if len(self.doors) > 4096:
                self._forget(now)
            of_table = key.startswith(_table(""))
            rate = RETURNS_A_SECOND if of_table else HELLOS_A_SECOND
            burst = RETURNS_BURST if of_table else HELLOS_BURST
            door = self.doors[key] = _Door(Bucket(rate, burst, now))
        return door

    def _forget(self, now: float) -> None:
        for key, door in list(self.doors.items()):
            if not door.waiting and door.hellos.full(now):
                del self.doors[key]


def _table(code: str) -> str:
    return f"table {code}"


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
