"""Boot and play: runs while the client is built, inside Pyodide, and in the tests on CPython.

What the standard library lacks would else show only in a browser. `rehearse` plays whole games
through the very door that the worker uses, continues one from its journal, and lets an error be
printed; it returns what it played as text, the same on every Python.
"""

import json
import random
import sys
import traceback

from penultima.offline import Practice, Trouble

RULES = [
    "classic target=200",
    "party jump_in=on target=200",
]


class Person:
    """Plays anything that the view offers, and keeps the records as the worker would."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.n = 0
        self.seq = -1
        self.view: dict = {}
        self.views = 0
        self.journal: list[str] = []
        self.due: float | None = None

    def hear(self, said: str) -> None:
        told = json.loads(said)
        self.journal += told["journal"]
        self.due = told.get("due")
        for text in told["out"]:
            message = json.loads(text)
            if message["t"] == "welcome":
                self.n = message["n"]
            elif message["t"] == "view":
                self.seq, self.view = message["seq"], message["v"]
                self.views += 1
            elif message["t"] == "refused":
                raise AssertionError(message)

    def says(self) -> str | None:
        """What to send now, if there is anything to do."""
        view = self.view
        if view["phase"] == "between":
            asked = {"t": "host", "do": "next"}
        else:
            forms = view.get("legal", [])
            mine = view.get("turn") == view["you"]
            if not forms or not (mine or "uno" in forms):
                return None
            form = "uno" if "uno" in forms else self.rng.choice(forms)
            asked = {"t": "act", "seq": self.seq, "a": self.filled(form)}
        self.n += 1
        return json.dumps(asked | {"n": self.n})

    def filled(self, form: str) -> str:
        targets = self.view.get("targets") or [0]
        form = form.replace("=", "=" + self.rng.choice("rygb"))
        if form.endswith(">"):
            form += str(self.rng.choice(targets))
        if form == "colour":
            form += " " + self.rng.choice("rygb")
        return form


def play(
    rules: str, levels: list[str], seed: int, *, calls: int = 20_000, whole: bool = True
) -> tuple[Practice, Person]:
    """One game to its end, as fast as it goes: time is what the table asks for."""
    wish = {"name": "Ana", "bots": levels, "rules": rules, "fast": True}
    now = 0.0
    game = Practice.begin(json.dumps(wish), seed.to_bytes(32, "big").hex(), now)
    person = Person(random.Random(seed))
    person.hear(game.connect(now))
    person.hear(game.receive(hello(game.key), now))
    for _ in range(calls):
        if person.view["phase"] == "over":
            return game, person
        said = person.says()
        if said is not None:
            person.hear(game.receive(said, now))
        else:
            while game.think():
                pass
            assert person.due is not None, "nothing is due and nobody may act"
            now = max(now, person.due)
            person.hear(game.tick(now))
    assert not whole, f"no end after {calls} calls"
    return game, person


def hello(key: str) -> str:
    return json.dumps({"t": "hello", "v": 1, "secret": "alone", "host": "alone", "key": key, "lang": "es"})


def rehearse() -> str:
    out = []
    for number, rules in enumerate(RULES):
        game, person = play(rules, ["easy", "normal", "normal"][: 3 - number], 20 + number)
        assert not game.faults, game.faults
        out.append(f"{person.views} views, {person.view['seats']}")
        again = Practice.resume(person.journal, game.key, 0.0)
        person.hear(again.connect(0.0))
        person.hear(again.receive(hello(game.key), 0.0))
        assert person.view["phase"] == "over"
    # Bounded by a clock, so no two games of it are the same: a few moves will do.
    game, _ = play("classic", ["hard"], 7, calls=30, whole=False)
    assert not game.faults, game.faults
    try:
        Practice.begin('{"name": "Ana", "bots": ["easy"], "rules": "nonsense", "fast": true}', "00" * 32, 0)
    except Trouble as trouble:
        out.append(str(trouble))
    try:
        Practice.begin("{}", "", 0)
    except KeyError:
        traceback.format_exc()
    out.append(f"{sys.version_info.major}")
    return "\n".join(out)
