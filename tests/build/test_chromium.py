"""Where the browser tests find their Chromium, and what they say when there is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.browser import chromium


def program(path: Path, text: str = "exit 0") -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with one folder, empty so far, and nobody's PENULTIMA_CHROMIUM."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv(chromium.VARIABLE, raising=False)
    return folder


def be_root(monkeypatch: pytest.MonkeyPatch, root: bool) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0 if root else 1000)


def test_the_variable_comes_before_the_path(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(path / "chromium")
    own = program(tmp_path / "own")
    monkeypatch.setenv(chromium.VARIABLE, str(own))
    assert chromium.find() == str(own)


def test_a_variable_that_names_nothing_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(path / "chromium")
    monkeypatch.setenv(chromium.VARIABLE, "/nowhere")
    be_root(monkeypatch, root=True)
    with pytest.raises(chromium.NoChromium, match="/nowhere"):
        chromium.ensure()


def test_any_of_the_names_will_do(path: Path) -> None:
    chrome = program(path / "google-chrome")
    assert chromium.ensure() == str(chrome)
    first = program(path / "chromium")
    assert chromium.ensure() == str(first)


def test_root_installs_the_package_of_debian(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    be_root(monkeypatch, root=True)
    wanted = path / "chromium"
    make = f'case "$*" in *"install -y"*chromium) printf "#!/bin/sh\\n" > {wanted}; /bin/chmod 755 {wanted};; esac'
    program(path / "apt-get", make)
    assert chromium.ensure() == str(wanted)


def test_a_package_that_cannot_be_had_ends_in_one_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    be_root(monkeypatch, root=True)
    program(path / "apt-get", "echo 'E: Unable to locate package chromium' >&2; exit 100")
    with pytest.raises(chromium.NoChromium) as said:
        chromium.ensure()
    assert "Unable to locate" in str(said.value)
    assert chromium.VARIABLE in str(said.value)
    assert "\n" not in str(said.value)


def test_nothing_is_installed_for_somebody_who_is_not_root(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    be_root(monkeypatch, root=False)
    program(path / "apt-get", "exit 1")
    with pytest.raises(chromium.NoChromium, match="apt install chromium"):
        chromium.ensure()
