"""Programs that some tests need besides Python: found, else installed where we may (as root on Debian
or Ubuntu), else the test is skipped and says why."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

SECONDS = 600
PACKAGES: dict[str, tuple[str, ...]] = {
    "chromium": ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    "coturn": ("turnserver",),
    "firefox-esr": ("firefox-esr", "firefox"),
    "haproxy": ("haproxy",),
    "iproute2": ("ip",),
    "nftables": ("nft",),
    "webkit2gtk-driver": ("WebKitWebDriver",),
    "xvfb": ("Xvfb",),
}
"""Packages that tests ask for, and the programs of which one has to be there."""
SYSTEM = os.pathsep.join(("/usr/local/sbin", "/usr/sbin", "/sbin"))
"""Where programs that serve lie, on the PATH or not."""

_failed: dict[str, str] = {}
"""What could not be installed, and why: nothing is tried twice."""
_done: set[str] = set()


class NotInstalled(Exception):
    """One line that says why."""


def find(package: str) -> str | None:
    """The path of the program that somebody asks this package for."""
    for path in (None, SYSTEM):
        for name in PACKAGES[package]:
            if found := shutil.which(name, path=path):
                return found
    return None


def may_install() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def ensure(*packages: str) -> list[str]:
    """The paths of their programs. Raises NotInstalled.

    One that is not on the PATH is put there, since others may call it by its name.
    """
    if missing := [package for package in packages if find(package) is None]:
        if not may_install():
            names = " ".join(missing)
            raise NotInstalled(f"needs {names}: install it (Debian, Ubuntu: apt install {names})")
        with _alone():
            # Another process of the same tests may have been faster.
            for package in missing:
                if find(package) is None and package not in _failed:
                    _install(package)
    found = {package: find(package) for package in packages}
    for package, program in found.items():
        if program is None:
            raise NotInstalled(_failed.get(package, f"{package} is there, its program is not"))
        folder = str(Path(program).parent)
        path = os.environ.get("PATH", "")
        if folder not in path.split(os.pathsep):
            os.environ["PATH"] = os.pathsep.join(filter(None, (path, folder)))
    return [program for program in found.values() if program is not None]


def _install(package: str) -> None:
    print(f"Installing {package} (apt-get install) ...", flush=True)
    # An update that fails for one of several sources need not keep the package away.
    if "update" not in _done:
        _done.add("update")
        _apt("update")
    if complaint := _apt("install", "-y", "--no-install-recommends", package):
        _failed[package] = f"'apt-get install {package}' failed ({complaint})"


def _apt(*arguments: str) -> str:
    """The last line of what it complains of, if it fails."""
    try:
        done = subprocess.run(
            ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300", *arguments],
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"it did not end within {SECONDS} s"
    return (done.stderr.strip().splitlines() or ["no message"])[-1] if done.returncode else ""


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Tests run in several processes; one at a time installs."""
    import fcntl  # there is one wherever there is an apt-get

    with (Path(tempfile.gettempdir()) / "penultima-tests-apt.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
