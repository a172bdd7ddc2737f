"""The host's own screen: link and QR, who is there, how it stands. Three kinds of it:

a full screen in a terminal, plain lines otherwise (`READY url=...`), and JSON, one event a line.
All of them hear the same three things: ready, what changed, the end.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from penultima.host import links
from penultima.host.reach import Way
from penultima.host.report import Summary, changes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console, RenderableType
    from rich.text import Text

    from penultima.host.phrases import Phrases

WIDTH, HEIGHT = 80, 24
ALPHANUMERIC, BYTES = 2, 4  # modes of a QR code (ISO/IEC 18004)
NOTE_SECONDS = 20.0
"""So long a note stands on the full screen, unless it says what is still so."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The table is open: everything by which it can be reached, best first."""

    ways: tuple[Way, ...]
    host_url: str
    mesa_url: str
    port: int
    built: bool = True
    resumed: bool = False

    @property
    def urls(self) -> tuple[str, ...]:
        return tuple(way.link for way in self.ways)

    @property
    def local_only(self) -> bool:
        """Nobody else can come."""
        return all(way.kind == "local" for way in self.ways)


@dataclass(frozen=True, slots=True)
class ClubReady:
    """The club is open: the addresses of its page, best first, with its key."""

    urls: tuple[str, ...]
    metrics_key: str
    port: int
    node: str
    most: int
    resting: int
    local_only: bool = False
    built: bool = True


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
        case "left" | "out":
            return phrases("left", name=name)
        case "away":
            return phrases("is_away", name=name)
        case "back":
            return phrases("is_back", name=name)
        case "round":
            return phrases("round_started", n=event["round"])
        case "match_over" if event["winners"]:
            return phrases("over", names=", ".join(event["winners"]))
        case "scores":
            scores = ", ".join(f"{who} {points}" for who, points in event["scores"].items())
            return phrases("scores", scores=scores)
        case _:
            return ""


# ------------------------------------------------------------------------------ full screen


@dataclass
class Screen:
    """What the full screen shows. `lines` is pure; nothing here touches the terminal."""

    phrases: Phrases
    ready: Ready
    summary: Summary = field(default_factory=Summary)
    chosen: int = 0
    mesa: bool = False
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    colour: bool = True

    @property
    def way(self) -> Way:
        return self.ready.ways[self.chosen % len(self.ready.ways)]

    @property
    def guests_url(self) -> str:
        return self.way.link

    @property
    def url(self) -> str:
        """The link that is shown, with its code: the guests', or the shared screen's."""
        return links.screen(self.guests_url) if self.mesa else self.guests_url

    @property
    def host_url(self) -> str:
        """The host's link under the address that is shown. The host needs no PeerServer."""
        if links.is_far(self.guests_url):
            return self.ready.host_url
        return f"{self.guests_url}.{self.ready.host_url.rpartition('.')[2]}"

    def next_address(self, ready: Ready) -> None:
        """The next one of those that there are by now."""
        self.ready = ready
        self.chosen = (self.chosen + 1) % len(ready.urls)

    def move(self, ready: Ready) -> None:
        """Others than before. The one that was chosen stays if it is there; else the best."""
        shown, chosen = self.way, self.chosen % len(self.ready.ways) > 0
        self.ready = ready
        self.chosen = ready.ways.index(shown) if chosen and shown in ready.ways else 0

    def take(self, summary: Summary) -> None:
        """How the table stands now. The hint for when nobody comes goes with the first who does."""
        self.summary = summary
        hint = self.phrases("hint", port=self.ready.port)
        if summary.players:
            self.warnings = [warning for warning in self.warnings if warning != hint]

    def lines(self, width: int = WIDTH, height: int = HEIGHT) -> list[Text]:
        """At most `height` lines of at most `width` cells."""
        from rich.text import Text  # noqa: PLC0415 - the first output does not wait for it

        head, foot = [self._head()], self._foot(width)
        room = height - len(head) - len(foot)
        code = qr(self.url, room, width - 24, colour=self.colour)
        if not code and (code := qr(self.url, room + 1, width - 24, colour=self.colour)):
            head, room = [], room + 1  # a code is worth more than the title
        side = self._side(room)
        blank = Text(" " * (len(code[0]) if code else 0))
        body = []
        for row in range(max(len(code), min(room, len(side)))):
            line = (code[row] if row < len(code) else blank).copy()
            if row < len(side):
                line.append("  ")
                line.append_text(side[row])
            body.append(line)
        lines = [*head, *body[:room], *foot]
        for line in lines:
            line.no_wrap = True
            line.truncate(width, overflow="ellipsis")
        return lines[:height]

    def _head(self) -> Text:
        from rich.text import Text  # noqa: PLC0415

        title = self.summary.title or self.phrases("title")
        line = Text(f" {title}", style="bold")
        if self.summary.rules:
            line.append(f" · {self.summary.rules}", style="dim")
        return line

    def _foot(self, width: int) -> list[Text]:
        from rich.text import Text  # noqa: PLC0415

        phrases, ready = self.phrases, self.ready
        lines = _folded(self.url, width, " ", "bold")
        if not ready.built:
            lines.append(Text(f" {phrases('not_built')}", style="bold red"))
        # What has just been said, then what has to be known, then what may be.
        if said := self.notes or self.warnings:
            lines.append(Text(f" {said[-1]}", style="yellow"))
        elif ready.local_only:
            lines.append(Text(f" {phrases('no_network')}", style="yellow"))
        elif ready.built:
            lines.append(Text(f" {self._about()}", style="dim"))
        lines += _folded(self.host_url, width, " ★ ", "dim")
        keys = [phrases("key_guests" if self.mesa else "key_mesa")]
        if len(ready.urls) > 1:
            keys.append(phrases("key_other"))
        keys.append(phrases("key_quit"))
        lines.append(Text(" · ".join([f" ★ {phrases('host')}", *keys]), style="dim"))
        return lines

    def _about(self) -> str:
        """The link that is shown, in words."""
        several = len(self.ready.ways)
        about = [self.phrases("mesa")] if self.mesa else []
        if several > 1:
            about.append(self.phrases("other", i=self.chosen % several + 1, of=several))
        if not self.mesa:
            about.append(self.phrases(_WAYS[self.way.kind], name=self.way.name))
        return " · ".join(about)

    def _side(self, room: int) -> list[Text]:
        from rich.text import Text  # noqa: PLC0415

        summary, phrases = self.summary, self.phrases
        lines = [Text(phrases("scan"), style="dim"), Text()]
        lines.append(Text(phrases("players"), style="bold"))
        if not summary.players:
            lines.append(Text(phrases("nobody"), style="dim"))
        for player in summary.players:
            dot, style = _DOTS.get(player.state, ("●", "green"))
            line = Text(dot, style=style if self.colour else "")
            name = player.name + (" ★" if player.host else "")
            line.append(f" {name:<20} ", style="" if player.state != "out" else "dim")
            line.append(f"{player.score:>4}")
            word = phrases("bot") if player.bot else ""
            if player.state in {"away", "hidden"}:
                word = phrases(player.state)
            if word:
                line.append(f" {word}", style="dim")
            lines.append(line)
        lines += [Text(), Text(self._standing(), style="bold")]
        if len(lines) > room:  # a small terminal: the players matter most
            lines = lines[2:]
        return lines

    def _standing(self) -> str:
        summary, phrases = self.summary, self.phrases
        match summary.phase:
            case "round":
                text = phrases("round", n=summary.round)
                player = summary.player(summary.turn)
                if player is not None:
                    text += " · " + phrases("turn", name=player.name)
            case "between":
                text = phrases("between", n=summary.round)
            case "over":
                names = [p.name for p in summary.players if p.seat in summary.winners]
                text = phrases("over", names=", ".join(names)) if names else phrases("ended")
            case _:
                text = phrases("lobby")
        return f"{phrases('paused')} · {text}" if summary.paused else text


_WAYS = {
    "wifi": "same_wifi",
    "local": "no_network",
    "public": "way_public",
    "far": "far_about",
    "tunnel": "way_tunnel",
    "sealed": "way_sealed",
}


def _folded(text: str, width: int, before: str, style: str) -> list[Text]:
    """A link is of no use cut off: it goes on in the next line."""
    from rich.text import Text  # noqa: PLC0415

    room = max(width - len(before), 10)
    pieces = [text[start : start + room] for start in range(0, len(text), room)]
    return [
        Text((before if not index else " " * len(before)) + piece, style=style)
        for index, piece in enumerate(pieces)
    ]


_DOTS = {
    "away": ("○", "red"),
    "hidden": ("◐", "yellow"),
    "standin": ("◐", "yellow"),
    "out": ("·", "dim"),
    "next": ("●", "cyan"),
}


def qr(url: str, rows: int, columns: int, *, colour: bool) -> list[Text]:
    """The link as half blocks, dark on light, with as much margin as fits; nothing if none fits."""
    from rich.text import Text  # noqa: PLC0415 - the first output does not wait for it

    # Without colours a terminal is taken for a dark one, and reversed.
    style = "#000000 on #ffffff" if colour else "reverse"
    for matrix in _matrices(url):
        if (len(matrix) + 1) // 2 <= rows and len(matrix[0]) <= columns:
            break
    else:
        return []
    if len(matrix) % 2:
        matrix.append([False] * len(matrix[0]))
    blocks = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
    return [
        Text("".join(blocks[top, bottom] for top, bottom in zip(*pair, strict=True)), style=style)
        for pair in zip(matrix[::2], matrix[1::2], strict=True)
    ]


def _matrices(url: str) -> Iterator[list[list[bool]]]:
    """The link's code, from the most readable to the smallest."""
    import segno  # noqa: PLC0415 - the first output does not wait for it

    contents: list[Any] = [url]
    start = url.find("/", url.find("//") + 2)
    if re.fullmatch(r"[a-z0-9:/.-]+", url[:start]):
        # Scheme and host may be written in capitals, which take two thirds of the room.
        contents.append([(url[:start].upper(), ALPHANUMERIC), (url[start:], BYTES)])
    for content in contents:
        code = segno.make(content, error="l", micro=False, boost_error=False)
        for margin in (4, 3, 2, 1):
            yield [[bool(cell) for cell in row] for row in code.matrix_iter(border=margin)]


class ScreenVoice:
    """The full screen of one table, drawn again whenever something has changed."""

    def __init__(self, phrases: Phrases, console: Console) -> None:
        self._phrases = phrases
        self._console = console
        self._screen: Screen | None = None
        self._early: list[tuple[str, bool]] = []
        self._timers: list[asyncio.TimerHandle] = []
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
        self._timers.append(loop.call_later(NOTE_SECONDS, self._expire, text))

    def _expire(self, text: str) -> None:
        assert self._screen is not None
        self._screen.notes.remove(text)
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
            self._live.refresh()

    def closed(self, note: str = "") -> None:
        for timer in self._timers:
            timer.cancel()
        if self._live is not None:
            self._live.stop()
            self._live = None
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


def wants_screen(stream: TextIO) -> bool:
    """A terminal that can place a cursor."""
    return stream.isatty() and os.environ.get("TERM", "") != "dumb"
