"""The round's winner proposes a rule, the others agree or not (RULES 7.12)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from penultima.engine.errors import RulesError
from penultima.engine.rules import Rules, switches


@dataclass(frozen=True, slots=True)
class Vote:
    """One proposal: ``stacking=same``, or a written rule in its own words."""

    by: int
    value: str
    yes: frozenset[int] = frozenset()
    no: frozenset[int] = frozenset()

    def cast(self, seat: int, *, yes: bool) -> Vote:
        """With that ballot. Minds may change while the vote is open."""
        if yes:
            return replace(self, yes=self.yes | {seat}, no=self.no - {seat})
        return replace(self, yes=self.yes - {seat}, no=self.no | {seat})

    def carried(self, voters: frozenset[int]) -> bool:
        """Whether everybody else among ``voters`` agrees."""
        return voters - {self.by} <= self.yes

    def plain(self) -> dict[str, Any]:
        """As the protocol has it."""
        return {
            "by": self.by,
            "value": self.value,
            "yes": sorted(self.yes),
            "no": sorted(self.no),
        }


def change(rules: Rules, value: str) -> Rules:
    """``rules`` with the proposal in force; :class:`RulesError` if it cannot be."""
    name, equals, wanted = value.partition("=")
    switch = switches().get(name) if equals else None
    if switch is None:
        agreed = rules["agreed"]
        assert isinstance(agreed, tuple)
        return rules.but(agreed=(*agreed, value))
    if switch.group != "house":
        raise RulesError(name, "only a house rule can be proposed")
    return rules.but(**{name: switch.read(wanted)})


def closed(vote: Vote, *, passed: bool) -> dict[str, Any]:
    """The event that ends a vote."""
    return {"e": "vote_closed", "by": vote.by, "value": vote.value, "passed": passed}
