"""What the program counts, and the page on which a Prometheus server reads it.

Counting is adding to a number: the text is made when somebody asks for it. No name, no code of a
table and no address is in it, so that it says nothing of who plays.
"""

from __future__ import annotations

import asyncio
import platform
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from penultima import __version__
from penultima.host.report import summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prometheus_client.core import Metric

    from penultima.host.journal import Journal, Record
    from penultima.host.surroundings import Surroundings

COMMIT: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
LAG: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of the histograms' buckets, in seconds."""

LAG_SECONDS: Final = 0.25
"""So often the event loop is asked how late it is."""

PRESENCES: Final = ("here", "hidden", "away", "standin", "out", "eliminated", "next", "bot")


class Histogram:
    """How many of the measured values lie below each bound."""

    __slots__ = ("_bounds", "_counts", "_sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def add(self, value: float) -> None:
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def buckets(self) -> tuple[list[tuple[str, float]], float]:
        """As Prometheus wants them: how many are not above each bound, and the sum of all."""
        names = [*map(str, self._bounds), "+Inf"]
        return list(zip(names, map(float, accumulate(self._counts)), strict=True)), self._sum


class Counts:
    """Since the program began."""

    def __init__(self) -> None:
        self.actions = 0
        """Moves of players and bots that are in the journal."""
        self.records = 0
        self.refused: Counter[str] = Counter()
        self.closed: Counter[str] = Counter()
        self.strays = 0
        """Hellos for a table of another node: a proxy that sends them the wrong way."""
        self.commits = Histogram(COMMIT)
        self.failed_commits = 0
        self.lag = Histogram(LAG)

    async def measure_lag(self) -> None:
        """For ever: how much later than asked for the event loop comes back."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LAG_SECONDS
            await asyncio.sleep(LAG_SECONDS)
            self.lag.add(max(0.0, loop.time() - due))


class CountingJournal:
    """Another journal, counted and timed."""

    def __init__(self, journal: Journal, counts: Counts) -> None:
        self._journal, self._counts = journal, counts
        self.keeps = journal.keeps
        self.begin, self.end = journal.begin, journal.end
        self.read, self.close = journal.read, journal.close

    def commit(self, code: str, records: Sequence[Record]) -> asyncio.Future[None]:
        started = time.perf_counter()
        actions = sum(record["kind"] == "act" for record in records)
        number = len(records)
        done = asyncio.ensure_future(self._journal.commit(code, records))

        def count(done: asyncio.Future[None]) -> None:
            counts = self._counts
            if done.cancelled() or done.exception() is not None:
                counts.failed_commits += 1
                return
            counts.commits.add(time.perf_counter() - started)
            counts.actions += actions
            counts.records += number

        done.add_done_callback(count)
        return done


def text(around: Surroundings, node: str, most: int | None) -> str:
    """All of it in Prometheus' text format, version 0.0.4."""
    # Loaded when somebody asks: most programs are never asked.
    from prometheus_client import CollectorRegistry, ProcessCollector  # noqa: PLC0415
    from prometheus_client.exposition import generate_latest  # noqa: PLC0415

    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector(around, node, most))
    ProcessCollector(registry=registry)
    return generate_latest(registry).decode()


class _Collector:
    """Asked by `generate_latest` for everything there is."""

    def __init__(self, around: Surroundings, node: str, most: int | None) -> None:
        self._around, self._node, self._most = around, node, most

    def collect(self) -> Iterator[Metric]:
        from prometheus_client import core  # noqa: PLC0415 - as above

        around = self._around
        counts, tables = around.counts, around.tables
        Gauge, Total = core.GaugeMetricFamily, core.CounterMetricFamily  # noqa: N806 - classes

        info = core.InfoMetricFamily("penultima_build", "What runs here")
        python = platform.python_version()
        info.add_metric([], {"version": __version__, "node": self._node, "python": python})
        yield info

        phases: Counter[str] = Counter()
        seats: Counter[str] = Counter()
        for runner in tables:
            told = runner.table.console()
            phases[told["phase"]] += 1
            for player in summary(told).here:
                bot = player.bot is not None and player.state != "standin"
                seats["bot" if bot else player.state] += 1
        at_work = Gauge("penultima_tables", "Tables, by what goes on there", labels=["state"])
        for phase in ("lobby", "round", "between", "over"):
            at_work.add_metric([phase], phases[phase])
        at_work.add_metric(["resting"], len(tables.resting))
        yield at_work
        if self._most is not None:
            yield Gauge("penultima_tables_limit", "Tables that may be at work", self._most)
        taken = Gauge("penultima_seats", "Seats at work, by who is there", labels=["presence"])
        for presence in PRESENCES:
            taken.add_metric([presence], seats[presence])
        yield taken

        paths = Counter(path for session in around.sessions for path in session.paths)
        open_ = Gauge("penultima_connections", "Open paths to pages", labels=["path"])
        for path in ("websocket", "datachannel"):
            open_.add_metric([path], paths[path])
        yield open_
        yield Gauge("penultima_pages", "Pages that are connected", len(around.sessions))

        yield Total("penultima_actions", "Moves that were made and kept", counts.actions)
        yield Total("penultima_records", "Records that were kept", counts.records)
        seconds = core.HistogramMetricFamily(
            "penultima_commit_seconds", "From a decision until it is on the disk"
        )
        seconds.add_metric([], *counts.commits.buckets())
        yield seconds
        yield Total(
            "penultima_commits_failed", "Commits that the disk did not take", counts.failed_commits
        )
        yield Gauge("penultima_journal_keeps", "Whether there is a journal", tables.journal.keeps)
        yield Gauge(
            "penultima_tables_stuck", "Tables that wait for the disk to take them", tables.stuck
        )
        for name, help_, counted in (
            ("penultima_refused", "Requests that were refused", counts.refused),
            ("penultima_closed", "Connections that were closed from here", counts.closed),
        ):
            by_code = Total(name, help_, labels=["code"])
            for code, number in sorted(counted.items()):
                by_code.add_metric([code], number)
            yield by_code
        yield Total(
            "penultima_strays", "Pages that asked here for a table of another node", counts.strays
        )
        lag = core.HistogramMetricFamily("penultima_loop_lag_seconds", "How late the event loop is")
        lag.add_metric([], *counts.lag.buckets())
        yield lag
