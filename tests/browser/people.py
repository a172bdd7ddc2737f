"""People at a table: what a test's players do with their fingers, and what they can see.

A `Person` works through the page alone. What the page was told is read from its recorded frames
(`view`, `heard`), what it shows from the page. Waiting is always for a state.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Host, Phone

PATIENCE_S = 15.0
POLL_MS = 20
# Of a card that others overlap, the upper left corner is always free.
CORNER = {"x": 14, "y": 20}

# Two that play plain numbers, so that nothing happens but what a test does.
NUMBERS = """\
rules: classic
players: Ana Beto
hands: Ana r1 r2 r3 r4 y1 y2 y3 y4 | Beto r5 r6 r7 r8 b1 b2 b3 b4
discard: r9
draw: g1 g2 g3 g4 g5 g6
turn: Ana
"""

View = dict[str, Any]


def held(card: str) -> str:
    return f'button.held[data-card="{card}"]'


@dataclass(eq=False)
class Person:
    """Somebody with a phone."""

    phone: Phone
    name: str

    @property
    def page(self) -> Page:
        return self.phone.page

    def see(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def tap(self, testid: str) -> None:
        self.see(testid).tap()

    # --- when

    def note_bar(self) -> None:
        """From now on the page notes when the bar of a lost connection comes (`bar_after`)."""
        self.page.evaluate(
            """() => {
              window.__bar = null;
              new MutationObserver((_, observer) => {
                if (document.querySelector('[data-testid="conn"][data-state="bar"]') === null) return;
                window.__bar = Date.now() / 1000;
                observer.disconnect();
              }).observe(document.body, { subtree: true, attributeFilter: ["data-state"] });
            }"""
        )

    def bar_after(self, moment: float) -> float:
        """Seconds from that `time.time()` until the bar was there, by the page's own clock."""
        expect(self.see("conn")).to_have_attribute("data-state", "bar", timeout=6000)
        return float(self.page.evaluate("window.__bar")) - moment

    # --- what the page was told

    @property
    def views(self) -> list[dict[str, Any]]:
        """Every view that came, as messages, in the order of their coming."""
        return self.phone.views

    @property
    def seq(self) -> int:
        return max((each["seq"] for each in self.views), default=-1)

    @property
    def view(self) -> View:
        """The newest view."""
        newest = max(self.views, key=lambda each: each["seq"], default={"v": {}})
        return dict(newest["v"])

    @property
    def hand(self) -> list[str]:
        return list(self.view.get("hand", []))

    @property
    def events(self) -> list[dict[str, Any]]:
        """Everything that happened, once, as this page was told it."""
        # A view that is sent again, on another path or connection, comes without them.
        seen: dict[int, list[dict[str, Any]]] = {}
        for each in self.views:
            seen[each["seq"]] = seen.get(each["seq"]) or each.get("e", [])
        return [event for seq in sorted(seen) for event in seen[seq]]

    def kinds(self) -> list[str]:
        return [event["e"] for event in self.events]

    def refusals(self) -> list[str]:
        return [each["code"] for each in self.phone.received() if each["t"] == "refused"]

    def until(self, true: Callable[[View], object], seconds: float = PATIENCE_S) -> View:
        """Wait for a view of which that is true."""
        self.wait(lambda: true(self.view), seconds)
        return self.view

    def wait(self, true: Callable[[], object], seconds: float = PATIENCE_S) -> None:
        """Wait, and let the frames come in."""
        end = time.monotonic() + seconds
        while not true():
            if time.monotonic() > end:
                raise AssertionError(f"{self.name} waited in vain; the newest view: {self.view}")
            self.page.wait_for_timeout(POLL_MS)

    # --- what the page shows

    def shown_hand(self) -> list[str]:
        cards = self.page.locator("button.held")
        return sorted(cards.evaluate_all("all => all.map(each => each.dataset.card)"))

    def shown(self) -> View:
        """What of the table stands on the screen."""
        return dict(
            self.page.evaluate(
                """() => {
                  const at = (id) => document.querySelector(`[data-testid=${id}]`);
                  const table = at("table");
                  return {
                    top: at("discard")?.dataset.card,
                    colour: at("colour")?.dataset.colour || null,
                    pending: at("pending")?.textContent ?? null,
                    turn: table?.dataset.turn,
                    wait: table?.dataset.wait,
                    hand: [...document.querySelectorAll("button.held")]
                      .map((each) => each.dataset.card).sort(),
                    words: at("happening")?.textContent,
                  };
                }"""
            )
        )

    def says(self, text: str) -> None:
        """Wait until the last things that happened are told with these words."""
        self.see("happening").filter(has_text=text).wait_for()

    def hint(self) -> str:
        return self.see("hint").inner_text()

    @property
    def channel(self) -> str | None:
        return self.page.evaluate("document.documentElement.dataset.channel ?? null")

    def on(self, channel: str) -> None:
        """Wait until that is the path."""
        self.page.wait_for_selector(f'html[data-channel="{channel}"]', state="attached")

    def my_turn(self, wait: str | None = None) -> None:
        more = "" if wait is None else f'[data-wait="{wait}"]'
        self.page.wait_for_selector(f'main[data-testid="table"][data-turn="me"]{more}')

    # --- coming in

    def enter(self, url: str) -> Person:
        """The link, the name, *Entrar*."""
        self.phone.goto(url)
        return self.sit()

    def sit(self) -> Person:
        self.see("name-input").fill(self.name)
        self.tap("enter")
        self.page.wait_for_selector('[data-testid="lobby"], [data-testid="table"]')
        return self

    # --- playing

    def raise_card(self, card: str) -> None:
        self.page.locator(f'{held(card)}[aria-pressed="false"]').first.tap(position=CORNER)

    def play(self, *cards: str, colour: str | None = None, player: int | None = None) -> None:
        """Raise them, press *Jugar*, choose what is asked for, and wait for the table's answer."""
        before = self.seq
        for card in cards:
            if self.page.locator(f'{held(card)}[aria-pressed="true"]').count() < cards.count(card):
                self.raise_card(card)
        self.tap("play")
        if player is not None and len(self.view.get("targets", ())) > 1:
            self.tap(f"pick-{player}")
        if colour is not None:
            self.tap(f"colour-{colour}")
        self.after(before)

    def press(self, testid: str) -> None:
        """Press something that the table answers with a change."""
        before = self.seq
        self.tap(testid)
        self.after(before)

    def after(self, seq: int) -> None:
        """Wait until the table has gone on from there."""
        self.wait(lambda: self.seq > seq)


@dataclass(eq=False)
class Party:
    """A table in progress: its host program, and who sits there, by seat."""

    host: Host
    people: list[Person]
    origin: str

    @property
    def url(self) -> str:
        """The guests' link."""
        return self.host.at(self.origin)

    def __iter__(self) -> Any:
        return iter(self.people)

    def __getitem__(self, seat: int) -> Person:
        return self.people[seat]

    @property
    def seq(self) -> int:
        return max(person.seq for person in self.people)

    def settled(self) -> None:
        """Wait until everybody has the same newest view."""
        first = self.people[0]
        first.wait(lambda: len({person.seq for person in self.people}) == 1)
        for person in self.people:
            person.page.evaluate("() => new Promise(requestAnimationFrame)")

    def on(self, channel: str) -> None:
        for person in self.people:
            person.on(channel)

    @property
    def whose_turn(self) -> Person:
        self.settled()
        return self.people[self.people[0].view["turn"]]
