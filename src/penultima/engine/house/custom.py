"""The three Custom cards: a text of the table's own and one of five effects (RULES 10.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from penultima.engine.cards import CUSTOMS
from penultima.engine.house.seven_swap import swap
from penultima.engine.rule import Effect, Put, Rule, Switch, Values

if TYPE_CHECKING:
    from penultima.engine.round import Round


class Custom(Rule):
    name = "custom"
    switches = (
        *(
            Switch(f"custom{n}", ("none", "all_draw", "draw_two", "swap", "again"), "none", "deck")
            for n in (1, 2, 3)
        ),
        *(Switch(f"custom{n}_text", None, "", "deck", 0, 60) for n in (1, 2, 3)),
    )

    def on(self, rules: Values) -> bool:
        return rules["deck"] == 112

    def names_player(self, rules: Values) -> frozenset[str]:
        return frozenset(r for r in CUSTOMS if _effect_of(rules, r) in ("draw_two", "swap"))

    def effects(self, rules: Values) -> Mapping[str, Effect]:
        return {rank: _EFFECTS[_effect_of(rules, rank)] for rank in CUSTOMS}


def _effect_of(rules: Values, rank: str) -> str:
    return str(rules[f"custom{rank[-1]}"])


def nothing(round: Round, put: Put) -> None:
    round.waiting = round.free(round.next_to(put.seat))


def all_draw(round: Round, put: Put) -> None:
    seat = round.next_to(put.seat)
    while seat != put.seat:
        round.draw_cards(seat, 1, "custom")
        seat = round.next_to(seat)
    nothing(round, put)


def draw_two(round: Round, put: Put) -> None:
    assert put.play.player is not None
    round.draw_cards(put.play.player, 2, "custom")
    nothing(round, put)


def again(round: Round, put: Put) -> None:
    round.waiting = round.free(put.seat)


_EFFECTS: dict[str, Effect] = {
    "none": nothing,
    "all_draw": all_draw,
    "draw_two": draw_two,
    "swap": swap,
    "again": again,
}
