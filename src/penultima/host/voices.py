"""How the host is told: what every kind of console hears, and the two that write lines.

For a pipe or a log plain lines (`READY url=...`), for programs JSON, one event a line; for a
terminal there is the full screen (``console``).
"""

from __future__ import annotations

import json
import os
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from penultima.host.qr import qr
from penultima.host.report import Summary, changes

if TYPE_CHECKING:
    from penultima.host.phrases import Phrases
    from penultima.host.reach import Way


@dataclass(frozen=True, slots=True)
class Opened:
    """What is open now, and everything by which it can be reached, best first."""

    ways: tuple[Way, ...]
    _: KW_ONLY
    port: int
    built: bool = True
    """Whether the game's page is there."""

    @property
    def urls(self) -> tuple[str, ...]:
        return tuple(way.link for way in self.ways)

    @property
    def local_only(self) -> bool:
        """Nobody else can come."""
        return all(way.kind == "local" for way in self.ways)


@dataclass(frozen=True, slots=True)
class Ready(Opened):
    """The table is."""

    host_url: str
    mesa_url: str
    resumed: bool = False


@dataclass(frozen=True, slots=True)
class ClubReady(Opened):
    """The club is; its ways lead to its page, with its key."""

    metrics_key: str
    node: str
    most: int
    """Tables at work at a time."""
    resting: int
    """Tables that are kept."""


class Voice(Protocol):
    """How the host is told."""

    def ready(self, ready: Ready) -> None: ...
    def moved(self, ready: Ready) -> None:
        """There are other ways in than before."""

    def changed(self, summary: Summary) -> None: ...
    def note(self, text: str, *, holds: bool = False) -> None:
        """`holds`: it is so until `no_longer`."""

    def no_longer(self, text: str) -> None: ...
    def closed(self, note: str = "") -> None: ...


class JsonVoice:
    """One JSON object a line, for programs."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._last = Summary()

    def ready(self, ready: Ready) -> None:
        self._say(event="ready", **self._links(ready), port=ready.port, resumed=ready.resumed)

    def moved(self, ready: Ready) -> None:
        self._say(event="moved", **self._links(ready))

    def _links(self, ready: Ready) -> dict[str, Any]:
        return {
            "url": ready.urls[0],
            "host_url": ready.host_url,
            "mesa_url": ready.mesa_url,
            "urls": list(ready.urls),
            "ways": [{"kind": way.kind, "name": way.name} for way in ready.ways],
        }

    def club(self, ready: ClubReady) -> None:
        self._say(
            event="ready",
            club_url=ready.urls[0],
            urls=list(ready.urls),
            metrics_key=ready.metrics_key,
            port=ready.port,
            node=ready.node,
            max_tables=ready.most,
            resting=ready.resting,
        )

    def changed(self, summary: Summary) -> None:
        for event in changes(self._last, summary):
            self._say(**event)
        self._last = summary

    def note(self, text: str, *, holds: bool = False) -> None:  # noqa: ARG002 - said once
        self._say(event="note", text=text)

    def no_longer(self, text: str) -> None:
        pass

    def closed(self, note: str = "") -> None:
        if note:
            self.note(note)
        self._say(event="closed")

    def _say(self, **event: object) -> None:
        _print(json.dumps(event, ensure_ascii=False), self._out)


class PlainVoice:
    """Lines for a pipe or a log."""

    def __init__(self, out: TextIO, phrases: Phrases) -> None:
        self._out = out
        self._phrases = phrases
        self._last = Summary()

    def ready(self, ready: Ready) -> None:
        self._links(ready)
        if not ready.built:
            self.note(self._phrases("not_built"))

    def moved(self, ready: Ready) -> None:
        self._links(ready)

    def _links(self, ready: Ready) -> None:
        for url in ready.urls:
            self.note(f"READY url={url}")
        self.note(f"READY host_url={ready.host_url}")
        self.note(f"READY mesa_url={ready.mesa_url}")

    def club(self, ready: ClubReady) -> None:
        for url in ready.urls:
            self.note(f"READY club_url={url}")
        self.note(f"READY metrics_key={ready.metrics_key}")
        if wants_screen(self._out):
            self._code(ready.urls[0])
        phrases = self._phrases
        self.note(phrases("club_link"))
        self.note(phrases("club_room", most=ready.most, resting=ready.resting))
        if ready.local_only:
            self.note(phrases("no_network"))
        if not ready.built:
            self.note(phrases("not_built"))

    def _code(self, url: str) -> None:
        from rich.console import Console as RichConsole  # noqa: PLC0415 - only for a terminal

        out = RichConsole(file=self._out, highlight=False, markup=False, emoji=False)
        for line in qr(url, out.size.height - 6, out.size.width, colour=not out.no_color):
            out.print(line)

    def changed(self, summary: Summary) -> None:
        for event in changes(self._last, summary):
            text = told(event, self._phrases)
            if text:
                self.note(text)
        self._last = summary

    def note(self, text: str, *, holds: bool = False) -> None:  # noqa: ARG002 - said once
        _print(text, self._out)

    def no_longer(self, text: str) -> None:
        pass

    def closed(self, note: str = "") -> None:
        if note:
            self.note(note)
        self.note(self._phrases("closed"))


def _print(text: str, out: TextIO) -> None:
    """A line, if there is still somebody to read it: the tables do not end with a log."""
    try:
        print(text, file=out, flush=True)
    except BrokenPipeError:
        # What is left in the buffer would be an error again when the program ends.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, out.fileno())
        os.close(nowhere)
    except OSError:
        pass  # a disk that is full, a terminal that is closed


def told(event: dict[str, Any], phrases: Phrases) -> str:
    """An event in words, or nothing when it needs none."""
    name = event.get("name", "")
    match event["event"]:
        case "joined":
            return phrases("joined", name=name)
        case "left":
            return phrases("left", name=name)
        case "out":
            return phrases("is_out", name=name)
        case "away":
            return phrases("is_away", name=name)
        case "back":
            return phrases("is_back", name=name)
        case "round":
            return phrases("round_started", n=event["round"])
        case "match_over":
            return phrases.over(event["winners"])
        case "scores":
            scores = ", ".join(f"{who} {points}" for who, points in event["scores"].items())
            return phrases("scores", scores=scores)
        case _:
            return ""


def wants_screen(stream: TextIO) -> bool:
    """A terminal that can place a cursor."""
    return stream.isatty() and os.environ.get("TERM", "") != "dumb"
