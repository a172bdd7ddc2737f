"""A small phone: the page's side of the protocol (docs/protocol.md 2), for the simulation.

It resends what is unanswered with the same number, drops views that are not newer, has a
heartbeat, redials when nothing comes any more, and plays: at random, drawing only when nothing
fits. It takes decisions from its view and from nothing else.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import Any

from penultima.table.loopback import Loopback
from tests.table.room import HOST_KEY, SECRET

BEAT, STALE, RESEND = 1.5, 4.5, 2.0
NEVER = float("inf")


@dataclass(eq=False)
class Phone:
    """One person with one page."""

    name: str
    rng: random.Random
    host: bool = False
    others: int = 2
    """The host starts when so many others sit."""
    link: Loopback | None = None
    key: str | None = None
    n: int = 0
    seq: int = -1
    view: dict[str, Any] = field(default_factory=dict)
    pending: dict[int, tuple[dict[str, Any], float]] = field(default_factory=dict)
    welcomed: bool = False
    seated: bool = False
    heard: float = 0.0
    beats_at: float = NEVER
    acts_at: float = NEVER
    redials_at: float = 0.0
    acknowledged: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    """The ``seq`` of each ``done``, and what had been asked."""
    refused: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """The code of each refusal, and what had been asked."""
    said: list[dict[str, Any]] = field(default_factory=list)

    # --- the line

    def dial(self, link: Loopback, now: float) -> None:
        self.link = link
        self.welcomed = False
        self.heard = now
        self.redials_at = NEVER
        self.beats_at = now + BEAT
        hello: dict[str, Any] = {"t": "hello", "v": 1, "secret": SECRET}
        if self.key is not None:
            hello["key"] = self.key
        if self.host:
            hello["host"] = HOST_KEY
        self._send(hello, now)

    def lose(self, now: float) -> None:
        """The line is dead, as far as this end can tell."""
        if self.link is not None:
            self.link.cut()
        self.link = None
        self.welcomed = False
        self.beats_at = NEVER
        self.redials_at = now + self.rng.choice([0.25, 0.5, 1.0, 4.0])

    def due(self) -> float:
        times = [self.beats_at, self.acts_at, self.redials_at]
        if self.welcomed:
            times += [sent + RESEND for _, sent in self.pending.values()]
        return min(times)

    def tick(self, now: float) -> None:
        if self.link is not None and now >= self.beats_at:
            if now - self.heard > STALE:
                self.lose(now)
                return
            self.beats_at = now + BEAT
            if self.welcomed:
                self._send({"t": "ping", "i": 1, "seq": self.seq}, now)
            else:
                self.lose(now)  # hello or welcome got lost
                return
        if self.welcomed:
            self._resend(now, RESEND)
            if now >= self.acts_at:
                self.acts_at = NEVER
                self._decide(now)
        elif now >= self.acts_at:
            self.acts_at = NEVER

    def _send(self, message: dict[str, Any], now: float) -> None:
        if self.link is not None:
            self.said.append(message)
            self.link.to_table.send(json.dumps(message), now)

    def _ask(self, now: float, **request: Any) -> None:
        self.n += 1
        message = {"n": self.n, **request}
        self.pending[self.n] = (message, now)
        self._send(message, now)

    def _resend(self, now: float, older_than: float) -> None:
        for n, (message, sent) in list(self.pending.items()):
            if now - sent >= older_than - 1e-9:
                self.pending[n] = (message, now)
                self._send(message, now)

    # --- what comes

    def receive(self, text: str, now: float) -> None:
        message = json.loads(text)
        self.heard = now
        kind = message["t"]
        if kind == "welcome":
            self._welcome(message, now)
        elif kind == "seated":
            self.key, self.seated = message["key"], True
            self.pending.pop(message["n"], None)
        elif kind == "done":
            asked = self.pending.pop(message["n"], None)
            if asked is not None:
                self.acknowledged.append((message["seq"], asked[0]))
        elif kind == "refused":
            asked = self.pending.pop(message["n"], None)
            if asked is not None:
                self.refused.append((message["code"], asked[0]))
        elif kind == "view" and message["seq"] > self.seq:
            self.seq, self.view = message["seq"], message["v"]
        elif kind == "closed":
            self.lose(now)
        if kind != "pong" and self.acts_at == NEVER:
            self.acts_at = now + self.rng.uniform(0.1, 0.9)

    def _welcome(self, message: dict[str, Any], now: float) -> None:
        if self.welcomed:
            return
        self.welcomed = True
        self.seq = -1
        if message["seat"] is not None:
            self.seated = True
            self.n = max(self.n, message["n"])
            self._resend(now, 0.0)
        else:
            # Not seated yet: whatever was asked, the same person sits down, under the same id.
            self.seated = False
            self.n = message["n"]
            self.pending.clear()
            self._ask(now, t="sit", name=self.name, id=(self.name * 16)[:32])

    # --- the person

    def _decide(self, now: float) -> None:
        if self.pending or not self.seated:
            return
        if self.host and self._govern(now):
            return
        if self.view.get("paused"):
            return
        choice = self._choose(self.view.get("legal") or [])
        if choice is not None:
            self._ask(now, t="act", seq=self.seq, a=choice)

    def _govern(self, now: float) -> bool:
        seats = [seat for seat in self.view.get("seats", []) if seat]
        phase = self.view.get("phase")
        if phase == "lobby" and len(seats) > self.others:
            self._ask(now, t="host", do="start")
        elif phase == "between" and not self.view.get("paused"):
            self._ask(now, t="host", do="next")
        elif phase == "round" and self.rng.random() < 0.2:
            away = [i for i, seat in enumerate(self.view["seats"]) if seat.get("state") == "away"]
            if not away:
                return False
            self._ask(now, t="host", do="bot", seat=self.rng.choice(away), value="random")
        else:
            return False
        return True

    def _choose(self, legal: list[str]) -> str | None:
        plays = [form for form in legal if form[0] in "rygbW"]
        rest = [form for form in legal if form not in plays]
        if "uno" in rest and self.rng.random() < 0.5:
            return "uno"
        catches = [form for form in rest if form.startswith("catch")]
        if catches and self.rng.random() < 0.5:
            return self.rng.choice(catches)
        mine = self.view.get("turn") == self.view.get("you")
        if plays and (mine or self.rng.random() < 0.3):
            return self._complete(self.rng.choice(plays))
        turn = [form for form in rest if form != "uno" and form not in catches]
        return self.rng.choice(turn) if turn else None

    def _complete(self, form: str) -> str:
        if "=" in form:
            form = form.replace("=", "=" + self.rng.choice("rygb"))
        if ">" in form:
            form += str(self.rng.choice(self.view["targets"]))
        return form
