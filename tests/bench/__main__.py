"""``make bench``: every bench of this folder, one after another; JSON on stdout.

Each has a ``main()`` that returns its figures. ``make bench ARGS="engine"`` runs only that one.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

BENCHES = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))


def run(names: list[str]) -> dict[str, object]:
    figures: dict[str, object] = {}
    for name in names:
        print(f"{name} ...", file=sys.stderr, flush=True)
        figures[name] = importlib.import_module(f"tests.bench.{name}").main()
    return figures


if __name__ == "__main__":
    wanted = sys.argv[1:] or BENCHES
    if strange := set(wanted) - set(BENCHES):
        sys.exit(f"no bench {', '.join(sorted(strange))}: there are {', '.join(BENCHES)}")
    print(json.dumps(run(wanted), indent=2))
