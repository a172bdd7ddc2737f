"""docs/house-rules.md is true: its example, put into the registry as it stands there, is a rule."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from penultima.engine import house, reading
from penultima.engine.cards import card
from penultima.engine.errors import RulesError
from penultima.engine.events import Skipped
from penultima.engine.replay import Replay
from penultima.engine.round import Round
from penultima.engine.rule import Rule
from penultima.engine.rules import Rules, switches
from penultima.engine.shuffle import Shuffles
from penultima.engine.waiting import Free
from tests.engine import random_play
from tests.engine.helpers import SEED, do, may, of_kind, refusal, round_at

PAGE = (Path(__file__).parents[2] / "docs" / "house-rules.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def threes(monkeypatch: pytest.MonkeyPatch) -> Rule:
    """Step 2 and 3 of the page."""
    (source,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {"__name__": "penultima.engine.house.threes"}
    exec(compile(source, "docs/house-rules.md", "exec"), names)
    rule = names["Threes"]()  # type: ignore[operator]
    monkeypatch.setattr(house, "RULES", (*house.RULES, rule))
    return rule


def test_rules_read_and_write_the_new_switch() -> None:
    rules = Rules.parse("party threes=strict")
    assert str(rules) == "party threes=strict"
    assert Rules.parse("party")["threes"] == "off"
    assert switches()["threes"].values == ("off", "skip", "strict")
    with pytest.raises(RulesError) as error:
        Rules.parse("party threes=maybe")
    assert error.value.field == "threes"


def test_off_it_is_not_there_at_all() -> None:
    scheme = Rules.parse("classic").scheme
    assert "3" not in scheme.effects
    assert scheme.forbids == ()
    now = round_at("r3 r4 | y1 y2 | g1 g2", discard="r5")
    do(now, "0 r3")
    assert now.turn == 1


def test_a_played_three_passes_over_the_next_player() -> None:
    now = round_at("r3 r4 | y1 y2 | g1 g2", discard="r5", rules="classic threes=skip")
    assert of_kind(do(now, "0 r3"), Skipped) == [Skipped(1)]
    assert now.turn == 2


def test_turned_up_first_it_does_nothing() -> None:
    def shuffle(pile: list[object]) -> None:
        at, below = pile.index(card("r3")), len(pile) - 1 - 21
        pile[at], pile[below] = pile[below], pile[at]

    now = Round.deal(Rules.parse("classic threes=skip"), range(3), 0, shuffle)  # type: ignore[arg-type]
    assert now.top is card("r3")
    assert now.waiting == Free(1)


def test_strict_it_is_no_last_card() -> None:
    now = round_at("r3 | y1 y2", discard="r5", rules="classic threes=strict")
    assert may(now, 0) == {"draw"}
    assert refusal(now, "0 r3") == "not_last_card"
    assert "r3" in may(round_at("r3 | y1 y2", discard="r5", rules="classic threes=skip"), 0)


def test_it_mixes_with_jump_ins_and_runs_that_know_nothing_of_it() -> None:
    jump = round_at(
        "r3 r4 | y1 y2 | r3 g2 g4 | b1 b2", discard="r5", rules="classic threes=skip jump_in=on"
    )
    do(jump, "0 r3", "2 r3")
    assert jump.turn == 0
    run = round_at(
        "r3 b3 r4 | y1 y2 | g1 g2 | b1 b2", discard="r5", rules="classic threes=skip runs=rank"
    )
    do(run, "0 r3", "0 b3")
    assert run.turn == 3


def test_a_case_can_be_written_for_it() -> None:
    partida = reading.read(
        "title: a three passes over Beto\n"
        "rules: classic threes=skip\n"
        "players: Ana Beto Carla\n"
        "hands: Ana r3 r4 | Beto y1 y2 | Carla g1 g2\n"
        "discard: r5\n"
        "turn: Ana\n"
        "\n"
        "Ana r3\n"
        "= turn Carla\n"
    )
    replay = Replay(partida)
    assert [replay.step(line) for line in partida.lines] == [None, None]


def test_random_players_play_it_to_the_end() -> None:
    """And the sweep would find it: random rules choose from the registry."""
    rng = random.Random(33)
    assert any(random_play.random_rules(rng, 3)["threes"] != "off" for _ in range(50))
    for number in range(50):
        rules = Rules.parse(f"party threes=strict deck=112 hand_size={3 + number % 5}")
        now = Round.deal(rules, range(2 + number % 4), 0, Shuffles(SEED, number))
        while not now.over:
            now.play(*random_play.choose(rng, now))
        if now.waiting.why == "won":  # type: ignore[union-attr]
            assert now.top.rank != "3"


def test_the_page_names_every_hook_there_is() -> None:
    hooks = {name for name in vars(Rule) if not name.startswith("_")} - {"name", "switches", "on"}
    told = set(re.findall(r"^\| `(\w+)\(", PAGE, re.MULTILINE))
    assert told == hooks
