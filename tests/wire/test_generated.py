"""What is written for the client is current, and says what the models and the protocol's page say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from penultima.engine.errors import REFUSALS
from penultima.engine.events import KINDS
from penultima.engine.rules import PRESETS, switches
from penultima.table.powers import DEEDS
from penultima.table.refusals import CODES
from penultima.wire import from_table, rules_ts, typescript
from penultima.wire.reading import GUEST, PAGE, SIGNALS, TABLE

PROTOCOL = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("path", "text", "module"),
    [
        (typescript.PATH, typescript.wire_ts(), "penultima.wire.typescript"),
        (rules_ts.PATH, rules_ts.rules_ts(), "penultima.wire.rules_ts"),
    ],
    ids=["wire.ts", "rules.gen.ts"],
)
def test_the_clients_file_is_current(path: Path, text: str, module: str) -> None:
    assert path.read_text(encoding="utf-8") == text, f"run: python -m {module}"


def test_writing_it_twice_gives_the_same() -> None:
    assert typescript.wire_ts() == typescript.wire_ts()
    assert rules_ts.rules_ts() == rules_ts.rules_ts()


def test_check_says_whether_a_file_is_current(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wire.ts"
    assert typescript.bring_up_to_date(path, "x", ["--check"]) == 1
    assert "wire.ts is not current" in capsys.readouterr().err
    assert typescript.bring_up_to_date(path, "x", []) == 0
    assert typescript.bring_up_to_date(path, "x", ["--check"]) == 0


def test_every_message_has_an_interface_and_a_place_in_a_union() -> None:
    text = typescript.wire_ts()
    for model in (*PAGE.values(), *TABLE.values(), *GUEST.values(), *SIGNALS.values()):
        assert f"export interface {model.__name__} {{" in text
        assert len(re.findall(rf"[|<] {model.__name__}\b|<{model.__name__}\b", text)) >= 1, model.__name__


def test_every_switch_with_choices_is_there_and_every_preset() -> None:
    text = rules_ts.rules_ts()
    for name, switch in switches().items():
        here = f'name: "{name}"' in text
        assert here is (switch.values is not None and not name.startswith("custom")), name
    for preset in PRESETS:
        assert f"  {preset}: {{" in text


def test_every_field_of_an_event_is_in_the_model() -> None:
    fields = {field for kind in KINDS for field in kind._fields}
    assert fields <= from_table.Happened.model_fields.keys()


def test_the_protocols_page_names_every_message_field_deed_and_code() -> None:
    for name in (*PAGE, *TABLE, *GUEST, *SIGNALS, *DEEDS, *CODES, *KINDS.values()):
        assert re.search(rf"\b{name}\b", PROTOCOL), name
    signals = (*GUEST.values(), *SIGNALS.values())
    for model in (*PAGE.values(), *TABLE.values(), *signals, from_table.View, from_table.SeatView):
        for field in model.model_fields:
            assert re.search(rf"\b{field}\b", PROTOCOL), f"{model.__name__}.{field}"


def test_every_refusal_has_a_sentence_and_no_code_two() -> None:
    assert not REFUSALS.keys() & CODES.keys()
    assert all(text.endswith(".") for text in (*REFUSALS.values(), *CODES.values()))
