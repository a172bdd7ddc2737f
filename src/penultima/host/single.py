"""One table, and the console that shows it: what `penultima` without a command serves."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from penultima.bots import bot
from penultima.engine.errors import RulesError
from penultima.engine.notation import NotationError
from penultima.host import archive, console, voices
from penultima.host.invitation import Invitation
from penultima.host.journal import JournalError
from penultima.host.options import Options, UsageError
from penultima.host.reach import Way
from penultima.host.report import summary
from penultima.table import Options as TableOptions
from penultima.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from penultima.host.phrases import Phrases
    from penultima.host.reach import Reach
    from penultima.host.runner import Runner
    from penultima.host.surroundings import Surroundings
    from penultima.host.tables import Tables

HINT_SECONDS = 60.0


class OneTable:
    """A new table, or the one that goes on. UsageError for what the person can put right."""

    port_busy = "resume_port"

    def __init__(
        self,
        options: Options,
        phrases: Phrases,
        voice: voices.Voice,
        keeper: archive.Keeper | None,
    ) -> None:
        self._options, self._phrases, self._voice, self._keeper = options, phrases, voice, keeper
        self._runner: Runner
        self._invitation: Invitation
        self._look: Callable[[], voices.Ready]
        self._links: tuple[str, ...] = ()
        self._around: Surroundings | None = None
        self._seen = asyncio.Event()
        self._kept = False

    async def open(self, tables: Tables) -> None:
        resumed = None if self._keeper is None else self._keeper.resumed
        if resumed is None:
            self._invitation = Invitation.drawn()
            table = _table(self._options, self._phrases, self._invitation)
        else:
            self._invitation = Invitation.of(resumed.opened)
            table = resumed.table
        if self._keeper is not None:
            self._keeper.hold(self._invitation.code)
        try:
            self._runner = await tables.open(table, self._invitation)
        except JournalError as error:
            raise UsageError(f"the journal: {error}", status=1) from None

    def ready(self, reach: Reach, *, built: bool) -> None:
        """The first that is said; the screen asks again when it wants another address."""
        resumed = None if self._keeper is None else self._keeper.resumed
        code = self._invitation.code

        def look() -> voices.Ready:
            reach.look()
            fragment, bases = self._invitation.fragment, reach.bases
            ways = [way.to(f"/{fragment}") for way in reach.ways]
            if self._options.peer:
                from penultima.host import peer  # noqa: PLC0415 - only who asks for it waits

                ways.insert(0, Way(peer.link(self._options, self._invitation), "far"))
            self._runner.table.link = ways[0].link
            self._links = tuple(way.link for way in ways)
            if self._around is not None:
                self._around.pass_on(code, self._links)
            return voices.Ready(
                ways=tuple(ways),
                host_url=f"{bases[0]}/{self._invitation.host_fragment}",
                mesa_url=f"{bases[0]}/mesa{fragment}",
                port=reach.port,
                built=built,
                resumed=resumed is not None,
            )

        self._look = look
        if isinstance(self._voice, console.ScreenVoice):
            self._voice.look_again = look
        self._voice.ready(look())
        self.show()
        if resumed is not None:
            self._voice.note(self._phrases("goes_on", code=code, players=resumed.players))

    def moved(self) -> None:
        self._voice.moved(self._look())

    def show(self) -> None:
        """The table as it is now, on the console."""
        if self._runner.pages:
            self._seen.set()
        self._voice.changed(summary(self._runner.table.console()))

    async def watch(self, reach: Reach, around: Surroundings) -> None:
        """Says what to look at when no phone comes; lets those in who are far away."""
        self._around = around
        around.pass_on(self._invitation.code, self._links)
        if not self._options.peer:
            await hint(self._seen, self._voice, self._phrases("hint", port=reach.port))
            return
        from penultima.host import peer  # noqa: PLC0415 - only who asks for it waits

        voice, phrases = self._voice, self._phrases
        await peer.PeerWay(self._options, phrases, voice, around, self._invitation).run()

    def keeps(self, runner: Runner) -> bool:
        """Whether the journal shall have the table back when the program ends: a match is on."""
        self._kept = self._keeper is not None and runner.table.console()["phase"] in archive.ON
        return self._kept

    @property
    def last_word(self) -> str:
        return self._phrases("kept") if self._kept else ""


async def hint(seen: asyncio.Event, voice: voices.Voice, text: str) -> None:
    """Says ``text`` when nobody has been ``seen`` within ``HINT_SECONDS``."""
    try:
        async with asyncio.timeout(HINT_SECONDS):
            await seen.wait()
    except TimeoutError:
        voice.note(text, holds=True)


def _table(options: Options, phrases: Phrases, invitation: Invitation) -> Table:
    position = None if options.position is None else _position(Path(options.position))
    seed = secrets.token_bytes(32)
    if options.seed is not None:
        seed = hashlib.sha256(options.seed.encode()).digest()
    try:
        return Table(
            invitation.code,
            invitation.secret,
            invitation.host_key,
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
