"""Every ``.partida`` under ``tests/cases`` is a test; and none of the rules goes without."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from penultima.engine import house
from penultima.engine.replay import check, load
from penultima.engine.rules import PRESETS, switches

CASES = Path(__file__).parent.parent / "cases"
FILES = sorted(CASES.rglob("*.partida"))

# The rules about which people argue in pairs: each pair has a file mixes/one+other*.partida.
PAIRED = (
    *("stacking", "draw", "seven_swap", "zero_rotate", "jump_in", "twins", "runs"),
    *("finish", "challenge", "bluff_basis", "misplay", "deck"),
)
CUSTOM = ("custom1", "custom2", "custom3")
REFUSED_MIXES = {("jump_in", "misplay")}  # RULES 12


partida = cache(load)


def name(path: Path) -> str:
    return path.relative_to(CASES).with_suffix("").as_posix()


@pytest.mark.parametrize("path", FILES, ids=name)
def test_case(path: Path) -> None:
    failures = check(partida(path))
    assert not failures, "\n".join(
        f"{path}:{line}: expected {expected}, got {got}" for line, expected, got in failures
    )


@pytest.mark.parametrize("rule", house.RULES, ids=lambda rule: rule.name)
def test_every_rule_has_its_cases(rule: house.Rule) -> None:
    assert list((CASES / rule.name).glob("*.partida")), f"no case in tests/cases/{rule.name}/"


@pytest.mark.parametrize("switch", list(switches().values()), ids=lambda switch: switch.name)
def test_every_value_of_a_switch_has_a_case(switch: house.rule.Switch) -> None:
    # The three Custom cards are alike: a value of one will do.
    names = CUSTOM if switch.name in CUSTOM else (switch.name,)
    seen = {partida(path).rules[each] for path in FILES for each in names}
    if isinstance(switch.values, tuple):
        assert set(switch.values) <= seen
    else:
        assert seen - {switch.default}


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_a_case(preset: str) -> None:
    assert any(partida(path).rules.nearest == (preset, {}) for path in FILES)


@pytest.mark.parametrize("pair", list(combinations(PAIRED, 2)), ids="+".join)
def test_every_pair_of_rules_has_a_case(pair: tuple[str, str]) -> None:
    files = list((CASES / "mixes").glob("*.partida"))
    found = [path for path in files if set(pair) <= set(path.stem.split("-")[0].split("+"))]
    assert bool(found) != (pair in REFUSED_MIXES)


def test_every_case_of_a_pair_switches_both_on() -> None:
    for path in (CASES / "mixes").glob("*.partida"):
        rules = partida(path).rules
        for word in path.stem.split("-")[0].split("+"):
            if word in switches() and word not in {"challenge", "deck"}:
                assert rules[word] != switches()[word].default, f"{path.name}: {word} is off"


def test_every_case_names_its_paragraph() -> None:
    for path in FILES:
        if path.parent.name != "shared":
            assert path.read_text(encoding="utf-8").startswith("# RULES "), path
        assert partida(path).title, path
