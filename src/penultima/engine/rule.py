"""What a rule is: its switches and the few places where it may speak.

The official rules and the house rules are the same kind of thing (``house/``). A rule owns its
switches, says for which values it is on, and overrides the hooks it needs; a hook that a rule
does not override, and every hook of a rule that is off, is never called (``scheme`` sees to it).
Three kinds of hook, asked in this order: those that *add* moves, those that *restrict* them, and
those that *compel* what follows from one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from penultima.engine.actions import Play
from penultima.engine.cards import Card
from penultima.engine.errors import RulesError

if TYPE_CHECKING:
    from penultima.engine.round import Round
    from penultima.engine.waiting import Waiting

Value: TypeAlias = bool | int | str | tuple[str, ...]
Values: TypeAlias = Mapping[str, Value]


class Switch(NamedTuple):
    """One field of ``Rules``.

    ``values``: what may be chosen (an on/off switch has ``(False, True)``), or a ``range`` of whole
    numbers, or ``None`` for written text. ``most`` texts of up to ``length`` characters each; a
    single text when ``most`` is 0. ``group`` orders the lobby's page.
    """

    name: str
    values: tuple[bool | int | str, ...] | range | None
    default: Value
    group: str
    most: int = 0
    length: int = 140

    def check(self, value: object) -> Value:
        """``value`` if it can stand here; :class:`RulesError` naming the field otherwise."""
        if self.values is None:
            return self._check_text(value)
        # True == 1 in Python, but not here.
        for allowed in self.values if not isinstance(self.values, range) else ():
            if allowed == value and type(allowed) is type(value):
                return allowed
        if isinstance(self.values, range) and type(value) is int and value in self.values:
            return value
        raise RulesError(self.name, f"cannot be {_shown(value)}: {self.choices()}")

    def _check_text(self, value: object) -> Value:
        texts = value if isinstance(value, tuple | list) else (value,)
        if len(texts) > max(self.most, 1):
            raise RulesError(self.name, f"at most {self.most} texts")
        for text in texts:
            if not isinstance(text, str):
                raise RulesError(self.name, "must be text")
            if len(text) > self.length:
                raise RulesError(self.name, f"at most {self.length} characters")
            if "|" in text or not (text.isprintable()):
                raise RulesError(self.name, "no | and no control characters")
        if self.most == 0:
            if isinstance(value, str):
                return value.strip()
            raise RulesError(self.name, "must be one text")
        if isinstance(value, str):
            raise RulesError(self.name, "must be a list of texts")
        return tuple(text.strip() for text in texts if text.strip())

    def read(self, text: str) -> Value:
        """The value written ``text`` in notation; :class:`RulesError` if there is none."""
        if self.values is None:
            return self.check(tuple(text.split("|")) if self.most else text)
        if isinstance(self.values, range):
            return self.check(int(text) if text.isdecimal() and text.isascii() else text)
        for allowed in self.values:
            if write(allowed) == text:
                return allowed
        raise RulesError(self.name, f"cannot be {_shown(text)}: {self.choices()}")

    def choices(self) -> str:
        """What may be chosen, in words for a programmer or a host's terminal."""
        if self.values is None:
            return f"text of up to {self.length} characters"
        if isinstance(self.values, range):
            return f"a whole number from {self.values.start} to {self.values.stop - 1}"
        return "one of " + ", ".join(write(each) for each in self.values)


def write(value: Value) -> str:
    """A switch's value as notation writes it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return "|".join(value) if isinstance(value, tuple) else str(value)


def _shown(value: object) -> str:
    return repr(value if len(repr(value)) <= 40 else repr(value)[:40] + "...")


def toggle(name: str, group: str = "house") -> Switch:
    """An on/off switch that is off by default."""
    return Switch(name, (False, True), False, group)


class Put(NamedTuple):
    """A card that has just been put down, for the effects it has.

    ``how`` as in ``events.Played``, or ``first`` for the first card of the discard, which acts as
    if the dealer had played it. ``before`` is what the round waited for, ``colour`` the colour in
    force before.
    """

    seat: int
    play: Play
    how: str
    before: Waiting | None
    colour: str | None

    @property
    def continues(self) -> bool:
        """One more card by the player who just played: effects add up (RULES 7.10)."""
        return self.how in {"twin", "run"}


Effect: TypeAlias = "Callable[[Round, Put], None]"


class Rule:
    """A rule of the game. Subclasses set ``name`` and ``switches`` and override what they need."""

    name: str
    switches: tuple[Switch, ...] = ()

    def on(self, rules: Values) -> bool:
        """Whether the hooks are asked at all. By default: when the first switch is not at rest."""
        return not self.switches or rules[self.switches[0].name] != self.switches[0].default

    def check(self, rules: Values, players: int | None) -> None:
        """Raise :class:`RulesError` for a mix that RULES 12 refuses. Asked when on or off."""

    # --- add

    def adds(self, round: Round, seat: int) -> Iterable[Play]:
        """More plays for the seat in turn on a free turn."""
        return ()

    def answers(self, round: Round, seat: int) -> Iterable[Play]:
        """Plays for the seat that faces pending cards."""
        return ()

    def interrupts(self, round: Round, seat: int) -> Iterable[Play]:
        """Plays for a seat that is not in turn, while the newest turn action is a play."""
        return ()

    # --- restrict

    def forbids(self, round: Round, seat: int, play: Play) -> str | None:
        """A refusal code if this play cannot be."""
        return None

    # --- compel

    def effects(self, rules: Values) -> Mapping[str, Effect]:
        """By rank: what follows from a card put down. It has to set ``round.waiting``."""
        return {}

    def instead(self, round: Round, seat: int, play: Play) -> bool:
        """Do something else instead of putting the card down; ``False`` to let it pass."""
        return False

    def names_player(self, rules: Values) -> frozenset[str]:
        """The ranks that name a player when played."""
        return frozenset()

    def waits(self, rules: Values) -> frozenset[str]:
        """The ranks whose penalty gives the next player a choice."""
        return frozenset()

    def lingers(self, rules: Values) -> frozenset[str]:
        """The ranks whose penalty waits because its player may add to it."""
        return frozenset()

    def draws_on(self, round: Round, drawn: Card) -> bool:
        """Whether a player who drew that card on the own turn draws another."""
        return False

    def turns_back(self, card: Card) -> bool:
        """Whether that card goes back into the pile when turned up first."""
        return False

    def closes_late(self, round: Round, seat: int, card: Card) -> bool:
        """Whether that card out of turn would have been possible a moment ago (``too_late``)."""
        return False
