"""A real host, a real Chromium, phones: what every browser test asks for.

Playwright's synchronous interface throughout; a test here is never `async`. The fixtures:

`origin`     where one host serves the page to all tests that need no table behind it
`host()`     starts the program as a person would and waits until it is ready
`phone()`    a fresh browser context of phone size, with everything that crossed its wires
`launch()`   another Chromium with flags of its own, for `phone(browser=...)`

A failed test leaves a picture of each phone and the log of each host in test-results/.
"""

from __future__ import annotations

import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    Request,
    WebSocket,
    sync_playwright,
)

from tests.browser.chromium import NoChromium, find
from tests.ports import free_port

HERE = Path(__file__).parent
RESULTS = HERE.parent.parent / "test-results"

INSECURE_NAME = "mesa.test"

# With every window Chromium starts a program of its own for suggestions under an address bar that
# nobody sees, and spends half of a short test on it. The rest of the list is what Playwright turns
# off: of two such flags the last one counts.
FEATURES_OFF = (
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding",
    "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch",
)  # fmt: skip
FLAGS = [
    f"--disable-features={','.join(FEATURES_OFF)}",
    f"--host-resolver-rules=MAP {INSECURE_NAME} 127.0.0.1",
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

READY_S = 20
END_S = 10
PATIENCE_MS = 10_000


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest.fixture
def results(request: pytest.FixtureRequest) -> Callable[[], Path | None]:
    """The folder for what a failed test leaves behind; None while it has not failed."""

    def folder() -> Path | None:
        if not request.node.stash.get(FAILED, False):
            return None
        name = re.sub(r"[^\w.=-]+", "_", request.node.nodeid.removeprefix("tests/browser/"))
        path = RESULTS / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    return folder


# --------------------------------------------------------------------------------------- host


class Host:
    """The program, started as a person would, answering with one JSON event a line."""

    def __init__(
        self,
        arguments: tuple[str, ...],
        folder: Path,
        command: tuple[str, ...] = (),
        within: Sequence[str] = (),
        before: str = "",
    ) -> None:
        """`within`: what to put before the command, as `Space.within` of tests/network. `before`:
        Python that runs in the program first."""
        self.folder = folder
        self.log = folder / "host.log"
        self.events: list[dict[str, Any]] = []
        self._new: queue.Queue[dict[str, Any] | None] = queue.Queue()
        # Its state and its journal are this test's own.
        env = {k: v for k, v in os.environ.items() if not k.startswith("PENULTIMA_")}
        env |= {
            "HOME": str(folder),
            "XDG_STATE_HOME": str(folder / "state"),
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "PYTHONUNBUFFERED": "1",
            "NO_COLOR": "1",
        }
        program = [
            *within,
            sys.executable,
            "-c",
            f"{before}\nfrom penultima.host.cli import main; raise SystemExit(main())",
        ]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*program, *command, "--json", *arguments],
                cwd=folder,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                encoding="utf-8",
                start_new_session=True,  # a Ctrl-C at the tests is not one at the host
            )
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self.ready = self.wait_for("ready", READY_S)
        except BaseException:
            self.kill()
            raise
        self.port: int = self.ready["port"]

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                try:
                    event = json.loads(line)
                except ValueError:
                    with self.log.open("a") as log:
                        log.write(f"not JSON on stdout: {line}")
                    continue
                self.events.append(event)
                self._new.put(event)
        self._new.put(None)

    def wait_for(self, kind: str, seconds: float = 10) -> dict[str, Any]:
        """The next event of this kind; those before it are in `events`."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                event = self._new.get(timeout=left)
            except queue.Empty:
                break
            if event is None:
                raise AssertionError(f"the host ended before '{kind}':\n{self.tail()}")
            if event.get("event") == kind:
                return event
        raise AssertionError(f"the host did not say '{kind}' within {seconds:g} s:\n{self.tail()}")

    def at(self, origin: str = "http://127.0.0.1", *, path: str = "/", host: bool = False) -> str:
        """The guests' link (or the host's own), reached by another name of this machine."""
        fragment = urlsplit(self.ready["host_url"]).fragment
        if not host:
            fragment = fragment.rpartition(".")[0]
        there = urlsplit(origin)
        netloc = there.netloc if there.port else f"{there.netloc}:{self.port}"
        return urlunsplit((there.scheme, netloc, path, "", fragment))

    @property
    def url(self) -> str:
        return self.at()

    @property
    def host_url(self) -> str:
        return self.at(host=True)

    def tail(self, lines: int = 60) -> str:
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        return "\n".join(text.splitlines()[-lines:])

    def stop(self) -> int:
        """Ctrl-C, once; more than ten seconds to leave is a fault."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(END_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"the host did not end on Ctrl-C:\n{self.tail()}") from None

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(END_S)

    def check(self) -> None:
        text = self.log.read_text(errors="replace")
        for sign in ("Traceback (most recent call last)", "was never awaited"):
            if sign in text:
                raise AssertionError(f"the host's log has '{sign}':\n{self.tail()}")


@pytest.fixture
def host(
    tmp_path_factory: pytest.TempPathFactory, results: Callable[[], Path | None]
) -> Iterator[Callable[..., Host]]:
    """`host("--seed", "7")` starts a host; the test's end stops it and reads its log.

    `folder=` of an earlier host lets the next one find its journal; `within=` is a command that
    runs it, in a network of its own; `before=` is Python that runs in it first.
    """
    hosts: list[Host] = []

    def start(
        *arguments: str,
        port: int = 0,
        folder: Path | None = None,
        command: tuple[str, ...] = (),
        within: Sequence[str] = (),
        before: str = "",
    ) -> Host:
        place = folder or tmp_path_factory.mktemp("host")
        started = Host(("--port", str(port), *arguments), place, command, within, before)
        hosts.append(started)
        return started

    yield start
    faults = []
    for each in hosts:
        try:
            each.stop()
            each.check()
        except AssertionError as fault:
            faults.append(str(fault))
    if folder := results():
        for number, each in enumerate(hosts):
            shutil.copy(each.log, folder / f"host-{number}.log")
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)


@pytest.fixture(scope="session")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where one host serves the page to all tests that bring a table of paper (stage.py)."""
    started = Host(("--port", "0"), tmp_path_factory.mktemp("host"))
    yield f"http://127.0.0.1:{started.port}"
    started.stop()
    started.check()


# ------------------------------------------------------------------------------------ browser


@pytest.fixture(scope="session")
def chromium_path() -> str:
    try:
        return find()
    except NoChromium as error:
        pytest.fail(f"penultima: {error}", pytrace=False)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def launch(playwright: Playwright, chromium_path: str) -> Iterator[Callable[..., Browser]]:
    """A Chromium with these flags more; asked for twice, it is the same one."""
    running: dict[tuple[str, ...], Browser] = {}

    def start(*flags: str) -> Browser:
        if flags not in running or not running[flags].is_connected():
            running[flags] = playwright.chromium.launch(
                executable_path=chromium_path, args=[*FLAGS, *flags]
            )
        return running[flags]

    yield start
    for browser in running.values():
        browser.close()


@pytest.fixture(scope="session")
def browser(launch: Callable[..., Browser]) -> Browser:
    return launch()


# -------------------------------------------------------------------------------------- phone


@dataclass(frozen=True, slots=True)
class Frame:
    """One message on the wire. `path` is `ws` or `rtc`, `sent` is seen from the page."""

    path: str
    sent: bool
    text: str

    @property
    def message(self) -> Any:
        return json.loads(self.text)


# Playwright sees WebSockets by itself, data channels only from inside the page. Besides, this is
# the page's network: `__net.cut(true)` and everything on its way, both ways, is lost until
# `cut(false)`; no socket notices. `deaf`: only what comes in is lost. `closeSocket`,
# `closeChannel`: one path is gone.
NETWORK = """
(() => {
  if (!window.__frame) return;
  let cut = false;
  let deaf = false;
  let socket = null;
  let channel = null;
  const late = new Set();
  const hold = (path) => {
    path.addEventListener("message", (event) => {
      if (cut || deaf) event.stopImmediatePropagation();
    });
    path.addEventListener("open", (event) => {
      if (!cut) return;
      event.stopImmediatePropagation();
      late.add(path);
    });
    const send = path.send;
    path.send = (data) => {
      if (cut) return;
      if (path === channel) window.__frame(true, typeof data === "string" ? data : "(binary)");
      send.call(path, data);
    };
    return path;
  };
  window.__net = {
    cut(on) {
      cut = on;
      if (on) return;
      for (const path of late) path.dispatchEvent(new Event("open"));
      late.clear();
    },
    deaf(on) {
      deaf = on;
    },
    closeSocket: () => socket.close(),
    closeChannel: () => channel.close(),
  };
  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...args) {
      super(...args);
      socket = hold(this);
    }
  };
  const Peer = window.RTCPeerConnection;
  if (!Peer) return;
  const create = Peer.prototype.createDataChannel;
  Peer.prototype.createDataChannel = function (...args) {
    channel = hold(create.apply(this, args));
    channel.addEventListener("message", (event) => {
      window.__frame(false, typeof event.data === "string" ? event.data : "(binary)");
    });
    return channel;
  };
})();
"""


@dataclass(eq=False)
class Phone:
    """A phone-sized page and all that crossed its wires, in the order it was seen."""

    context: BrowserContext
    page: Page
    frames: list[Frame] = field(default_factory=list)
    views: list[dict[str, Any]] = field(default_factory=list)
    """The views among them, as messages: what is looked at all the time."""
    console: list[str] = field(default_factory=list)
    """Errors of the console: a broken link counts, so a test decides what it makes of them."""
    exceptions: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    """Requests to anybody but the host that the page came from."""

    def goto(self, url: str) -> Page:
        self.page.goto(url)
        return self.page

    def received(self, path: str | None = None) -> list[Any]:
        return [f.message for f in self.frames if not f.sent and path in (None, f.path)]

    def sent(self, path: str | None = None) -> list[Any]:
        return [f.message for f in self.frames if f.sent and path in (None, f.path)]

    def watch(self, page: Page) -> None:
        """Another tab of this phone is recorded with the first."""
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.exceptions.append(str(error)))
        page.on(
            "console",
            lambda line: self.console.append(line.text) if line.type == "error" else None,
        )
        page.on("request", self._request)
        page.on("websocket", self._socket)

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)
        if request.is_navigation_request() or not request.url.startswith(("http", "ws")):
            return
        if urlsplit(request.url).netloc != urlsplit(request.frame.url).netloc:
            self.strangers.append(request.url)

    def _socket(self, socket: WebSocket) -> None:
        if urlsplit(socket.url).hostname != urlsplit(self.page.url).hostname:
            self.strangers.append(socket.url)
        socket.on("framesent", lambda text: self._frame("ws", sent=True, text=text))
        socket.on("framereceived", lambda text: self._frame("ws", sent=False, text=text))

    def _frame(self, path: str, *, sent: bool, text: str | bytes) -> None:
        text = text if isinstance(text, str) else "(binary)"
        self.keep(Frame(path, sent, text))

    def keep(self, frame: Frame) -> None:
        self.frames.append(frame)
        if not frame.sent and frame.text.startswith('{"t":"view"'):
            self.views.append(frame.message)


@pytest.fixture
def phone(
    request: pytest.FixtureRequest, results: Callable[[], Path | None]
) -> Iterator[Callable[..., Phone]]:
    """`phone()` is a guest's phone, `phone(locale="en-GB", script="...")` another one.

    `script` runs before any of the page's own. The test fails if a page threw an exception or
    asked a stranger for anything.
    """
    phones: list[Phone] = []

    def make(
        *,
        browser: Browser | None = None,
        locale: str = "es-ES",
        size: tuple[int, int] = (390, 844),
        script: str | None = None,
        **options: Any,
    ) -> Phone:
        chosen = browser or request.getfixturevalue("browser")
        context = chosen.new_context(
            **{
                "viewport": {"width": size[0], "height": size[1]},
                "device_scale_factor": 2,
                "is_mobile": True,
                "has_touch": True,
                "locale": locale,
                **options,
            }
        )
        new = Phone(context, page=None)  # type: ignore[arg-type]
        phones.append(new)
        context.expose_binding(
            "__frame", lambda _source, sent, text: new._frame("rtc", sent=sent, text=text)
        )
        context.add_init_script(NETWORK)
        if script:
            context.add_init_script(script)
        context.on("page", new.watch)
        new.page = context.new_page()
        return new

    yield make
    faults = []
    folder = results()
    for number, each in enumerate(phones):
        if folder and not each.page.is_closed():
            try:
                each.page.screenshot(path=folder / f"phone-{number}.png", timeout=5_000)
            except Exception as error:  # noqa: BLE001 - a picture is a courtesy, not a claim
                (folder / f"phone-{number}.txt").write_text(str(error))
        if folder:
            lines = [f"{f.path} {'>' if f.sent else '<'} {f.text}" for f in each.frames]
            (folder / f"phone-{number}.frames").write_text("\n".join(lines))
        faults += [f"phone {number} threw: {text}" for text in each.exceptions]
        faults += [f"phone {number} asked a stranger: {url}" for url in each.strangers]
        each.context.close()
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)


# -------------------------------------------------------------------------------------- party

NAMES = ("Ana", "Beto", "Caro", "Dani")
SIZES = ((390, 844), (360, 640))
INSECURE = bool(os.environ.get("PENULTIMA_INSECURE"))
"""Every party on an insecure origin: what phones on a LAN have."""


@pytest.fixture
def party(
    host: Callable[..., Host],
    phone: Callable[..., Phone],
    tmp_path: Path,
) -> Callable[..., Any]:
    """`party(3)` is a table of three people who have entered; the first is the host.

    `party(position=TEXT)` opens where a .partida leads and deals; who sits there are the
    players it names. `phones=` gives a phone's options by seat. `insecure=True`: the phones
    know the host by a made-up name. `within=` as in `host`, reached at `origin=`.
    """
    from tests.browser.people import Party, Person

    def gather(
        count: int = 0,
        *arguments: str,
        position: str | None = None,
        phones: dict[int, dict[str, Any]] | None = None,
        insecure: bool = INSECURE,
        within: Sequence[str] = (),
        origin: str = "",
        start: bool = True,
        **options: Any,
    ) -> Party:
        names: tuple[str, ...] = NAMES[:count]
        if position is not None:
            file = tmp_path / "scene.partida"
            file.write_text(position, "utf-8")
            arguments = ("--position", str(file), *arguments)
            players = next(line for line in position.splitlines() if line.startswith("players:"))
            names = tuple(players.split()[1:])
        port = 0
        if origin:
            assert within
        elif not insecure:
            origin = "http://127.0.0.1"
        else:
            port, origin = free_port(), f"http://{INSECURE_NAME}"
            arguments = (*arguments, "--public-url", f"{origin}:{port}")
        with ThreadPoolExecutor(1) as beside:
            starting = beside.submit(host, *arguments, port=port, within=within)
            people = []
            for seat, name in enumerate(names):
                chosen = {"reduced_motion": "reduce", "size": SIZES[seat % 2], **options}
                chosen |= (phones or {}).get(seat, {})
                people.append(Person(phone(**chosen), name))
            started = starting.result()
        for seat, person in enumerate(people):
            person.enter(started.at(origin, host=seat == 0))
        together = Party(started, people, origin)
        if start:
            people[0].press("start")
            for person in people:
                person.see("table").wait_for()
            together.settled()
        return together

    return gather
