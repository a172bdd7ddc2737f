"""Which STUN and TURN servers there are, and what a guest is told of them. No I/O here.

STUN tells an end which address it has outside its router; both ends ask. TURN relays where no
direct way exists. A relay at one end is enough, so the guest alone gets credentials for it, and
the host never allocates anything. Without either (the usual table at home) nobody is asked.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import re
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

LIFETIME_SECONDS = 600
"""Of a guest's TURN credentials. A relay that is in use outlives them; a new dial gets new ones.
Long enough for clocks that disagree by some minutes."""

Scheme: TypeAlias = Literal["stun", "turn", "turns"]
Transport: TypeAlias = Literal["udp", "tcp"]

_URL = re.compile(
    r"(?P<scheme>stun|turn|turns):(?P<host>[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])"
    r"(?::(?P<port>\d{1,5}))?(?:\?transport=(?P<transport>udp|tcp))?"
)


class IceError(ValueError):
    """What was asked for cannot be: one line, beginning with the option at fault."""


class IceServer(TypedDict, total=False):
    """One entry of a browser's ``iceServers``."""

    urls: list[str]
    username: str
    credential: str


@dataclass(frozen=True, slots=True)
class Server:
    """One way to a server (RFC 7064, RFC 7065)."""

    scheme: Scheme
    host: str
    port: int
    transport: Transport = "udp"

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        more = "" if self.scheme == "stun" else f"?transport={self.transport}"
        return f"{self.scheme}:{host}:{self.port}{more}"


@dataclass(frozen=True, slots=True)
class Ice:
    """What the host was told: servers, and how to get into the TURN ones."""

    stun: tuple[Server, ...] = ()
    turn: tuple[Server, ...] = ()
    username: str = ""
    password: str = field(default="", repr=False)
    secret: str = field(default="", repr=False)
    """Shared with the TURN server, if credentials are made here for a limited time."""

    def __bool__(self) -> bool:
        return bool(self.stun or self.turn)

    @property
    def reflectors(self) -> tuple[Server, ...]:
        """Whom the host asks for its outer address: a TURN server answers that as well. Without it
        even a relay is of no use, since it lets in only addresses that the guest has named."""
        return *self.stun, *(each for each in self.turn if each.transport == "udp")

    @property
    def expires(self) -> bool:
        """Whether what a guest is told is good for ``LIFETIME_SECONDS`` only."""
        return bool(self.turn and self.secret)

    def for_guest(self, now: float) -> list[IceServer]:
        """``iceServers`` for one dial of one guest.

        ``now`` is the time of day in seconds since 1970: the TURN server compares it with its own.
        """
        servers: list[IceServer] = []
        if self.stun:
            servers.append({"urls": [str(each) for each in self.stun]})
        if self.turn:
            username, password = self.credentials(now)
            servers.append(
                {
                    "urls": [str(each) for each in self.turn],
                    "username": username,
                    "credential": password,
                }
            )
        return servers

    def credentials(self, now: float) -> tuple[str, str]:
        """User name and password for the TURN servers."""
        if not self.secret:
            return self.username, self.password
        # Nobody's name: whoever runs the server need not learn who plays.
        return limited(self.secret, secrets.token_hex(4), now)


NONE = Ice()


def limited(secret: str, name: str, now: float) -> tuple[str, str]:
    """Credentials for ``LIFETIME_SECONDS``, as coturn's ``use-auth-secret`` checks them: until
    when, and the proof that it was said by somebody who knows the secret
    (draft-uberti-behave-turn-rest-00)."""
    username = f"{int(now) + LIFETIME_SECONDS}:{name}"
    digest = hmac.new(secret.encode(), username.encode(), hashlib.sha1).digest()
    return username, base64.b64encode(digest).decode()


def read(
    stun: Sequence[str] | None = None,
    turn: Sequence[str] | None = None,
    username: str | None = None,
    password: str | None = None,
    secret: str | None = None,
) -> Ice:
    """Takes the options as they were given. Raises ``IceError``."""
    reflectors = tuple(each for url in stun or () for each in _servers("--stun", url))
    relays = tuple(each for url in turn or () for each in _servers("--turn", url))
    if not relays and (username or password or secret):
        raise IceError("--turn-user, --turn-password and --turn-secret are for --turn URL")
    if secret and (username or password):
        raise IceError("--turn-secret makes the credentials: leave --turn-user and --turn-password")
    if bool(username) != bool(password):
        raise IceError("--turn-user and --turn-password go together")
    if relays and not (secret or username):
        raise IceError("--turn needs --turn-secret, or --turn-user and --turn-password")
    return Ice(reflectors, relays, username or "", password or "", secret or "")


def _servers(option: str, url: str) -> list[Server]:
    """One URL. TURN without a transport is tried both ways, since some networks let no UDP out."""
    match = _URL.fullmatch(url)
    stun = option == "--stun"
    if match is None or not _host(match["host"]) or (match["scheme"] == "stun") != stun:
        raise IceError(
            f"{option} {url}: give it like stun:stun.example.org:3478"
            if stun
            else f"{option} {url}: give it like turn:turn.example.org:3478 (UDP and TCP) "
            "or turns:turn.example.org:5349"
        )
    scheme = cast(Scheme, match["scheme"])
    port = int(match["port"] or (5349 if scheme == "turns" else 3478))
    if not 0 < port < 65536:
        raise IceError(f"{option} {url}: {port} is no port")
    if stun and match["transport"]:
        raise IceError(f"{option} {url}: STUN has no transport to choose: leave it out")
    if scheme == "turns" and match["transport"] == "udp":
        raise IceError(f"{option} {url}: turns goes over TCP: leave the transport out")
    host = match["host"].strip("[]")
    if stun:
        return [Server(scheme, host, port)]
    if scheme == "turns":
        return [Server(scheme, host, port, "tcp")]
    if match["transport"]:
        return [Server(scheme, host, port, cast(Transport, match["transport"]))]
    return [Server(scheme, host, port, "udp"), Server(scheme, host, port, "tcp")]


def _host(text: str) -> bool:
    if text.startswith("["):
        try:
            return ipaddress.ip_address(text.strip("[]")).version == 6
        except ValueError:
            return False
    labels = text.removesuffix(".").split(".")
    return all(0 < len(each) < 64 and each.strip("-") == each for each in labels)
