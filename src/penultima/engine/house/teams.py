"""Pairs: four players, partners opposite (RULES 6.7). ``engine.scoring`` counts by it."""

from __future__ import annotations

from penultima.engine.errors import RulesError
from penultima.engine.rule import Rule, Switch, Values


class Teams(Rule):
    name = "teams"
    switches = (Switch("teams", ("off", "pairs"), "off", "match"),)

    def check(self, rules: Values, players: int | None) -> None:
        if rules["teams"] == "pairs" and players is not None and players != 4:
            raise RulesError("teams", f"pairs need four players, there are {players}")
