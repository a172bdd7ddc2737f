"""From what came over a path to a message of the protocol. Sizes first, then form."""

from __future__ import annotations

import json
from typing import Any

from penultima.host import limits


class Unreadable(Exception):
    """Not a message: the code to refuse it with, and the field at fault."""

    def __init__(self, code: str, field: str | None = None) -> None:
        super().__init__(code)
        self.code, self.field = code, field


def read(text: str | bytes) -> dict[str, Any]:
    if not isinstance(text, str):
        raise Unreadable("bad_message")
    if len(text) > limits.MESSAGE and not (
        len(text) <= limits.OFFER and '"offer"' in text[:64]
    ):
        raise Unreadable("too_big")
    try:
        message = json.loads(text)
        if "\\ud" in text.lower():  # half a character can be read, but never be sent on
            json.dumps(message, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise Unreadable("bad_message") from None
    if not isinstance(message, dict) or not isinstance(message.get("t"), str):
        raise Unreadable("bad_message", "t")
    for field, kind in _OURS.get(message["t"], {}).items():
        if type(message.get(field)) is not kind or len(str(message[field])) > _LONGEST[field]:
            raise Unreadable("bad_message", field)
    return message


# What the host itself reads; the rest is for the table, which believes nothing.
_OURS: dict[str, dict[str, type]] = {
    "ping": {"i": int},
    "offer": {"id": str, "sdp": str},
    "candidate": {"id": str, "candidate": str},
}
_LONGEST = {"i": 10, "id": 64, "sdp": limits.SDP, "candidate": 512}
