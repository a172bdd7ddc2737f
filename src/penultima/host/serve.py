"""Puts it all together: sockets, the table, the application, the console; and takes it apart.

Ctrl-C closes in order (the phones are told, the journal is closed); a second one at once. A match
that was on is then taken up again by the next start, as it is after a crash.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import hashlib
import importlib
import logging
import os
import secrets
import signal
import socket
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aiohttp import web

from penultima.bots import bot
from penultima.engine.errors import RulesError
from penultima.engine.notation import NotationError
from penultima.host import addresses, app, archive, console
from penultima.host.journal import NoJournal, SqliteJournal
from penultima.host.keyboard import keys
from penultima.host.options import DEFAULT_PORT, Options, UsageError
from penultima.host.origins import LOCAL, Origins
from penultima.host.report import summary
from penultima.host.runner import Runner, Tables
from penultima.host.session import Surroundings
from penultima.host.websocket import writers_done
from penultima.table import Options as TableOptions
from penultima.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penultima.host.journal import Journal
    from penultima.host.phrases import Phrases
    from penultima.host.stun import Reflector

logger = logging.getLogger(__name__)

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
NODE = "a"  # first letter of every code this program gives out; others for other nodes
TRIES = 20  # ports after the default one
FAREWELL_SECONDS = 1.0
HINT_SECONDS = 60.0
SHOW_SECONDS = 0.1
ANY = frozenset({"", "*", "0.0.0.0", "::"})  # noqa: S104 - what --host may say for all addresses


@dataclass(frozen=True, slots=True)
class Secrets:
    """What opens a table: drawn anew for each, never from a seed."""

    code: str
    secret: str
    host_key: str

    @classmethod
    def drawn(cls) -> Secrets:
        def draw(length: int) -> str:
            return "".join(secrets.choice(ALPHABET) for _ in range(length))

        return cls(NODE + draw(5), draw(16), draw(24))

    @classmethod
    def of(cls, opened: dict[str, Any]) -> Secrets:
        """Those of a table that goes on."""
        return cls(opened["code"], opened["secret"], opened["host_key"])


def main(options: Options, phrases: Phrases) -> int:
    kind = "json" if options.json else "plain"
    if not options.json and console.wants_screen(sys.stdout):
        kind = "screen"
    _log(kind)
    # Before the loop: the person may take their time to answer.
    person = not options.json and sys.stdin.isatty() and sys.stdout.isatty()
    keeper = archive.keeper(options, phrases, _ask if person else None)
    return asyncio.run(play(options, phrases, console.voice(kind, phrases), keeper))


def _ask(question: str) -> str:
    try:
        return input(question)
    except EOFError:
        return ""


async def play(
    options: Options, phrases: Phrases, voice: console.Voice, keeper: archive.Keeper | None
) -> int:
    loop = asyncio.get_running_loop()
    resumed = None if keeper is None else keeper.resumed
    listening: list[socket.socket] = []
    try:
        listening, port = _listen(options, phrases, voice, resumed)
        if resumed is None:
            shared = Secrets.drawn()
            table = _table(options, phrases, shared)
        else:
            shared = Secrets.of(resumed.opened)
            table = resumed.table
        if keeper is not None:
            keeper.begin(shared.code, port, table.journal())
    except BaseException:
        for each in listening:
            each.close()
        if keeper is not None:
            keeper.close()
        raise
    reach = Reach(options, port, shared, resumed=resumed is not None)

    journal: Journal = NoJournal() if keeper is None else SqliteJournal(keeper.store)
    tables = Tables()
    around = Surroundings(tables, rtc=options.rtc, ice=options.ice)
    runner = Runner(shared.code, table, journal)
    tables.add(runner)
    site = app.Site(
        around=around,
        origins=Origins(
            port=port,
            public=options.public_urls,
            own=lambda: [each.address.partition("%")[0] for each in addresses.interfaces()],
        ),
        client=app.packaged_client(),
    )
    stop = asyncio.Event()
    web_runner = web.AppRunner(
        app.build(site),
        handle_signals=False,
        access_log=None,
        keepalive_timeout=30.0,
        shutdown_timeout=FAREWELL_SECONDS,
    )
    await web_runner.setup()
    for each in listening:
        await web.SockSite(web_runner, each, backlog=128).start()

    built = (site.client / "index.html").is_file()

    def look_again() -> console.Ready:
        ready = reach.ready(built=built)
        table.link = ready.urls[0]
        return ready

    with contextlib.ExitStack() as stack:
        stack.enter_context(_stopping(stop))
        if isinstance(voice, console.ScreenVoice):
            voice.on_quit = stop.set
            voice.look_again = look_again
            stack.enter_context(keys(voice.key))
        voice.ready(look_again())
        voice.changed(summary(table.console()))
        if resumed is not None:
            voice.note(phrases("goes_on", code=shared.code, players=resumed.players))
        for note in () if keeper is None else keeper.notes:
            voice.note(note)

        seen = asyncio.Event()

        showing: list[asyncio.TimerHandle] = []

        def show() -> None:
            showing.clear()
            if runner.pages:
                seen.set()
            voice.changed(summary(table.console()))

        def changed() -> None:
            """The phones first: the console follows, for all that happened in the meantime."""
            if not showing:
                showing.append(loop.call_later(SHOW_SECONDS, show))

        def trouble(stuck: bool) -> None:
            if stuck:
                voice.note(phrases("disk_full"), holds=True)
            else:
                voice.no_longer(phrases("disk_full"))
                voice.note(phrases("disk_again"))
            changed()

        runner.on_change = changed
        runner.on_trouble = trouble
        background = [
            asyncio.create_task(around.heartbeat(), name="heartbeat"),
            asyncio.create_task(_hint(seen, voice, phrases("hint", port=port)), name="hint"),
        ]
        if options.rtc:
            background.append(asyncio.create_task(_load_rtc(around), name="load-rtc"))
        try:
            await stop.wait()
        finally:
            runner.on_change = runner.on_trouble = None
            for timer in showing:
                timer.cancel()
            show()
            voice.note(phrases("closing"))
            resting = keeper is not None and table.console()["phase"] in archive.ON
            await tables.close(resting=resting)
            await writers_done(FAREWELL_SECONDS)
            await web_runner.cleanup()
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
            await _close_rtc()
            await journal.close()
            if keeper is not None:
                keeper.end(shared.code, resting=resting)
            voice.closed(phrases("kept") if resting else "")
    return 0


class Reach:
    """Under which addresses the table is reached, as of now: the network may change."""

    def __init__(
        self, options: Options, port: int, shared: Secrets, *, resumed: bool = False
    ) -> None:
        self._options, self._port, self._shared = options, port, shared
        self._resumed = resumed

    def ready(self, *, built: bool) -> console.Ready:
        bind, public = self._options.bind, self._options.public_urls
        found = addresses.own() if bind is None or bind in ANY else [bind]
        local = not found or found[0] in LOCAL
        if local:
            found = ["localhost"]
        own = (f"http://{addresses.netloc(address, self._port)}" for address in found)
        bases = (*public, *own)
        fragment = f"#{self._shared.code}.{self._shared.secret}"
        return console.Ready(
            urls=tuple(f"{base}/{fragment}" for base in bases),
            host_url=f"{bases[0]}/{fragment}.{self._shared.host_key}",
            mesa_url=f"{bases[0]}/mesa{fragment}",
            port=self._port,
            local_only=local and not public,
            built=built,
            resumed=self._resumed,
        )


# ------------------------------------------------------------------------------- the table


def _table(options: Options, phrases: Phrases, shared: Secrets) -> Table:
    position = None if options.position is None else _position(Path(options.position))
    seed = secrets.token_bytes(32)
    if options.seed is not None:
        seed = hashlib.sha256(options.seed.encode()).digest()
    try:
        return Table(
            shared.code,
            shared.secret,
            shared.host_key,
            seed=seed,
            now=asyncio.get_running_loop().time(),
            title=options.title or "",  # a page says it in its own language
            options=TableOptions(rules=options.rules, fast=options.fast, position=position),
            brain=bot,
        )
    except NotationError as error:
        reason = f"{options.position}:{error.line}: {error.reason}: {error.remedy}"
        raise UsageError(f"--position {reason}") from None
    except RulesError as error:
        line = phrases("rules_bad", field=error.field, reason=error.reason)
        raise UsageError(line) from None


def _position(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise UsageError(f"--position {path}: {reason}") from None


# ----------------------------------------------------------------------------- the sockets


def _listen(
    options: Options,
    phrases: Phrases,
    voice: console.Voice,
    resumed: archive.Found | None = None,
) -> tuple[list[socket.socket], int]:
    """The default port may move on; one that was asked for, or that a link names, may not."""
    kept = None if resumed is None else resumed.kept.port
    if options.port is not None and not (options.port == 0 and kept):
        return _open(options.bind, options.port, phrases)
    if kept:
        try:
            return _open(options.bind, kept, phrases)
        except PortBusyError:
            raise UsageError(phrases("resume_port", port=kept), status=1) from None
    for port in range(DEFAULT_PORT, DEFAULT_PORT + TRIES):
        try:
            opened = _open(options.bind, port, phrases)
        except PortBusyError:
            continue
        if port != DEFAULT_PORT:
            voice.note(phrases("port_moved", busy=DEFAULT_PORT, port=port))
        return opened
    raise UsageError(phrases("port_busy", port=DEFAULT_PORT), status=1)


class PortBusyError(UsageError):
    """Somebody else listens there."""


def _open(bind: str | None, port: int, phrases: Phrases) -> tuple[list[socket.socket], int]:
    if bind is not None and bind not in ANY:
        try:
            found = socket.getaddrinfo(bind, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        except OSError:
            raise UsageError(phrases("bind_bad", host=bind)) from None
        family, _, _, _, address = found[0]
        opened = _socket(family, str(address[0]), port, phrases)
        return [opened], opened.getsockname()[1]
    first = _socket(socket.AF_INET, "0.0.0.0", port, phrases)  # noqa: S104 - phones are elsewhere
    port = first.getsockname()[1]
    both = [first]
    if socket.has_ipv6:
        with contextlib.suppress(OSError, UsageError):
            both.append(_socket(socket.AF_INET6, "::", port, phrases))
    return both, port


def _socket(
    family: socket.AddressFamily, address: str, port: int, phrases: Phrases
) -> socket.socket:
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # there it would let two programs share the port
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family is socket.AF_INET6:
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        opened.bind((address, port))
        opened.listen(128)
        opened.setblocking(False)
    except PermissionError:
        opened.close()
        raise UsageError(phrases("port_denied", port=port), status=1) from None
    except OSError as error:
        opened.close()
        if error.errno == errno.EADDRNOTAVAIL:
            raise UsageError(phrases("bind_bad", host=address)) from None
        raise PortBusyError(phrases("port_busy", port=port), status=1) from None
    return opened


# ------------------------------------------------------------------------ coming and going


@contextlib.contextmanager
def _stopping(stop: asyncio.Event) -> Iterator[None]:
    """The first signal asks to stop, the second does not ask."""
    loop = asyncio.get_running_loop()
    asked = False

    def on_signal(number: int, _frame: object) -> None:
        nonlocal asked
        if asked:
            os._exit(128 + number)
        asked = True
        loop.call_soon_threadsafe(stop.set)

    numbers = [signal.SIGINT, signal.SIGTERM]
    before = {number: signal.signal(number, on_signal) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def _hint(seen: asyncio.Event, voice: console.Voice, text: str) -> None:
    try:
        async with asyncio.timeout(HINT_SECONDS):
            await seen.wait()
    except TimeoutError:
        voice.note(text, holds=True)


async def _load_rtc(around: Surroundings) -> None:
    """aiortc takes a good part of a second to load: after the first output, beside the rest. Then
    the STUN server is found that data channels ask, and looked after."""
    try:
        await asyncio.to_thread(importlib.import_module, "penultima.host.datachannel")
    except ImportError:
        logger.exception("no data channels: aiortc cannot be loaded")
        return
    if around.ice.reflectors:
        from penultima.host.stun import Reflector  # noqa: PLC0415 - comes with aiortc

        around.reflector = Reflector(around.ice.reflectors, on_change=_say_reflector)
        await around.reflector.watch()


def _say_reflector(reflector: Reflector) -> None:
    if reflector.address is None:
        reasons = "; ".join(str(each) for each in reflector.failures)
        logger.warning("no STUN server answers: far guests may need a relay (%s)", reasons)


async def _close_rtc() -> None:
    module: Any = sys.modules.get("penultima.host.datachannel")
    all_closed = getattr(module, "all_closed", None)  # absent while it is still being loaded
    if all_closed is not None:
        await all_closed(FAREWELL_SECONDS)


def _log(kind: str) -> None:
    """Warnings go to stderr; under a full screen they would spoil it, so there to a file."""
    handler: logging.Handler = logging.StreamHandler()
    if kind == "screen":
        from logging.handlers import RotatingFileHandler  # noqa: PLC0415

        from platformdirs import user_log_path  # noqa: PLC0415

        folder = user_log_path("penultima", appauthor=False, ensure_exists=True)
        handler = RotatingFileHandler(
            folder / "penultima.log", maxBytes=1_000_000, backupCount=1, delay=True
        )
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
