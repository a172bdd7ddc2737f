"""What a guest far away and the host say by way of a PeerServer, sealed (docs/protocol.md,
section 9), until their data channel is open."""

from __future__ import annotations

from typing import Literal, TypeAlias

from penultima.wire.base import Id, Message
from penultima.wire.from_page import Candidate, Offer
from penultima.wire.from_table import Answer, IceServer, NoChannel


class Knock(Message):
    """Somebody who has the table's link is there."""

    t: Literal["knock"]
    v: int


class Opened(Message):
    """Answers ``knock``. One offer may follow, with this ``id``; it asks these servers."""

    t: Literal["opened"]
    id: Id
    ice: list[IceServer]


class Shut(Message):
    """Answers ``knock``: not now (``busy``), or not with this page (``version``)."""

    t: Literal["shut"]
    code: Literal["busy", "version"]


FromGuest: TypeAlias = Knock | Offer | Candidate
ToGuest: TypeAlias = Opened | Shut | Answer | NoChannel
