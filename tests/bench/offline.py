"""The practice table: what it weighs, and how long it takes from a tap to the cards, offline.

Alone:  python -m tests.bench offline

Times depend on the machine, and CPU seconds on whatever else runs on its cores; the start of
Python in Node is measured in the same minute, for comparison.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, sync_playwright

from penultima.host import site
from penultima.host.app import packaged_client
from tests.browser import solo
from tests.browser.chromium import find
from tests.browser.conftest import FLAGS
from tests.offline.test_pyodide import JOBS, node

STARTS = 5
SLOW = 4
SLICE = 0.004
"""Seconds that a slowed page runs at a time."""


def sizes() -> dict[str, int]:
    """Bytes as they travel: brotli where there is one."""
    found = {"page": 0, "practice": 0}
    for path in packaged_client().rglob("*"):
        if not path.is_file() or path.suffix in {".br", ".gz", ".map"}:
            continue
        packed = path.with_name(path.name + ".br")
        size = (packed if packed.exists() else path).stat().st_size
        heavy = path.name.startswith(("python-", "penultima-", "practice"))
        found["practice" if heavy else "page"] += size
    return found


def in_node() -> float:
    """CPU seconds from nothing to our packages loaded, all threads."""
    run = subprocess.run(
        [node(), str(JOBS / "pyodide.mjs"), str(JOBS / "nothing.py")],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(json.loads(run.stdout)["start"])


def thinking() -> dict[str, Any]:
    """Milliseconds that a bot's thinking takes at a stretch: here, and where all is slower."""
    run = subprocess.run(
        [node(), str(JOBS / "pyodide.mjs"), str(JOBS / "slices.py")],
        capture_output=True,
        text=True,
        check=True,
    )
    told: dict[str, Any] = json.loads(json.loads(run.stdout)["said"])
    for found in told.values():
        for what in ("slice_ms", "decision_ms"):
            slowed = {each: round(SLOW * value, 1) for each, value in found[what].items()}
            found[f"{what}_slowed"] = slowed
    return told


def renderers(profile: Path) -> list[Path]:
    """The processes that run the pages of the browser with this profile, in /proc."""
    found = []
    for process in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if (
                not process.name.isdigit()
                or "--type=renderer" not in (process / "cmdline").read_text()
            ):
                continue
            if _descends(process.name, str(profile)):
                found.append(process)
    return found


@contextlib.contextmanager
def slowed(profile: Path, times: int) -> Iterator[None]:
    """Pages and their workers get one part in so many of their time.

    A browser's own throttling slows pages but not their workers.
    """
    done = threading.Event()
    pids = [int(process.name) for process in renderers(profile)]

    def send(sign: signal.Signals) -> None:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, sign)

    def hold() -> None:
        while not done.wait(SLICE):
            send(signal.SIGSTOP)
            time.sleep(SLICE * (times - 1))
            send(signal.SIGCONT)

    holding = threading.Thread(target=hold)
    holding.start()
    try:
        yield
    finally:
        done.set()
        holding.join()
        send(signal.SIGCONT)


def worker_cpu(profile: Path) -> float:
    """CPU seconds of the practice worker's own thread."""
    total = 0
    for process in renderers(profile):
        try:
            for task in (process / "task").iterdir():
                name, _, rest = (task / "stat").read_text().partition("(")[2].rpartition(")")
                if name.startswith("DedicatedWorker"):
                    fields = rest.split()
                    total += int(fields[11]) + int(fields[12])
        except OSError:
            continue
    return total / os.sysconf("SC_CLK_TCK")


def _descends(pid: str, profile: str) -> bool:
    """Whether that process belongs to the browser with this profile."""
    while pid not in {"0", "1"}:
        if profile in Path(f"/proc/{pid}/cmdline").read_text():
            return True
        pid = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]
    return False


def start(browser: BrowserContext, url: str, profile: Path, *, slow: int) -> float:
    """Seconds from the tap to the table."""
    page = browser.new_page()
    page.goto(url)
    page.get_by_test_id("solo-open").wait_for()
    page.wait_for_timeout(500)
    with slowed(profile, slow) if slow > 1 else contextlib.nullcontext():
        began = time.monotonic()
        page.get_by_test_id("solo-open").tap()
        page.get_by_test_id("solo-start").tap()
        page.wait_for_selector('[data-testid="table"]', timeout=solo.START_MS)
        return time.monotonic() - began


def in_chromium() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as running:
        root, profile = Path(temporary) / "site", Path(temporary) / "profile"
        site.write(root, packaged_client())

        def browser() -> BrowserContext:
            return running.chromium.launch_persistent_context(
                profile, executable_path=find(), args=FLAGS, viewport={"width": 390, "height": 844},
                is_mobile=True, has_touch=True, locale="es-ES",
            )  # fmt: skip

        with solo.serve(root) as (url, _):
            first = browser()
            page = first.new_page()
            page.goto(url + "/#solo")
            solo.ready(page)
            kept = "caches.open('penultima-memory').then((c) => c.keys()).then((all) => all.length)"
            for _ in range(300):
                if page.evaluate(kept):
                    break
                page.wait_for_timeout(100)
            first.close()
        times, cpu, late = [], [], []
        for slow in [1] * STARTS + [SLOW] * 2:
            again = browser()
            took = start(again, url + "/", profile, slow=slow)
            if slow == 1:
                times.append(took)
                cpu.append(worker_cpu(profile))
            else:
                late.append(took)
            time.sleep(2)
            again.close()
    return {
        "tap_to_table_s": round(statistics.median(times), 2),
        "tap_to_table_slowed_s": round(statistics.median(late), 2),
        "worker_cpu_s": round(statistics.median(cpu), 2),
        "runs_s": [round(each, 2) for each in times],
    }


def main() -> dict[str, Any]:
    return {
        "bytes": sizes(),
        "node_start_cpu_s": in_node(),
        "thinking": thinking(),
        "offline": in_chromium(),
        "load": os.getloadavg()[0],
    }
