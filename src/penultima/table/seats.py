"""Seats and who sits in them. Plain state; what changes it is in ``ledger``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from penultima.table.numbers import Numbers

MOST: Final = 10

LEVELS: Final = ("easy", "normal", "hard", "random")
"""The bots that can be asked for."""

# Short, the same in every language of the client, nobody's own name.
_BOT_NAMES: Final = (
    "Kiwi", "Mango", "Coco", "Lima", "Papaya", "Chía", "Maní", "Açaí", "Yuca", "Ají",
)  # fmt: skip


@dataclass(eq=False, slots=True)
class Session:
    """A person's hold on a seat: from the moment a key was given out until it is revoked.

    ``serial`` is never used again at this table, so (serial, n) names a request for good.
    """

    serial: int
    key: str
    """SHA-256 of the session key."""
    page: str | None = None
    """SHA-256 of what the page that took the seat calls itself; see ``sit`` in the protocol."""
    numbers: Numbers = field(default_factory=Numbers)


@dataclass(eq=False, slots=True)
class Seat:
    """A place at the table. Without ``bot`` and ``session`` it has been given up."""

    name: str
    bot: str | None = None
    session: Session | None = None
    standin: str | None = None
    """The level of the bot that plays while the person is away."""
    away: float | None = None
    """Since when (awake time) nothing has been heard of the person."""
    hidden: bool = False
    claimed: bool = False
    urged: bool = False
    """Somebody has asked the host to decide what becomes of the seat while the person is away."""

    @property
    def person(self) -> bool:
        return self.session is not None

    @property
    def given_up(self) -> bool:
        return self.session is None and self.bot is None

    @property
    def played_by_bot(self) -> str | None:
        """The level of the bot that moves for this seat now, if one does."""
        return self.bot or self.standin


def bot_name(number: int) -> str:
    """A name for the next bot; the table makes it unique."""
    return _BOT_NAMES[number % len(_BOT_NAMES)]
