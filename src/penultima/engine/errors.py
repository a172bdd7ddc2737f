"""What can go wrong, told apart by whose fault it is.

:class:`Refused` is the rules saying no to a move; :class:`RulesError` a set of rules that does
not hold together; :class:`NotationError` (in ``notation``) a text that cannot be read.
Words for people are in the language files; here are codes and one English sentence.
"""

from __future__ import annotations

from typing import Final

REFUSALS: Final[dict[str, str]] = {
    "not_your_turn": "It is not your turn.",
    "no_match": "That card matches neither the colour nor the number or symbol.",
    "not_in_hand": "You do not hold that card.",
    "choose_colour": "Name a colour with that.",
    "choose_player": "Name another player of this round with that.",
    "must_answer": "Cards are waiting for you: answer them first.",
    "only_drawn_card": "After drawing, only the drawn card may be played.",
    "nothing_drawn": "Draw a card before you pass.",
    "no_pending": "Nothing is waiting for you.",
    "no_challenge": "That cannot be challenged.",
    "not_last_card": "The last card must be a number.",
    "not_exposed": "Nobody forgot to call there.",
    "cannot_call": "There is nothing to call now.",
    "paused": "The match is paused.",
    "round_over": "The round is over.",
    "not_host": "Only the host can do that.",
    "too_late": "Too late: somebody acted first.",
    "bad_move": "That move cannot be read.",
}
"""Refusal codes (NOTATION, "Refusal codes") with one English sentence each."""


class Refused(Exception):
    """A move the rules do not take. Nothing has changed. ``code`` is one of :data:`REFUSALS`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code

    def __str__(self) -> str:
        return f"{self.code}: {REFUSALS[self.code]}"


class RulesError(ValueError):
    """A switch that cannot stand, or two that exclude each other (RULES 12): see ``field``."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason
