"""A loop whose time is made up: nothing waits, and the same seed is the same run.

`VirtualLoop` jumps to the next timer. `HostClock` is what the host program takes for its loop: its
time may jump, or stand still while the laptop sleeps; what was due then comes when it wakes.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable
from typing import Any


class _Jump(selectors.SelectSelector):
    """Waiting for input is over at once: the time has passed."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise AssertionError("nothing will ever happen again")
        self.loop.now += max(timeout, 0.0)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.now = 1000.0
        selector = _Jump()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self.now


class _Timer:
    def __init__(self, clock: HostClock, call: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self.clock, self.call, self.arguments = clock, call, arguments
        self.handle: asyncio.Handle | None = None
        self.over = False

    def cancel(self) -> None:
        self.over = True
        if self.handle is not None:
            self.handle.cancel()

    def fire(self) -> None:
        if not self.over:
            self.clock.do(self._call)

    def _call(self) -> None:
        if not self.over:
            self.over = True
            self.call(*self.arguments)


class HostClock:
    """Time and timers of one host process. After `die` nothing of it happens any more."""

    def __init__(self, loop: VirtualLoop) -> None:
        self.loop = loop
        self.offset = 0.0
        self._asleep_at: float | None = None
        self._late: list[Callable[[], None]] = []
        self.dead = False

    def time(self) -> float:
        now = self.loop.time() if self._asleep_at is None else self._asleep_at
        return now + self.offset

    def call_later(self, delay: float, call: Callable[..., Any], *arguments: Any) -> _Timer:
        timer = _Timer(self, call, arguments)
        timer.handle = self.loop.call_later(max(0.0, delay), timer.fire)
        return timer

    def call_at(self, when: float, call: Callable[..., Any], *arguments: Any) -> _Timer:
        return self.call_later(when - self.time(), call, *arguments)

    def do(self, call: Callable[[], None]) -> None:
        """Now, or when the host is awake again."""
        if self.dead:
            return
        if self._asleep_at is not None:
            self._late.append(call)
        else:
            call()

    async def sleep(self, delay: float) -> None:
        done: asyncio.Future[None] = self.loop.create_future()
        self.call_later(delay, lambda: done.done() or done.set_result(None))
        await done

    def fall_asleep(self, seconds: float, *, counted: bool) -> None:
        if self._asleep_at is not None or self.dead:
            return
        self._asleep_at = self.loop.time()
        self.loop.call_later(seconds, self._wake, counted)

    def _wake(self, counted: bool) -> None:
        assert self._asleep_at is not None
        if not counted:
            self.offset -= self.loop.time() - self._asleep_at
        self._asleep_at = None
        late, self._late = self._late, []
        for call in late:
            self.do(call)

    def die(self) -> None:
        self.dead = True
        self._late.clear()


class Shim:
    """Stands for the module ``asyncio`` in the host's modules: another loop, the rest is the same."""

    def __init__(self) -> None:
        self.clock: HostClock | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    def get_running_loop(self) -> Any:
        return self.clock

    def timeout_at(self, when: float) -> Any:
        assert self.clock is not None
        return asyncio.timeout(when - self.clock.time())
