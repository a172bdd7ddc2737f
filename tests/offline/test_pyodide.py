"""The same engine in the browser's Python: the same cards, moves and points (Node is enough)."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
JOBS = Path(__file__).parent


def node() -> str:
    spec = importlib.util.spec_from_file_location("hatch_build_for_pyodide", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not (ROOT / "static" / "node_modules" / "pyodide").is_dir():
        pytest.fail("the client is not built: make client", pytrace=False)
    return str(module.node())


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_300_seeded_matches_are_the_same_in_pyodide_and_here() -> None:
    command = [node(), str(JOBS / "pyodide.mjs"), str(JOBS / "matches.py")]
    there = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    here = subprocess.run(
        [sys.executable, str(JOBS / "matches.py")], capture_output=True, text=True, check=True, timeout=200
    )
    out, err = there.communicate(timeout=200)
    assert there.returncode == 0, err
    assert json.loads(out)["said"] == here.stdout.strip()
