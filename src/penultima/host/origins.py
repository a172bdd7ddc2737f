"""Who may speak to this host: by the Host of a request, and by the Origin of a socket.

A foreign web page in a guest's browser can send requests here, also under a name of its own that
it lets point at this machine (DNS rebinding). It cannot choose the Host or Origin it sends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
DEFAULT_PORTS = {"http": 80, "https": 443}


class Origins:
    """The names and addresses this host goes by. `own` is asked again when an unknown address
    comes: the laptop may have changed its network."""

    def __init__(
        self,
        *,
        port: int,
        public: Iterable[str] = (),
        own: Callable[[], Iterable[str]] = tuple,
        scheme: str = "http",
    ) -> None:
        self._scheme, self._port = scheme, port
        self._own = own
        self._addresses = frozenset(own())
        self._asked = 0.0
        self.admit(public)

    def admit(self, public: Iterable[str]) -> None:
        """These are the public addresses from now on."""
        self._public = frozenset(_origin(url) for url in public)
        self._public_hosts = frozenset(host for _, host, _ in self._public)

    def knows_host(self, header: str | None, now: float) -> bool:
        """Whether a request with this Host is meant for us. The port may be a forwarder's."""
        parts = _netloc(header or "")
        return parts is not None and self._known(parts[0], now)

    def is_trustworthy(self, header: str | None) -> bool:
        """Whether a browser takes the page for a secure context. It does not for `http://` on the
        own network, and complains about headers that need one."""
        parts = _netloc(header or "")
        if parts is None:
            return False
        if self._scheme == "https" or parts[0] in LOCAL:
            return True
        return any(scheme == "https" and host == parts[0] for scheme, host, _ in self._public)

    def knows_origin(self, header: str | None, now: float) -> bool:
        """Whether a socket was opened by a page of ours."""
        if not header:
            return False
        try:
            scheme, host, port = _origin(header)
        except ValueError:
            return False
        if (scheme, host, port) in self._public:
            return True
        if (scheme, port) != (self._scheme, self._port):
            return False
        return host not in self._public_hosts and self._known(host, now)

    def _known(self, host: str, now: float) -> bool:
        if host in LOCAL or host in self._public_hosts or host in self._addresses:
            return True
        if now - self._asked >= 1.0 and _looks_like_address(host):
            self._asked = now
            self._addresses = frozenset(self._own())
            return host in self._addresses
        return False


def same_origin(one: str | None, other: str | None) -> bool:
    """Whether both are the same web origin; an empty or odd one is nobody's."""
    try:
        return bool(one and other) and _origin(one or "") == _origin(other or "")
    except ValueError:
        return False


def _origin(url: str) -> tuple[str, str, int]:
    """Scheme, host and port. ValueError for anything that is more or less than an origin."""
    parts = urlsplit(url)
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname or parts.username is not None:
        raise ValueError(f"not a web address: {url}")
    return parts.scheme, parts.hostname, parts.port or DEFAULT_PORTS[parts.scheme]


def _netloc(header: str) -> tuple[str, int | None] | None:
    if not header or any(c in header for c in "/\\@?# \t"):
        return None
    try:
        parts = urlsplit(f"//{header}")
        return (parts.hostname, parts.port) if parts.hostname else None
    except ValueError:
        return None


def _looks_like_address(host: str) -> bool:
    return ":" in host or host.replace(".", "").isdigit()
