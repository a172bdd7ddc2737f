"""Switches of the match: points, target, pairs (RULES 6.3-6.7). ``match`` counts by them."""

from __future__ import annotations

from penultima.engine.errors import RulesError
from penultima.engine.rule import Rule, Switch, Values


class Scoring(Rule):
    name = "scoring"
    switches = (
        Switch("scoring", ("points", "low", "rounds", "elimination"), "points", "match"),
        Switch("target", range(50, 2001), 500, "match"),
    )


class Teams(Rule):
    name = "teams"
    switches = (Switch("teams", ("off", "pairs"), "off", "match"),)

    def check(self, rules: Values, players: int | None) -> None:
        if rules["teams"] == "pairs" and players is not None and players != 4:
            raise RulesError("teams", f"pairs need four players, there are {players}")


class HandSize(Rule):
    name = "hand_size"
    switches = (Switch("hand_size", range(1, 16), 7, "deal"),)
