"""Connections and what comes over them. A message is a dict from outside: nothing is believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from penultima.table.numbers import LARGEST, Numbers
from penultima.table.refusals import No
from penultima.table.seats import Seat


@dataclass(eq=False, slots=True)
class Connection:
    """One page, for as long as it says so. Several paths may lead to it; the table sees one."""

    number: int
    heard: float
    """When (awake time) something last came."""
    greeted: bool = False
    host: bool = False
    """Has shown the host's key."""
    watching: bool = False
    beats: bool = False
    """Has a heartbeat, so silence means something."""
    seat: Seat | None = None
    numbers: Numbers = field(default_factory=Numbers)
    claim: tuple[Seat, Request] | None = None
    seen: int = 0
    """How many of the events not yet sent to everybody it must not get: they are older than it."""
    behind: bool = False
    """Has to be sent a view."""


@dataclass(eq=False, slots=True)
class Request:
    """One numbered request, to be answered once."""

    connection: Connection
    n: int
    numbers: Numbers
    who: int | None
    """The session that asks, if one does."""


Message = Mapping[str, Any]


def text(message: Message, field_: str, most: int = 4096) -> str:
    """A field that must be text."""
    value = message.get(field_)
    if type(value) is not str or len(value) > most:
        raise No("bad_message", field_)
    return value


def optional_text(message: Message, field_: str, most: int = 4096) -> str | None:
    """A field that may be left out, and else must be text."""
    return None if message.get(field_) is None else text(message, field_, most)


def whole(message: Message, field_: str, least: int = 0, most: int = LARGEST) -> int:
    """A field that must be a whole number."""
    value = message.get(field_)
    if type(value) is not int or not least <= value <= most:
        raise No("bad_message", field_)
    return value


def truth(message: Message, field_: str, default: bool | None = None) -> bool:
    """A field that must be true or false; it may be left out where there is a ``default``."""
    value = message.get(field_, default)
    if type(value) is not bool:
        raise No("bad_message", field_)
    return value
