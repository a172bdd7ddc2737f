"""A page with nobody at the other end: scenes are shown to the built client over a socket of paper.

`STAND_IN` puts a WebSocket of its own into the page, which greets it, keeps what it says and tells
it whatever a test wants it to believe. The page is the real one, served by the real host; no scene
depends on cards being dealt in the right order, and a hundred of them take seconds.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Frame, Page, Route

View = dict[str, Any]

CODE = "kfb3nq"
FRAGMENT = f"{CODE}.abcdefghjkmnpqrs"
LINK = f"http://192.168.1.23:8770/#{FRAGMENT}"

MEASURE = Path(__file__).with_name("measure.js").read_text("utf-8")

STAND_IN = """
(() => {
  if (location.protocol === "about:") return;
  const query = new URLSearchParams(location.search);
  const tongue = query.get("speaks");
  if (tongue !== null) Object.defineProperty(navigator, "languages", { value: [tongue] });
  // What this page is to be: an address that is not secure, one that comes back, one without a table.
  if (query.has("insecure")) {
    Object.defineProperty(window, "isSecureContext", { value: false });
    Object.defineProperty(navigator, "clipboard", { value: undefined });
  }
  sessionStorage.removeItem("penultima.key.CODE");
  localStorage.removeItem("penultima.seat.CODE");
  if (query.has("kept")) sessionStorage.setItem("penultima.key.CODE", "k");
  if (query.has("known")) {
    const seat = { key: "k", name: "Ana", until: Date.now() + 3600_000 };
    localStorage.setItem("penultima.seat.CODE", JSON.stringify(seat));
  }
  if (query.has("old")) CSS.supports = () => false;
  let cut = query.has("cut");
  /** What the host's machine answers when it is asked why there is no table: a cause of `probe`. */
  let cause = query.get("cut") ?? "blocked";
  const fetched = window.fetch.bind(window);
  window.fetch = async (address, ...more) => {
    if (!String(address).endsWith("healthz")) return fetched(address, ...more);
    if (cause === "unreachable") throw new DOMException("", "TimeoutError");
    return new Response(JSON.stringify({ ok: cause === "blocked" }));
  };
  Object.defineProperty(navigator, "onLine", { get: () => cause !== "offline" });
  /** The page's clock is put forward by this much, and the wait before it asks for the cause is none. */
  let ahead = 0;
  let eager = cut;
  const clock = performance.now.bind(performance);
  performance.now = () => clock() + ahead;
  const later = window.setTimeout.bind(window);
  window.setTimeout = (run, ms, ...more) => {
    const wonder = eager && ms > 4500 && ms <= 5000;
    if (wonder) eager = false;
    return later(run, wonder ? 0 : ms, ...more);
  };
  // Its table is as heavy as the whole of Python.
  if (location.hash === "#solo")
    window.Worker = class extends EventTarget {
      postMessage() {}
      terminate() {}
    };
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
      later(() => {
        if (cut) return;
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
      if (message.t in refusals) this.tell({ t: "refused", n: message.n, code: refusals[message.t] });
      else if (message.t === "hello") {
        this.tell({ t: "welcome", v: 1, conn: 1, n: 0, ...greeting });
        if (last !== null) this.tell({ t: "view", seq: ++seq, v: last });
      } else if (message.t === "ping") this.tell({ t: "pong", i: message.i });
    }
    close() {
      this.readyState = 3;
    }
  }
  let last = null;
  let refusals = {};
  window.WebSocket = Paper;
  delete window.RTCPeerConnection;
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  // The page draws itself in a task of its own; nothing has to be painted to be measured.
  const drawn = () => new Promise((done) => later(() => later(done)));
  const until = async (what) => {
    for (let k = 0; k < 100; k++) {
      if (what()) return;
      await new Promise((done) => later(done, 20));
    }
    throw new Error(`never came: ${what}`);
  };
  // A piece of the page of its own comes when it comes.
  const arrived = () => until(() => document.querySelector(".later[aria-busy]") === null);
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
    /** Back at the table, whatever the scene before has done to the page. */
    async recover() {
      const again = document.querySelector("[data-testid=again], [data-testid=take-back]");
      if (!cut && again === null) return;
      cut = false;
      cause = "blocked";
      const before = said.length;
      if (again !== null) again.click();
      else dispatchEvent(new Event("online"));
      await until(() => said.length > before);
      await drawn();
    },
    /** The connection goes, `seconds` ago. */
    async lose({ seconds, why }) {
      cut = eager = true;
      cause = why;
      open.fire("close", new Event("close"));
      await drawn();
      ahead += seconds * 1000;
      const level = seconds < 20 ? "bar" : "sheet";
      await until(() => document.querySelector(`[data-testid=conn][data-state=${level}]`));
      if (level === "sheet") await until(() => document.querySelector("[data-testid=conn-why]"));
    },
    /** From a clean page: no sheet, nothing marked, nothing left of the scene before. */
    async scene({ greeting, view, events, taps, refuses, then, lost, painted }) {
      refusals = {};
      if (view !== null) {
        await this.recover();
        document.querySelector(".sheet [data-testid=close]")?.click();
        document.querySelector("[data-testid=close]")?.click();
        await this.greet(greeting);
        const blank = { ...view, phase: "lobby", rules: "classic" };
        for (const key of ["result", "winners", "vote", "shown", "paused"]) delete blank[key];
        await this.show(blank, [], []);
      }
      refusals = refuses;
      // A piece of the page of its own, which comes when it comes.
      if (location.hash === "#solo") await until(() => document.querySelector("[data-testid=solo]"));
      if (view !== null) await this.show(view, events, taps);
      else await this.touch(taps);
      for (const message of then) open.tell(message);
      if (lost !== null) await this.lose(lost);
      await drawn();
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
      await this.touch(taps);
    },
    /** `selector` is clicked, `selector := text` is written into. */
    async touch(taps) {
      for (const tap of taps) {
        const [selector, text] = tap.split(" := ");
        await arrived();
        const found = document.querySelector(selector);
        if (found === null) throw new Error("nothing to tap: " + tap);
        if (text === undefined) found.click();
        else {
          found.value = text;
          found.dispatchEvent(new Event("input", { bubbles: true }));
        }
        await drawn();
      }
      await arrived();
    },
  };
})();
""".replace("LINK", LINK).replace("CODE", CODE)


@dataclass(frozen=True, slots=True)
class Address:
    """What is asked of the page when it is opened (the switches of `STAND_IN`), and its fragment."""

    query: str = ""
    fragment: str = FRAGMENT
    silent: bool = False
    """There is no table that could be greeted."""


TABLE = Address()


@dataclass(frozen=True, slots=True)
class Lost:
    """No connection for so long; what the page finds out about it (`static/src/device/probe.ts`)."""

    seconds: int
    why: str = "blocked"


@dataclass(frozen=True, slots=True)
class Scene:
    """What the table tells, and what is tapped then (selectors, in order; `SELECTOR := TEXT` writes).

    Without a view the table has said nothing. `refuses`: kinds of request, and the code of the
    table's refusal; `then`: what else the table says; `at`: the page is opened anew, like this.
    """

    view: View | None = None
    events: tuple[dict[str, Any], ...] = ()
    taps: tuple[str, ...] = ()
    host: bool = True
    refuses: dict[str, str] = field(default_factory=dict)
    then: tuple[dict[str, Any], ...] = ()
    lost: Lost | None = None
    at: Address = TABLE


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
        "greeting": {"seat": (scene.view or {}).get("you"), "host": scene.host},
        "view": scene.view,
        "events": list(scene.events),
        "taps": list(scene.taps),
        "refuses": scene.refuses,
        "then": list(scene.then),
        "lost": None if scene.lost is None else asdict(scene.lost),
        "painted": painted,
    }


# The first screen stands; a table, where there is one, has been greeted.
OPENED = """
([address, silent]) =>
  location.href.endsWith(address) && document.querySelector("#app > *, .old") !== null && (silent || __stage.said.length > 0)
"""


class Stage:
    """One page to which scenes are shown."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._where = ("", "/", "")
        self._at = TABLE

    def open(
        self, origin: str, path: str = "/", lang: str = "", at: Address = TABLE
    ) -> Stage:
        self._where, self._at = (origin, path, lang), at
        queries = [*filter(None, (f"lang={lang}" if lang else "", at.query))]
        address = f"{path}{'?' if queries else ''}{'&'.join(queries)}#{at.fragment}"
        self.page.goto("about:blank")  # another fragment alone would be the same page
        self.page.goto(origin + address)
        self.page.wait_for_function(OPENED, arg=[address, at.silent])
        return self

    def show(self, scene: Scene, *, measure: str = "() => null", painted: bool = True) -> Any:
        """What `measure`, a function of the page, finds there is given back."""
        if scene.at != self._at:
            self.open(*self._where, at=scene.at)
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

    def speak(self, tongue: str, lang: str = "", at: Address = TABLE) -> Frame:
        """Opened anew in this language of the browser; `lang` is the page's own `?lang=`."""
        self._speaks, self._at = (tongue, lang), at
        queries = [f"speaks={tongue}", *filter(None, (f"lang={lang}" if lang else "", at.query))]
        address = f"/?{'&'.join(queries)}#{at.fragment}"
        self.page.evaluate(
            """async (url) => {
              const frame = document.querySelector("iframe");
              frame.src = "about:blank";
              await new Promise((done) => frame.addEventListener("load", done, { once: true }));
              frame.src = url;
            }""",
            self.origin + address,
        )
        self.frame = self.page.frames[-1]
        self.frame.wait_for_function(OPENED, arg=[address, at.silent])
        return self.frame

    def faults(self, scene: Scene, rooms: list[Room], *, strict: bool = False) -> list[str]:
        if scene.at != self._at:
            self.speak(*self._speaks, at=scene.at)
        found: list[str] = self.frame.evaluate(
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
