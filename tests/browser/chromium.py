"""Finds the Chromium that the browser tests drive; as a script, installs it where it may."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from tests import debian

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
        if VARIABLE in os.environ or not debian.may_install():
            raise
    try:
        debian.install("chromium")
    except debian.NotInstalled as error:
        raise NoChromium(f"{error}; {REMEDY}") from None
    return find()


if __name__ == "__main__":
    try:
        ensure()
    except NoChromium as error:
        print(f"penultima: {error}", file=sys.stderr)
        sys.exit(1)
