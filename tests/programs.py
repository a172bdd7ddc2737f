"""`python -m tests.programs`: installs, where we may, every program that some test needs, so that no
test waits for it. Without Chromium it fails; what needs another one is skipped and says so itself."""

from __future__ import annotations

import contextlib
import sys

from tests import debian
from tests.browser import chromium, firefox


def main() -> int:
    try:
        chromium.ensure()
    except chromium.NoChromium as error:
        print(f"penultima: {error}", file=sys.stderr)
        return 1
    with contextlib.suppress(debian.NotInstalled):
        firefox.ensure()
    for package in debian.PACKAGES.keys() - {chromium.PACKAGE, firefox.PACKAGE}:
        with contextlib.suppress(debian.NotInstalled):
            debian.ensure(package)
    return 0


if __name__ == "__main__":
    sys.exit(main())
