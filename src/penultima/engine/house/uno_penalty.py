"""What being caught without having called costs (RULES 5.3, 5.5). The window is the round's."""

from __future__ import annotations

from penultima.engine.rule import Rule, Switch


class UnoPenalty(Rule):
    name = "uno_penalty"
    switches = (Switch("uno_penalty", (2, 4), 2, "house"),)
