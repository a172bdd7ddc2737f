"""A club: many tables in one program, opened and closed from a page that has the club's key.

Every table is as good as one that has a program to itself: its own link, seats, host and rows in
the journal. What a club adds is the list, and the bounds: so many tables at work at a time, and
those that nobody is at rest in the journal until somebody comes (`tables`).
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import os
import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from penultima.bots import bot
from penultima.engine.errors import RulesError
from penultima.host import voices
from penultima.host.invitation import ALPHABET, Invitation, drawn
from penultima.host.journal import JournalError
from penultima.host.options import Options, UsageError
from penultima.host.report import Player, summary
from penultima.host.tables import FullError, NoTableError, Tables
from penultima.table import Options as TableOptions
from penultima.table import Table, names
from penultima.table.keys import same
from penultima.table.powers import TITLE
from penultima.table.refusals import No

if TYPE_CHECKING:
    from collections.abc import Callable

    from penultima.host.archive import Keeper
    from penultima.host.phrases import Phrases
    from penultima.host.reach import Reach
    from penultima.host.runner import Runner
    from penultima.host.surroundings import Surroundings

logger = logging.getLogger(__name__)

KEY_LENGTH: Final = 24
TIDY_SECONDS: Final = 5.0
LIST_SECONDS: Final = 1.0
"""So often at most a page gets a new list; with more than a hundred tables less often."""

TABLE_BYTES: Final = 600_000
"""A table at work with four phones on WebSockets, measured with a margin (docs/scaling.md)."""


class RefusedError(Exception):
    """What a page asked for was not done; ``code`` and ``field`` as on the wire."""

    def __init__(self, code: str, field: str | None = None) -> None:
        super().__init__(code)
        self.code, self.field = code, field


class Club:
    """The tables of a club, for the console (as `serve.Front`) and for its page."""

    port_busy = "club_port"

    def __init__(
        self,
        options: Options,
        phrases: Phrases,
        voice: voices.JsonVoice | voices.PlainVoice,
        keeper: Keeper | None,
    ) -> None:
        self._options, self._phrases, self._voice, self._keeper = options, phrases, voice, keeper
        self.node = options.node
        self.most = options.max_tables or most_tables()
        self.key = _key(keeper, phrases)
        self.on_list: dict[object, Callable[[dict[str, Any]], None]] = {}
        """Who wants to hear of every change, with the list."""
        self._tables: Tables
        self._reach: Reach
        self._built: bool
        self._listing: asyncio.TimerHandle | None = None
        self._listed = 0.0

    # --- for the console

    async def open(self, tables: Tables) -> None:
        self._tables = tables
        tables.most = self.most
        if self._keeper is not None:
            tables.resting.update(self._keeper.resting)

    def ready(self, reach: Reach, *, built: bool) -> None:
        self._reach, self._built = reach, built
        page = f"/club#{self.node}.{self.key}"
        self._voice.club(
            voices.ClubReady(
                ways=tuple(way.to(page) for way in reach.ways),
                port=reach.port,
                built=built,
                metrics_key=self.metrics_key,
                node=self.node,
                most=self.most,
                resting=len(self._tables.resting),
            )
        )

    def moved(self) -> None:
        """The page has another link, and so has every table."""
        self.ready(self._reach, built=self._built)
        for runner in self._tables:
            invitation = self._tables.invitation(runner.code)
            if invitation is not None:
                runner.table.link = self._reach.link(invitation)
        self.show()

    def show(self) -> None:
        """Something is different: the pages hear of it, all in one."""
        if self.on_list and self._listing is None:
            loop = asyncio.get_running_loop()
            pause = LIST_SECONDS * max(1.0, len(self._tables) / 100)
            wait = max(0.0, self._listed + pause - loop.time())
            self._listing = loop.call_later(wait, self._tell)

    def _tell(self) -> None:
        self._listing = None
        self._listed = asyncio.get_running_loop().time()
        told = self.list()
        for listener in list(self.on_list.values()):
            listener(told)

    async def watch(self, reach: Reach, around: Surroundings) -> None:
        """Takes up what was at work when the program ended; lays to rest what nobody is at."""
        del reach, around
        await self._take_up()
        while True:
            await asyncio.sleep(TIDY_SECONDS)
            try:
                await self._tables.rest_lonely(self._options.idle)
            except Exception:
                logger.exception("while tidying up")

    async def _take_up(self) -> None:
        """Nobody has to wait for this: a hello wakes its table at once."""
        since = time.time() - self._options.idle
        recent = [each for each in self._tables.resting.values() if each.touched >= since]
        for each in sorted(recent, key=lambda resting: -resting.touched):
            try:
                await self._tables.wake(each.invitation.code)
            except FullError:
                return
            except (NoTableError, JournalError) as error:
                logger.warning("%r", error)
            except Exception:
                logger.exception("taking up table %s", each.invitation.code)

    def keeps(self, runner: Runner) -> bool:
        """Whoever runs a club closes its tables on the page. All others are there again."""
        del runner
        return self._keeper is not None

    @property
    def last_word(self) -> str:
        return self._phrases("club_kept") if self._keeper is not None else ""

    # --- for the page

    def admits(self, key: str) -> bool:
        return same(key, self.key)

    @property
    def metrics_key(self) -> str:
        """For who reads `/metrics`: it opens nothing else."""
        return hmac.digest(self.key.encode(), b"metrics", "sha256").hex()[:32]

    def list(self) -> dict[str, Any]:
        """The message `club`: all tables, those at work first, the newest of each first."""
        tables = self._tables
        working = [self._row(runner.code, runner.table.console()) for runner in tables]
        resting = sorted(tables.resting.items(), key=lambda each: each[1].touched)
        rows = [self._row(code, each.told, resting=True) for code, each in resting]
        return {
            "t": "club",
            "node": self.node,
            "most": self.most,
            "working": len(working),
            "tables": [*reversed(working), *reversed(rows)],
        }

    def _row(self, code: str, told: dict[str, Any], *, resting: bool = False) -> dict[str, Any]:
        invitation = self._tables.invitation(code)
        assert invitation is not None
        base = self._reach.bases[0]
        row: dict[str, Any] = {
            "code": code,
            "title": told["title"],
            "players": [_member(player) for player in summary(told).here],
            "guests": f"{base}/{invitation.fragment}",
            "host": f"{base}/{invitation.host_fragment}",
        }
        if "phase" in told:
            row["phase"] = told["phase"]
        if told.get("round"):
            row["round"] = told["round"]
        if resting:
            row["resting"] = True
        return row

    async def open_table(self, title: str, rules: str) -> dict[str, Any]:
        """A new table, as the list has it. :class:`RefusedError`."""
        try:
            title = names.clean(title, longest=TITLE, most_bytes=2 * names.BYTES) if title else ""
        except No as no:
            raise RefusedError(no.code, no.field) from None
        invitation = self._new()
        try:
            table = Table(
                invitation.code,
                invitation.secret,
                invitation.host_key,
                seed=secrets.token_bytes(32),
                now=asyncio.get_running_loop().time(),
                title=title,
                options=TableOptions(rules=rules),
                brain=bot,
            )
            await self._tables.open(table, invitation)
        except RulesError as error:
            raise RefusedError("bad_rules", error.field) from None
        except FullError:
            raise RefusedError("club_full") from None
        except JournalError:
            raise RefusedError("disk") from None
        return self._row(invitation.code, table.console())

    def _new(self) -> Invitation:
        while True:
            invitation = Invitation.drawn(self.node)
            if self._tables.invitation(invitation.code) is None:
                return invitation

    async def close_table(self, code: str) -> None:
        """For good. :class:`RefusedError`."""
        if self._tables.invitation(code) is None:
            raise RefusedError("no_such_table")
        try:
            await self._tables.forget(code)
        except JournalError:
            raise RefusedError("disk") from None


def _member(player: Player) -> dict[str, Any]:
    member: dict[str, Any] = {"name": player.name}
    if player.bot:
        member["bot"] = True
    if player.state != "here":
        member["state"] = player.state
    return member


def most_tables() -> int:
    """As many as half of this machine's memory holds; a container's, if it is less."""
    total = 2 * 1024**3
    with contextlib.suppress(AttributeError, ValueError, OSError):
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with contextlib.suppress(OSError, ValueError):
        total = min(total, int(Path("/sys/fs/cgroup/memory.max").read_text("ascii")))
    return max(10, min(2000, total // 2 // TABLE_BYTES))


def _key(keeper: Keeper | None, phrases: Phrases) -> str:
    """The club's key: beside its journal, so that the page's link stays the same."""
    if keeper is None:
        return drawn(KEY_LENGTH)
    path = keeper.store.path.with_name(f"{keeper.store.path.name}.key")
    try:
        with contextlib.suppress(FileExistsError):
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="ascii") as out:
                out.write(drawn(KEY_LENGTH) + "\n")
        key = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not ASCII"
        raise UsageError(f"{path}: {reason}", status=1) from None
    if len(key) != KEY_LENGTH or not set(key) <= set(ALPHABET):
        raise UsageError(phrases("club_key_bad", path=path), status=1)
    return key
