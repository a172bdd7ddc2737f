"""What opens a table: its code and keys, drawn so that nobody can guess them (protocol.md, 1)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from penultima.host.journal import Record

LETTERS: Final = "abcdefghjkmnpqrstuvwxyz"
"""That a table's code may begin with: none that is taken for another when it is read out."""
ALPHABET: Final = LETTERS + "23456789"
NODE: Final = "a"
"""First letter of every code a program gives out, unless it was told another."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """What opens a table: drawn anew for each, never from a seed."""

    code: str
    secret: str
    host_key: str

    @classmethod
    def drawn(cls, node: str = NODE) -> Invitation:
        return cls(node + drawn(5), drawn(16), drawn(24))

    @classmethod
    def of(cls, opened: Record) -> Invitation:
        """Those of a table that is there, from its first record."""
        return cls(opened["code"], opened["secret"], opened["host_key"])

    @property
    def fragment(self) -> str:
        """Of the guests' link."""
        return f"#{self.code}.{self.secret}"

    @property
    def host_fragment(self) -> str:
        return f"{self.fragment}.{self.host_key}"


def drawn(length: int) -> str:
    """That many characters that nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))
