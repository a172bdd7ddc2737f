"""``penultima site DIR``: the whole client as files for any web server (GitHub Pages and the like).

No server of ours behind it: all paths are relative, so any folder will do. On an HTTPS address the
page can be installed and plays alone without a network.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from penultima.host.app import packaged_client
from penultima.host.options import UsageError

USAGE: Final = "penultima site DIR"

HELP: Final = """\
Writes the page as plain files into DIR, for any web server. From an https:// address it can be
installed there, and plays alone without a network. DIR is new, empty, or one written before: then
what has changed is replaced, and nothing of others is touched."""

LIST: Final = ".penultima-site"
"""The files of the last time, one a line, and after an empty line those of the time before that are
still there. Of all these the next time removes what is gone."""

# A server of files sends no policy of its own. `connect-src` lets the page reach the PeerServer
# that its link names (without TLS only one on the same machine, for trying it out).
POLICY: Final = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
    "connect-src 'self' https: wss: ws://localhost:* ws://127.0.0.1:*; "
    "img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'"
)

# The server of files has its own ways to compress.
PACKED: Final = {".br", ".gz"}


def main(arguments: Sequence[str]) -> int:
    """The command; its exit status. UsageError for what the person can put right."""
    if {"-h", "--help"} & set(arguments):
        parser = argparse.ArgumentParser(
            usage=USAGE, description=HELP, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        parser.add_argument("dir", metavar="DIR", help="where to write it")
        parser.print_help()
        return 0
    if len(arguments) != 1 or arguments[0].startswith("-"):
        raise UsageError(f"say where to write it: {USAGE}")
    target = Path(arguments[0])
    count, size = write(target, packaged_client())
    print(f"{count} files, {size / 1e6:.1f} MB, in {target}")
    print("Put them on any https:// address; a folder of a site is fine. Nothing else is needed.")
    return 0


def write(target: Path, client: Path) -> tuple[int, int]:
    """Writes the client's files to ``target``; how many, and their bytes."""
    if not (client / "index.html").is_file():
        raise UsageError("the page is not built: 'make client', or 'pip install .' again", 1)
    last, older = _former(target)
    files = [
        path.relative_to(client)
        for path in client.rglob("*")
        if path.is_file() and path.suffix not in PACKED
    ]
    names = {name.as_posix() for name in files}
    size = 0
    try:
        target.mkdir(parents=True, exist_ok=True)
        # First of all: if this does not come to its end, the next time knows what is its own.
        _list(target, last | names, older)
        for name in sorted(files, key=_turn):
            size += _put(client / name, target / name)
        # GitHub Pages would else leave out what it takes for its own.
        (target / ".nojekyll").touch()
        stay = _stay(last, older, names)
        for gone in (last | older) - names - stay:
            (target / gone).unlink(missing_ok=True)
        _list(target, names, stay)
    except OSError as error:
        raise UsageError(f"cannot write to {target}: {error.strerror or error}", 1) from None
    return len(files), size


def _stay(last: set[str], older: set[str], names: set[str]) -> set[str]:
    """Of the version before, the files that a page of it may not have loaded yet: it is open on
    somebody's phone, or comes out of a cache. The same version once more is no new one."""
    gone = {name for name in last - names if name.startswith("assets/")}
    return gone or older - names


def _turn(name: Path) -> tuple[int, str]:
    """A page that is open looks for a new version while this is written: what a file names is there
    before that file, and the service worker, which names them all, comes last."""
    last = ("index.html", "sw.js")
    return last.index(name.as_posix()) + 1 if name.as_posix() in last else 0, name.as_posix()


def _put(source: Path, place: Path) -> int:
    """A file in its place, whole or not at all; its bytes."""
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f".{place.name}.part")
    try:
        if source.name == "index.html":
            part.write_text(_with_policy(source.read_text(encoding="utf-8")), encoding="utf-8")
        else:
            shutil.copyfile(source, part)
        return part.replace(place).stat().st_size
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _list(target: Path, names: set[str], older: set[str]) -> None:
    lines = [*sorted(names), "", *sorted(older - names)]
    (target / LIST).write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


def _former(target: Path) -> tuple[set[str], set[str]]:
    """What the last time left there, and of the time before that. A folder with anything else in
    it is not touched."""
    if not target.exists():
        return set(), set()
    if not target.is_dir():
        raise UsageError(f"{target} is no folder: {USAGE}")
    past = target / LIST
    if past.is_file():
        last, _, older = past.read_text(encoding="utf-8").partition("\n\n")
        return _names(last), _names(older)
    if any(each.name != ".git" for each in target.iterdir()):
        raise UsageError(f"{target} holds other files: give a new or an empty folder", 1)
    return set(), set()


def _names(lines: str) -> set[str]:
    """Names within the folder, whoever has written them."""
    return {
        name
        for name in lines.splitlines()
        if name and ".." not in name.split("/") and name[0] != "/"
    }


def _with_policy(page: str) -> str:
    meta = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}" />'
    head, charset, rest = page.partition('<meta charset="utf-8" />')
    if not charset:
        raise UsageError("the page has no place for its policy: build it again", 1)
    return f"{head}{charset}\n    {meta}{rest}"
