"""What crosses the wire, both ways, as models: the protocol (docs/protocol.md) that checks itself.

``parse`` reads what a page sent. ``typescript`` and ``rules_ts`` write the same for the client.
"""

from penultima.wire.base import VERSION, Message
from penultima.wire.reading import CLUB, CLUB_PAGE, GUEST, WireError, check, parse

__all__ = ["CLUB", "CLUB_PAGE", "GUEST", "VERSION", "Message", "WireError", "check", "parse"]
