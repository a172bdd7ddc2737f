"""Finds the Chromium that the browser tests drive; as a script, installs it where it may."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

VARIABLE = "PENULTIMA_CHROMIUM"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
REMEDY = (
    "the browser tests need Chromium: install it (Debian, Ubuntu: apt install chromium), "
    f"or say where it is with {VARIABLE}=/path/to/chromium"
)


class NoChromium(Exception):
    """One line that says what to do."""


def find() -> str:
    if told := os.environ.get(VARIABLE):
        if os.access(told, os.X_OK) and Path(told).is_file():
            return told
        raise NoChromium(f"{VARIABLE} says {told}, but that is no program")
    for name in NAMES:
        if found := shutil.which(name):
            return found
    raise NoChromium(REMEDY)


def ensure() -> str:
    """Finds it, or installs Debian's package when we are root and may."""
    try:
        return find()
    except NoChromium:
        if VARIABLE in os.environ or not _may_install():
            raise
    print("Installing Chromium (apt-get install chromium) ...", flush=True)
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for step in (
        ["apt-get", "-qq", "update"],
        ["apt-get", "-qq", "install", "-y", "--no-install-recommends", "chromium"],
    ):
        try:
            done = subprocess.run(
                step, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                timeout=600, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise NoChromium(f"'{' '.join(step)}' did not end within 600 s; {REMEDY}") from None
        # An update that fails for one of several sources need not keep the package away.
        if done.returncode and "install" in step:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise NoChromium(f"'{' '.join(step)}' failed ({last}); {REMEDY}")
    return find()


def _may_install() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


if __name__ == "__main__":
    try:
        ensure()
    except NoChromium as error:
        print(f"penultima: {error}", file=sys.stderr)
        sys.exit(1)
