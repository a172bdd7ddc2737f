"""The round's winner may propose a rule; the table holds the vote (RULES 7.12)."""

from __future__ import annotations

from penultima.engine.rule import Rule, toggle


class WinnerRule(Rule):
    name = "winner_rule"
    switches = (toggle("winner_rule", "table"),)
