"""Where the tests find the programs they need, and what they say when there is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests import debian
from tests.browser import chromium, firefox


def program(path: Path, text: str = "exit 0") -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with one folder, empty so far, nobody's PENULTIMA_CHROMIUM, and nothing tried yet."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv(chromium.VARIABLE, raising=False)
    monkeypatch.delenv(firefox.VARIABLE, raising=False)
    monkeypatch.setattr(debian, "SYSTEM", str(tmp_path / "sbin"))
    monkeypatch.setattr(debian, "_failed", {})
    monkeypatch.setattr(debian, "_done", set())
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


# ----------------------------------------------------------------------------- and all the others


def installing(path: Path) -> Path:
    """An apt-get that makes the program of the package, and counts in this file what it was asked."""
    asked = path / "asked"
    program(
        path / "apt-get",
        f"""for last; do :; done
echo "$*" >> {asked}
case "$*" in *install*) echo "#!/bin/sh" > {path}/$last; /bin/chmod 755 {path}/$last;; esac""",
    )
    return asked


@pytest.mark.parametrize("package", ["haproxy", "firefox-esr"])
def test_what_is_missing_is_installed_for_root_once(path: Path, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    be_root(monkeypatch, root=True)
    asked = installing(path)
    for _ in range(2):
        assert debian.ensure(package) == [str(path / package)]
    assert len([line for line in asked.read_text().splitlines() if " install " in line]) == 1


def test_what_cannot_be_had_is_not_tried_twice_and_says_why(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    be_root(monkeypatch, root=True)
    asked = path / "asked"
    program(path / "apt-get", f'echo "$*" >> {asked}; echo "E: Unable to locate package" >&2; exit 100')
    for _ in range(2):
        with pytest.raises(debian.NotInstalled, match="'apt-get install coturn' failed"):
            debian.ensure("coturn")
    assert len([line for line in asked.read_text().splitlines() if " install " in line]) == 1


def test_who_is_not_root_is_told_what_to_install(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    be_root(monkeypatch, root=False)
    program(path / "ip")
    with pytest.raises(debian.NotInstalled, match=r"needs nftables: .*apt install nftables"):
        debian.ensure("iproute2", "nftables")


def test_a_program_of_the_system_is_found_though_it_is_not_on_the_path(path: Path, tmp_path: Path) -> None:
    (tmp_path / "sbin").mkdir()
    there = program(tmp_path / "sbin" / "haproxy")
    assert debian.ensure("haproxy") == [str(there)]
    assert os.environ["PATH"].split(os.pathsep) == [str(path), str(there.parent)]


def test_a_firefox_of_ones_own_comes_first(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = program(path / "firefox")
    assert firefox.ensure() == str(ours)
    monkeypatch.setenv(firefox.VARIABLE, "/opt/firefox")
    assert firefox.ensure() == "/opt/firefox"
