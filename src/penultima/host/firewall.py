"""Whether a firewall on this machine lets phones through, as far as it tells without being root.

Each kind is asked by its own program, for two seconds at most; what it does not tell is unknown.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    Run = Callable[..., Awaitable[tuple[int, str] | None]]

SECONDS: Final = 2.0
UFW: Final = Path("/etc/ufw")


@dataclass(frozen=True, slots=True)
class Wall:
    """A firewall that is on. `open`: whether it lets the port through, None if nobody knows."""

    name: str
    open: bool | None
    remedy: str = ""


NONE: Final = Wall("", None)
"""None that could be seen."""


async def look(port: int, platform: str = sys.platform) -> list[Wall]:
    """Those that are on; `NONE` alone if there are none to be seen."""
    if platform == "win32":
        return [
            Wall(
                "Windows Defender Firewall",
                None,
                f"netsh advfirewall firewall add rule name=Penultima dir=in action=allow "
                f"protocol=TCP localport={port}",
            )
        ]
    if platform == "darwin":
        return [await macos(run)]
    found = [wall for wall in (ufw(port), await firewalld(port, run)) if wall is not None]
    # Both of these write nftables' rules: who knows them does not have to read those.
    return found or [await nft(port, run) or NONE]


def ufw(port: int, folder: Path = UFW) -> Wall | None:
    try:
        on = "ENABLED=yes" in (folder / "ufw.conf").read_text()
    except OSError:
        return None
    if not on:
        return None
    remedy = f"sudo ufw allow {port}/tcp"
    try:
        rules = (folder / "user.rules").read_text()
    except OSError:
        return Wall("ufw", None, remedy)
    tuples = re.findall(r"^### tuple ### allow (tcp|any) (\S+)", rules, re.MULTILINE)
    return Wall("ufw", True) if any(_has(port, ports) for _, ports in tuples) else Wall(
        "ufw", False, remedy
    )  # fmt: skip


def _has(port: int, ports: str) -> bool:
    """`8765`, `8000:9000`, `80,8765` or `any`."""
    for each in ports.split(","):
        first, _, last = each.partition(":")
        if first == "any":
            return True
        if first.isdigit() and int(first) <= port <= int(last or first):
            return True
    return False


async def firewalld(port: int, run: Run) -> Wall | None:
    state = await run("firewall-cmd", "--state")
    if state is None or state[1].strip() != "running":
        return None
    answer = await run("firewall-cmd", f"--query-port={port}/tcp")
    word = "" if answer is None else answer[1].strip()
    known = {"yes": True, "no": False}.get(word)
    return Wall("firewalld", known, "" if known else f"sudo firewall-cmd --add-port={port}/tcp")


async def nft(port: int, run: Run) -> Wall | None:
    """Only root may read the rules. A chain for input that drops what it does not know."""
    answer = await run("nft", "list", "ruleset")
    if answer is None or answer[0] != 0:
        return None
    drops = re.search(r"hook input priority [^;]*; policy drop;", answer[1])
    if drops is None:
        return None
    named = re.search(rf"tcp dport (\{{[^}}]*\b{port}\b[^}}]*\}}|{port}\b)[^\n]*accept", answer[1])
    if named:
        return Wall("nftables", True)
    return Wall("nftables", None, f"sudo nft add rule inet filter input tcp dport {port} accept")


async def macos(run: Run) -> Wall:
    tool = "/usr/libexec/ApplicationFirewall/socketfilterfw"
    answer = await run(tool, "--getglobalstate")
    if answer is None or "enabled" not in answer[1]:
        return NONE
    return Wall("macOS", None, f"sudo {tool} --add {sys.executable} --unblockapp {sys.executable}")


async def run(*command: str) -> tuple[int, str] | None:
    """Status and output of a program; None if it is not there or takes too long."""
    path = shutil.which(command[0]) or shutil.which(command[0], path="/usr/sbin:/sbin")
    if path is None:
        return None
    process = await asyncio.create_subprocess_exec(
        path,
        *command[1:],
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        out, _ = await asyncio.wait_for(process.communicate(), SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
        return None
    return process.returncode or 0, out.decode(errors="replace")
