"""The host's own screen: link and QR, who is there, how it stands, and a few keys.

:func:`voice` gives the kind that was asked for; all of them hear the same three things: ready,
what changed, the end.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections import deque
from typing import TYPE_CHECKING, Any, Final

from penultima.host.screen import Screen
from penultima.host.voices import JsonVoice, PlainVoice

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console, RenderableType

    from penultima.host.phrases import Phrases
    from penultima.host.report import Summary
    from penultima.host.voices import Ready

NOTE_SECONDS: Final = 20.0
"""So long a note stands on the full screen, unless it says what is still so."""


class ScreenVoice:
    """The full screen of one table, drawn again whenever something has changed."""

    def __init__(self, phrases: Phrases, console: Console) -> None:
        self._phrases = phrases
        self._console = console
        self._screen: Screen | None = None
        self._early: list[tuple[str, bool]] = []
        self._timers: deque[asyncio.TimerHandle] = deque()
        """Of the notes that stand now, the oldest first: all stand for the same time."""
        self._live: Any = None
        self.on_quit: Callable[[], None] = lambda: None
        self.look_again: Callable[[], Ready] | None = None

    def ready(self, ready: Ready) -> None:
        from rich.live import Live  # noqa: PLC0415

        colour = not self._console.no_color
        self._screen = Screen(self._phrases, ready, colour=colour)
        for text, holds in self._early:
            self._put(text, holds=holds)
        self._live = Live(
            console=self._console,
            screen=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
            get_renderable=self._renderable,
        )
        self._live.start(refresh=True)

    def moved(self, ready: Ready) -> None:
        if self._screen is not None:
            self._screen.move(ready)
            self.draw()

    def changed(self, summary: Summary) -> None:
        if self._screen is not None and summary != self._screen.summary:
            self._screen.take(summary)
            self.draw()

    def note(self, text: str, *, holds: bool = False) -> None:
        if self._screen is None:
            # Said again on the screen, which is about to cover this line.
            self._early.append((text, holds))
            self._console.print(text, markup=False, highlight=False)
        else:
            self._put(text, holds=holds)
            self.draw()

    def no_longer(self, text: str) -> None:
        if self._screen is not None and text in self._screen.warnings:
            self._screen.warnings.remove(text)
            self.draw()

    def _put(self, text: str, *, holds: bool) -> None:
        assert self._screen is not None
        if holds:
            if text not in self._screen.warnings:
                self._screen.warnings.append(text)
            return
        self._screen.notes.append(text)
        loop = asyncio.get_running_loop()
        self._timers.append(loop.call_later(NOTE_SECONDS, self._expire))

    def _expire(self) -> None:
        assert self._screen is not None
        self._timers.popleft()
        del self._screen.notes[0]
        self.draw()

    def key(self, key: str) -> None:
        if self._screen is None:
            return
        if key == "n":
            self._screen.next_address(self.look_again() if self.look_again else self._screen.ready)
            self.draw()
        elif key == "m":
            self._screen.mesa = not self._screen.mesa
            self.draw()
        elif key == "q":
            self.on_quit()
        elif key == "\f":
            self.draw()

    def draw(self) -> None:
        if self._live is not None:
            with contextlib.suppress(OSError):  # the terminal is gone; the table is not
                self._live.refresh()

    def closed(self, note: str = "") -> None:
        for timer in self._timers:
            timer.cancel()
        live, self._live = self._live, None
        with contextlib.suppress(OSError):  # the terminal is gone
            if live is not None:
                live.stop()
            for text in filter(None, (note, self._phrases("closed"))):
                self._console.print(text, markup=False, highlight=False)

    def _renderable(self) -> RenderableType:
        from rich.console import Group  # noqa: PLC0415

        if self._screen is None:
            return ""
        size = self._console.size
        return Group(*self._screen.lines(size.width, size.height))


def voice(kind: str, phrases: Phrases) -> JsonVoice | PlainVoice | ScreenVoice:
    """`kind`: json, plain or screen."""
    if kind == "json":
        return JsonVoice(sys.stdout)
    if kind == "plain":
        return PlainVoice(sys.stdout, phrases)
    from rich.console import Console as RichConsole  # noqa: PLC0415

    return ScreenVoice(phrases, RichConsole(highlight=False, markup=False, emoji=False))
