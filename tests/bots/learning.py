"""How the weights of the bots are found; prints them as Python.

    python -m tests.bots.learning duel --rounds 6000
    python -m tests.bots.learning table --rounds 6000
    python -m tests.bots.learning standing-duel --rounds 6000
    python -m tests.bots.learning standing-table --rounds 6000
    python -m tests.bots.learning guesses --rounds 2000

Bots with the present weights play themselves and random forced play, one play in seven at random.
What each play led to, and whether its seat won, goes into a logistic regression. Put the result into
``weights.py`` and do it again; two or three times are enough. For ``standing.py`` it is how things
stood at the beginning of each turn, with all the cards on the table; once is enough. For
``guesses.py`` it is what four bots held when they did something, against what the present factors
expect: put the new ones in and do it again, four times or so from factors of one.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from collections.abc import Callable, Sequence

from penultima.bots.chance import Forced, pick
from penultima.bots.guesses import DRAWS, Guesses, Tell
from penultima.bots.normal import Normal
from penultima.bots.player import Bot, plays
from penultima.bots.standing import Foe, Own, moment
from penultima.bots.tournament import Seating, play_round
from penultima.bots.weights import Weights
from penultima.engine.actions import PASS, Action, Play
from penultima.engine.cards import DRAW_FOUR, FACES
from penultima.engine.events import Event
from penultima.engine.match import Match
from penultima.engine.rules import Rules
from penultima.engine.view import View

EXPLORES = 0.15
TABLES = {
    "duel": ("nn", "nf"),
    "table": ("nnn", "nnnn", "nffn"),
    "standing-duel": ("oo",),
    "standing-table": ("oooo",),
}
UNKNOWN = {
    "duel": {"other_one", "other_two", "points"},
    "table": {"again", "again_fits", "points"},
    "standing-duel": {"own.always"},
    "standing-table": {"own.always"},
}
"""What cannot be learnt there: it never happens, or (points) says the same as other things."""
_OWN = tuple(f"own.{name}" for name in Own._fields)
_FOES = [
    tuple(f"{place}.{name}" for name in Foe._fields) for place in ("following", "between", "before")
]
NAMES = {
    "duel": Weights._fields,
    "table": Weights._fields,
    "standing-duel": _OWN + _FOES[0],
    "standing-table": sum(_FOES, _OWN),
}
"""What is weighed there, in the order of the description."""


class Pupil(Normal):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[list[float]] = []

    def turn(self, view: View, rng: random.Random) -> Action:
        action = super().turn(view, rng)
        if view.wait in {"free", "drawn"}:
            options = plays(view)
            if options and rng.random() < EXPLORES:
                action = pick(rng, options)
            judge = self.judge(view)
            if isinstance(action, Play) and len(view.hand) > 1:
                self.seen.append(judge.after(action))
            elif action is PASS:
                self.seen.append(judge.after_keeping())
        return action


class Onlooker(Pupil):
    """Plays like any pupil, while somebody notes how things really stand."""

    match: Match

    def turn(self, view: View, rng: random.Random) -> Action:
        world = self.match.round
        assert world is not None
        assert view.seat is not None
        before = len(self.seen)
        action = super().turn(view, rng)
        del self.seen[before:]
        ends = len(view.hand) == 1 and world.fits(view.hand[0])
        if view.wait == "free" and not ends:
            described = moment(world, view.seat)
            self.seen.append([number for numbers in described for number in numbers])
        return action


def lessons(who: str, rounds: int, seed: int) -> list[tuple[list[float], bool]]:
    """Everything the pupils at such a table saw, and whether they then won."""
    rng = random.Random(seed)
    makers: dict[str, Callable[[], Bot]] = {"n": Pupil, "o": Onlooker, "f": Forced}
    bots = [makers[each]() for each in who]
    seating = Seating([lambda bot=bot: bot for bot in bots], rng)  # type: ignore[misc]
    rules = Rules.of("classic")
    count = len(bots)
    found: list[tuple[list[float], bool]] = []
    for number in range(rounds):
        match = Match(rules, [str(seat) for seat in range(count)], seed=rng.randbytes(32))
        match.start(dealer=number // count % count)
        shift = number % count
        for bot in bots:
            if isinstance(bot, Onlooker):
                bot.match = match
        play_round(match, seating, shift, calls=False)
        assert match.outcome is not None
        for player, bot in enumerate(bots):
            if isinstance(bot, Pupil):
                won = match.outcome.winner == (player + shift) % count
                found += [([float(each) for each in row], won) for row in bot.seen]
                bot.seen = []
    return found


class Comparing(Guesses):
    """Compares what hands hold with what is guessed of them."""

    match: Match

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[Tell, dict[str, list[float]]] = {}

    def _tells(self, seat: int, tell: Tell, named: str | None) -> None:
        colour, top = self._colour, self._top
        super()._tells(seat, tell, named)
        assert self.match.round is not None
        hand = self.match.round.hands[seat]
        held = Counter(hand[:-1] if tell is DRAWS else hand)
        rank = None if top is None or top.is_wild else top.rank
        rates = self.of(seat)
        assert rates is not None
        for face, left, rate in zip(FACES.values(), self._left, rates, strict=True):
            if left <= 0:
                continue
            if face.is_wild:
                kind = "four" if face.rank == DRAW_FOUR else "wild"
            elif face.colour == colour:
                kind = "colour"
            elif face.rank == rank:
                kind = "rank"
            else:
                kind = "named" if face.colour == named else "others"
            sums = self.found.setdefault(tell, {}).setdefault(kind, [0.0, 0.0])
            sums[0] += held[face]
            sums[1] += left * (1.0 - math.exp(-rate))


def tells(rounds: int, seed: int) -> list[str]:
    """The factors of ``guesses.py``, nearer to what they should be."""
    rng = random.Random(seed)
    seating = Seating([Normal] * 4, rng)
    comparing = Comparing()
    for number in range(rounds):
        match = comparing.match = Match(Rules.of("classic"), "abcd", seed=rng.randbytes(32))
        match.start(dealer=number % 4)
        assert match.round is not None
        comparing.watch(match.round.events)

        def play(seat: int, action: Action, match: Match = match) -> list[Event]:
            events = Match.play(match, seat, action)
            comparing.watch(events)
            return events

        match.play = play  # type: ignore[method-assign]
        play_round(match, seating, 0, calls=False)
    lines = []
    for tell, found in comparing.found.items():
        held, expected = found["others"]
        factors = []
        for name, factor in zip(Tell._fields, tell, strict=True):
            sums = found.get(name, found["others"])
            ratio = (sums[0] + 1.0) / (sums[1] + 1.0) * expected / held
            # A little less than it seems: they help each other.
            factors.append(f"{name}={factor * ratio**0.6:.3f}")
        lines.append(f"Tell({', '.join(factors)})")
    return lines


def fit(
    rows: Sequence[tuple[list[float], bool]],
    names: Sequence[str],
    without: set[str],
    steps: int = 8,
) -> list[float]:
    """Newton's method for the regression; the last number is the constant."""
    size = len(names) + 1
    used = [at for at in range(size) if at == size - 1 or names[at] not in without]
    weights = [0.0] * size
    for _ in range(steps):
        slope = [-weights[at] for at in used]
        curve = [[float(one == other) for other in used] for one in used]
        for row, won in rows:
            full = [*row, 1.0]
            chance = 1.0 / (1.0 + math.exp(-sum(map(float.__mul__, weights, full))))
            miss, steep = won - chance, chance * (1.0 - chance)
            values = [full[at] for at in used]
            for one, value in enumerate(values):
                if value:
                    slope[one] += miss * value
                    line, share = curve[one], steep * value
                    for other in range(one + 1):
                        line[other] += share * values[other]
        for one, line in enumerate(curve):
            for other in range(one):
                curve[other][one] = line[other]
        for at, step in zip(used, solve(curve, slope), strict=True):
            weights[at] += step
    return weights


def solve(matrix: list[list[float]], vector: list[float]) -> list[float]:
    """Gauss and Jordan."""
    lines = [[*line, value] for line, value in zip(matrix, vector, strict=True)]
    for at in range(len(lines)):
        best = max(range(at, len(lines)), key=lambda other: abs(lines[other][at]))
        lines[at], lines[best] = lines[best], lines[at]
        lines[at] = [value / lines[at][at] for value in lines[at]]
        for other, line in enumerate(lines):
            if other != at and line[at]:
                factor = line[at]
                lines[other] = [a - factor * b for a, b in zip(line, lines[at], strict=True)]
    return [line[-1] for line in lines]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", choices=[*TABLES, "guesses"])
    parser.add_argument("--rounds", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.which == "guesses":
        print("\n".join(tells(options.rounds, options.seed)))
        return
    tables = TABLES[options.which]
    rows = []
    for number, who in enumerate(tables):
        rows += lessons(who, options.rounds // len(tables), options.seed + number)
    without = UNKNOWN[options.which]
    names = NAMES[options.which]
    *weights, constant = fit(rows, names, without)
    print(f"# {len(rows)} moments, constant {constant:.3f}\nWeights(")
    for name, weight in zip(names, weights, strict=True):
        print(f"    {name}={weight:.3f}," + ("  # not learnt" if name in without else ""))
    print(")")


if __name__ == "__main__":
    main()
