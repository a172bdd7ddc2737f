"""A rule is everywhere or nowhere: cases, docs, texts in each language (docs/house-rules.md 4)."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from penultima.engine.errors import REFUSALS
from penultima.engine.house import RULES
from penultima.engine.reading import read
from penultima.engine.rule import Rule, Switch, write
from penultima.engine.rules import PRESETS, Rules, switches
from tests.engine import pairs

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases"
RULES_PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
LANGUAGES = ("en", "es", "pt-BR")
CATALOGUES = sorted(
    path
    for path in (ROOT / "static" / "src" / "i18n").glob("*.ts")
    if re.search(r"^export const \w+(: Catalogue)? = {$", path.read_text("utf-8"), re.MULTILINE)
)


def texts(path: Path) -> dict[str, str]:
    """The keys of a catalogue with what stands behind them."""
    source = path.read_text(encoding="utf-8")
    return dict(re.findall(r'^\s*"([\w.+-]+)":\s*(.+?),?\s*$', source, re.MULTILINE))


def keys_of(switch: Switch) -> list[str]:
    """What the client shows of a switch (static/src/screens/rules.tsx)."""
    if switch.name == "agreed":
        return ["rules.agreed", "rules.agreed.hint"]
    if re.fullmatch(r"custom\d_text", switch.name):
        return ["rules.custom", "rules.custom.text"]
    values = switch.values
    assert values is not None
    named = [] if isinstance(values, range) else [v for v in values if not isinstance(v, bool)]
    if re.fullmatch(r"custom\d", switch.name):
        return ["rules.custom.effect", *(f"effect.{value}" for value in named)]
    key = f"rule.{switch.name}"
    return [key, f"{key}.text", *(f"{key}.{value}" for value in named)]


def all_cases() -> list[Path]:
    return sorted(CASES.rglob("*.partida"))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_has_cases_of_its_own(rule: Rule) -> None:
    assert list((CASES / rule.name).glob("*.partida")), f"tests/cases/{rule.name}/ lacks a case"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_has_a_row_and_a_sentence_in_the_rules(rule: Rule) -> None:
    assert re.search(rf"^\| `{rule.name}` \|", RULES_PAGE, re.MULTILINE)
    before_presets = RULES_PAGE.partition("## 8 ")[0] + RULES_PAGE.partition("## 9 ")[2]
    for switch in rule.switches:
        written = re.findall(rf"`{switch.name}(?:=\w+)?`", before_presets)
        assert len(written) > 1, f"{switch.name} is only named, not told"


def test_every_value_of_every_switch_is_in_some_case() -> None:
    seen: dict[str, set[object]] = {name: set() for name in switches()}
    for path in all_cases():
        rules = read(path.read_text(encoding="utf-8"), path.name).rules
        for name, value in rules.items():
            seen[name].add(value)
    customs = seen["custom1"] | seen["custom2"] | seen["custom3"]
    for name, switch in switches().items():
        if switch.values is None:
            continue
        have = customs if re.fullmatch(r"custom\d", name) else seen[name]
        if isinstance(switch.values, range):
            assert have - {switch.default}, f"no case changes {name}"
        else:
            lacking = [write(value) for value in switch.values if value not in have]
            assert not lacking, f"no case has {name}={lacking}"


def test_every_value_that_is_no_switch_is_told_in_the_rules() -> None:
    """``stacking=cross`` stands somewhere as it is written."""
    for name, switch in switches().items():
        if switch.values is None or isinstance(switch.values, range):
            continue
        for value in switch.values:
            # The deck's values, and what is at rest or on, need no words of their own.
            if value == switch.default or isinstance(value, bool):
                continue
            text = f"`{name}={write(value)}`"
            if re.fullmatch(r"custom\d", name):
                text = f"`{value}`"
            assert text in RULES_PAGE, text


def test_all_three_languages_are_there() -> None:
    assert {path.stem for path in CATALOGUES} >= set(LANGUAGES)


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_every_rule_has_its_help_in_each_language(path: Path) -> None:
    known = texts(path)
    assert len(known) > 200
    lacking = [
        key
        for rule in RULES
        for switch in rule.switches
        for key in keys_of(switch)
        if not known.get(key, "").strip('"` ')
    ]
    assert not lacking, f"{path.name} lacks {lacking}"


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_every_refusal_and_preset_has_its_words_in_each_language(path: Path) -> None:
    known = texts(path)
    lacking = [key for code in REFUSALS if (key := f"why.{code}") not in known]
    lacking += [key for preset in PRESETS if (key := f"preset.{preset}") not in known]
    assert not lacking, f"{path.name} lacks {lacking}"


def test_the_table_of_pairs_is_current() -> None:
    assert pairs.page(RULES_PAGE) == RULES_PAGE, "run: python -m tests.engine.pairs"


@pytest.mark.parametrize("pair", list(combinations(pairs.PLAYED, 2)), ids="+".join)
def test_every_pair_of_house_rules_has_a_case(pair: tuple[str, str]) -> None:
    assert pairs.refused(*pair) or pairs.cases().get(frozenset(pair)), f"no case mixes {pair}"


def test_a_mixed_case_switches_on_what_it_is_named_after() -> None:
    """The challenge is on at rest, so that a case about it need not change it."""
    for path in sorted(pairs.MIXES.glob("*.partida")):
        named = {each for each in pairs.mixed(path) if each in switches()} - {"challenge"}
        assert named <= pairs.changed(path), path.name


def test_every_case_cites_a_paragraph_of_the_rules() -> None:
    told = set(re.findall(r"^(\d+\.\d+) |^## (\d+) ", RULES_PAGE, re.MULTILINE))
    paragraphs = {number for each in told for number in each if number}
    for path in all_cases():
        if path.parent.name == "shared":
            continue  # as others sent them
        first = path.read_text(encoding="utf-8").splitlines()[0]
        cited = re.findall(r"\d+(?:\.\d+)?", first.partition("RULES")[2])
        assert first.startswith("# RULES "), path.name
        assert cited, path.name
        assert set(cited) <= paragraphs, (path.name, cited)


def test_the_examples_of_the_rules_are_rules() -> None:
    for words in re.findall(r"`((?:classic|party)(?: \w+=\w+)+)`", RULES_PAGE):
        Rules.parse(words)
