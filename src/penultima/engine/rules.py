"""``Rules``: the switches in force, and the presets to start from (RULES 8, 12).

The switches themselves belong to the rules in ``house``; nothing is listed twice here.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, Final

from penultima.engine import house
from penultima.engine.errors import RulesError
from penultima.engine.rule import Rule, Switch, Value, write
from penultima.engine.scheme import Scheme

PRESETS: Final[dict[str, dict[str, Value]]] = {
    "classic": {},
    "official_2022": {"first_card": "number"},
    "party": {
        "stacking": "cross",
        "seven_swap": True,
        "zero_rotate": True,
        "jump_in": True,
        "twins": True,
    },
    "icebreaker": {
        "stacking": "same",
        "challenge": False,
        "seven_swap": True,
        "zero_rotate": True,
        "jump_in": True,
        "runs": "rank",
        "winner_rule": True,
    },
    "berserker": {"hand_size": 10, "stacking": "same", "jump_in": True, "runs": "rank"},
}
"""What each preset changes of the defaults (RULES 8)."""


def switches() -> dict[str, Switch]:
    """Every switch by its name, in the order of the registry."""
    return {switch.name: switch for rule in house.RULES for switch in rule.switches}


@lru_cache(maxsize=64)
def _scheme(rules: Rules, every: tuple[Rule, ...]) -> Scheme:
    """Tables that play by equal rules share one, and with it what goes on what."""
    return Scheme(rules, every)


class Rules(Mapping[str, Value]):
    """The switches in force: a frozen, hashable mapping from each field to its value.

    Build it with :meth:`parse` (notation) or :meth:`of` (a preset and changes). Unknown fields,
    values that cannot be and mixes that RULES 12 refuses raise :class:`RulesError`, which names
    the field.
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        known = switches()
        for name in values:
            if name not in known:
                raise RulesError(name, "there is no such rule")
        self._values: dict[str, Value] = {
            name: switch.check(values[name]) if name in values else switch.default
            for name, switch in known.items()
        }
        self._hash = hash(tuple(self._values.items()))
        self._checked: set[int | None] = set()
        self.check()

    @classmethod
    def of(cls, preset: str = "classic", /, **changes: Any) -> Rules:
        """A preset with changes: ``Rules.of("party", hand_size=5)``."""
        if preset not in PRESETS:
            raise RulesError("rules", f"no preset {preset!r}: one of {', '.join(PRESETS)}")
        return cls({**PRESETS[preset], **changes})

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read ``classic stacking=same seven_swap=on`` (NOTATION, ``rules:``)."""
        try:
            words = shlex.split(text)
        except ValueError:
            raise RulesError("rules", "a quote is not closed") from None
        preset = words.pop(0) if words and "=" not in words[0] else "classic"
        known = switches()
        changes: dict[str, Value] = {}
        for word in words:
            name, equals, value = word.partition("=")
            if not equals:
                raise RulesError(name, "write field=value")
            if name not in known:
                raise RulesError(name, "there is no such rule")
            if name in changes:
                raise RulesError(name, "is named twice")
            changes[name] = known[name].read(value)
        return cls.of(preset, **changes)

    def check(self, players: int | None = None) -> None:
        """Raise :class:`RulesError` for a refused mix (RULES 12), with that many players."""
        if players is not None and not 2 <= players <= 10:
            raise RulesError("players", "two to ten can play")
        if players not in self._checked:
            for rule in house.RULES:
                if type(rule).check is not Rule.check:
                    rule.check(self, players)
            self._checked.add(players)

    def but(self, **changes: Any) -> Rules:
        """These rules with changes."""
        return Rules({**self._values, **changes})

    @cached_property
    def nearest(self) -> tuple[str, dict[str, Value]]:
        """The preset with the fewest differences, and the differences."""
        best: tuple[str, dict[str, Value]] | None = None
        for preset, values in PRESETS.items():
            differences = {
                name: self._values[name]
                for name, switch in switches().items()
                if self._values[name] != values.get(name, switch.default)
            }
            if best is None or len(differences) < len(best[1]):
                best = preset, differences
        assert best is not None
        return best

    @cached_property
    def name(self) -> str:
        """What the table shows: ``classic + stacking`` is written ``classic stacking=same``.

        Written texts are left out; :meth:`__str__` has them too.
        """
        preset, differences = self.nearest
        known = switches()
        words = [f"{k}={write(v)}" for k, v in differences.items() if known[k].values is not None]
        return " ".join([preset, *words])

    def __str__(self) -> str:
        preset, differences = self.nearest
        words = [f"{name}={shlex.quote(write(value))}" for name, value in differences.items()]
        return " ".join([preset, *words])

    @cached_property
    def scheme(self) -> Scheme:
        """The hooks of the rules that are on, ready for a round."""
        return _scheme(self, house.RULES)

    def __getitem__(self, name: str) -> Value:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self._values == other._values

    def __repr__(self) -> str:
        return f"Rules.parse({str(self)!r})"

    # Nothing in it changes: a deep copy is the same, with all that was found for it.
    def __deepcopy__(self, memo: dict[int, object]) -> Rules:
        return self

    def number(self, name: str) -> int:
        """A switch that is a whole number."""
        value = self._values[name]
        assert isinstance(value, int)
        return value
