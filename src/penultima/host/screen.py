"""What the full screen of a terminal shows of one table. Pure: nothing here touches a terminal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from penultima.host import links
from penultima.host.qr import qr
from penultima.host.report import Summary

if TYPE_CHECKING:
    from rich.text import Text

    from penultima.host.phrases import Phrases
    from penultima.host.reach import Way
    from penultima.host.report import Player
    from penultima.host.voices import Ready

WIDTH: Final = 80
HEIGHT: Final = 24
NAME_CELLS: Final = 20


@dataclass
class Screen:
    """How it stands, and what of it was chosen to be seen."""

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
            line.append(f" · {self._rules()}", style="dim")
        return line

    def _rules(self) -> str:
        """The preset by the name that players read; what differs from it as `--rules` has it."""
        preset, *changes = self.summary.rules.split()
        name = self.phrases(_PRESETS[preset]) if preset in _PRESETS else preset
        return " + ".join([name, *changes])

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
        if not summary.here:
            lines.append(Text(phrases("nobody"), style="dim"))
        lines += [self._player(player) for player in summary.here]
        lines += [Text(), Text(self._standing(), style="bold")]
        if len(lines) > room:  # a small terminal: the players matter most
            lines = lines[2:]
        return lines

    def _player(self, player: Player) -> Text:
        """Dot, name, score, and a word for whoever is not simply here."""
        from rich.cells import cell_len, set_cell_size  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        # Letters of two cells, and what is wider still: the scores stay below one another.
        name = player.name
        if cell_len(name) > NAME_CELLS:
            name = set_cell_size(name, NAME_CELLS - 1).rstrip() + "…"
        name += " ★" if player.host else ""
        name += " " * (NAME_CELLS - cell_len(name))
        dot, style = _DOTS.get(player.state, ("●", "green"))
        line = Text(dot, style=style if self.colour else "")
        line.append(f" {name} ", style="dim" if player.state in {"out", "eliminated"} else "")
        line.append(f"{player.score:>4}")
        word = player.state if player.state in _DOTS else "bot" if player.bot else ""
        if word:
            line.append(f" {self.phrases(word)}", style="dim")
        return line

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
                winners = [p.name for p in summary.players if p.seat in summary.winners]
                text = phrases.over(winners)
            case _:
                text = phrases("lobby")
        return f"{phrases('paused')} · {text}" if summary.paused else text


_PRESETS = {
    "classic": "preset_classic",
    "official_2022": "preset_official_2022",
    "party": "preset_party",
    "icebreaker": "preset_icebreaker",
    "berserker": "preset_berserker",
}

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
    "eliminated": ("·", "dim"),
    "next": ("●", "cyan"),
}
