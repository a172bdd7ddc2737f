"""Runs a command that must not outlive the host: `python leash.py COMMAND ARGUMENT...`.

The host holds the other end of this program's standard input. When that closes, because the host
wants it so or because it was killed, the command is ended. Started as a file, so that nothing else
is loaded for it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading

PATIENCE = 3.0


def main(command: list[str]) -> int:
    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 - the host's list
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        return 127

    def let_go() -> None:
        while os.read(0, 64):  # sys.stdin would be in use when the interpreter ends
            pass
        child.terminate()
        try:
            child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            child.kill()

    threading.Thread(target=let_go, daemon=True).start()
    return child.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
