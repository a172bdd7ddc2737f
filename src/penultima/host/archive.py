"""The journal as the person at the terminal knows it: where it lies, what is in it, what can go on.

`Keeper` is what a table that is being played has of it: the store, the lock, and the match that
is taken up again, if one is. The commands `tables`, `export` and `import` are here too.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from penultima.host import lock
from penultima.host.invitation import Invitation
from penultima.host.lock import Lock, Locked
from penultima.host.options import Options, Parser, UsageError
from penultima.host.phrases import LANGUAGES, Phrases, language
from penultima.host.report import summary
from penultima.host.store import KnownTableError, NewerStoreError, Store, StoreError
from penultima.host.tables import Resting, restored
from penultima.table import RestoreError, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penultima.host.store import Kept, Record

DAY: Final = 24 * 3600.0
KEPT_SECONDS: Final = 30 * DAY
"""So long an ended table stays in the journal, and an unfinished match is offered."""

CRASH_SECONDS: Final = 3600.0
"""So long a table without a match is offered after a crash: people sit there, and have its link."""

CLUB: Final = "club"
"""Stands for a table's code where a program holds the whole journal."""

ON: Final = frozenset({"round", "between"})
"""The phases in which a match is on."""


def default_path() -> Path:
    """In the user's state folder."""
    from platformdirs import user_state_path  # noqa: PLC0415 - who names a file does without

    return user_state_path("penultima", appauthor=False) / "journal.sqlite3"


def club_path(node: str) -> Path:
    """A club's journal: its tables are not offered to who plays one table here."""
    return default_path().with_name(f"club-{node}.sqlite3")


def open_store(named: str | None, phrases: Phrases) -> Store:
    """UsageError, one clear sentence, for what cannot be used."""
    path = default_path() if named is None else Path(named)
    try:
        return Store(path, named=named is not None)
    except NewerStoreError:
        raise UsageError(phrases("journal_newer", path=path), status=1) from None
    except StoreError as error:
        reason = error.reason or phrases("journal_foreign")
        raise UsageError(phrases("journal_bad", path=path, reason=reason), status=1) from None


@dataclass(frozen=True, slots=True)
class Found:
    """A table out of the journal, ready to go on."""

    kept: Kept
    opened: Record
    table: Table

    @property
    def told(self) -> dict[str, Any]:
        return self.table.console()

    def goes_on(self, now: float) -> bool:
        """Whether somebody would want it back. Who left in order, without a match, has ended it."""
        told = self.told
        if told["phase"] in ON:
            return True
        people = any(player.bot is None for player in summary(told).here)
        return people and now - self.kept.touched < CRASH_SECONDS

    @property
    def players(self) -> str:
        """Who plays, and how it stands."""
        here = summary(self.told).here
        return ", ".join(f"{player.name} {player.score}" for player in here)

    @property
    def when(self) -> str:
        return _when(self.kept.touched)


def _when(moment: float) -> str:
    then, now = time.localtime(moment), time.localtime()
    same_day = then[:3] == now[:3]
    return time.strftime("%H:%M" if same_day else "%Y-%m-%d %H:%M", then)


def found(store: Store, kept: Kept) -> Found:
    """:class:`RestoreError` if its records lead nowhere."""
    try:
        records = list(store.records(kept.code))
    except ValueError as wrong:  # whatever a file can hold
        raise RestoreError(repr(wrong)) from wrong
    return Found(kept, records[0], restored(records, time.monotonic()))


class Keeper:
    """The journal of a program that runs tables: the store, what goes on, and the lock."""

    def __init__(self, store: Store, resumed: Found | None, held: Lock | None) -> None:
        self.store = store
        self.resumed = resumed
        self.resting: dict[str, Resting] = {}
        """Of a club: what its journal holds."""
        self.port = None if resumed is None else resumed.kept.port
        """Where the links that people have lead to."""
        self._held = held
        self.notes: list[str] = []
        """What the person should be told when there is a screen to tell it on."""

    def hold(self, code: str) -> None:
        """The table of that code is being run here, and nowhere else."""
        if self._held is None:
            self._held = Lock(_lock_path(self.store, code))

    def close(self) -> None:
        self.store.close()
        if self._held is not None:
            self._held.release()
            self._held = None


def keeper(
    options: Options, phrases: Phrases, ask: Callable[[str], str] | None = None
) -> Keeper | None:
    """Opens the journal and finds what is to go on; `ask` asks the person, if there is one."""
    if not options.keep:
        return None
    store = open_store(options.journal, phrases)
    try:
        made = _keeper(store, options, phrases, ask)
    except sqlite3.Error as error:
        store.close()
        raise UsageError(f"{store.path}: {error}", status=1) from None
    except BaseException:
        store.close()
        raise
    if store.set_aside is not None:
        made.notes.append(phrases("journal_aside", path=store.set_aside))
    return made


def _keeper(
    store: Store, options: Options, phrases: Phrases, ask: Callable[[str], str] | None
) -> Keeper:
    if lock.is_held(_lock_path(store, CLUB)):
        raise UsageError(phrases("club_runs", path=store.path), status=1)
    now = time.time()
    with contextlib.suppress(sqlite3.OperationalError):
        # A full disk is told of when something has to be written.
        store.forget_ended(before=now - KEPT_SECONDS)
    if options.resume is not None:
        return _asked_for(store, options.resume, phrases)
    if options.new or options.seed is not None or options.position is not None:
        return Keeper(store, None, None)
    notes: list[str] = []
    for kept in store.tables():
        if kept.ended or kept.touched < now - KEPT_SECONDS:
            continue
        try:
            held = Lock(_lock_path(store, kept.code))
        except Locked:
            continue
        try:
            one = found(store, kept)
            if one.goes_on(now):
                question = phrases("go_on", code=kept.code, when=one.when, players=one.players)
                if ask is None or not ask(question).strip().lower().startswith("n"):
                    made = Keeper(store, one, held)
                    made.notes += notes
                    return made
                held.release()
                break
        except RestoreError:
            # Its records stay; it is not offered every time.
            store.end(kept.code)
            notes.append(phrases("journal_broken", code=kept.code))
        except BaseException:
            held.release()
            raise
        held.release()
    made = Keeper(store, None, None)
    made.notes += notes
    return made


def club_keeper(options: Options, phrases: Phrases) -> Keeper | None:
    """Opens a club's journal, and finds the tables that are to rest until somebody comes."""
    if not options.keep:
        return None
    named = options.journal or str(club_path(options.node))
    store = open_store(named, phrases)
    try:
        made = Keeper(store, None, Lock(_lock_path(store, CLUB)))
        made.resting = _resting(store, phrases, made.notes)
        ports = (kept.port for kept in store.tables() if kept.code in made.resting)
        made.port = next(ports, None)
    except Locked:
        store.close()
        raise UsageError(phrases("club_runs", path=store.path), status=1) from None
    except sqlite3.Error as error:
        store.close()
        raise UsageError(f"{store.path}: {error}", status=1) from None
    if store.set_aside is not None:
        made.notes.append(phrases("journal_aside", path=store.set_aside))
    return made


def _resting(store: Store, phrases: Phrases, notes: list[str]) -> dict[str, Resting]:
    """Every table that has not ended, but for those of a program of their own."""
    long_ago = time.time() - KEPT_SECONDS
    found: dict[str, Resting] = {}
    with contextlib.suppress(sqlite3.OperationalError):  # a full disk is told of later
        store.forget_ended(before=long_ago)
        for kept in store.tables():
            if not kept.ended and kept.touched < long_ago:
                store.end(kept.code)
    openings = store.openings()
    for kept in store.tables():
        if kept.ended:
            continue
        if lock.is_held(_lock_path(store, kept.code)):
            notes.append(phrases("run_elsewhere", code=kept.code))
            continue
        try:
            opened = openings[kept.code]
            told = {"title": opened["title"], "rules": opened["rules"]}
            found[kept.code] = Resting(Invitation.of(opened), told, kept.touched)
        except LookupError:
            notes.append(phrases("journal_broken", code=kept.code))
    return found


def _asked_for(store: Store, code: str, phrases: Phrases) -> Keeper:
    kept = next((each for each in store.tables() if each.code == code), None)
    if kept is None:
        raise UsageError(phrases("no_table", code=code, path=store.path), status=1)
    try:
        held = Lock(_lock_path(store, code))
    except Locked:
        raise UsageError(phrases("run_elsewhere", code=code), status=1) from None
    try:
        return Keeper(store, found(store, kept), held)
    except RestoreError:
        held.release()
        raise UsageError(phrases("journal_broken", code=code), status=1) from None


def _lock_path(store: Store, code: str) -> Path:
    return store.path.with_name(f"{store.path.name}.{code}.lock")


# --------------------------------------------------------------------------------- commands


COMMANDS: Final = {
    "tables": "Lists what the journal keeps: code, when it was last played at, state, scores.",
    "export": "Writes a match to a file, to go on with it on another machine. It holds the table's "
    "keys and the order of its cards.",
    "import": "Takes an exported match into the journal: penultima --resume CODE goes on with it.",
}


def main(command: str, arguments: Sequence[str]) -> int:
    """`penultima tables`, `penultima export CODE FILE`, `penultima import FILE`."""
    parser = Parser(prog=f"penultima {command}", description=COMMANDS[command], allow_abbrev=False)
    if command == "export":
        parser.add_argument("code", metavar="CODE", help="see penultima tables")
    if command in {"export", "import"}:
        parser.add_argument("file", metavar="FILE", type=Path, help="the exported match")
    parser.add_argument(
        "--journal",
        metavar="FILE",
        default=os.environ.get("PENULTIMA_JOURNAL"),
        help="the journal, if it is not the one in your state folder",
    )
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=os.environ.get("PENULTIMA_LANG"), help="language"
    )
    told = parser.parse_args(list(arguments))
    phrases = Phrases(language(told.lang))
    store = open_store(told.journal or None, phrases)
    try:
        if command == "tables":
            _list(store, phrases)
        elif command == "export":
            _export(store, told.code, told.file, phrases)
        else:
            _import(store, told.file, phrases)
    except sqlite3.Error as error:
        raise UsageError(f"{store.path}: {error}", status=1) from None
    finally:
        store.close()
    return 0


def _list(store: Store, phrases: Phrases) -> None:
    every = store.tables()
    print(store.path)
    if store.set_aside is not None:
        print(phrases("journal_aside", path=store.set_aside))
    if not every:
        print(phrases("no_tables"))
    for kept in every:
        players = ""
        try:
            one = found(store, kept)
        except RestoreError:
            state = "state_broken"
        else:
            players = one.players
            state = "state_open" if one.told["phase"] in ON and not kept.ended else "state_over"
        if lock.is_held(_lock_path(store, kept.code)):
            state = "state_running"
        print(f"{kept.code}  {_when(kept.touched)}  {phrases(state)}  {players}".rstrip())


def _export(store: Store, code: str, path: Path, phrases: Phrases) -> None:
    if all(each.code != code for each in store.tables()):
        raise UsageError(phrases("no_table", code=code, path=store.path), status=1)
    try:
        count = store.export(code, path)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", status=1) from None
    except ValueError:  # whatever a file can hold
        raise UsageError(phrases("journal_broken", code=code), status=1) from None
    print(phrases("exported", code=code, path=path, n=count))


def _import(store: Store, path: Path, phrases: Phrases) -> None:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", status=1) from None
    except UnicodeDecodeError:
        raise UsageError(phrases("no_match_file", path=path), status=1) from None
    try:
        code = store.take_in(lines, check=lambda records: restored(records, 0.0))
    except KnownTableError as error:
        raise UsageError(phrases("known_table", code=error.code), status=1) from None
    except (StoreError, RestoreError):
        raise UsageError(phrases("no_match_file", path=path), status=1) from None
    print(phrases("imported", code=code))
