"""What a page says (docs/protocol.md, section 3)."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from penultima.wire.base import (
    Beat,
    HeldSeq,
    Id,
    Json,
    Message,
    Number,
    Sdp,
    Seat,
    Secret,
    Word,
)


class Hello(Message):
    """First on a connection. ``key`` of a session, ``host`` of the host, ``watch`` for a screen."""

    t: Literal["hello"]
    v: int
    secret: Secret
    key: Secret | None = None
    host: Secret | None = None
    lang: Word | None = None
    watch: bool | None = None


class Sit(Message):
    """Take a free seat. ``id``: random, kept by the page; the same again is the same seat."""

    t: Literal["sit"]
    n: Number
    # What a name may be is the table's to say, with a code of its own.
    name: str
    id: Id | None = None


class Act(Message):
    """An action in notation, chosen on the view numbered ``seq``."""

    t: Literal["act"]
    n: Number
    seq: HeldSeq
    a: Annotated[str, Field(max_length=20)]


class HostDo(Message):
    """One of the host's powers (section 6)."""

    t: Literal["host"]
    n: Number
    do: Annotated[str, Field(max_length=20)]
    seat: Seat | None = None
    value: Json = None


class VoteFor(Message):
    """A proposal of the round's winner, or ``yes`` or ``no`` to one."""

    t: Literal["vote"]
    n: Number
    value: Annotated[str, Field(max_length=200)]


class Leave(Message):
    """Give the seat up; its key is no good any more."""

    t: Literal["leave"]
    n: Number


class Claim(Message):
    """Say to be the person of a seat that is away; the host decides."""

    t: Literal["claim"]
    n: Number
    seat: Seat


class Urge(Message):
    """Ask the host to decide about a person who has been away for a minute."""

    t: Literal["urge"]
    n: Number
    seat: Seat


class Status(Message):
    """The page went to the background or came back."""

    t: Literal["status"]
    hidden: bool


class Beating(Message):
    """The page's heartbeat, with the newest ``seq`` that it holds."""

    t: Literal["ping"]
    i: Beat
    seq: HeldSeq


class Heard(Message):
    """The answer to the table's heartbeat."""

    t: Literal["pong"]
    i: Beat


class Offer(Message):
    """A data channel is offered."""

    t: Literal["offer"]
    id: Id
    sdp: Sdp


class Candidate(Message):
    """One more way to the page's end of a data channel."""

    t: Literal["candidate"]
    id: Id
    candidate: Annotated[str, Field(max_length=1024)]
    mid: Word | None


Request: TypeAlias = Sit | Act | HostDo | VoteFor | Leave | Claim | Urge
"""What changes something, and is numbered."""

FromPage: TypeAlias = Hello | Request | Status | Beating | Heard | Offer | Candidate
