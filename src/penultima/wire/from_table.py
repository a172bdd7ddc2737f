"""What the table says (docs/protocol.md, sections 4 and 5)."""

from __future__ import annotations

from typing import Literal, TypeAlias

from penultima.wire.base import (
    Beat,
    Code,
    Colour,
    Id,
    Level,
    Message,
    Number,
    Phase,
    Presence,
    Sdp,
    Seat,
    Secret,
    Seq,
    Wait,
)


class SeatView(Message):
    """One seat, as everybody sees it."""

    name: str
    cards: int | None = None
    score: int | None = None
    bot: Level | None = None
    state: Presence | None = None
    left: int | None = None
    urge: int | None = None
    called: bool | None = None
    claim: bool | None = None
    urged: bool | None = None


class Shown(Message):
    """The challenged hand, to the challenger alone."""

    of: Seat
    cards: list[str]
    guilty: list[str] | None = None


class Result(Message):
    """How the last round ended; lists by seat."""

    winner: Seat | None = None
    points: int | None = None
    gained: list[int] | None = None
    hands: list[list[str]] | None = None
    why: Literal["won", "blocked", "void"] | None = None


class Custom(Message):
    """A Custom card (RULES 10.2)."""

    text: str
    effect: str


class Vote(Message):
    """The winner's proposal, while it is open."""

    by: Seat
    value: str
    yes: list[Seat] | None = None
    no: list[Seat] | None = None


class View(Message):
    """Everything one seat may know. Fields with their usual value are left out."""

    phase: Phase
    title: str | None = None
    you: Seat | None = None
    host: Seat | None = None
    locked: bool | None = None
    grace: float | None = None
    fast: bool | None = None
    rules: str | None = None
    custom: list[Custom] | None = None
    agreed: list[str] | None = None
    seats: list[SeatView | None] | None = None
    paused: list[str] | None = None
    resume: float | None = None
    round: int | None = None
    dealer: Seat | None = None
    turn: Seat | None = None
    wait: Wait | None = None
    top: str | None = None
    colour: Colour | None = None
    dir: Literal[1, -1] | None = None
    pile: int | None = None
    discard: int | None = None
    under: list[str] | None = None
    pending: int | None = None
    opener: Seat | None = None
    challengeable: bool | None = None
    exposed: list[Seat] | None = None
    hand: list[str] | None = None
    drawn: str | None = None
    legal: list[str] | None = None
    targets: list[Seat] | None = None
    shown: Shown | None = None
    result: Result | None = None
    winners: list[Seat] | None = None
    vote: Vote | None = None


class Happened(Message):
    """An event of the game or of the table; its fields depend on its kind ``e``."""

    e: str
    seat: Seat | None = None
    card: str | None = None
    cards: list[str] | None = None
    guilty: list[str] | None = None
    colour: Colour | None = None
    player: Seat | None = None
    how: str | None = None
    count: int | None = None
    cause: str | None = None
    owed: int | None = None
    extra: int | None = None
    blocked: bool | None = None
    direction: int | None = None
    opener: Seat | None = None
    bluff: bool | None = None
    of: Seat | None = None
    by: Seat | None = None
    back: bool | None = None
    round: int | None = None
    dealer: Seat | None = None
    size: int | None = None
    seats: list[Seat] | None = None
    winner: Seat | None = None
    hands: list[list[str]] | None = None
    points: int | None = None
    gained: list[int] | None = None
    scores: list[int] | None = None
    winners: list[Seat] | None = None
    name: str | None = None
    value: str | None = None
    passed: bool | None = None


class Welcome(Message):
    """Answers ``hello``. ``n`` is the newest number that the table has from this sender."""

    t: Literal["welcome"]
    v: int
    conn: int
    seat: Seat | None
    host: bool | None = None
    n: Seq
    link: str | None = None


class Seated(Message):
    """Answers ``sit``, or a ``claim`` that was approved. The key gives the seat back."""

    t: Literal["seated"]
    n: Number
    seat: Seat
    key: Secret


class ViewUpdate(Message):
    """The whole view at ``seq``, and what happened since the last one, for animation only."""

    t: Literal["view"]
    seq: Seq
    v: View
    e: list[Happened] | None = None


class Notice(Message):
    """Trouble of the host's, from outside the game: ``disk`` (nothing can be kept, so nothing goes
    on), ``resting`` (the program ends, the match is kept). The next view ends it."""

    t: Literal["notice"]
    code: Literal["disk", "resting"]


class Done(Message):
    """The request was carried out."""

    t: Literal["done"]
    n: Number
    seq: Seq


class Refused(Message):
    """It was not, and nothing changed. ``n`` is 0 for what could not be read."""

    t: Literal["refused"]
    n: Seq
    code: Code
    field: str | None = None


class Closed(Message):
    """This connection is over."""

    t: Literal["closed"]
    code: Code


class Pong(Message):
    t: Literal["pong"]
    i: Beat


class Ping(Message):
    """The table's heartbeat."""

    t: Literal["ping"]
    i: Beat


class IceServer(Message):
    """A STUN or TURN server, as a browser takes it."""

    urls: list[str]
    username: str | None = None
    credential: str | None = None


class Ice(Message):
    """Which servers may be asked when a data channel is offered. Comes before ``welcome`` and
    ``seated`` where there are any, and anew before its credentials expire."""

    t: Literal["ice"]
    servers: list[IceServer]


class Links(Message):
    """The guests' links to this table, best first: all of them for the host's page, the best alone
    for the others once it has changed."""

    t: Literal["links"]
    links: list[str]


class Answer(Message):
    """A data channel's other half."""

    t: Literal["answer"]
    id: Id
    sdp: Sdp


class NoChannel(Message):
    """The offer was not taken; the WebSocket carries on."""

    t: Literal["no_channel"]
    id: Id
    code: Code | None = None


FromTable: TypeAlias = (
    Welcome
    | Seated
    | ViewUpdate
    | Notice
    | Done
    | Refused
    | Closed
    | Pong
    | Ping
    | Ice
    | Links
    | Answer
    | NoChannel
)
