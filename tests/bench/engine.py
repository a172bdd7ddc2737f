"""Decisions a CPU second, four seats, random legal play, against RLCard 1.2.0.

Short blocks of all contenders alternate in one process, so that a busy machine is busy for all of
them; the figures to look at are the ratios. What counts as a decision is one choice among what is
legal, taken through the public interface, with all that follows (state for the next player,
events); a draw that is all one can do counts on both sides, looking for a move out of turn that is
not there does not. Every round is shuffled and dealt: ours from a secret seed of its own, in a match
of its own. Nobody draws while something fits. Garbage is collected between blocks, so that nobody
pays for another's, and within them as ever.

    python -m tests.bench.engine            JSON on stdout; BENCH_SECONDS=1 for a quick look
"""

from __future__ import annotations

import gc
import json
import os
import platform
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from penultima.engine.actions import DRAW, Play
from penultima.engine.match import Match
from penultima.engine.rules import Rules

SEATS = 4
NAMES = ("Ana", "Beto", "Carla", "Dani")
SECONDS = float(os.environ.get("BENCH_SECONDS", "20"))
"""Of CPU, for each contender."""
BLOCKS = 40

EVERYTHING = (
    "classic deck=112 custom1=all_draw custom2=swap custom3=again stacking=cross "
    "draw=until_playable seven_swap=on zero_rotate=on jump_in=on twins=on runs=rank_or_sequence "
    "finish=number bluff_basis=colour_or_symbol uno_penalty=4 winner_rule=on"
)
"""Every house rule that goes with the others (``misplay`` does not go with ``jump_in``)."""

GOALS = {"game": 2.0, "env_step": 5.0, "env_run": 9.0, "everything_on": 1.0}


class Penultima:
    """Rounds of a match, one after another; each call plays one and counts its decisions."""

    def __init__(self, rules: str, *, out_of_turn: bool) -> None:
        self.rules = Rules.parse(rules)
        self.out_of_turn = out_of_turn
        self.rng = random.Random(rules)

    def __call__(self) -> int:
        pick = self.rng.random
        match = Match(self.rules, NAMES, seed=self.rng.randbytes(32))
        match.start(dealer=0)
        now = match.round
        assert now is not None
        decisions = 0
        while (seat := now.turn) is not None:
            if self.out_of_turn:
                # Somebody else calls, catches or jumps in whenever it is possible.
                other = int(pick() * SEATS)
                if other != seat and (sudden := match.legal(other)):
                    match.play(other, sudden[int(pick() * len(sudden))])
                    decisions += 1
                    continue
            moves = now.moves(seat)
            # Drawing comes last, and only when there is nothing else.
            count = len(moves) - 1 if moves[-1] is DRAW and type(moves[0]) is Play else len(moves)
            match.play(seat, moves[int(pick() * count)])
            decisions += 1
        return decisions


def rlcard_game() -> Callable[[], int]:
    """The bare game, without the environment around it."""
    from rlcard.games.uno import Game

    game = Game(num_players=SEATS)
    rng = random.Random(1)

    def play() -> int:
        state, _ = game.init_game()
        decisions = 0
        pick = rng.random
        while not game.is_over():
            legal = state["legal_actions"]
            state, _ = game.step(legal[int(pick() * len(legal))])
            decisions += 1
        return decisions

    return play


def rlcard_step() -> Callable[[], int]:
    """``env.step``: the game with its encoded observations."""
    import rlcard

    env = rlcard.make("uno", config={"seed": 1, "game_num_players": SEATS})
    rng = random.Random(1)

    def play() -> int:
        state, _ = env.reset()
        decisions = 0
        pick = rng.random
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(pick() * len(legal))])
            decisions += 1
        return decisions

    return play


def rlcard_run() -> Callable[[], int]:
    """``env.run``: whole games between its random agents."""
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("uno", config={"seed": 1, "game_num_players": SEATS})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(SEATS)])

    def play() -> int:
        before = env.timestep
        env.run(is_training=False)
        return int(env.timestep - before)

    return play


def block(play: Callable[[], int], seconds: float) -> float:
    """Decisions a CPU second of one block. The clock is read rarely: it can cost a millisecond."""
    gc.collect()
    begin = time.process_time()
    decisions = 0
    while (taken := time.process_time() - begin) < seconds:
        for _ in range(20):
            decisions += play()
    return decisions / taken


def main() -> dict[str, Any]:
    """Figures and ratios."""
    contenders: dict[str, Callable[[], int]] = {
        "penultima_classic": Penultima("classic", out_of_turn=False),
        "penultima_everything_on": Penultima(EVERYTHING, out_of_turn=True),
        "rlcard_game": rlcard_game(),
        "rlcard_env_step": rlcard_step(),
        "rlcard_env_run": rlcard_run(),
    }
    for play in contenders.values():
        block(play, 0.2)  # imports, caches, interned actions
    found: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(BLOCKS):
        for name, play in contenders.items():
            found[name].append(block(play, SECONDS / BLOCKS))

    def ratio(ours: str, theirs: str) -> float:
        pairs = zip(found[ours], found[theirs], strict=True)
        return round(statistics.median(one / other for one, other in pairs), 2)

    ratios = {
        "game": ratio("penultima_classic", "rlcard_game"),
        "env_step": ratio("penultima_classic", "rlcard_env_step"),
        "env_run": ratio("penultima_classic", "rlcard_env_run"),
        "everything_on": ratio("penultima_everything_on", "rlcard_game"),
    }
    return {
        "what": "decisions a CPU second, four seats, random legal play",
        "python": platform.python_version(),
        "everything_on": str(Rules.parse(EVERYTHING)),
        "decisions_per_second": {
            name: round(statistics.median(values)) for name, values in found.items()
        },
        "ratios": ratios,
        "goals": GOALS,
        "reached": {name: ratios[name] >= goal for name, goal in GOALS.items()},
    }


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))
