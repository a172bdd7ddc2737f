"""The table of docs/rules.md 14: each pair of house rules and the case that pins it.

A case in ``tests/cases/mixes`` is named after the rules it mixes, ``stacking+jump_in-too-late``.
``python -m tests.engine.pairs`` writes the table.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

from penultima.engine.errors import RulesError
from penultima.engine.reading import read
from penultima.engine.rules import PRESETS, Rules, switches

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "rules.md"
MIXES = ROOT / "tests" / "cases" / "mixes"
BEGIN, END = "<!-- pairs -->\n", "<!-- /pairs -->"

PLAYED = (
    "stacking",
    "challenge",
    "bluff_basis",
    "draw",
    "seven_swap",
    "zero_rotate",
    "jump_in",
    "twins",
    "runs",
    "finish",
    "misplay",
    "deck",
)
"""The rules that change how a round is played, in the order of the lobby."""


def mixed(path: Path) -> tuple[str, ...]:
    """The rules a case is named after."""
    return tuple(path.stem.split("-")[0].split("+"))


def cases() -> dict[frozenset[str], list[Path]]:
    found: dict[frozenset[str], list[Path]] = {}
    for path in sorted(MIXES.glob("*.partida"), key=lambda each: (len(each.stem), each.stem)):
        for pair in combinations(mixed(path), 2):
            found.setdefault(frozenset(pair), []).append(path)
    return found


def refused(first: str, second: str) -> bool:
    """Whether RULES 12 refuses the two together, whatever their values."""
    for one in choices(first):
        for two in choices(second):
            try:
                Rules.of("classic", **{first: one, second: two})
            except RulesError:
                continue
            return False
    return True


def choices(name: str) -> list[object]:
    switch = switches()[name]
    assert switch.values is not None
    return [value for value in switch.values if value != switch.default]


def changed(path: Path) -> set[str]:
    """The switches that are not at rest in a case."""
    rules = read(path.read_text(encoding="utf-8"), path.name).rules
    return {name for name, switch in switches().items() if rules[name] != switch.default}


def table() -> str:
    known = cases()
    lines = ["| | | what is pinned |", "|---|---|---|"]
    for first, second in combinations(PLAYED, 2):
        if refused(first, second):
            lines.append(f"| `{first}` | `{second}` | cannot be together (12) |")
            continue
        paths = known.get(frozenset({first, second}), [])
        told = [f"[{title(path)}](../tests/cases/mixes/{path.name})" for path in paths]
        lines.append(f"| `{first}` | `{second}` | {' · '.join(told) or '**no case**'} |")
    more = [pair for pair in known if not pair <= set(PLAYED)]
    for pair in sorted(more, key=sorted):
        first, second = sorted(pair, key=lambda name: (name not in PLAYED, name))
        told = [f"[{title(path)}](../tests/cases/mixes/{path.name})" for path in known[pair]]
        lines.append(f"| `{first}` | `{second}` | {' · '.join(told)} |")
    return "\n".join(lines) + "\n"


def title(path: Path) -> str:
    return read(path.read_text(encoding="utf-8"), path.name).title.replace("|", "/")


def page(text: str) -> str:
    """The page with its table brought up to date."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + table() + END + after


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"{len(PRESETS)} presets, {len(list(combinations(PLAYED, 2)))} pairs of house rules")
