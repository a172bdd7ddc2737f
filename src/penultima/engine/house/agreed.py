"""Up to five written rules that people keep, not the engine (RULES 7.11)."""

from __future__ import annotations

from penultima.engine.rule import Rule, Switch


class Agreed(Rule):
    name = "agreed"
    switches = (Switch("agreed", None, (), "table", 5, 140),)
