"""Writes ``static/src/rules.gen.ts`` from the engine: ``python -m penultima.wire.rules_ts``.

With ``--check`` it writes nothing and says whether the file is current. Written texts (agreed
rules) and the Custom cards are not among the switches: they have messages of their own.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

from penultima.engine.rule import Switch, Value
from penultima.engine.rules import PRESETS, switches
from penultima.wire.typescript import bring_up_to_date

PATH: Final = Path(__file__).parents[3] / "static" / "src" / "rules.gen.ts"

HEAD: Final = """\
// The switches of the rules, as the engine's registry has them. Written by
// `python -m penultima.wire.rules_ts`: change the engine, then run it again.

export interface Switch {
  name: string;
  values: (string | number | boolean)[] | { min: number; max: number };
  default: string | number | boolean;
  group: string;
}
"""


def rules_ts() -> str:
    """The whole file."""
    rows = [_row(each) for each in switches().values() if _is_chosen(each)]
    presets = [_preset(name, values) for name, values in PRESETS.items()]
    return "\n".join(
        [
            HEAD,
            "export const SWITCHES: Switch[] = [",
            *rows,
            "];",
            "",
            "export const PRESETS: Record<string, Record<string, string | number | boolean>> = {",
            *presets,
            "};",
            "",
        ]
    )


def _is_chosen(switch: Switch) -> bool:
    return switch.values is not None and not switch.name.startswith("custom")


def _row(switch: Switch) -> str:
    values = switch.values
    if isinstance(values, range):
        choices = f"{{ min: {values.start}, max: {values.stop - 1} }}"
    else:
        choices = json.dumps(values)
    fields = {
        "name": json.dumps(switch.name),
        "values": choices,
        "default": json.dumps(switch.default),
        "group": json.dumps(switch.group),
    }
    return "  { " + ", ".join(f"{name}: {text}" for name, text in fields.items()) + " },"


def _preset(name: str, values: dict[str, Value]) -> str:
    fields = [f"{field}: {json.dumps(value)}" for field, value in values.items()]
    line = f"  {name}: {{ {', '.join(fields)} }},"
    if not fields:
        return f"  {name}: {{}},"
    if len(line) > 100:
        line = "\n".join([f"  {name}: {{", *(f"    {field}," for field in fields), "  },"])
    return line


if __name__ == "__main__":
    sys.exit(bring_up_to_date(PATH, rules_ts(), sys.argv[1:]))
