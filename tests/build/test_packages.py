"""Wheel, sdist and a fresh environment: what people get when they install Penúltima."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import penultima

ROOT = Path(__file__).parent.parent.parent
NOT_OURS = re.compile(r"node_modules|\.test\.|\.tsx?$|__pycache__|\.built$|\.lock$")


def run(*command: str | Path, cwd: Path, timeout: float = 280, **env: str) -> str:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PENULTIMA_", "PYTHON"))}
    done = subprocess.run(
        command,
        cwd=cwd,
        env=clean | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"} | env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def build_wheel(source: Path, to: Path) -> Path:
    """Without isolation: what the build asks for is in the environment of the tests already."""
    run(
        sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
        "--wheel-dir", to, source, cwd=to,
    )  # fmt: skip
    (wheel,) = to.glob("penultima-*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder, cwd=ROOT)
    (archive,) = folder.glob("penultima-*.tar.gz")
    return archive


def check_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        index = archive.read("penultima/client/index.html").decode()
        terms = archive.read("penultima/client/licences.txt").decode()
        entry = archive.read(f"penultima-{penultima.__version__}.dist-info/entry_points.txt")
    assert "penultima/py.typed" in names
    assert b"penultima = penultima.host.cli:main" in entry
    linked = re.findall(r'(?:src|href)="\./([^"#?]+)"', index)
    assert any(name.endswith(".js") for name in linked)
    for name in linked:
        assert f"penultima/client/{name}" in names
    for ours in ("preact", "@preact/signals", "pyodide", "SIL OPEN FONT LICENSE", "MIT"):
        assert ours in terms
    assert any(name.endswith(".js.br") for name in names)
    assert any(name.endswith(".js.gz") for name in names)
    assert not [name for name in names if NOT_OURS.search(name)]
    assert not [n for n in names if not n.startswith(("penultima/", "penultima-"))]


def check_built(source: Path) -> None:
    """Hashed names, compressed files, and nothing for development came along."""
    client = source / "src" / "penultima" / "client"
    index = (client / "index.html").read_text()
    scripts = list((client / "assets").glob("*.js"))
    assert scripts
    for script in scripts:
        assert "-" in script.stem
    assert 'src="./assets/' in index
    large = [f for f in client.rglob("*") if f.suffix in {".js", ".css"} and f.stat().st_size > 4000]
    assert large
    for file in large:
        for ending in (".br", ".gz"):
            packed = file.with_name(file.name + ending)
            assert packed.stat().st_size < 0.9 * file.stat().st_size
    assert not (source / "static" / "node_modules" / "typescript").exists()


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_wheel_holds_the_client_and_nothing_else(wheel: Path) -> None:
    check_wheel(wheel)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_sdist_holds_the_sources_of_the_client_and_builds_again_from_nothing(
    sdist: Path, tmp_path: Path
) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.iterdir()
    for name in ("hatch_build.py", "static/package-lock.json", "static/vite.config.ts", "LICENSE"):
        assert (unpacked / name).is_file(), name
    assert not (unpacked / "src" / "penultima" / "client").exists()
    assert not (unpacked / "static" / "node_modules").exists()
    assert not (unpacked / ".venv").exists()
    assert run(sys.executable, "hatch_build.py", cwd=unpacked)
    check_built(unpacked)
    assert run(sys.executable, "hatch_build.py", cwd=unpacked) == "", "there is nothing more to do"
    check_wheel(build_wheel(unpacked, tmp_path))


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_pip_install_in_a_fresh_environment_gives_the_command(tmp_path: Path) -> None:
    """From a copy without anything built, with pip's own isolation: what the README promises."""
    source = tmp_path / "clone"
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    place = tmp_path / "venv"
    venv.create(place, with_pip=True)
    run(place / "bin" / "python", "-m", "pip", "install", "--quiet", source, cwd=tmp_path, timeout=280)
    said = run(place / "bin" / "penultima", "--version", cwd=tmp_path)
    assert penultima.__version__ in said
    where = "import penultima, pathlib; print(pathlib.Path(penultima.__file__).parent)"
    package = Path(run(place / "bin" / "python", "-c", where, cwd=tmp_path).strip())
    assert place in package.parents
    assert (package / "client" / "index.html").is_file()
    assert not list(place.rglob("node_modules")), "Node is for building, not for playing"
