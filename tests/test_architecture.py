"""Imports point one way: host -> table, wire, bots -> engine (docs/design.md)."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "penultima"

# Package -> the packages of ours that it may import. The file above them all is "": it keeps
# `import penultima` free of I/O, also in the browser.
MAY_IMPORT = {
    "": set(),
    "__main__": {"host"},
    "engine": set(),
    "bots": {"engine"},
    "table": {"engine"},
    "offline": {"engine", "bots", "table"},
    "wire": {"engine"},
    "host": {"engine", "bots", "table", "wire"},
}

# Package -> what it may import beyond the standard library; the host may import anything.
LIBRARIES = {"engine": set(), "bots": set(), "table": set(), "offline": set(), "wire": {"pydantic"}}

# These run in the browser's worker too, and in a simulation that owns the clock.
PURE = {"engine", "bots", "table", "offline"}
IMPURE = {
    "asyncio", "concurrent", "http", "multiprocessing", "select", "selectors", "signal", "socket",
    "sqlite3", "ssl", "subprocess", "threading", "urllib",
}  # fmt: skip
CLOCKS = {"time", "datetime"}
WITHOUT_CLOCK = {"engine", "table", "offline"}  # a bot may look at a clock to end its thinking


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).parts
        yield (parts[0] if len(parts) > 1 else path.stem.replace("__init__", "")), path


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every module that a file names, with the line: in functions and for typing as well."""
    here = ["penultima", *path.relative_to(SOURCE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            if module == "penultima":  # from penultima import engine
                for alias in node.names:
                    yield node.lineno, f"penultima.{alias.name}"
            else:
                yield node.lineno, module


MODULES = [
    pytest.param(package, path, id=path.relative_to(SOURCE).as_posix())
    for package, path in modules()
]


@pytest.mark.parametrize(("package", "path"), MODULES)
def test_a_module_imports_only_what_its_package_may(package: str, path: Path) -> None:
    assert package in MAY_IMPORT, f"{package} has no place in the order of imports"
    wrong = []
    for line, name in imports(path):
        top, _, rest = name.partition(".")
        if top == "penultima":
            target = rest.partition(".")[0].replace("__version__", "")
            allowed = target in {"", package} or target in MAY_IMPORT[package]
        elif top in sys.stdlib_module_names:
            allowed = not (package in PURE and top in IMPURE) and not (
                package in WITHOUT_CLOCK and top in CLOCKS
            )
        else:
            allowed = package == "host" or top in LIBRARIES.get(package, set())
        if not allowed:
            wrong.append(f"{path.relative_to(SOURCE.parent)}:{line} imports {name}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("package", "path"), [m for m in MODULES if m.values[0] in PURE])
def test_nothing_pure_awaits(package: str, path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    waits = (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)
    found = [node.lineno for node in ast.walk(tree) if isinstance(node, waits)]
    assert not found, f"{package} is sans-I/O, but {path.name} awaits on lines {found}"


def test_the_offline_part_loads_without_the_rest() -> None:
    """What the browser's worker loads must not pull in a library or an event loop by the back door."""
    present = [p for p in sorted(PURE) if (SOURCE / p / "__init__.py").exists()]
    code = "import sys\n" + "".join(f"import penultima.{p}\n" for p in present)
    code += "print(*sorted({m.partition('.')[0] for m in sys.modules}))\n"
    code += "print(*sorted(m for m in sys.modules if m.startswith('penultima.')))\n"
    run = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    tops, ours = (set(line.split()) for line in run.stdout.splitlines())
    assert not tops & {"asyncio", "pydantic", "aiohttp", "aiortc", "rich", "sqlite3", "ssl"}
    assert not {m.split(".")[1] for m in ours} - PURE
