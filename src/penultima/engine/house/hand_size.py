"""How many cards each is dealt (RULES 2.5)."""

from __future__ import annotations

from penultima.engine.rule import Rule, Switch


class HandSize(Rule):
    name = "hand_size"
    switches = (Switch("hand_size", range(1, 16), 7, "deal"),)
