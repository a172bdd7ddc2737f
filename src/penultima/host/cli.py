"""The command line. Loads nothing heavy before the first line is out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from penultima import __version__
from penultima.host import options
from penultima.host.options import Options, UsageError
from penultima.host.phrases import Phrases

if TYPE_CHECKING:
    from collections.abc import Sequence

HELP = """\
Opens a table. Friends join it with their phones' browsers, by the link or the QR code.

A match that was not finished goes on with the same link when you start again: in a terminal you are
asked, elsewhere it goes on by itself (--new begins anew).

other commands:
  penultima club                      serves many tables, opened from a page (docs/scaling.md)
  penultima doctor [options]          checks what stands between the table and its guests
  penultima tables                    lists what the journal keeps
  penultima export CODE FILE          writes a match to a file; penultima import FILE takes one in
  penultima replay FILE... [--show]   replays .partida files
  penultima site DIR                  writes the page as files for any web server

Every option can also be given as a variable: --public-url as PENULTIMA_PUBLIC_URL, --no-rtc as
PENULTIMA_NO_RTC=1."""


CLUB = """\
Serves many tables. The link that is printed opens the page on which tables are opened, seen and
closed: keep it to yourself. Tables that nobody is at rest in the journal; their links wake them.
When it is started again all links lead where they led.

Every option can also be given as a variable: --max-tables as PENULTIMA_MAX_TABLES."""


DOCTOR = """\
Checks what a host can check by itself, with the options that you mean to play with: addresses,
port, firewall, clock; if asked for, a public address, certificate, tunnel, STUN, TURN, PeerServer.
Nobody is asked but those whom the options name (--peer brings its defaults along), and the end says
who that was. 0 if nothing stands in the way, 1 otherwise.

Every option can also be given as a variable: --public-url as PENULTIMA_PUBLIC_URL."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The program; its exit status. ``arguments`` are those of the command line, unless given."""
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
        if given[:1] == ["club"]:
            parser = options.parser(
                "penultima club", "penultima club [options]", CLUB, options.OF_ONE_TABLE
            )
            return _serve(options.options(options.read(parser, given[1:])), club=True)
        if given[:1] == ["doctor"]:
            parser = options.parser(
                "penultima doctor", "penultima doctor [options]", DOCTOR, (), options.OF_TABLES
            )
            asked = options.options(options.read(parser, given[1:]))
            from penultima.host import doctor  # noqa: PLC0415 - as above

            return doctor.main(asked, Phrases(asked.lang))
        if given[:1] == ["play"]:
            del given[0]
        return _serve(parse(given))
    except UsageError as error:
        print(f"penultima: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        return 130


def _serve(options: Options, *, club: bool = False) -> int:
    phrases = Phrases(options.lang)
    if not options.json:
        opening = phrases("opening_club" if club else "opening")
        print(f"Penúltima {__version__} · {opening}", flush=True)
    from penultima.host import serve  # noqa: PLC0415 - after the first line: it takes a while

    return serve.main(options, phrases, club=club)


def parse(arguments: Sequence[str]) -> Options:
    """The options of `penultima play`. UsageError for a mistake."""
    parser = options.parser("penultima", "penultima [play] [options]", HELP)
    return options.options(options.read(parser, arguments))
