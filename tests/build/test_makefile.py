"""What make says on a machine that lacks something."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
MAKE = shutil.which("make")

pytestmark = pytest.mark.skipif(MAKE is None, reason="there is no make on this machine")


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A clone and a PATH with next to nothing on it."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "bin").mkdir()
    for name in ("sh", "rm", "touch", "awk"):
        found = shutil.which(name)
        assert found is not None
        (tmp_path / "bin" / name).symlink_to(found)
    return tmp_path


def make(machine: Path, *goals: str) -> subprocess.CompletedProcess[str]:
    assert MAKE is not None
    return subprocess.run(
        [MAKE, *goals],
        cwd=machine,
        env={"PATH": str(machine / "bin"), "HOME": str(machine)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def ours(run: subprocess.CompletedProcess[str]) -> list[str]:
    return [line for line in run.stderr.splitlines() if not line.startswith("make")]


def test_without_a_goal_it_says_what_there_is(machine: Path) -> None:
    run = make(machine)
    assert run.returncode == 0
    for goal in ("play", "test", "test-fast", "check", "bench", "dev", "clean"):
        assert f"make {goal} " in run.stdout


def test_without_python_it_says_so_in_one_line(machine: Path) -> None:
    run = make(machine, "play")
    assert run.returncode == 2
    (line,) = ours(run)
    assert line.startswith("penultima: needs Python 3.11 or newer")


def test_an_old_python_is_passed_over(machine: Path) -> None:
    old = machine / "bin" / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")  # what `sys.exit(sys.version_info < (3, 11))` gives
    old.chmod(0o755)
    (line,) = ours(make(machine, "test"))
    assert line.startswith("penultima: needs Python 3.11 or newer")


def test_a_python_without_venv_is_said_in_one_line(machine: Path) -> None:
    python = machine / "bin" / "python3"
    python.write_text('#!/bin/sh\ncase "$2" in venv) exit 1;; esac\n')
    python.chmod(0o755)
    run = make(machine, "play")
    assert run.returncode == 2
    (line,) = ours(run)
    assert "python3-venv" in line
    assert not (machine / ".venv").exists()


@pytest.fixture
def set_up(machine: Path) -> Path:
    """A machine with an environment in which pytest finds no test."""
    folder = machine / ".venv" / "bin"
    folder.mkdir(parents=True)
    for name in ("pip", "python"):
        (folder / name).write_text(f'#!/bin/sh\ncase "$*" in *pytest*) echo "$@" >> {machine}/asked; exit 5;; esac\n')
        (folder / name).chmod(0o755)
    for name in (".play", ".dev"):
        (machine / ".venv" / name).touch()
    return machine


def test_a_part_may_be_without_what_was_asked_for_but_not_without_any_test(set_up: Path) -> None:
    assert make(set_up, "test", "ARGS=-k 'a name'").returncode == 0
    asked = (set_up / "asked").read_text().splitlines()
    assert len(asked) == 3
    assert all(line.endswith("-k a name") for line in asked)
    assert make(set_up, "test").returncode == 2
