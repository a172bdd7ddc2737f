"""The links people pass on, as docs/protocol.md (1 and 9) has them. Pure; knows no table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode, urlsplit

LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class PeerServer:
    """Where a PeerServer is. ``place``: host, port and folder."""

    place: str
    key: str = "peerjs"
    secure: bool = True

    @classmethod
    def read(cls, url: str) -> PeerServer:
        """From what a person writes. ValueError."""
        parts = urlsplit(url if "://" in url else f"https://{url}")
        secure = {"https": True, "wss": True, "http": False, "ws": False}.get(parts.scheme)
        if secure is None or not parts.hostname or parts.port == 0:
            raise ValueError(url)
        if parts.username or parts.password or parts.fragment:
            raise ValueError(url)
        name, _, key = (parts.query or "key=peerjs").partition("=")
        place = parts.netloc.lower() + parts.path.rstrip("/")
        if name != "key" or not key.isalnum() or not _plain(place):
            raise ValueError(url)
        return cls(place, key, secure)

    def __str__(self) -> str:
        """As it stands in a link."""
        key = "" if self.key == "peerjs" else f"?key={self.key}"
        return f"{'' if self.secure else 'http://'}{self.place}{key}"

    def socket(self, own_id: str, token: str) -> str:
        """What to open a WebSocket to."""
        query = urlencode({"key": self.key, "id": own_id, "token": token})
        return f"{'wss' if self.secure else 'ws'}://{self.place}/peerjs?{query}"


CLOUD: Final = PeerServer("0.peerjs.com")
"""The public one of the PeerJS project: a link that names none means this one."""


def site(url: str) -> str:
    """The address of a static copy, with the slash at its end. ValueError for one that no browser
    would let connect: data channels and WebCrypto need HTTPS, or this very machine."""
    parts = urlsplit(url if "://" in url else f"https://{url}")
    if parts.scheme != "https" and (parts.scheme != "http" or parts.hostname not in LOCAL):
        raise ValueError(url)
    if not parts.hostname or parts.port == 0 or parts.username or parts.query or parts.fragment:
        raise ValueError(url)
    folder = parts.path.removesuffix("index.html").rstrip("/")
    if not _plain(parts.netloc + folder):
        raise ValueError(url)
    return f"{parts.scheme}://{parts.netloc}{folder}/"


def far(page: str, peer_id: str, server: PeerServer, table: str) -> str:
    """For guests far away. ``page`` is a ``site``, ``table`` CODE.SECRET."""
    at = "" if server == CLOUD else f"&at={server}"
    return f"{page}#peer={peer_id}{at}&{table}"


def is_far(link: str) -> bool:
    return "#peer=" in link


def screen(link: str) -> str:
    """The shared screen's link beside a guests' link. A static copy has no page but one."""
    page, _, table = link.rpartition("/#")
    return f"{page}/?mesa#{table}" if is_far(link) else f"{page}/mesa#{table}"


def _plain(text: str) -> bool:
    return text.isascii() and all(char.isalnum() or char in "-._~%:/[]@+,=" for char in text)
