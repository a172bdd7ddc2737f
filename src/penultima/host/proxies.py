"""Proxies that are believed (--trust-proxy), and what they say of who asks.

Anybody can write `X-Forwarded-For` into a request. So nothing of it is read unless the connection
itself comes from an address that the host has named, and of a list only what trusted ones added.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Network = ipaddress.IPv4Network | ipaddress.IPv6Network

FORWARDED: Final = re.compile(r'\s*([A-Za-z]+)\s*=\s*("[^"\\]*"|[^\s;,"]*)\s*')
HOST: Final = re.compile(r"[A-Za-z0-9.-]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?")


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as it looked where the guest sent it. `origin` is the page's own, if a trusted
    proxy said under which name and scheme it was asked."""

    address: str
    host: str | None
    origin: str | None = None


class Proxies:
    """Those that are believed. Without any, every request is what it looks like."""

    def __init__(self, trusted: Iterable[Network] = ()) -> None:
        self._trusted = tuple(trusted)

    def seen(self, peer: str | None, headers: Mapping[str, str]) -> Seen:
        """Who asks, and for what host."""
        host = headers.get("Host")
        if peer is None or not self._believed(peer):
            return Seen(peer or "?", host)
        told = _forwarded(_all(headers, "Forwarded"))
        chain = [address for each in told if (address := _address(each.get("for", "")))]
        plain = [_address(each) for each in _list(_all(headers, "X-Forwarded-For"))]
        address = self._client([each or "" for each in plain], peer)
        if chain and plain and self._client(chain, peer) != address:
            # One of the two is the guest's own invention, and nobody knows which.
            address = peer
        elif chain and not plain:
            address = self._client(chain, peer)
        nearest = told[-1] if told else {}
        name = _last(headers, "X-Forwarded-Host") or nearest.get("host")
        scheme = _last(headers, "X-Forwarded-Proto") or nearest.get("proto")
        name = name if name and HOST.fullmatch(name) else None
        scheme = scheme.lower() if scheme else None
        known = name or host
        origin = f"{scheme}://{known}" if known and scheme in {"http", "https"} else None
        return Seen(address, known, origin)

    def _believed(self, address: str) -> bool:
        try:
            ip = ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            return False
        if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
            ip = ip.ipv4_mapped
        return any(ip in network for network in self._trusted)

    def _client(self, chain: list[str], peer: str) -> str:
        """The last one that no trusted proxy is: what stands before it anybody may have written."""
        client = peer
        for address in reversed(chain):
            if not address:
                break
            client = address
            if not self._believed(address):
                break
        return client


def networks(text: str) -> tuple[Network, ...]:
    """`ADDRESS[,ADDRESS]`, each an address or a network. ValueError names the bad one."""
    found = []
    for each in filter(None, re.split(r"[,\s]+", text)):
        try:
            found.append(ipaddress.ip_network(each, strict=False))
        except ValueError:
            raise ValueError(each) from None
    return tuple(found)


def _all(headers: Mapping[str, str], name: str) -> str:
    """Several headers of a name are one list."""
    every = getattr(headers, "getall", None)
    return ",".join(every(name, [])) if every else headers.get(name, "")


def _list(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def _last(headers: Mapping[str, str], name: str) -> str | None:
    """What the nearest proxy wrote."""
    found = _list(_all(headers, name))
    return found[-1] if found else None


def _address(text: str) -> str | None:
    """An address without port, as these headers write it; None for a name or nonsense."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return None


def _forwarded(text: str) -> list[dict[str, str]]:
    """RFC 7239, without its escapes (no address needs them)."""
    elements = []
    for element in re.findall(r'(?:"[^"]*"|[^,"])+', text):
        pairs = {}
        for pair in re.findall(r'(?:"[^"]*"|[^;"])+', element):
            match = FORWARDED.fullmatch(pair)
            if match:
                pairs[match[1].lower()] = match[2].strip('"')
        if pairs:
            elements.append(pairs)
    return elements
