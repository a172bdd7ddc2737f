"""Networks of our own on this machine: spaces with addresses, routers with a NAT, an internet.

    with Net() as net:                 # gone at the end, with every process in it
        homes = Homes(net)             # guest - router - internet - router - host
        homes.guest_router.nat("symmetric")
        homes.guest.run("ping", "-c1", INTERNET)

A space is a Linux network namespace. It takes root, `ip` and `nft`; `ensure()` says what is
missing (`pytest.skip(str(error))`), and installs it where it may. Nothing in here reaches the
machine's own network.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import ctypes
import functools
import itertools
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

from tests import debian

T = TypeVar("T")
NatKind = Literal["open", "cone", "symmetric"]
"""`open`: everything that comes in goes to the one machine behind. `cone`: one outer port for one
inner port, whoever is talked to, and only who was talked to gets in (port-restricted).
`symmetric`: another outer port for everybody."""
Blocked = Literal["", "udp"]
"""What a router lets through not even from inside."""

INTERNET = "203.0.113.1"
INTERNET_TOO = "203.0.113.2"
FORWARDED = range(8700, 8800)
"""TCP ports that the host's router passes on to the host."""

_NAME = re.compile(r"penultima-(\d+)-\d+-\w+")
_counter = itertools.count()
_CLONE_NEWNET = 0x40000000


class NoNamespaces(Exception):
    """One line that says what is missing."""


@functools.cache
def _missing() -> str:
    if sys.platform != "linux":
        return "network namespaces are Linux's"
    if os.geteuid() != 0:
        return "network namespaces of our own need root"
    try:
        debian.ensure("iproute2", "nftables")
    except debian.NotInstalled as error:
        return str(error)
    _sweep()
    try:
        with Net() as net:
            space = net.space("try")
            space.nft("table ip t {\n chain c { type nat hook postrouting priority 100;\n masquerade\n }\n}")
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", "") or str(error)
        return f"no network namespace can be made here: {said.strip().splitlines()[-1:]}"
    return ""


def ensure() -> None:
    """Raises NoNamespaces where there can be none."""
    if reason := _missing():
        raise NoNamespaces(reason)


def _sweep() -> None:
    """Removes what a run that was killed has left."""
    for line in _ip("netns", "list").splitlines():
        match = _NAME.match(line)
        if match and not Path(f"/proc/{match[1]}").exists():
            _remove(match[0])


def _ip(*arguments: str) -> str:
    return subprocess.run(
        ["ip", *arguments], check=True, capture_output=True, text=True, timeout=30
    ).stdout


def _remove(name: str) -> None:
    for pid in _ip("netns", "pids", name).split():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)
    _ip("netns", "delete", name)


class Space:
    """One machine's network."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.within = ["ip", "netns", "exec", name]
        """What to put before a command so that it runs here."""
        self.started: list[subprocess.Popen[Any]] = []
        _ip("netns", "add", name)
        self.ip("link", "set", "lo", "up")

    def ip(self, *arguments: str) -> str:
        return _ip("-n", self.name, *arguments)

    def run(self, *command: str, **options: Any) -> subprocess.CompletedProcess[str]:
        """Runs a command here. CalledProcessError when it fails."""
        check = options.pop("check", True)
        options = {"capture_output": True, "text": True, "timeout": 30, **options}
        return subprocess.run([*self.within, *command], check=check, **options)

    def start(self, *command: str, **options: Any) -> subprocess.Popen[Any]:
        """Starts a program here; the end of the net ends it."""
        process = subprocess.Popen([*self.within, *command], **options)
        self.started.append(process)
        return process

    def listening(self, port: int, kind: Literal["udp", "tcp"] = "udp") -> None:
        """Waits until somebody listens on that port."""
        end = time.monotonic() + 20
        while f":{port}" not in self.run("ss", "-lnH", f"--{kind}", f"sport = :{port}").stdout:
            if time.monotonic() > end:
                raise AssertionError(f"nobody listens on {port}")
            time.sleep(0.05)

    def nft(self, rules: str) -> None:
        """These rules instead of the ones before."""
        self.run("nft", "-f", "-", input=f"flush ruleset\n{rules}\n")

    def call(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Runs a coroutine with an event loop whose sockets are here, and returns its result."""
        result: list[T] = []
        failure: list[BaseException] = []

        async def to_the_end() -> T:
            try:
                return await work()
            finally:
                await asyncio.sleep(0.01)  # what was closed just now is closed by then

        def inside() -> None:
            libc = ctypes.CDLL(None, use_errno=True)
            with Path(f"/run/netns/{self.name}").open() as door:
                if libc.setns(door.fileno(), _CLONE_NEWNET):
                    failure.append(OSError(ctypes.get_errno(), "setns"))
                    return
            try:
                result.append(asyncio.run(to_the_end()))
            except BaseException as error:  # noqa: BLE001 - goes on below, in the test's thread
                failure.append(error)

        thread = threading.Thread(target=inside, name=self.name)
        thread.start()
        thread.join()
        if failure:
            raise failure[0]
        return result[0]


class Router(Space):
    """Between a home and the internet: `lan` inside, `wan` outside."""

    inside = ""  # the one machine behind

    def nat(self, kind: NatKind, *, blocked: Blocked = "") -> None:
        """From now on. What goes out already is looked at again as well."""
        how = " fully-random" if kind == "symmetric" else ""
        everything = f"iifname wan dnat to {self.inside}" if kind == "open" else ""
        drop = "" if not blocked else f"ip protocol {blocked} drop"
        self.nft(
            f"""
            table ip nat {{
              chain prerouting {{
                type nat hook prerouting priority -100;
                iifname wan tcp dport {FORWARDED.start}-{FORWARDED.stop - 1} dnat to {self.inside}
                {everything}
              }}
              chain postrouting {{
                type nat hook postrouting priority 100;
                oifname wan masquerade{how}
              }}
            }}
            table ip filter {{
              chain input {{
                type filter hook input priority 0; policy drop;
                ct state established,related accept
                iifname {{ lo, lan }} accept
              }}
              chain forward {{
                type filter hook forward priority 0; policy drop;
                {drop}
                ct state established,related accept
                iifname lan accept
                ct status dnat accept
              }}
            }}
            """
        )


class Net:
    """Spaces that are gone at the end, whatever happened in between."""

    def __init__(self) -> None:
        self._prefix = f"penultima-{os.getpid()}-{next(_counter)}"
        self._names: list[str] = []
        self._spaces: list[Space] = []

    def __enter__(self) -> Self:
        atexit.register(self.close)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        atexit.unregister(self.close)
        while self._names:
            _remove(self._names.pop())
        for process in itertools.chain(*(space.started for space in self._spaces)):
            process.wait(10)

    def space(self, name: str, kind: type[Space] = Space) -> Any:
        full = f"{self._prefix}-{name}"
        self._names.append(full)
        try:
            made = kind(full)
        except subprocess.CalledProcessError:
            self._names.remove(full)
            raise
        self._spaces.append(made)
        return made

    def cable(self, one: Space, end: str, other: Space, other_end: str) -> None:
        """A cable between two machines; the names of its ends are those of the interfaces."""
        _ip(
            *("link", "add", end, "netns", one.name, "type", "veth"),
            *("peer", "name", other_end, "netns", other.name),
        )  # fmt: skip
        one.ip("link", "set", end, "up")
        other.ip("link", "set", other_end, "up")


class Homes:
    """A host and a guest, each behind a router, and the internet (`internet`) between them, where
    servers can run at two addresses. The guest has a second way out (`mobile`) for later."""

    def __init__(self, net: Net) -> None:
        self._net = net
        self.internet: Space = net.space("internet")
        self.internet.ip("link", "add", "hub", "type", "bridge")
        self.internet.ip("link", "set", "hub", "up")
        for address in (INTERNET, INTERNET_TOO):
            self.internet.ip("address", "add", f"{address}/24", "dev", "hub")
        self.host_router = self._router("home", 10)
        self.guest_router = self._router("office", 20)
        self.mobile = self._router("mobile", 30)
        self.host: Space = net.space("host")
        self.guest: Space = net.space("guest")
        self._plug(self.host, "eth0", self.host_router)
        self._plug(self.guest, "eth0", self.guest_router)
        self._plug(self.guest, "wwan0", self.mobile)
        self.settle()

    @property
    def public(self) -> str:
        """The address of the host's router."""
        return "203.0.113.10"

    def _router(self, name: str, number: int) -> Router:
        router: Router = self._net.space(name, Router)
        self._net.cable(self.internet, f"to-{name}", router, "wan")
        self.internet.ip("link", "set", f"to-{name}", "master", "hub")
        router.ip("address", "add", f"203.0.113.{number}/24", "dev", "wan")
        router.ip("route", "add", "default", "via", INTERNET)
        router.run("sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")
        router.inside = f"192.168.{number}.2"
        router.nat("cone")
        return router

    def _plug(self, space: Space, interface: str, router: Router) -> None:
        self._net.cable(router, "lan", space, interface)
        gateway = router.inside.removesuffix("2") + "1"
        router.ip("address", "add", f"{gateway}/24", "dev", "lan")
        space.ip("address", "add", f"{router.inside}/24", "dev", interface)
        space.ip("route", "replace", "default", "via", gateway, "dev", interface)

    def roam(self) -> None:
        """The guest leaves the Wi-Fi and goes on by mobile data."""
        self.guest.ip("link", "set", "eth0", "down")
        self.guest.ip("link", "set", "wwan0", "up")
        self.guest.ip("route", "replace", "default", "via", "192.168.30.1", "dev", "wwan0")
        self._ready()

    def settle(self) -> None:
        """Back to the Wi-Fi."""
        self.guest.ip("link", "set", "wwan0", "down")
        self.guest.ip("link", "set", "eth0", "up")
        self.guest.ip("route", "replace", "default", "via", "192.168.20.1", "dev", "eth0")
        self._ready()

    def _ready(self) -> None:
        end = time.monotonic() + 5
        while self.guest.run("ip", "route", "get", INTERNET, check=False).returncode:
            if time.monotonic() > end:
                raise AssertionError("the guest has no way out")
            time.sleep(0.02)
