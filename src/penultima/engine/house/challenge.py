"""The challenge: whether a Wild Draw Four was legal, and who may doubt it (RULES 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from penultima.engine.cards import DRAW_FOUR
from penultima.engine.rule import Effect, Put, Rule, Switch, Values
from penultima.engine.waiting import Evidence

if TYPE_CHECKING:
    from penultima.engine.round import Round


class Challenge(Rule):
    """The next player may doubt a Wild Draw Four; ``bluff_basis`` says what counts against it."""

    name = "challenge"
    switches = (
        Switch("challenge", (True, False), True, "challenge"),
        Switch("bluff_basis", ("colour", "colour_or_symbol"), "colour", "challenge"),
    )

    def on(self, rules: Values) -> bool:
        return bool(rules["challenge"])

    def waits(self, rules: Values) -> frozenset[str]:
        return frozenset({DRAW_FOUR})

    def effects(self, rules: Values) -> Mapping[str, Effect]:
        symbols_count = rules["bluff_basis"] == "colour_or_symbol"
        return {
            DRAW_FOUR: lambda round, put: round.demand(put, evidence(round, put, symbols_count))
        }


def evidence(round: Round, put: Put, symbols_count: bool) -> Evidence:
    """The hand left in hand and what in it makes the play a bluff (RULES 4.1, 4.4)."""
    under = round.discard[-2]
    hand = tuple(round.hands[put.seat])
    guilty = tuple(
        [
            held
            for held in hand
            if not held.is_wild
            and (held.colour == put.colour or (symbols_count and held.rank == under.rank))
        ]
    )
    return Evidence(put.seat, hand, guilty, bool(guilty))
