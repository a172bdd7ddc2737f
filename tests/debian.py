"""Packages that a test needs, installed where we may: as root on Debian or Ubuntu, each once."""

from __future__ import annotations

import os
import shutil
import subprocess

SECONDS = 600


class NotInstalled(Exception):
    """One line that says why."""


def may_install() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(*packages: str) -> None:
    """Raises NotInstalled."""
    print(f"Installing {' '.join(packages)} (apt-get install) ...", flush=True)
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for step in (
        ["apt-get", "-qq", "update"],
        ["apt-get", "-qq", "install", "-y", "--no-install-recommends", *packages],
    ):
        try:
            done = subprocess.run(
                step, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                timeout=SECONDS, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise NotInstalled(f"'{' '.join(step)}' did not end within {SECONDS} s") from None
        # An update that fails for one of several sources need not keep the package away.
        if done.returncode and "install" in step:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise NotInstalled(f"'{' '.join(step)}' failed ({last})")
