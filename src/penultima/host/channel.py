"""One way to a page, whatever carries it. Says nothing about what the texts mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

State = Literal["opening", "open", "closed"]

# A heartbeat of our own: the transport's own ones notice a vanished page after half a minute. The
# page beats every 1.5 s on one path, and says something on a data channel beside it every 4.5 s
# (static/src/channel/session.ts); the host asks only whom it has not heard for longer than that.
HEARTBEAT = 2.5
WATCH = 5.5
DEAD = 8.0
# What can go another way does, but the path may still come back.
SILENT = 5.5
# A path that answers nothing for so long while another one does is not spoken through.
DOUBT = 1.0
# Above this nothing more is handed to a path; the newest view waits in the outbox.
FULL = 64 * 1024


class Channel(ABC):
    """Ordered and reliable while it lives. `send` and `close` never wait."""

    kind: ClassVar[str]

    def __init__(self, now: float) -> None:
        self.heard = now  # when something last came from the page
        self.on_text: Callable[[str | bytes], None] = _ignore
        self.on_drain: Callable[[], None] = _ignore
        self.on_close: Callable[[], None] = _ignore

    @property
    @abstractmethod
    def state(self) -> State: ...

    @property
    @abstractmethod
    def buffered(self) -> int:
        """Bytes taken by `send` that have not left this machine."""

    @abstractmethod
    def send(self, text: str) -> None:
        """Takes a text. On a channel that is not open it is dropped."""

    @abstractmethod
    def close(self) -> None:
        """What was sent goes out, then the channel closes; at the latest after a second or two."""

    def rest(self, seconds: float) -> None:  # noqa: B027 - not every channel can
        """Reads nothing for a while, if it can: the sender feels it, nobody else."""

    @property
    def writable(self) -> bool:
        """Whether it is open and what it took before goes out fast enough."""
        return self.state == "open" and self.buffered < FULL

    def silence(self, now: float) -> float:
        """Seconds since something last came from the page."""
        return now - self.heard


def _ignore(*_: object) -> None:
    """Nobody listens yet, or nobody any more."""
