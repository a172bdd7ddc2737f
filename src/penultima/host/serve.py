"""Puts it all together: sockets, the tables, the application, the console; and takes it apart.

Ctrl-C closes in order (the phones are told, the journal is closed); a second one at once. A match
that was on is then taken up again by the next start, as it is after a crash. What is served, one
table or a club's, is a `Front`; all else is the same for both.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import gc
import importlib
import logging
import os
import signal
import socket
import sys
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from aiohttp import web

from penultima.host import addresses, app, archive, console, tunnel, voices
from penultima.host.club import Club
from penultima.host.journal import NoJournal, SqliteJournal
from penultima.host.keyboard import keys
from penultima.host.listening import listen
from penultima.host.metrics import CountingJournal, Counts
from penultima.host.options import Options, UsageError
from penultima.host.origins import Origins
from penultima.host.proxies import Proxies
from penultima.host.reach import Reach
from penultima.host.single import OneTable
from penultima.host.surroundings import Surroundings
from penultima.host.tables import Tables
from penultima.host.websocket import writers_done

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from penultima.host.certificate import Certificate
    from penultima.host.journal import Journal
    from penultima.host.phrases import Phrases
    from penultima.host.runner import Runner
    from penultima.host.stun import Reflector

logger = logging.getLogger(__name__)

FAREWELL_SECONDS = 1.0
SHOW_SECONDS = 0.1
LOOK_SECONDS = 60.0
"""So often the certificate is looked at."""
FILES = 65536  # that many sockets at most


def main(options: Options, phrases: Phrases, *, club: bool = False) -> int:
    """Serves one table, or a club, until it is told to end; the program's exit status.

    UsageError for what the person can put right.
    """
    kind = "json" if options.json else "plain"
    if not club and not options.json and voices.wants_screen(sys.stdout):
        kind = "screen"
    _log(kind)
    if options.peer and options.site is None:
        raise UsageError(phrases("far_no_site"))
    voice = console.voice(kind, phrases)
    if club:
        assert not isinstance(voice, console.ScreenVoice)
        keeper = archive.club_keeper(options, phrases)
        try:
            front = Club(options, phrases, voice, keeper)
        except UsageError:
            if keeper is not None:
                keeper.close()
            raise
        return asyncio.run(play(options, phrases, voice, keeper, front))
    # Before the loop: the person may take their time to answer.
    person = not options.json and sys.stdin.isatty() and sys.stdout.isatty()
    keeper = archive.keeper(options, phrases, _ask if person else None)
    table = OneTable(options, phrases, voice, keeper)
    return asyncio.run(play(options, phrases, voice, keeper, table))


def _ask(question: str) -> str:
    try:
        return input(question)
    except EOFError:
        return ""


class Front(Protocol):
    """What is served, and what the person at the console is told of it."""

    async def open(self, tables: Tables) -> None:
        """The tables that are there from the beginning. UsageError."""

    def ready(self, reach: Reach, *, built: bool) -> None:
        """The links. ``built``: whether the phones' page is there."""

    def moved(self) -> None:
        """There are other ways in than before."""

    def show(self) -> None:
        """How it stands now."""

    async def watch(self, reach: Reach, around: Surroundings) -> None:
        """Whatever else there is to do while it is served."""

    def keeps(self, runner: Runner) -> bool:
        """Whether a table rests, or is over, when the program ends."""

    @property
    def port_busy(self) -> str:
        """The phrase for when the port of the links that people have is busy."""

    @property
    def last_word(self) -> str:
        """Said when all is closed, if anything."""


async def play(
    options: Options,
    phrases: Phrases,
    voice: voices.Voice,
    keeper: archive.Keeper | None,
    front: Front,
) -> int:
    """Opens everything, in the order in which it may fail; serves; closes it again."""
    loop = asyncio.get_running_loop()
    _more_files()
    listening: list[socket.socket] = []
    journal: Journal = NoJournal()
    try:
        certificate = _certificate(options, phrases)
        way_out = None if options.tunnel is None else tunnel.find(options.tunnel, phrases)
        kept = None if keeper is None else keeper.port
        listening, port = listen(options, phrases, voice, kept, front.port_busy)
        reach = Reach(options, port, certificate)
        if way_out is not None:
            reach.tunnel = tunnel.Tunnel(way_out, reach.inside(), phrases)
        if keeper is not None:
            journal = SqliteJournal(keeper.store, port)
        counts = Counts()
        counted = CountingJournal(journal, counts)
        tables = Tables(counted, node=options.node, link=reach.link)
        await front.open(tables)
    except BaseException:
        for each in listening:
            each.close()
        await journal.close()
        if keeper is not None:
            keeper.close()
        raise

    around = Surroundings(tables, rtc=options.rtc, ice=options.ice, counts=counts)
    site = app.Site(
        around=around,
        origins=Origins(
            port=port,
            public=reach.public,
            scheme=reach.scheme,
            own=lambda: [each.address.partition("%")[0] for each in addresses.interfaces()],
        ),
        client=app.packaged_client(),
        club=front if isinstance(front, Club) else None,
        proxies=Proxies(options.trust_proxy),
        prefixes=tuple(filter(None, (urlsplit(url).path for url in options.public_urls))),
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
        context = None if certificate is None else certificate.context
        await web.SockSite(web_runner, each, backlog=128, ssl_context=context).start()

    with contextlib.ExitStack() as stack:
        stack.enter_context(_stopping(stop))
        if isinstance(voice, console.ScreenVoice):
            voice.on_quit = stop.set
            stack.enter_context(keys(voice.key))
        front.ready(reach, built=(site.client / "index.html").is_file())
        for note in () if keeper is None else keeper.notes:
            voice.note(note)

        showing: list[asyncio.TimerHandle] = []

        def show() -> None:
            showing.clear()
            front.show()

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

        def reflected(reflector: Reflector) -> None:
            servers = " ".join(each.host for each in reflector.servers)
            text = phrases("stun_silent", servers=servers)
            if reflector.address is None:
                voice.note(text, holds=True)
            else:
                voice.no_longer(text)

        tables.on_change = changed
        tables.on_trouble = trouble
        background = [
            _beside(around.heartbeat(), "heartbeat"),
            _beside(front.watch(reach, around), "watch"),
            _beside(counts.measure_lag(), "lag"),
        ]
        if reach.tunnel is not None:

            def moved() -> None:
                reach.look()
                site.origins.admit(reach.public)
                front.moved()

            reach.tunnel.say, reach.tunnel.on_change = voice.note, moved
            background.append(_beside(reach.tunnel.run(), "tunnel"))
        if certificate is not None:
            background.append(_beside(_watch_certificate(reach, voice, phrases), "certificate"))
        if options.rtc:
            background.append(_beside(_load_rtc(around, reflected), "load-rtc"))
        else:
            _keep_what_is_loaded()
        try:
            await stop.wait()
        finally:
            site.closing = True
            tables.on_change = tables.on_trouble = None
            for timer in showing:
                timer.cancel()
            front.show()
            voice.note(phrases("closing"))
            await tables.close(front.keeps)
            await writers_done(FAREWELL_SECONDS)
            await web_runner.cleanup()
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
            await _close_rtc()
            await journal.close()
            if keeper is not None:
                keeper.close()
            voice.closed(front.last_word)
    return 0


# ------------------------------------------------------------------------ coming and going


def _beside(work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
    """Runs beside the tables. If it fails they go on without it, and the log says so at once."""

    def done(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("%s has failed", name, exc_info=error)

    task = asyncio.create_task(work, name=name)
    task.add_done_callback(done)
    return task


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
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        numbers.append(signal.SIGHUP)  # the window is closed; under `nohup` nobody minds
    before = {number: signal.signal(number, on_signal) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _more_files() -> None:
    """A thousand phones are a thousand sockets, and many systems begin with fewer."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not on Windows

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, FILES)), hard))


def _certificate(options: Options, phrases: Phrases) -> Certificate | None:
    if options.tls_cert is None:
        return None
    from penultima.host.certificate import Certificate  # noqa: PLC0415 - loads a library

    return Certificate.load(options.tls_cert, options.tls_key, phrases)


async def _watch_certificate(reach: Reach, voice: voices.Voice, phrases: Phrases) -> None:
    """Says what a phone has against it, for ever; takes a renewed one into use."""
    said: set[str] = set()
    while (certificate := reach.certificate) is not None:
        found = {certificate.trouble(phrases, dt.datetime.now(dt.UTC)), reach.foreign(phrases)}
        try:
            fresh = certificate.renewed(phrases)
        except UsageError as error:
            found.add(str(error))
            fresh = None
        now = {text for text in found if text}
        for text in said - now:
            voice.no_longer(text)
        for text in sorted(now - said):
            voice.note(text, holds=True)
        said = now
        if fresh is not None:
            reach.certificate = fresh
            voice.note(phrases("tls_renewed"))
            continue
        await asyncio.sleep(LOOK_SECONDS)


async def _load_rtc(around: Surroundings, reflected: Callable[[Reflector], None]) -> None:
    """aiortc takes a good part of a second to load: after the first output, beside the rest.
    Meanwhile the STUN server is found that data channels ask; it is looked after to the end."""
    if around.ice.reflectors:
        stun: Any = await asyncio.to_thread(importlib.import_module, "penultima.host.stun")
        around.reflector = stun.Reflector(around.ice.reflectors, reflected)
        async with asyncio.TaskGroup() as both:
            both.create_task(around.reflector.watch(), name="reflector")
            both.create_task(_load_aiortc(), name="load-aiortc")
    else:
        await _load_aiortc()


async def _load_aiortc() -> None:
    try:
        await asyncio.to_thread(importlib.import_module, "penultima.host.datachannel")
    except ImportError:
        logger.exception("no data channels: aiortc cannot be loaded")
        return
    _keep_what_is_loaded()


def _keep_what_is_loaded() -> None:
    """No looking for garbage there: it takes 50 ms on a laptop, and now and then a card would come
    that much later."""
    gc.freeze()


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
