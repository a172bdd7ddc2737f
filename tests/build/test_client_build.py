"""hatch_build.py: builds when something changed, and fails in one line that says what to do."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
SCRIPT = ROOT / "hatch_build.py"


@pytest.fixture(scope="module")
def hatch_build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build_under_test", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A working copy with the sources of the client and nothing built or installed."""
    shutil.copy(SCRIPT, tmp_path)
    shutil.copytree(
        ROOT / "static",
        tmp_path / "static",
        ignore=shutil.ignore_patterns("node_modules", ".built", ".build.lock"),
    )
    # Of the package, what the client has in it.
    package = tmp_path / "src" / "penultima"
    package.mkdir(parents=True)
    shutil.copy(ROOT / "src" / "penultima" / "__init__.py", package)
    for name in ("engine", "bots", "table", "offline"):
        shutil.copytree(
            ROOT / "src" / "penultima" / name,
            package / name,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    return tmp_path


def build(copy: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PENULTIMA_", "npm_config_"))}
    return subprocess.run(
        [sys.executable, "hatch_build.py", *arguments],
        cwd=copy,
        env=clean | {"TMPDIR": str(copy)} | env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )


def one_line(run: subprocess.CompletedProcess[str]) -> str:
    assert run.returncode == 1
    assert run.stderr.startswith("penultima: ")
    assert run.stderr.count("\n") == 1
    return run.stderr


def pretend_built(client: Any) -> None:
    client.built.mkdir(parents=True)
    (client.built / "index.html").write_text("<!doctype html>")
    client.stamp.write_text(client.digest())


def test_what_is_current_is_not_built_again(copy: Path, hatch_build: ModuleType) -> None:
    client = hatch_build.Client(copy)
    assert not client.is_current()
    pretend_built(client)
    assert client.is_current()
    run = build(copy)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert not client.modules.exists()


@pytest.mark.parametrize("name", ["index.html", "package-lock.json", "vite.config.ts", "src/new.tsx"])
def test_a_changed_source_makes_it_stale(copy: Path, hatch_build: ModuleType, name: str) -> None:
    client = hatch_build.Client(copy)
    pretend_built(client)
    with (client.static / name).open("a") as source:
        source.write("\n")
    assert not client.is_current()


def test_a_changed_test_of_the_client_does_not(copy: Path, hatch_build: ModuleType) -> None:
    client = hatch_build.Client(copy)
    pretend_built(client)
    (client.static / "src" / "cards.test.ts").write_text("// new")
    assert client.is_current()


def test_a_missing_result_makes_it_stale(copy: Path, hatch_build: ModuleType) -> None:
    client = hatch_build.Client(copy)
    pretend_built(client)
    shutil.rmtree(client.built)
    assert not client.is_current()


@pytest.fixture
def hook(copy: Path, hatch_build: ModuleType) -> Any:
    def make(target: str = "wheel") -> Any:
        return hatch_build.ClientHook(str(copy), {}, None, None, str(copy / "dist"), target)

    return make


def test_a_build_asks_for_node(hook: Any, hatch_build: ModuleType, monkeypatch: Any) -> None:
    monkeypatch.delenv("PENULTIMA_SKIP_CLIENT", raising=False)
    assert hook().dependencies() == [hatch_build.NODE]


def test_a_build_of_what_is_current_asks_for_no_node(
    copy: Path, hook: Any, hatch_build: ModuleType, monkeypatch: Any
) -> None:
    monkeypatch.delenv("PENULTIMA_SKIP_CLIENT", raising=False)
    pretend_built(hatch_build.Client(copy))
    assert hook().dependencies() == []


def test_an_sdist_asks_for_no_node(hook: Any, monkeypatch: Any) -> None:
    monkeypatch.delenv("PENULTIMA_SKIP_CLIENT", raising=False)
    assert hook("sdist").dependencies() == []


def test_skipping_asks_for_no_node_and_builds_nothing(copy: Path, hook: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("PENULTIMA_SKIP_CLIENT", "1")
    assert hook().dependencies() == []
    hook().initialize("editable", {})
    assert not (copy / "src" / "penultima" / "client").exists()


def test_the_node_of_the_tests_is_the_one_of_the_build(hatch_build: ModuleType) -> None:
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'"{hatch_build.NODE}"' in pyproject


def test_a_node_on_the_path_is_not_used(copy: Path, hatch_build: ModuleType) -> None:
    modules = hatch_build.Client(copy).modules
    modules.mkdir()
    lock = hashlib.sha256((copy / "static" / "package-lock.json").read_bytes()).hexdigest()
    (modules / ".penultima").write_text(f"{lock} dev")
    trap = copy / "trap"
    trap.mkdir()
    for name in ("node", "npm"):
        (trap / name).write_text("#!/bin/sh\nexit 9\n")
        (trap / name).chmod(0o755)
    run = build(copy, "npm", "--version", PATH=f"{trap}:{os.environ['PATH']}")
    assert run.returncode == 0, run.stderr
    assert run.stdout[0].isdigit()


def registry(port: int, folder: Path) -> dict[str, str]:
    """An npm that has nothing in its cache and this registry to ask."""
    return {
        "npm_config_registry": f"http://127.0.0.1:{port}/",
        "npm_config_cache": str(folder / "npm-cache"),
    }


@pytest.mark.slow
def test_a_registry_that_refuses_ends_in_one_line(copy: Path, tmp_path: Path) -> None:
    said = one_line(build(copy, **registry(9, tmp_path)))
    assert "npm registry did not answer" in said
    assert "try again" in said


@pytest.mark.parametrize(
    ("output", "code"),
    [
        ("npm error code SELF_SIGNED_CERT_IN_CHAIN\nnpm error self-signed certificate", "SELF_SIGNED_CERT_IN_CHAIN"),
        ("npm error code UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"),
        ("npm error code UNABLE_TO_VERIFY_LEAF_SIGNATURE\nnpm error network", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
        ("npm error code CERT_HAS_EXPIRED", "CERT_HAS_EXPIRED"),
        ("npm error reason: certificate is not yet valid", "certificate"),
    ],
)  # fmt: skip
def test_a_certificate_that_is_not_trusted_is_called_so(
    copy: Path, hatch_build: ModuleType, monkeypatch: Any, output: str, code: str
) -> None:
    npm = copy / "npm.py"
    npm.write_text(f"import sys\nprint({output!r})\nsys.exit(1)\n")
    monkeypatch.setattr(hatch_build, "node", lambda: Path(sys.executable))
    monkeypatch.setattr(hatch_build, "npm_cli", lambda: npm)
    monkeypatch.setenv("TMPDIR", str(copy))
    monkeypatch.setattr(tempfile, "tempdir", None)
    with pytest.raises(hatch_build.BuildError) as caught:
        hatch_build.Client(copy).build()
    said = str(caught.value)
    assert f"not trusted ({code})" in said
    assert "NODE_EXTRA_CA_CERTS" in said
    assert "did not answer" not in said


@pytest.mark.slow
def test_a_registry_that_never_answers_ends_in_one_line(copy: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        held: list[socket.socket] = []

        def accept() -> None:
            while True:
                try:
                    held.append(silent.accept()[0])
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        env = registry(silent.getsockname()[1], tmp_path)
        said = one_line(build(copy, PENULTIMA_BUILD_TIMEOUT="5", **env))
        silent.shutdown(socket.SHUT_RDWR)
    for connection in held:
        connection.close()
    assert "did not end within 5 s" in said
    assert "PENULTIMA_BUILD_TIMEOUT" in said


def test_a_python_without_node_ends_in_one_line(
    copy: Path, hatch_build: ModuleType, monkeypatch: Any
) -> None:
    monkeypatch.setattr(hatch_build.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(hatch_build.BuildError, match="pip install"):
        hatch_build.Client(copy).build()


@pytest.mark.slow
def test_a_source_that_does_not_compile_ends_in_one_line(copy: Path) -> None:
    (copy / "static" / "src" / "main.tsx").write_text("this is ] not a program")
    said = one_line(build(copy))
    assert "'vite build' failed" in said
    assert "main.tsx" in said or "error" in said.lower()
    log = Path(said.rpartition("(log: ")[2].rstrip(")\n"))
    assert "main.tsx" in log.read_text()
    log.unlink()
