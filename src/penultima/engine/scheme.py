"""The hooks of the rules that are on, gathered once for a set of rules.

A round asks only these tuples; a rule that is off, or does not care about a hook, is not in
them and costs nothing. And what goes on what is a table here, made as the round comes to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from penultima.engine.actions import Play, play
from penultima.engine.cards import COLOURS, FACES, SHUFFLE_HANDS, Card
from penultima.engine.rule import Effect, Rule, Values

Forms: TypeAlias = dict[Card, tuple[Play, ...]]
"""The plays of each card. None for a card that names a player: that depends on who plays it."""


class Scheme:
    """Everything a round needs to know of its rules, in the shape that is quickest to ask."""

    __slots__ = (
        "_naming",
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
        "plays_on",
        "turned_back",
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
        self.closes_late = tuple(r.closes_late for r in having("closes_late"))
        self.turned_back = frozenset(
            face for r in having("turns_back") for face in FACES.values() if r.turns_back(face)
        )
        self.effects: dict[str, Effect] = {}
        for rule in active:
            self.effects.update(rule.effects(rules))
        self.names_player = frozenset[str]().union(*(r.names_player(rules) for r in active))
        self.waits = frozenset[str]().union(*(r.waits(rules) for r in active))
        self.lingers = frozenset[str]().union(*(r.lingers(rules) for r in active))
        penalty = rules["uno_penalty"]
        assert isinstance(penalty, int)
        self.uno_penalty = penalty
        self.forms: Forms = {
            face: () if face.rank in self.names_player else forms(face, ())
            for face in FACES.values()
        }
        self.plays_on = Fitting(self.forms)
        self._naming: dict[tuple[Card, int, tuple[int, ...]], tuple[Play, ...]] = {}

    def naming(self, card: Card, seat: int, seats: tuple[int, ...]) -> tuple[Play, ...]:
        """The plays by ``seat`` of a card that names a player, with each of the other ``seats``."""
        key = (card, seat, seats)
        known = self._naming.get(key)
        if known is None:
            others = [other for other in seats if other != seat]
            known = self._naming[key] = forms(card, others)
        return known


class Fitting(dict[tuple[str | None, str], Forms]):
    """By colour in force and rank of the top: the cards that go on them (RULES 3.1)."""

    __slots__ = ("_forms",)

    def __init__(self, forms: Forms) -> None:
        super().__init__()
        self._forms = forms

    def __missing__(self, key: tuple[str | None, str]) -> Forms:
        colour, rank = key
        found = self[key] = {
            face: plays
            for face, plays in self._forms.items()
            if face.is_wild or face.colour == colour or face.rank == rank
        }
        return found


def forms(card: Card, players: Iterable[int]) -> tuple[Play, ...]:
    """Every play of that card: for each colour it may name, and each of those players if any.

    Shuffle Hands names its colour only after the new hand is seen (RULES 10.1).
    """
    colours = COLOURS if card.is_wild and card.rank != SHUFFLE_HANDS else (None,)
    targets = tuple(players) or (None,)
    return tuple(play(card, colour, player) for colour in colours for player in targets)
