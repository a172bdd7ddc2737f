"""What crosses between a club's page and the club (docs/protocol.md, section 10)."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from penultima.wire.base import Message, Number, Phase, Presence, Secret
from penultima.wire.from_page import Beating, Heard
from penultima.wire.from_table import Closed, Ping, Pong, Refused


class ClubHello(Message):
    """First on a connection: the club's key."""

    t: Literal["hello"]
    v: int
    key: Secret


class OpenTable(Message):
    """A new table. ``rules`` in notation."""

    t: Literal["open"]
    n: Number
    title: Annotated[str, Field(max_length=400)]
    rules: Annotated[str, Field(max_length=500)]


class CloseTable(Message):
    """Close a table for good: its link leads nowhere any more."""

    t: Literal["close"]
    n: Number
    code: Annotated[str, Field(max_length=6)]


class Member(Message):
    """Somebody at a table."""

    name: str
    bot: bool | None = None
    state: Presence | None = None


class ClubTable(Message):
    """A table of the club. ``resting``: in the journal until somebody comes; then what is said of
    it may be older."""

    code: str
    title: str
    phase: Phase | None = None
    round: int | None = None
    players: list[Member]
    resting: bool | None = None
    guests: str
    host: str


class Club(Message):
    """All tables, whenever something is different. ``most``: how many may be at work at a time."""

    t: Literal["club"]
    node: str
    most: int
    working: int
    tables: list[ClubTable]


class TableOpened(Message):
    """The table is there; the next list has it too."""

    t: Literal["opened"]
    n: Number
    table: ClubTable


class TableEnded(Message):
    """The table is closed."""

    t: Literal["ended"]
    n: Number
    code: str


FromClubPage: TypeAlias = ClubHello | OpenTable | CloseTable | Beating | Heard
FromClub: TypeAlias = Club | TableOpened | TableEnded | Refused | Closed | Ping | Pong
