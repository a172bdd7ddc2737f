"""The hooks of the rules that are on, gathered once for a set of rules.

A round asks only these tuples; a rule that is off, or does not care about a hook, is not in
them and costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from penultima.engine.actions import Play, play
from penultima.engine.cards import COLOURS, FACES, SHUFFLE_HANDS, Card
from penultima.engine.rule import Effect, Rule, Values


class Scheme:
    """Everything a round needs to know of its rules, in the shape that is quickest to ask."""

    __slots__ = (
        "_plays_on",
        "adds",
        "answers",
        "closes_late",
        "draws_on",
        "effects",
        "forbids",
        "forms",
        "instead",
        "interrupts",
        "lingers",
        "names_player",
        "turns_back",
        "uno_penalty",
        "waits",
    )

    def __init__(self, rules: Values, every: Iterable[Rule]) -> None:
        active = [rule for rule in every if rule.on(rules)]

        def having(hook: str) -> list[Rule]:
            return [r for r in active if getattr(type(r), hook) is not getattr(Rule, hook)]

        self.adds = tuple(r.adds for r in having("adds"))
        self.answers = tuple(r.answers for r in having("answers"))
        self.interrupts = tuple(r.interrupts for r in having("interrupts"))
        self.forbids = tuple(r.forbids for r in having("forbids"))
        self.instead = tuple(r.instead for r in having("instead"))
        self.draws_on = tuple(r.draws_on for r in having("draws_on"))
        self.turns_back = tuple(r.turns_back for r in having("turns_back"))
        self.closes_late = tuple(r.closes_late for r in having("closes_late"))
        self.effects: dict[str, Effect] = {}
        for rule in active:
            self.effects.update(rule.effects(rules))
        self.names_player = frozenset[str]().union(*(r.names_player(rules) for r in active))
        self.waits = frozenset[str]().union(*(r.waits(rules) for r in active))
        self.lingers = frozenset[str]().union(*(r.lingers(rules) for r in active))
        penalty = rules["uno_penalty"]
        assert isinstance(penalty, int)
        self.uno_penalty = penalty
        self.forms: dict[Card, tuple[Play, ...]] = {
            face: forms(face, ()) for face in FACES.values() if face.rank not in self.names_player
        }
        """The plays of each card that names no player."""
        self._plays_on: dict[tuple[str | None, str], dict[Card, tuple[Play, ...]]] = {}

    def plays_on(self, colour: str | None, rank: str) -> dict[Card, tuple[Play, ...]]:
        """Every card that goes on that colour and rank with its plays (RULES 3.1).

        Cards that name a player are not among them: their plays depend on who plays.
        """
        known = self._plays_on.get((colour, rank))
        if known is None:
            known = self._plays_on[colour, rank] = {
                face: plays
                for face, plays in self.forms.items()
                if face.is_wild or face.colour == colour or face.rank == rank
            }
        return known


def forms(card: Card, players: Iterable[int]) -> tuple[Play, ...]:
    """Every play of that card: for each colour it may name, and each of those players if any.

    Shuffle Hands names its colour only after the new hand is seen (RULES 10.1).
    """
    colours = COLOURS if card.is_wild and card.rank != SHUFFLE_HANDS else (None,)
    targets = tuple(players) or (None,)
    return tuple(play(card, colour, player) for colour in colours for player in targets)
