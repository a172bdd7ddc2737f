"""Seeded tournaments: who wins how many rounds, with seats rotated and a Wilson interval.

    python -m penultima.bots.tournament --rounds 20000 --seats normal,random

``random`` is random forced play here (``chance.Forced``), the floor of docs/bots.md.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from penultima.bots import LEVELS, bot
from penultima.bots.chance import Forced, Uniform
from penultima.bots.hard import Hard, Limit
from penultima.bots.player import Bot
from penultima.engine.events import Event, seen_by
from penultima.engine.match import Match
from penultima.engine.rules import Rules

Maker: TypeAlias = Callable[[], Bot]

WORLDS = 60
"""How many worlds ``hard`` looks at for a decision in a tournament, at most: a slow phone may."""
MOST_ACTIONS = 20_000
"""A round that lasts longer is a fault of a bot, or two who always wait."""


def maker(name: str) -> Maker:
    """How to make the player called ``name`` in a tournament."""
    special: dict[str, Maker] = {
        "random": Forced,
        "uniform": Uniform,
        # So many worlds a decision, not so long: the same on every machine.
        "hard": lambda: Hard(Limit(worlds=WORLDS)),
    }
    if name in special:
        return special[name]
    if name not in LEVELS:
        known = ", ".join(sorted({*LEVELS, *special}))
        raise ValueError(f"no player {name!r}: one of {known}")
    return lambda: bot(name)


@dataclass
class Result:
    """By player in the order they were named, whatever seat they had in a round."""

    names: tuple[str, ...]
    rounds: int
    wins: list[int]
    points: list[int]
    undecided: int
    actions: int

    def share(self, player: int) -> float:
        return self.wins[player] / self.rounds

    def interval(self, player: int) -> tuple[float, float]:
        return wilson(self.wins[player], self.rounds)

    def __str__(self) -> str:
        lines = [f"{self.rounds} rounds, {self.actions / self.rounds:.1f} actions each"]
        for player, name in enumerate(self.names):
            low, high = self.interval(player)
            lines.append(
                f"{name:>8}  {self.share(player):6.2%}  ({low:.2%} - {high:.2%})"
                f"  {self.points[player] / self.rounds:6.1f} points a round"
            )
        return "\n".join(lines)


def wilson(wins: int, rounds: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval for a share; 95 % by default."""
    share = wins / rounds
    spread = z * z / rounds
    middle = share + spread / 2
    half = z * math.sqrt(share * (1 - share) / rounds + spread / (4 * rounds))
    return (middle - half) / (1 + spread), (middle + half) / (1 + spread)


class Seating:
    """The players of a tournament, who keep their memory of each other from round to round."""

    def __init__(self, makers: Sequence[Maker], rng: random.Random) -> None:
        self.bots = [make() for make in makers]
        self.watching = [type(each).watch is not Bot.watch for each in self.bots]
        self.rng = rng


def play_round(match: Match, seating: Seating, shift: int, *, calls: bool = True) -> int:
    """Play the round that has just been dealt; player ``p`` sits at ``(p + shift) % n``.

    Out of turn, whoever sits first after the seat that acted is asked first. Without ``calls``
    nobody calls or catches. Returns the number of turn actions.
    """
    now = match.round
    assert now is not None
    bots, rng = seating.bots, seating.rng
    count = len(bots)
    player_at = [(seat - shift) % count for seat in range(count)]
    at_seat = [bots[player] for player in player_at]
    watchers = [(s, bots[p]) for s, p in enumerate(player_at) if seating.watching[p]]
    for each in bots:
        each.forget()
    interrupts = bool(now.scheme.interrupts)

    def tell(events: list[Event]) -> None:
        for seat, watcher in watchers:
            watcher.watch([seen_by(event, seat) for event in events], seat)

    tell(now.events)
    actions = 0
    while (seat := now.turn) is not None:
        if not calls:
            now.exposed = frozenset()
        if now.exposed or (interrupts and now.newest is not None):
            asked = seat
            for _ in range(count):
                wanted = None
                if match.legal(asked):
                    wanted = at_seat[asked].wants(match.view(asked), rng)
                if wanted is not None:
                    tell(match.play(asked, wanted))
                    break
                asked = (asked + 1) % count
            else:
                wanted = None
            if wanted is not None:
                continue
        action = at_seat[seat].choose(match.view(seat), rng)
        assert action is not None
        tell(match.play(seat, action))
        actions += 1
        if actions > MOST_ACTIONS:
            raise RuntimeError(f"{actions} actions in a round of {match.rules}")
    return actions


def tournament(
    names: Sequence[str],
    rounds: int,
    *,
    seed: int = 1,
    rules: Rules | None = None,
    calls: bool = True,
    makers: Sequence[Maker] | None = None,
) -> Result:
    """``rounds`` rounds between ``names``. The first to act, and the seats, rotate."""
    rules = rules if rules is not None else Rules.of("classic")
    # The deals do not depend on how the players use their chances.
    deals = random.Random(f"{seed} deals")
    seating = Seating(makers or [maker(name) for name in names], random.Random(f"{seed} chances"))
    count = len(names)
    result = Result(tuple(names), 0, [0] * count, [0] * count, 0, 0)
    for number in range(rounds):
        match = Match(rules, names, seed=deals.randbytes(32))
        # The dealer changes with each turn of the table, the seats with each round.
        match.start(dealer=number // count % count)
        shift = number % count
        result.actions += play_round(match, seating, shift, calls=calls)
        result.rounds += 1
        outcome = match.outcome
        assert outcome is not None
        if outcome.winner is None:
            result.undecided += 1
            continue
        winner = (outcome.winner - shift) % count
        result.wins[winner] += 1
        result.points[winner] += outcome.points
    return result


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20_000)
    parser.add_argument("--seats", default="normal,random", help="players, by comma")
    parser.add_argument("--rules", default="classic", help="rules in notation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-calls", action="store_true", help="nobody calls or catches")
    options = parser.parse_args(arguments)
    result = tournament(
        options.seats.split(","),
        options.rounds,
        seed=options.seed,
        rules=Rules.parse(options.rules),
        calls=not options.no_calls,
    )
    calls = ", no calls" if options.no_calls else ""
    sys.stdout.write(f"{options.rules}, seed {options.seed}{calls}: {result}\n")


if __name__ == "__main__":
    main()
