"""How the table says no: a code, and the field at fault if there is one (protocol, section 7)."""

from __future__ import annotations

from typing import Final

CODES: Final[dict[str, str]] = {
    "stale": "The table has moved on since.",
    "bad_message": "That message cannot be read.",
    "bad_secret": "This link is not, or no longer, good.",
    "bad_version": "This page is of another version: load it again.",
    "not_seated": "Take a seat first.",
    "already_seated": "You have a seat already.",
    "name_empty": "Write a name.",
    "name_long": "That name is too long.",
    "name_bad": "That name has characters that cannot be shown.",
    "table_full": "All ten seats are taken.",
    "table_locked": "The host has closed the table to new people.",
    "too_few": "Two are needed to play.",
    "wrong_phase": "Not now.",
    "no_such_seat": "Nobody sits there.",
    "not_away": "That person is here.",
    "bad_rules": "Those rules do not go together.",
    "too_fast": "Slower, please.",
    "too_big": "That is too long.",
    "not_allowed": "That is not for you to do.",
}
"""The table's own codes with one English sentence each; the rules' are in ``engine.errors``."""


class No(Exception):
    """A request the table does not carry out. Nothing has changed."""

    def __init__(self, code: str, field: str | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.field = field
