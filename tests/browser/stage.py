"""A page with nobody at the other end: scenes are shown to the built client over a socket of paper.

`STAND_IN` puts a WebSocket of its own into the page, which greets it, keeps what it says and tells
it whatever a test wants it to believe. The page is the real one, served by the real host; no scene
depends on cards being dealt in the right order, and a hundred of them take seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

View = dict[str, Any]

FRAGMENT = "kfb3nq.abcdefghjkmnpqrs"
LINK = f"http://192.168.1.23:8770/#{FRAGMENT}"

STAND_IN = """
(() => {
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


class Stage:
    """One page to which scenes are shown."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.greeted: tuple[object, bool] | None = None

    def open(self, origin: str, path: str = "/", lang: str = "") -> Stage:
        query = f"?lang={lang}" if lang else ""
        self.page.goto(f"{origin}{path}{query}#{FRAGMENT}")
        self.page.wait_for_selector("#app > *")
        self.page.wait_for_function("window.__stage.said.length > 0")
        self.greeted = None
        return self

    def show(self, scene: Scene, *, measure: str = "() => null", painted: bool = True) -> Any:
        """From a clean page: no sheet, nothing marked, nothing left of the scene before.

        What `measure`, a function of the page, finds there is given back.
        """
        seat = scene.view.get("you")
        return self.page.evaluate(
            """async ({ greeting, view, events, taps, painted }) => {
              document.querySelector(".sheet [data-testid=close]")?.click();
              document.querySelector("[data-testid=close]")?.click();
              await __stage.greet(greeting);
              const blank = { ...view, phase: "lobby", rules: "classic" };
              for (const key of ["result", "winners", "vote", "shown", "paused"]) delete blank[key];
              await __stage.show(blank, [], []);
              await __stage.show(view, events, taps);
              if (painted) await __stage.frames();
              return (MEASURE)();
            }""".replace("MEASURE", measure),
            {
                "greeting": {"seat": seat, "host": scene.host},
                "view": scene.view,
                "events": list(scene.events),
                "taps": list(scene.taps),
                "painted": painted,
            },
        )

    def said(self, kind: str) -> list[dict[str, Any]]:
        return [m for m in self.page.evaluate("__stage.said") if m["t"] == kind]
