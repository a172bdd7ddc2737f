"""A file that one program at a time holds: the same table must not be run twice.

The lock is the operating system's and ends with the process, however that ends. Nothing is read
from the file or written to it.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class Locked(Exception):
    """Another program holds it."""


class Lock:
    """Held from the moment it is made until `release`; :class:`Locked` if somebody else has it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        while True:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                _take(self._descriptor)
            except BlockingIOError:
                os.close(self._descriptor)
                raise Locked(str(path)) from None
            except OSError:
                return  # a file system without locks: better a table than none
            if self._is_still_there():
                return
            os.close(self._descriptor)

    def release(self) -> None:
        """Once. The file goes too."""
        if sys.platform == "win32":
            os.close(self._descriptor)
            self.path.unlink(missing_ok=True)
        else:
            self.path.unlink(missing_ok=True)
            os.close(self._descriptor)

    def _is_still_there(self) -> bool:
        """Whether nobody has released, and deleted, the file just before it was locked."""
        try:
            there = self.path.stat()
        except FileNotFoundError:
            return False
        mine = os.fstat(self._descriptor)
        return (there.st_dev, there.st_ino) == (mine.st_dev, mine.st_ino)


if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> None:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError from error

else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_held(path: Path) -> bool:
    """Whether another program holds it."""
    if not path.exists():
        return False
    try:
        Lock(path).release()
    except Locked:
        return True
    return False
