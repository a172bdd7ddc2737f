"""300 seeded matches, played by chance, as one checksum. Runs on CPython and inside Pyodide."""

import hashlib
import random

from penultima.engine.actions import Play
from penultima.engine.match import Match
from penultima.engine.rules import PRESETS, Rules


def run(matches: int = 300) -> str:
    total = hashlib.sha256()
    for number in range(matches):
        rng = random.Random(number)
        rules = Rules.parse(f"{list(PRESETS)[number % len(PRESETS)]} target=50")
        names = [f"P{seat}" for seat in range(2 + number % 9)]
        match = Match(rules, names, seed=number.to_bytes(32, "big"))
        match.start()
        turns = 0
        while not match.winners and turns < 2000:
            turns += 1
            if match.between:
                match.next_round()
                continue
            seats = [seat for seat in range(len(names)) if match.legal(seat)]
            seat = match.round.turn if rng.random() < 0.9 else rng.choice(seats)
            legal = match.legal(seat)
            # Draws, calls and catches of choice now and then; else a round would last for ever.
            if rng.random() < 0.9:
                legal = [each for each in legal if isinstance(each, Play)] or legal
            match.play(seat, legal[int(rng.random() * len(legal))])
            if turns % 25 == 0:
                total.update(match.digest().encode())
        total.update(f"{number} {turns} {match.digest()} {match.scores}\n".encode())
    return total.hexdigest()


if __name__ == "__main__":
    print(run())
