"""`penultima site DIR`: the client as plain files."""

from __future__ import annotations

from pathlib import Path

import pytest

from penultima.host import cli, site
from penultima.host.options import UsageError

PAGE = '<!doctype html>\n<html><head>\n    <meta charset="utf-8" />\n    <title>x</title></head></html>'


@pytest.fixture
def client(tmp_path: Path) -> Path:
    folder = tmp_path / "client"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE)
    for name in ("assets/a-1.js", "assets/a-1.js.br", "assets/a-1.js.gz", "sw.js"):
        (folder / name).write_text(name)
    return folder


def files(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}


def test_all_but_the_packed_files_are_written(client: Path, tmp_path: Path) -> None:
    target = tmp_path / "deep" / "site"
    count, size = site.write(target, client)
    assert count == 3
    assert size > 0
    assert files(target) == {"index.html", "assets/a-1.js", "sw.js", ".nojekyll", site.LIST}


def test_the_page_carries_its_policy(client: Path, tmp_path: Path) -> None:
    site.write(tmp_path / "site", client)
    page = (tmp_path / "site" / "index.html").read_text()
    assert 'http-equiv="Content-Security-Policy"' in page
    assert "'wasm-unsafe-eval'" in page
    assert "unsafe-inline" not in page
    assert "'unsafe-eval'" not in page


def test_what_is_gone_is_removed_and_nothing_else(client: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    (client / "old.txt").write_text("old")
    site.write(target, client)
    (target / "CNAME").write_text("uno.example.org")
    (client / "old.txt").unlink()
    site.write(target, client)
    assert "old.txt" not in files(target)
    assert "CNAME" in files(target)


def test_a_page_of_the_version_before_finds_its_files_until_the_next_one(
    client: Path, tmp_path: Path
) -> None:
    target = tmp_path / "site"
    site.write(target, client)

    def publish(number: int) -> set[str]:
        (client / "assets" / f"a-{number - 1}.js").rename(client / "assets" / f"a-{number}.js")
        site.write(target, client)
        return {name for name in files(target) if name.startswith("assets/")}

    assert publish(2) == {"assets/a-1.js", "assets/a-2.js"}
    # Written once more, or cut short in between: still the version before.
    site.write(target, client)
    assert "assets/a-1.js" in files(target)
    assert publish(3) == {"assets/a-2.js", "assets/a-3.js"}
    # And back again.
    (client / "assets" / "a-3.js").rename(client / "assets" / "a-2.js")
    assert publish(3) == {"assets/a-3.js"} | {"assets/a-2.js"}


def test_an_open_page_that_looks_for_a_new_version_never_finds_half_of_it(
    client: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service worker names all the others, so it comes when they are there."""
    target = tmp_path / "site"
    site.write(target, client)
    (client / "assets" / "z-2.js").write_text("new")
    (client / "sw.js").write_text("new")
    replace = Path.replace
    written: list[str] = []

    def watched(part: Path, place: Path) -> Path:
        if place.name == "sw.js":
            assert (target / "assets" / "z-2.js").exists()
            assert site.POLICY in (target / "index.html").read_text()
            assert (target / "sw.js").read_text() == "sw.js"
        written.append(place.name)
        return replace(part, place)

    monkeypatch.setattr(Path, "replace", watched)
    site.write(target, client)
    assert written == ["a-1.js", "z-2.js", "index.html", "sw.js"]
    assert (target / "sw.js").read_text() == "new"


def test_what_was_cut_short_is_done_the_next_time(
    client: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "site"
    with monkeypatch.context() as full:

        def no_space(source: Path, part: Path) -> None:
            part.write_bytes(b"half")
            raise OSError(28, "No space left on device")

        full.setattr(site.shutil, "copyfile", no_space)
        with pytest.raises(UsageError, match="No space left on device"):
            site.write(target, client)
    assert files(target) == {site.LIST}
    site.write(target, client)
    assert files(target) == {"index.html", "assets/a-1.js", "sw.js", ".nojekyll", site.LIST}


def test_a_folder_with_other_files_is_left_alone(client: Path, tmp_path: Path) -> None:
    target = tmp_path / "home"
    target.mkdir()
    (target / "letter.txt").write_text("dear")
    with pytest.raises(UsageError, match="other files"):
        site.write(target, client)
    assert files(target) == {"letter.txt"}


def test_a_list_that_was_tampered_with_reaches_nothing_outside(
    client: Path, tmp_path: Path
) -> None:
    target = tmp_path / "site"
    site.write(target, client)
    outside = tmp_path / "outside.txt"
    outside.write_text("here")
    for separate in ("", "\n"):
        with (target / site.LIST).open("a") as names:
            names.write(f"{separate}../outside.txt\n{outside}\nassets/../../outside.txt\n")
        site.write(target, client)
        assert outside.exists()


def test_a_checkout_without_files_will_do(client: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    (target / ".git").mkdir(parents=True)
    site.write(target, client)
    assert (target / "index.html").is_file()


@pytest.mark.parametrize("arguments", [["site"], ["site", "a", "b"], ["site", "--helq"]])
def test_one_line_says_how_it_is_called(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 2
    assert capsys.readouterr().err == "penultima: say where to write it: penultima site DIR\n"


def test_without_a_built_page_one_line_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(site, "packaged_client", lambda: tmp_path / "none")
    assert cli.main(["site", str(tmp_path / "site")]) == 1
    assert "make client" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()
