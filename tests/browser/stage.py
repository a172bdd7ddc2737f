"""A page with nobody at the other end: scenes are shown to the built client over a socket of paper.

`STAND_IN` puts a WebSocket of its own into the page, which greets it, keeps what it says and tells
it whatever a test wants it to believe. The page is the real one, served by the real host; no scene
depends on cards being dealt in the right order, and a hundred of them take seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Frame, Page, Route

View = dict[str, Any]

FRAGMENT = "kfb3nq.abcdefghjkmnpqrs"
LINK = f"http://192.168.1.23:8770/#{FRAGMENT}"

MEASURE = Path(__file__).with_name("measure.js").read_text("utf-8")

STAND_IN = """
(() => {
  const tongue = new URLSearchParams(location.search).get("speaks");
  if (tongue !== null) Object.defineProperty(navigator, "languages", { value: [tongue] });
  const said = [];
  let open = null;
  let seq = 0;
  let greeting = { seat: null, host: false, link: "LINK" };
  class Paper extends EventTarget {
    static OPEN = 1;
    readyState = 0;
    constructor(url) {
      super();
      this.url = url;
      open = this;
      setTimeout(() => {
        this.readyState = 1;
        this.fire("open", new Event("open"));
      });
    }
    fire(kind, event) {
      this.dispatchEvent(event);
      this["on" + kind]?.(event);
    }
    tell(message) {
      this.fire("message", new MessageEvent("message", { data: JSON.stringify(message) }));
    }
    send(text) {
      const message = JSON.parse(text);
      said.push(message);
      if (message.t === "hello") {
        this.tell({ t: "welcome", v: 1, conn: 1, n: 0, ...greeting });
        if (last !== null) this.tell({ t: "view", seq: ++seq, v: last });
      } else if (message.t === "ping") this.tell({ t: "pong", i: message.i });
    }
    close() {
      this.readyState = 3;
    }
  }
  let last = null;
  window.WebSocket = Paper;
  delete window.RTCPeerConnection;
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  // The page draws itself in a task of its own; nothing has to be painted to be measured.
  const drawn = () => new Promise((done) => setTimeout(() => setTimeout(done)));
  window.__stage = {
    said,
    frames,
    /** A new connection, greeted like this. */
    async greet(change) {
      greeting = { ...greeting, ...change };
      last = null;
      if (open === null) return;
      open.tell({ t: "welcome", v: 1, conn: 1, n: 0, ...greeting });
    },
    tell: (message) => open.tell(message),
    /** From a clean page: no sheet, nothing marked, nothing left of the scene before. */
    async scene({ greeting, view, events, taps, painted }) {
      document.querySelector(".sheet [data-testid=close]")?.click();
      document.querySelector("[data-testid=close]")?.click();
      await this.greet(greeting);
      const blank = { ...view, phase: "lobby", rules: "classic" };
      for (const key of ["result", "winners", "vote", "shown", "paused"]) delete blank[key];
      await this.show(blank, [], []);
      await this.show(view, events, taps);
      if (painted) await frames();
    },
    /** This frame made another size, and its letters (per cent). */
    async resize([width, height, text]) {
      Object.assign(frameElement.style, { width: `${width}px`, height: `${height}px` });
      document.documentElement.style.fontSize = `${text}%`;
      dispatchEvent(new Event("resize"));
      // The page draws in a microtask; without a pause nothing is painted in between, which is slow.
      for (let k = 0; k < 8; k++) await null;
    },
    async show(view, events, taps) {
      last = view;
      open.tell({ t: "view", seq: ++seq, v: view, e: events });
      await drawn();
      for (const tap of taps) {
        const found = document.querySelector(tap);
        if (found === null) throw new Error("nothing to tap: " + tap);
        found.click();
        await drawn();
      }
    },
  };
})();
""".replace("LINK", LINK)


@dataclass(frozen=True, slots=True)
class Scene:
    """What the table tells, and what is tapped then (selectors, in order)."""

    view: View
    events: tuple[dict[str, Any], ...] = ()
    taps: tuple[str, ...] = ()
    host: bool = True


@dataclass(frozen=True, slots=True)
class Room:
    """A window's size in CSS pixels, and its letters as a percentage of the usual ones."""

    width: int
    height: int
    text: int = 100

    def __str__(self) -> str:
        return f"{self.width}x{self.height} at {self.text} %"


def told(scene: Scene, *, painted: bool) -> dict[str, Any]:
    return {
        "greeting": {"seat": scene.view.get("you"), "host": scene.host},
        "view": scene.view,
        "events": list(scene.events),
        "taps": list(scene.taps),
        "painted": painted,
    }


class Stage:
    """One page to which scenes are shown."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, origin: str, path: str = "/", lang: str = "") -> Stage:
        query = f"?lang={lang}" if lang else ""
        self.page.goto(f"{origin}{path}{query}#{FRAGMENT}")
        self.page.wait_for_selector("#app > *")
        self.page.wait_for_function("window.__stage.said.length > 0")
        return self

    def show(self, scene: Scene, *, measure: str = "() => null", painted: bool = True) -> Any:
        """What `measure`, a function of the page, finds there is given back."""
        return self.page.evaluate(
            "async (scene) => { await __stage.scene(scene); return (MEASURE)(); }".replace(
                "MEASURE", measure
            ),
            told(scene, painted=painted),
        )

    def said(self, kind: str) -> list[dict[str, Any]]:
        return [m for m in self.page.evaluate("__stage.said") if m["t"] == kind]


AROUND = """<!doctype html><meta name="viewport" content="width=device-width">
<body style="margin: 0"><iframe style="border: 0; opacity: 0"></iframe>"""


class Rooms:
    """The page in a frame that takes any size at once: a scene is shown once and seen in all rooms.

    The page refuses to be framed, as it should; only here those headers are taken off.
    """

    def __init__(self, page: Page, origin: str) -> None:
        self.page = page
        self.origin = origin
        page.route(lambda url: url.startswith(origin) and "speaks=" in url, self._unlocked)
        page.route(
            f"{origin}/around", lambda route: route.fulfill(body=AROUND, content_type="text/html")
        )
        wire = page.context.new_cdp_session(page)
        wire.send("Network.enable")
        wire.send("Network.setBypassServiceWorker", {"bypass": True})  # it has the page as it is
        page.goto(f"{origin}/around")

    @staticmethod
    def _unlocked(route: Route) -> None:
        answer = route.fetch()
        locks = ("x-frame-options", "content-security-policy")
        headers = {name: value for name, value in answer.headers.items() if name not in locks}
        route.fulfill(response=answer, headers=headers)

    def speak(self, tongue: str, lang: str = "") -> Frame:
        """Opened anew in this language of the browser; `lang` is the page's own `?lang=`."""
        query = f"?speaks={tongue}" + (f"&lang={lang}" if lang else "")
        self.page.evaluate(
            "(url) => { document.querySelector('iframe').src = url; }",
            f"{self.origin}/{query}#{FRAGMENT}",
        )
        self.page.wait_for_function(
            "(query) => frames[0].location.search === query && frames[0].__stage?.said.length > 0",
            arg=query,
        )
        return self.page.frames[-1]

    def faults(
        self, frame: Frame, scene: Scene, rooms: list[Room], *, strict: bool = False
    ) -> list[str]:
        found: list[str] = frame.evaluate(
            """async ({ scene, rooms, strict }) => {
              await __stage.resize(rooms[0]);
              await __stage.scene(scene);
              const faults = [];
              for (const room of rooms) {
                await __stage.resize(room);
                faults.push((MEASURE)(strict));
              }
              return faults;
            }""".replace("MEASURE", MEASURE),
            {
                "scene": told(scene, painted=False),
                "rooms": [[room.width, room.height, room.text] for room in rooms],
                "strict": strict,
            },
        )
        return [
            f"{room}: {fault}"
            for room, each in zip(rooms, found, strict=True)
            for fault in each
        ]
