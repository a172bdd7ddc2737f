"""One page of one person, on up to two paths, as the client behaves (static/src/channel)."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.host.test_offers import CHROMIUM
from tests.table.phone import BEAT, NEVER, RESEND, Phone
from tests.table.room import HOST_KEY, SECRET

if TYPE_CHECKING:
    from tests.simulation.world import Line, Person, World

DEAD, WATCH = 8.0, 4.5
OPENING, REOFFER = 10.0, 3.0
APART = 1000
"""So far from those of an older page begin the numbers of a newer one."""


@dataclass(eq=False)
class Tab(Phone):
    world: World = field(kw_only=True)
    person: Person = field(kw_only=True)
    socket: Line | None = None
    data: Line | None = None
    data_heard: float = 0.0
    data_said: float = 0.0
    data_asked: float = NEVER
    """When something was said there that has had no answer."""
    frozen: bool = False
    stopped: bool = False
    highest: int = 0
    """Of the numbers that this page has used."""
    inbox: deque[tuple[Line, str]] = field(default_factory=deque)
    offer_id: str = ""
    """Of the data channel that is being negotiated."""
    lost_lines: list[Line] = field(default_factory=list)
    first_view: bool = True

    # --- time

    def wind(self) -> None:
        """The world calls `run` when something is due."""
        self.world.wind(self)

    def due(self) -> float:
        return NEVER if self.stopped or self.frozen else super().due()

    def run(self) -> None:
        if self.stopped or self.frozen:
            return
        now = self.world.now
        if self.socket is None and now >= self.redials_at:
            self.world.connect(self)
        elif super().due() <= now:
            if self.data is not None and now - self.data_heard > DEAD:
                self.data.close_from_page()
                self.data = None
            self.tick(now)
        self.wind()

    def freeze(self) -> None:
        self.frozen = True

    def thaw(self) -> None:
        self.frozen = False
        for line in self.lost_lines:
            self.line_down(line)
        self.lost_lines.clear()
        while self.inbox and not self.stopped:
            self.hear(*self.inbox.popleft())
        self.inbox.clear()
        self.wind()

    # --- paths

    def begin(self, socket: Line) -> None:
        """The WebSocket is open."""
        now = self.world.now
        self.socket = self.link = socket  # type: ignore[assignment]
        self.welcomed = False
        self.heard = now
        self.redials_at = NEVER
        self.beats_at = now + BEAT
        hello: dict[str, Any] = {"t": "hello", "v": 1, "secret": SECRET}
        if self.person.key is not None:
            hello["key"] = self.person.key
        if self.host:
            hello["host"] = HOST_KEY
        self._send(hello, now)

    def lose(self, now: float) -> None:
        for line in (self.socket, self.data):
            if line is not None:
                line.close_from_page()
        self.socket = self.data = self.link = None
        self.welcomed = False
        self.beats_at = NEVER
        self.redials_at = now + self.rng.choice([0.25, 0.5, 1.0, 4.0])

    def line_down(self, line: Line) -> None:
        if self.frozen:
            self.lost_lines.append(line)
        elif line is self.socket:
            self.lose(self.world.now)
            self.wind()
        elif line is self.data:
            self.data = None
            self.world.loop.call_later(REOFFER, self._offer)
            self._resend(self.world.now, 0.0)

    def _send(self, message: dict[str, Any], now: float) -> None:
        text = json.dumps(message)
        doubted = now - self.data_asked >= RESEND
        best = self.socket if self.data is None or doubted else self.data
        if message["t"] == "ping":
            idle = now - min(self.data_said, self.data_heard) > WATCH - 0.5
            paths = {self.socket, self.data if idle or doubted else None}
        else:
            paths = {best}
        # Not in the order of a set: the same seed is the same run.
        for line in (self.socket, self.data):
            if line is not None and line in paths:
                if line is self.data:
                    self.data_said = now
                    self.data_asked = min(self.data_asked, now)
                line.up(text)

    # --- what comes

    def hear(self, line: Line, text: str) -> None:
        if self.stopped or line not in (self.socket, self.data):
            return
        if self.frozen:
            self.inbox.append((line, text))
            return
        now, message = self.world.now, json.loads(text)
        if line is self.data:
            self.data_heard = now
            self.data_asked = NEVER
        kind = message["t"]
        if kind == "ping":
            line.up(json.dumps({"t": "pong", "i": message["i"]}))
            self.data_said = now if line is self.data else self.data_said
            self.heard = now if line is self.socket else self.heard
            return
        if kind == "answer" and message["id"] == self.offer_id:
            self.world.reach(self, self.offer_id, message["sdp"])
            return
        if kind == "no_channel" and message["id"] == self.offer_id:
            self._give_up(self.offer_id)
            return
        if kind in {"answer", "no_channel"}:
            return
        if kind == "notice" or message.get("code") == "too_fast":
            return  # the latter decides nothing: the same is sent again
        if kind == "view":
            self.world.history.saw(self, message)
        heard = self.heard
        if kind in {"done", "refused"} and message["n"] in self.pending:
            self.world.history.answered(self, message, self.pending[message["n"]][0])
        self.receive(text, now)
        if line is self.data and self.socket is not None:
            self.heard = heard
        if kind == "seated":
            self.person.key = self.key
        if kind == "closed":
            self.world.closed[message["code"]] += 1
            # The older page stays as it is; the person may come back to it.
            self.stopped = message["code"] == "replaced"
        self.wind()

    def _welcome(self, message: dict[str, Any], now: float) -> None:
        if self.welcomed:
            return
        self.first_view = True
        if message["seat"] is not None:
            if message["n"] > self.highest:
                # Another page of this person has counted on since: what this one asked is void.
                self.pending.clear()
                self.n = message["n"] + APART
            super()._welcome(message | {"n": 0}, now)
            self.data = None
            self._offer()
        else:
            self.n = 0
            super()._welcome(message, now)

    # --- a data channel

    def _offer(self) -> None:
        """To the host, over the socket; candidates trickle behind."""
        if self.socket is None or not self.welcomed or self.data is not None or self.stopped or self.frozen:
            return
        self.world.channels["offered"] += 1
        self.offer_id = offer_id = f"{self.name}-{self.rng.random()}"
        self.socket.up(json.dumps({"t": "offer", "id": offer_id, "sdp": CHROMIUM}))
        for number in range(2):
            line = f"candidate:{number} 1 udp 2113937151 192.168.1.20 {5000 + number} typ host"
            self.socket.up(json.dumps({"t": "candidate", "id": offer_id, "candidate": line, "mid": "0"}))
        self.world.loop.call_later(OPENING, lambda: self._give_up(offer_id))

    def _give_up(self, offer_id: str) -> None:
        if self.offer_id == offer_id and self.data is None and not self.frozen:
            self.world.channels["given up"] += 1
            self.offer_id = ""
            self.world.loop.call_later(REOFFER, self._offer)

    def channel_open(self, line: Line) -> None:
        self.world.channels["opened"] += 1
        self.data, self.data_heard, self.data_asked = line, self.world.now, NEVER
        self.data_said = self.world.now

    def _ask(self, now: float, **request: Any) -> None:
        super()._ask(now, **request)
        self.highest = self.n
        self.world.history.asked(self, self.pending[self.n][0])

    # --- the person

    def _govern(self, now: float) -> bool:
        paused, chance = self.view.get("paused", []), self.rng.random
        if "host" in paused:
            self._ask(now, t="host", do="resume")
            return True
        seats = [seat for seat in self.view.get("seats", []) if seat]
        if self.view.get("phase") == "lobby" and len(seats) < self.world.seats:
            people = sum("bot" not in seat for seat in seats)
            if people == len(self.world.people):
                self._ask(now, t="host", do="add_bot", value=self.rng.choice(["random", "easy"]))
                return True
            return False
        if self.view.get("phase") == "round" and chance() < 0.01:
            self._ask(now, t="host", do=self.rng.choice(["pause", "lock", "unlock"]))
            return True
        return super()._govern(now)
