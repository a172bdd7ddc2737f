"""From a text that came over the wire to a message, or to a code and a field and nothing more.

Sizes first, then JSON without its loose ends, then the form. What is wrong in a message is never
told in the words that were sent.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, Final, get_args

from pydantic import ValidationError

from penultima.wire.base import Message
from penultima.wire.club import FromClub, FromClubPage
from penultima.wire.from_page import FromPage
from penultima.wire.from_table import FromTable
from penultima.wire.signal import FromGuest, ToGuest

MESSAGE: Final = 4 * 1024
"""Bytes of a message, before anything is looked at."""
OFFER: Final = 18 * 1024
"""Bytes of an offer: 16 KiB of SDP, in JSON with its line ends escaped."""
DEEPEST: Final = 6


class WireError(ValueError):
    """Not a message: the ``code`` to refuse it with, and the ``field`` at fault if it is known."""

    def __init__(self, code: str, field: str | None = None) -> None:
        super().__init__(code if field is None else f"{code}: {field}")
        self.code = code
        self.field = field


def _by_type(union: object) -> dict[str, type[Message]]:
    return {get_args(m.model_fields["t"].annotation)[0]: m for m in get_args(union)}


PAGE: Final[Mapping[str, type[Message]]] = _by_type(FromPage)
"""The messages of a page by their ``t``."""
TABLE: Final[Mapping[str, type[Message]]] = _by_type(FromTable)
"""The messages of the table by their ``t``."""
GUEST: Final[Mapping[str, type[Message]]] = _by_type(FromGuest)
"""What a guest sends by way of a PeerServer."""
SIGNALS: Final[Mapping[str, type[Message]]] = _by_type(ToGuest)
"""And the host."""
CLUB_PAGE: Final[Mapping[str, type[Message]]] = _by_type(FromClubPage)
"""The messages of a club's page by their ``t``."""
CLUB: Final[Mapping[str, type[Message]]] = _by_type(FromClub)
"""The messages of a club by their ``t``."""


def parse(text: str, known: Mapping[str, type[Message]] = PAGE) -> dict[str, Any]:
    """The message of a page that ``text`` is; :class:`WireError` if it is none of the ``known``."""
    message = _load(text)
    kind = message.get("t")
    model = known.get(kind) if isinstance(kind, str) else None
    if model is None:
        raise WireError("bad_message", "t")
    if kind != "offer" and len(text.encode()) > MESSAGE:
        raise WireError("too_big")
    return _checked(model, message)


def check(message: dict[str, Any], known: Mapping[str, type[Message]] = TABLE) -> dict[str, Any]:
    """A message of the table, as it is; :class:`WireError` if the protocol knows none like it."""
    model = known.get(message.get("t", ""))
    if model is None:
        raise WireError("bad_message", "t")
    return _checked(model, message)


def _checked(model: type[Message], message: dict[str, Any]) -> dict[str, Any]:
    try:
        model.model_validate(message)
    except ValidationError as wrong:
        at = wrong.errors(include_url=False, include_context=False, include_input=False)[0]["loc"]
        known = at and at[0] in model.model_fields
        raise WireError("bad_message", str(at[0]) if known else None) from None
    return message


def _load(text: str) -> dict[str, Any]:
    if not isinstance(text, str):
        raise WireError("bad_message")
    # Only what begins like an offer may be longer than a message.
    most = OFFER if '"offer"' in text[:64] else MESSAGE
    if len(text) > most:
        raise WireError("too_big")
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise WireError("bad_message") from None
    if size > most:
        raise WireError("too_big")
    try:
        message = json.loads(text, parse_constant=_refuse, object_pairs_hook=_object)
    except (ValueError, RecursionError):
        raise WireError("bad_message") from None
    if not isinstance(message, dict):
        raise WireError("bad_message")
    if not _is_sound(message, DEEPEST):
        raise WireError("bad_message")
    return message


def _refuse(_constant: str) -> None:
    """NaN and Infinity are no JSON, whatever Python thinks."""
    raise ValueError


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name comes twice")
    return found


def _is_sound(value: object, depth: int) -> bool:
    """Not too deep, no half characters, no numbers beyond all measure."""
    if isinstance(value, str):
        # Half a surrogate pair, written as an escape, passes json but no encoder.
        return not any("\ud800" <= char <= "\udfff" for char in value)
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return depth > 0 and all(
            _is_sound(name, depth) and _is_sound(each, depth - 1) for name, each in value.items()
        )
    if isinstance(value, list):
        return depth > 0 and all(_is_sound(each, depth - 1) for each in value)
    return True
