"""How long a bot that thinks ahead keeps a browser's Python busy at a stretch. Inside Pyodide.

A slice is what happens between two moments at which the page is heard (``Practice.think``).
"""

from __future__ import annotations

import json
import random
import time

from penultima.bots.hard import Hard, Limit
from penultima.engine.events import seen_by
from penultima.engine.match import Match
from penultima.engine.rules import Rules

DECISIONS = 25
"""For each size of table."""
RUNS = 5
"""The same thoughts so many times: what else the machine did meanwhile hits each of them once."""


def thoughts(players: int) -> list[list[float]]:
    """Milliseconds of every slice, decision by decision; the same decisions each time."""
    rng = random.Random(players)
    found: list[list[float]] = []
    while len(found) < DECISIONS:
        match = Match(Rules.of("classic"), [str(s) for s in range(players)], seed=rng.randbytes(32))
        minds = [Hard(Limit(worlds=40)) for _ in range(players)]
        events = match.start(dealer=0)
        assert match.round is not None
        while (seat := match.round.turn) is not None:
            for each, mind in enumerate(minds):
                mind.watch([seen_by(event, each) for event in events], each)
            view = match.view(seat)
            pondering = minds[seat].ponder(view, rng)
            slices = []
            more = True
            while more:
                began = time.perf_counter()
                more = next(pondering, 0) is None
                slices.append(1000 * (time.perf_counter() - began))
            if len(slices) > 2:
                found.append(slices)
            events = match.play(seat, minds[seat].turn(view, rng))
    return found


def described(times: list[float]) -> dict[str, float]:
    """Where the middle, the hundredth and the thousandth worst, and the worst lie."""
    times = sorted(times)
    found = {f"{share:g}": times[int(share / 100 * (len(times) - 1))] for share in (50, 99, 99.9)}
    return {each: round(value, 2) for each, value in {**found, "most": times[-1]}.items()}


def run() -> str:
    told = {}
    for players in (2, 4):
        runs = [thoughts(players) for _ in range(RUNS)]
        decisions = [
            [min(slice_ms) for slice_ms in zip(*same, strict=True)]
            for same in zip(*runs, strict=True)
        ]
        slices = [slice_ms for decision in decisions for slice_ms in decision]
        told[f"{players} players"] = {
            "slices": len(slices),
            "slice_ms": described(slices),
            "decision_ms": described([sum(decision) for decision in decisions]),
        }
    return json.dumps(told)


if __name__ == "__main__":
    print(run())
