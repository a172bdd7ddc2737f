"""How a match is counted, and to what target (RULES 6.3-6.6). ``engine.scoring`` counts by it."""

from __future__ import annotations

from penultima.engine.rule import Rule, Switch


class Scoring(Rule):
    name = "scoring"
    switches = (
        Switch("scoring", ("points", "low", "rounds", "elimination"), "points", "match"),
        Switch("target", range(50, 2001), 500, "match"),
    )
