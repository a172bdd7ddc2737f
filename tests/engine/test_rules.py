"""The switches: notation, presets, refused mixes (RULES 8, 12)."""

from __future__ import annotations

import pickle
import random

import pytest

from penultima.engine.errors import RulesError
from penultima.engine.house import RULES
from penultima.engine.rules import PRESETS, Rules, switches
from tests.engine.random_play import random_rules


def field_of(text: str) -> str:
    with pytest.raises(RulesError) as error:
        Rules.parse(text)
    assert error.value.reason
    assert str(error.value) == f"{error.value.field}: {error.value.reason}"
    return error.value.field


# RULES 8, as it stands there.
TABLE = """
                          classic  official_2022  party  icebreaker  berserker
first_card                effect   number         effect effect      effect
hand_size                 7        7              7      7           10
stacking                  off      off            cross  same        same
challenge                 on       on             on     off         on
seven_swap                off      off            on     on          off
zero_rotate               off      off            on     on          off
jump_in                   off      off            on     on          on
twins                     off      off            on     off         off
runs                      off      off            off    rank        rank
winner_rule               off      off            off    on          off
deck                      108      108            108    108         108
draw                      one      one            one    one         one
finish                    any      any            any    any         any
scoring                   points   points         points points      points
target                    500      500            500    500         500
teams                     off      off            off    off         off
bluff_basis               colour   colour         colour colour      colour
misplay                   reject   reject         reject reject      reject
uno_penalty               2        2              2      2           2
"""


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_what_the_table_says(preset: str) -> None:
    """RULES 8"""
    head, *rows = TABLE.strip().splitlines()
    assert head.split() == list(PRESETS)
    column = head.split().index(preset) + 1
    written = {row.split()[0]: row.split()[column] for row in rows}
    rules = Rules.of(preset)
    texts = {"agreed": (), "custom1_text": "", "custom2_text": "", "custom3_text": ""}
    for name, switch in switches().items():
        if name in written:
            assert switch.read(written.pop(name)) == rules[name]
        else:
            assert rules[name] == texts.get(name, "none")
    assert not written
    assert Rules.parse(preset) == rules
    assert str(rules) == rules.name == preset


def test_rules_print_as_the_nearest_preset_and_what_differs() -> None:
    assert str(Rules.parse("classic stacking=same")) == "classic stacking=same"
    assert str(Rules.parse("classic first_card=number")) == "official_2022"
    assert str(Rules.parse("party stacking=off seven_swap=off zero_rotate=off jump_in=off twins=off"
                           )) == "classic"  # fmt: skip
    assert str(Rules.parse("")) == str(Rules.parse("stacking=off")) == "classic"


def test_what_rules_print_reads_back() -> None:
    rng = random.Random(8)
    for _ in range(500):
        rules = random_rules(rng, rng.randint(2, 10))
        assert Rules.parse(str(rules)) == rules
        assert Rules(dict(rules)) == rules
        assert hash(Rules.parse(str(rules))) == hash(rules)
        assert str(Rules.parse(str(rules))) == str(rules)
        assert pickle.loads(pickle.dumps(dict(rules))) == dict(rules)


def test_written_rules_survive_notation_with_quotes_and_signs() -> None:
    """RULES 7.11"""
    written = ("quien gane sirve", "it's \"so\" = $x #1", "¡ojo! \\ 'ñ'", "a  b")
    rules = Rules.of(agreed=written)
    assert rules["agreed"] == written
    assert Rules.parse(str(rules))["agreed"] == written
    assert rules.name == "classic"


def test_a_field_nobody_knows_is_named() -> None:
    """RULES 12"""
    assert field_of("classic jumpin=on") == "jumpin"
    with pytest.raises(RulesError) as error:
        Rules({"jumpin": True})
    assert error.value.field == "jumpin"


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("classic hand_size=0", "hand_size"),
        ("classic hand_size=16", "hand_size"),
        ("classic hand_size=-1", "hand_size"),
        ("classic hand_size=7.0", "hand_size"),
        ("classic hand_size=seven", "hand_size"),
        ("classic hand_size=", "hand_size"),
        ("classic hand_size=٧", "hand_size"),
        ("classic target=49", "target"),
        ("classic target=2001", "target"),
        ("classic misplay=draw_two jump_in=on", "misplay"),
        ("party misplay=draw_two", "misplay"),
        ("classic stacking=on", "stacking"),
        ("classic challenge=yes", "challenge"),
        ("classic challenge=True", "challenge"),
        ("classic deck=110", "deck"),
        ("classic uno_penalty=3", "uno_penalty"),
        ("classic custom1=explode", "custom1"),
        ("classic stacking=same stacking=cross", "stacking"),
        ("classic stacking", "stacking"),
        ("nothing", "rules"),
        ("Classic", "rules"),
        ("classic agreed='open", "rules"),
        ("classic agreed=1|2|3|4|5|6", "agreed"),
        (f"classic agreed={'x' * 141}", "agreed"),
        (f"classic custom2_text={'x' * 61}", "custom2_text"),
        ("classic agreed='a\x07b'", "agreed"),
    ],
)
def test_each_refusal_names_the_field(text: str, field: str) -> None:
    """RULES 12"""
    assert field_of(text) == field


@pytest.mark.parametrize(
    "text",
    ["classic hand_size=1", "classic hand_size=15", "classic target=50", "classic target=2000",
     f"classic agreed={'x' * 140}", "classic agreed=1|2|3|4|5", "classic misplay=draw_two twins=on"],
)  # fmt: skip
def test_what_lies_on_the_border_is_allowed(text: str) -> None:
    """RULES 12"""
    Rules.parse(text)


@pytest.mark.parametrize(
    ("field", "value"),
    [("hand_size", True), ("hand_size", 7.0), ("hand_size", "7"), ("hand_size", None),
     ("jump_in", 1), ("jump_in", "on"), ("deck", "108"), ("deck", 108.0), ("stacking", None),
     ("stacking", ["same"]), ("stacking", {}), ("agreed", "a"), ("agreed", [1]), ("agreed", {}),
     ("agreed", ["a|b"]), ("agreed", ["a\nb"]), ("custom1_text", ["a"]), ("custom1_text", 5),
     ("target", 10**30)],
)  # fmt: skip
def test_values_from_the_wire_must_be_of_the_right_kind(field: str, value: object) -> None:
    """Issue 3, bad input: refused with the field."""
    with pytest.raises(RulesError) as error:
        Rules({field: value})
    assert error.value.field == field
    assert len(str(error.value)) < 300


@pytest.mark.parametrize("players", range(2, 11))
def test_pairs_are_for_four(players: int) -> None:
    """RULES 12"""
    rules = Rules.of(teams="pairs")
    if players == 4:
        rules.check(players)
        return
    with pytest.raises(RulesError) as error:
        rules.check(players)
    assert error.value.field == "teams"


def test_rules_cannot_be_changed_and_are_equal_by_value() -> None:
    rules = Rules.of("party")
    with pytest.raises(TypeError):
        rules["stacking"] = "off"  # type: ignore[index]
    assert rules.but(stacking="off") != rules
    assert rules.but(stacking="cross") == rules
    assert rules["stacking"] == "cross"
    assert {rules: 1}[Rules.parse("party")] == 1
    assert len(rules) == len(switches()) == len(list(rules))


def test_every_switch_belongs_to_one_rule_and_rests_by_default() -> None:
    names = [switch.name for rule in RULES for switch in rule.switches]
    assert len(names) == len(set(names))
    assert len({rule.name for rule in RULES}) == len(RULES)
    for switch in switches().values():
        assert switch.check(switch.default) == switch.default
        assert PRESETS["classic"] == {}
    for preset, values in PRESETS.items():
        for name, value in values.items():
            assert value != switches()[name].default, (preset, name)
