"""The flags of `penultima` and `penultima club`, by subject, each with its PENULTIMA_... variable.

A flag is one `add(...)` in the function of its subject, whose `dest` is a field of `Options`: help,
variable and default follow from these two lines. Nothing heavy is imported here, since the first
line of output waits for it.
"""

from __future__ import annotations

import argparse
import os
import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from penultima import __version__
from penultima.host import ice
from penultima.host.invitation import LETTERS, NODE
from penultima.host.phrases import LANGUAGES, language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from penultima.host.links import PeerServer
    from penultima.host.proxies import Network

    Add = Callable[..., argparse.Action]

DEFAULT_PORT = 8765
PUBLIC_STUN = "stun:stun.l.google.com:19302"
"""With --peer an end behind a router has to learn its address from somebody."""
TUNNELS = ("cloudflared", "tailscale", "ngrok")
# Folders of a web server; not those that lie in the page's own.
PATH = re.compile(r"/?|(/(?!(?:mesa|club|ws|healthz|metrics|assets)(?:/|$)|\.)[A-Za-z0-9._~-]+)+/?")


@dataclass(frozen=True, slots=True)
class Options:
    """What `penultima play` was asked for."""

    # the table
    title: str | None = None
    rules: str = "classic"
    fast: bool = False
    position: str | None = None
    seed: str | None = None
    # keeping the match
    journal: str | None = None
    keep: bool = True
    new: bool = False
    resume: str | None = None
    # how guests get here
    port: int | None = None
    bind: str | None = None
    public_urls: tuple[str, ...] = ()
    tunnel: str | None = None
    tls_cert: str | None = None
    tls_key: str | None = None
    trust_proxy: tuple[Network, ...] = ()
    rtc: bool = True
    ice: ice.Ice = ice.NONE
    peer: bool = False
    peer_server: PeerServer | None = None
    site: str | None = None
    # the club
    node: str = NODE
    max_tables: int | None = None
    idle: float = 1800.0
    # the console
    lang: str = "en"
    json: bool = False


class UsageError(Exception):
    """What the person at the terminal can put right: one line, and the status to leave with."""

    def __init__(self, line: str, status: int = 2) -> None:
        super().__init__(line)
        self.status = status


class Parser(argparse.ArgumentParser):
    """One line for a mistake, as everywhere; `prog` says whose help to see."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


# ------------------------------------------------------------------------ flags, by subject


def _club(add: Add) -> None:
    add(
        "--max-tables",
        type=_count,
        metavar="N",
        help="at work at a time (by this machine's memory; more rest until somebody comes)",
    )
    add(
        "--idle",
        type=_minutes,
        metavar="MINUTES",
        help="a table that nobody is at rests after so long; its link wakes it (30)",
    )
    add(
        "--node",
        type=_node,
        metavar="LETTER",
        help="first letter of every table's code, one for each of several programs behind a "
        "proxy (docs/scaling.md)",
    )


def _table(add: Add) -> None:
    add("--title", help="name of the table")
    add("--rules", metavar='"PRESET switch=value ..."', help="rules to begin with")
    add("--fast", action="store_true", help="bots think less")
    add(
        "--position",
        metavar="FILE",
        help="begin where a .partida leads, with its rules and number of players: for "
        "demonstrations and reports of problems",
    )
    add("--seed", help="the same cards every time: for tests only")


def _journal(add: Add) -> None:
    add("--journal", metavar="FILE", help="keep matches in this file, not in your state folder")
    add(
        "--no-journal",
        dest="keep",
        action="store_false",
        help="keep nothing: a match ends with the program",
    )


def _going_on(add: Add) -> None:
    add("--new", action="store_true", help="begin anew, though a match is not finished")
    add("--resume", metavar="CODE", help="go on with that table (penultima tables lists them)")


def _reaching(add: Add) -> None:
    add("--port", type=_port, help=f"port to listen on ({DEFAULT_PORT}, or the next free one)")
    add("--host", "--bind", dest="bind", metavar="ADDRESS", help="listen on this address only")
    add(
        "--public-url",
        dest="public_urls",
        action="append",
        type=_public_url,
        metavar="URL",
        help="an address under which guests reach you from outside (may be given more than once)",
    )
    add(
        "--tunnel",
        choices=TUNNELS,
        help="start this program, which you have already, and use the address it gives",
    )
    add("--tls-cert", metavar="FILE", help="speak https:// with this certificate (PEM)")
    add("--tls-key", metavar="FILE", help="its key, if it is in a file of its own")
    add(
        "--trust-proxy",
        type=_proxies,
        metavar="ADDRESS[,ADDRESS]",
        help="believe the X-Forwarded-... and Forwarded headers of these addresses or networks",
    )
    add("--no-rtc", dest="rtc", action="store_false", help="WebSocket only")


def _meeting(add: Add) -> None:
    add(
        "--peer",
        action="store_true",
        help="no port of yours can be reached: meet by way of a PeerServer (docs/hosting.md)",
    )
    add(
        "--site",
        type=_site,
        metavar="URL",
        help="where the page that `penultima site` writes is published, for friends far away",
    )
    add(
        "--peer-server",
        type=_peer_server,
        metavar="URL",
        help="another PeerServer than the public one of the PeerJS project",
    )


def _far(add: Add) -> None:
    add(
        "--stun",
        action="append",
        metavar="URL",
        help="tells both ends their outer address: stun:HOST:PORT (may be given more than once; "
        f"with --peer {PUBLIC_STUN.removeprefix('stun:')}, or none)",
    )
    add(
        "--turn",
        action="append",
        metavar="URL",
        help="relays for guests without a direct way: turn:HOST:PORT (UDP and TCP), turns:...",
    )
    add("--turn-secret", metavar="SECRET", help="makes credentials for minutes (docs/coturn.md)")
    add("--turn-user", metavar="NAME", help="fixed credentials instead: name")
    add("--turn-password", metavar="PASSWORD", help="and password")


def _console(add: Add) -> None:
    add("--lang", type=_language, metavar="|".join(LANGUAGES), help="language of this console")
    add("--json", action="store_true", help="one JSON event a line")
    add("--version", action="version", version=f"penultima {__version__}")


SUBJECTS = {
    "the club": _club,
    "the table": _table,
    "keeping what is played": _journal,
    "going on": _going_on,
    "how guests get here": _reaching,
    "without any port": _meeting,
    "friends far away": _far,
    "the console": _console,
}


OF_ONE_TABLE = ("the table", "going on", "without any port")
OF_A_CLUB = ("the club",)
OF_TABLES = ("the club", "the table", "keeping what is played", "going on")
"""What the doctor has no use for, and takes all the same: people put the word before what they
mean to play with."""


def parser(
    prog: str,
    usage: str,
    description: str,
    without: tuple[str, ...] = OF_A_CLUB,
    quietly: tuple[str, ...] = (),
) -> Parser:
    """A parser for the flags of all subjects but for some; some it takes `quietly`: they change
    nothing there, so its help is silent on them."""
    made = Parser(
        prog=prog,
        usage=usage,
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        argument_default=argparse.SUPPRESS,  # what is not given is left to Options
    )
    for subject, add in SUBJECTS.items():
        if subject in quietly:
            add(partial(_quiet, made.add_argument))
        elif subject not in without:
            add(made.add_argument_group(subject).add_argument)
    return made


def _quiet(add: Add, *names: str, **how: Any) -> argparse.Action:
    return add(*names, **how | {"help": argparse.SUPPRESS})


def read(parser: Parser, arguments: Sequence[str]) -> argparse.Namespace:
    """What the variables and the arguments say. UsageError for a mistake in either."""
    return parser.parse_args([*_from_environment(parser), *arguments])


def options(told: argparse.Namespace) -> Options:
    """The options; UsageError for those that contradict each other."""
    given = vars(told)
    given["public_urls"] = tuple(given.get("public_urls", ()))
    given["rules"] = given.get("rules") or "classic"
    given.setdefault("lang", language())
    given["ice"] = _ice(given)
    made = Options(**given)
    if made.peer and not made.rtc:
        raise UsageError("--peer needs data channels: leave --no-rtc out")
    if made.peer_server and not made.peer:
        raise UsageError("--peer-server is for --peer")
    if made.resume and (made.new or not made.keep):
        raise UsageError("--resume goes neither with --new nor with --no-journal")
    if made.tls_key and not made.tls_cert:
        raise UsageError("--tls-key needs --tls-cert beside it")
    return made


def _from_environment(parser: argparse.ArgumentParser) -> Iterator[str]:
    """PENULTIMA_... variables as arguments; what stands on the command line comes after, and
    wins. Several values of one flag are separated by blanks."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no other list of its options
        for name in action.option_strings:
            if not name.startswith("--") or name in {"--help", "--version"}:
                continue
            value = os.environ.get(variable(name))
            if not value:
                continue
            if action.nargs == 0:
                if value.lower() not in {"0", "false", "no", "off"}:
                    yield name
            elif isinstance(action, argparse._AppendAction):  # noqa: SLF001 - as above
                yield from (f"{name}={each}" for each in value.split())
            else:
                yield f"{name}={value}"
            break


def variable(flag: str) -> str:
    """The variable of a flag: PENULTIMA_PUBLIC_URL for --public-url."""
    return "PENULTIMA_" + flag.lstrip("-").replace("-", "_").upper()


# ---------------------------------------------------------------------------------- values


def _ice(given: dict[str, Any]) -> ice.Ice:
    """Takes the flags of `friends far away` out of what was given."""
    if given.get("peer") and not given.get("turn"):
        given.setdefault("stun", [PUBLIC_STUN])
    if given.get("stun") == ["none"]:
        del given["stun"]
    names = ("stun", "turn", "turn_user", "turn_password", "turn_secret")
    try:
        return ice.read(*(given.pop(name, None) for name in names))
    except ice.IceError as error:
        raise UsageError(str(error)) from None


def _port(text: str) -> int:
    port = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port: give a number from 0 to 65535")
    return port


def _count(text: str) -> int:
    count = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= count <= 100_000:
        raise argparse.ArgumentTypeError(f"{text}: give a number from 1 to 100000")
    return count


def _minutes(text: str) -> float:
    """In seconds."""
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0.0
    if not 0.01 <= minutes <= 100_000:
        raise argparse.ArgumentTypeError(f"{text}: give a number of minutes")
    return minutes * 60


def _node(text: str) -> str:
    if len(text) != 1 or text not in LETTERS:
        raise argparse.ArgumentTypeError(f"{text}: give one letter of {LETTERS}")
    return text


def _proxies(text: str) -> tuple[Network, ...]:
    from penultima.host.proxies import networks  # noqa: PLC0415 - only who trusts one waits for it

    try:
        return networks(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{error} is no address: give some like 127.0.0.1 or 10.0.0.0/8"
        ) from None


def _language(text: str) -> str:
    if text not in LANGUAGES:
        raise argparse.ArgumentTypeError(f"{text}: choose from {', '.join(LANGUAGES)}")
    return text


def _site(url: str) -> str:
    from penultima.host import links  # noqa: PLC0415 - only who gives one waits for it

    try:
        return links.site(url)
    except ValueError:
        raise UsageError(
            f"--site {url}: give the https:// address under which the page that `penultima site` "
            "writes can be opened, like https://ana.github.io/uno/"
        ) from None


def _peer_server(url: str) -> PeerServer:
    from penultima.host.links import PeerServer  # noqa: PLC0415 - as above

    try:
        return PeerServer.read(url)
    except ValueError:
        raise UsageError(
            f"--peer-server {url}: give its address, like https://peer.example.org:9000/folder "
            "(and ?key=KEY if it has one of its own)"
        ) from None


def _public_url(url: str) -> str:
    """The base under which the page lies, without a slash at its end."""
    from urllib.parse import urlsplit  # noqa: PLC0415 - only who gives one waits for it

    from penultima.host.proxies import HOST  # noqa: PLC0415 - as above

    try:
        parts = urlsplit(url)
        # As a browser asks for it: an ñ in a name is written in ASCII.
        place = parts.netloc.encode("idna").decode()
        usable = (
            parts.scheme in {"http", "https"}
            and HOST.fullmatch(place)
            and parts.port != 0
            and not (parts.username or parts.password or parts.query or parts.fragment)
            and PATH.fullmatch(parts.path)
        )
    except ValueError:
        usable = False
    if not usable:
        raise UsageError(
            f"--public-url {url}: give the address as a browser would open it, "
            "like https://uno.example.org or https://example.org/uno"
        )
    return f"{parts.scheme}://{place}{parts.path.rstrip('/')}"
