"""Rules that people keep, not the engine: written ones, the winner's wish (RULES 7.11, 7.12)."""

from __future__ import annotations

from penultima.engine.rule import Rule, Switch, toggle


class Agreed(Rule):
    """Up to five written rules, shown to all."""

    name = "agreed"
    switches = (Switch("agreed", None, (), "table", 5, 140),)


class WinnerRule(Rule):
    """The round's winner may propose a switch or a written rule; the table holds the vote."""

    name = "winner_rule"
    switches = (toggle("winner_rule", "table"),)
