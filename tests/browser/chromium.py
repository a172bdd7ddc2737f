"""Finds the Chromium that the browser tests drive, and installs it where it may."""

from __future__ import annotations

import os
from pathlib import Path

from tests import debian

VARIABLE = "PENULTIMA_CHROMIUM"
PACKAGE = "chromium"
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
    if found := debian.find(PACKAGE):
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
        return debian.ensure(PACKAGE)[0]
    except debian.NotInstalled as error:
        raise NoChromium(f"{error}; {REMEDY}") from None
