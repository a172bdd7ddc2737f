"""The command line. Loads nothing heavy before the first line is out."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from penultima import __version__
from penultima.host.phrases import LANGUAGES, Phrases, language

if TYPE_CHECKING:
    from collections.abc import Sequence

DEFAULT_PORT = 8765

HELP = """\
Opens a table. Friends join it with their phones' browsers, by the link or the QR code.

Every option can also be given as a variable: --public-url as PENULTIMA_PUBLIC_URL, --no-rtc as
PENULTIMA_NO_RTC=1.

A match that was not finished goes on with the same link when you start again: in a terminal you are
asked, elsewhere it goes on by itself (--new begins anew).

penultima tables                    lists what the journal keeps
penultima export CODE FILE          writes a match to a file; penultima import FILE takes one in
penultima replay FILE... [--show]   replays .partida files
penultima site DIR                  writes the page as files for any web server"""


@dataclass(frozen=True, slots=True)
class Options:
    """What `penultima play` was asked for."""

    port: int | None = None
    bind: str | None = None
    title: str | None = None
    rules: str = "classic"
    lang: str = "en"
    seed: str | None = None
    position: str | None = None
    fast: bool = False
    json: bool = False
    rtc: bool = True
    journal: str | None = None
    keep: bool = True
    new: bool = False
    resume: str | None = None
    public_urls: tuple[str, ...] = ()


class UsageError(Exception):
    """What the person at the terminal can put right: one line, and the status to leave with."""

    def __init__(self, line: str, status: int = 2) -> None:
        super().__init__(line)
        self.status = status


class Parser(argparse.ArgumentParser):
    """One line for a mistake, as everywhere; `prog` says whose help to see."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def main(arguments: Sequence[str] | None = None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if given[:1] == ["replay"]:
            from penultima.engine import replay  # noqa: PLC0415 - `play` does not wait for it

            return int(replay.main(given[1:]))
        if given[:1] == ["site"]:
            from penultima.host import site  # noqa: PLC0415 - as above

            return site.main(given[1:])
        if given[:1] in (["tables"], ["export"], ["import"]):
            from penultima.host import archive  # noqa: PLC0415 - as above

            return archive.main(given[0], given[1:])
        if given[:1] == ["play"]:
            del given[0]
        return _play(parse(given))
    except UsageError as error:
        print(f"penultima: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        return 130


def _play(options: Options) -> int:
    phrases = Phrases(options.lang)
    if not options.json:
        print(f"Penúltima {__version__} · {phrases('opening')}", flush=True)
    from penultima.host import serve  # noqa: PLC0415 - after the first line: it takes a while

    return serve.main(options, phrases)


def parse(arguments: Sequence[str]) -> Options:
    parser = Parser(
        prog="penultima",
        usage="penultima [play] [options]",
        description=HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--port", type=_port, help=f"port to listen on ({DEFAULT_PORT}, or the next free one)")
    add("--host", "--bind", dest="bind", metavar="ADDRESS", help="listen on this address only")
    add("--public-url", action="append", metavar="URL", help="an address guests reach you under")
    add("--title", help="name of the table")
    add("--rules", metavar='"PRESET switch=value ..."', help="rules to begin with")
    add("--lang", choices=LANGUAGES, help="language of this console")
    add("--fast", action="store_true", help="bots think less")
    add("--no-rtc", action="store_true", help="WebSocket only")
    add("--journal", metavar="FILE", help="keep the match in this file, not in your state folder")
    add("--no-journal", action="store_true", help="keep nothing: the match ends with the program")
    add("--new", action="store_true", help="begin anew, though a match is not finished")
    add("--resume", metavar="CODE", help="go on with that table (penultima tables lists them)")
    add("--json", action="store_true", help="one JSON event a line")
    add("--seed", help="the same cards every time: for tests only")
    add(
        "--position",
        metavar="FILE",
        help="begin where a .partida leads, with its rules and number of players: for "
        "demonstrations and reports of problems",
    )
    add("--version", action="version", version=f"penultima {__version__}")
    told = parser.parse_args([*_from_environment(parser), *arguments])
    if told.resume and (told.new or told.no_journal):
        parser.error("--resume goes neither with --new nor with --no-journal")
    return Options(
        port=told.port,
        bind=told.bind,
        title=told.title,
        rules=told.rules or "classic",
        lang=language(told.lang),
        seed=told.seed,
        position=told.position,
        fast=told.fast,
        json=told.json,
        rtc=not told.no_rtc,
        journal=told.journal,
        keep=not told.no_journal,
        new=told.new,
        resume=told.resume,
        public_urls=tuple(_public_url(url) for url in told.public_url or ()),
    )


def _from_environment(parser: argparse.ArgumentParser) -> list[str]:
    """PENULTIMA_... variables as arguments; what stands on the command line comes after, and
    wins."""
    arguments = []
    for action in parser._actions:  # noqa: SLF001 - argparse has no other list of its options
        flag = next((f for f in action.option_strings if f.startswith("--")), None)
        if flag in {None, "--help", "--version"}:
            continue
        for name in action.option_strings:
            variable = "PENULTIMA_" + name.lstrip("-").replace("-", "_").upper()
            value = os.environ.get(variable)
            if not value:
                continue
            if action.nargs == 0:
                if value.lower() not in {"0", "false", "no", "off"}:
                    arguments.append(name)
            elif action.dest == "public_url":
                arguments += [f"{name}={url}" for url in value.split()]
            else:
                arguments.append(f"{name}={value}")
            break
    return arguments


def _port(text: str) -> int:
    port = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port: give a number from 0 to 65535")
    return port


def _public_url(url: str) -> str:
    from urllib.parse import urlsplit  # noqa: PLC0415 - only who gives one waits for it

    try:
        parts = urlsplit(url)
        usable = (
            parts.scheme in {"http", "https"}
            and parts.hostname
            and parts.port != 0
            and not (parts.username or parts.password or parts.query or parts.fragment)
            and parts.path in {"", "/"}
        )
    except ValueError:
        usable = False
    if not usable:
        raise UsageError(
            f"--public-url {url}: give the address as a browser would open it, "
            "like https://uno.example.org"
        )
    return f"{parts.scheme}://{parts.netloc}"
