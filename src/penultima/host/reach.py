"""The ways in: under which addresses the tables are reached, best first, as of now.

A laptop changes its network, and a tunnel its address: whoever shows a link looks again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from penultima.host import addresses
from penultima.host.origins import LOCAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penultima.host.certificate import Certificate
    from penultima.host.invitation import Invitation
    from penultima.host.options import Options
    from penultima.host.phrases import Phrases
    from penultima.host.tunnel import Tunnel

ANY = frozenset({"", "*", "0.0.0.0", "::"})  # noqa: S104 - what --host may say for all addresses
OUTSIDE: Final = frozenset({"public", "tunnel", "sealed"})


@dataclass(frozen=True, slots=True)
class Way:
    """One way in: a link, or what stands before a link's path. `kind`, with a line on the console
    for each: `wifi`, `local` (this machine alone), `public`, `tunnel` (its operator could read
    along), `sealed` (a tunnel whose operator cannot), `far`. `name` is the tunnel's."""

    link: str
    kind: str = "wifi"
    name: str = ""

    @property
    def host(self) -> str:
        return urlsplit(self.link).hostname or ""

    def to(self, path: str) -> Way:
        """The same way, to that path."""
        return Way(f"{self.link}{path}", self.kind, self.name)


class Reach:
    """``ways``: the bases of links, best first. `look` looks again."""

    def __init__(self, options: Options, port: int, certificate: Certificate | None = None) -> None:
        self._options = options
        self.port = port
        self.certificate = certificate
        self.tunnel: Tunnel | None = None
        self.ways: tuple[Way, ...] = ()
        self.look()

    def look(self) -> None:
        """The network as it is now."""
        self.ways = tuple(self._found())

    @property
    def bases(self) -> tuple[str, ...]:
        return tuple(way.link for way in self.ways)

    @property
    def public(self) -> tuple[str, ...]:
        """What is no plain address of this machine: pages may come from there as well."""
        return tuple(way.link for way in self.ways if way.kind in OUTSIDE)

    @property
    def scheme(self) -> str:
        """What this program speaks itself."""
        return "http" if self.certificate is None else "https"

    def link(self, invitation: Invitation) -> str:
        """The guests' link to a table, under the best address."""
        return f"{self.bases[0]}/{invitation.fragment}"

    def inside(self) -> str:
        """Where a program on this machine finds it."""
        bind = self._options.bind
        host = "127.0.0.1" if bind is None or bind in ANY else bind
        return f"{self.scheme}://{addresses.netloc(host, self.port)}"

    def foreign(self, phrases: Phrases) -> str | None:
        """What there is to say if the certificate names nothing that a phone is sent to."""
        found = [way.host for way in self.ways if way.kind == "wifi"]
        if self.certificate is None or self.public or not found:
            return None
        if any(self.certificate.covers(host) for host in found):
            return None
        return phrases("tls_other", names=", ".join(found))

    def _found(self) -> Iterator[Way]:
        options, certificate = self._options, self.certificate
        for url in options.public_urls:
            yield Way(url, "public")
        if self.tunnel is not None and self.tunnel.url is not None:
            kind = "sealed" if self.tunnel.sealed else "tunnel"
            yield Way(self.tunnel.url, kind, self.tunnel.name)
        found = addresses.own() if options.bind is None or options.bind in ANY else [options.bind]
        if certificate is not None:
            if not options.public_urls:
                for name in certificate.names:
                    yield Way(f"https://{addresses.netloc(name, self.port)}", "public")
            # A phone warns of an address that the certificate does not name: these come last.
            found.sort(key=lambda address: not certificate.covers(address))
        kind = "wifi"
        if not found or found[0] in LOCAL:
            kind, found = "local", ["localhost"]
        for address in found:
            yield Way(f"{self.scheme}://{addresses.netloc(address, self.port)}", kind)
