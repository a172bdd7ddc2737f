"""Alone: the practice table in Chromium, with and without a server behind it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright

from penultima.host import site
from penultima.host.app import packaged_client
from tests.browser import solo
from tests.browser.catalogue import LANGUAGES, say
from tests.browser.conftest import FLAGS, Frame, Host, Phone
from tests.browser.people import Person
from tests.ports import free_port

LOADED = "document.querySelector('script[type=module]').src"
HEAVY = re.compile(r"/assets/(python|penultima|practice)[.-]")

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
    "locale": "es-ES",
}


@pytest.fixture
def device(
    playwright: Playwright, chromium_path: str, tmp_path: Path
) -> Iterator[Callable[[], BrowserContext]]:
    """`device()` opens the browser of one and the same phone: what it keeps, it keeps."""
    running: list[BrowserContext] = []

    def open_browser() -> BrowserContext:
        context = playwright.chromium.launch_persistent_context(
            tmp_path / "profile", executable_path=chromium_path, args=FLAGS, **PHONE
        )
        running.append(context)
        return context

    yield open_browser
    for context in running:
        context.close()


def person(phone: Callable[..., Phone], **options: Any) -> Person:
    return Person(phone(script=solo.RECORD_WORKER, **options), "Ana")


@pytest.fixture(scope="module")
def installed(browser: Browser, origin: str) -> Iterator[BrowserContext]:
    """A phone that has been here before: for all tests that are about playing, it installs once."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    page.goto(f"{origin}/#solo")
    solo.ready(page)
    page.close()
    yield context
    context.close()


@pytest.fixture
def ana(installed: BrowserContext, origin: str) -> Iterator[Person]:
    """On that phone, in a page of her own, where the options are and Python has started."""
    page = installed.new_page()
    seen = Phone(installed, page)
    seen.watch(page)
    page.expose_binding("__frame", lambda _, sent, text: seen.keep(Frame("worker", sent, text)))
    page.add_init_script(solo.RECORD_WORKER)
    page.goto(f"{origin}/#solo")
    solo.ready(page)
    yield Person(seen, "Ana")
    page.evaluate(
        """async () => {
          localStorage.clear();
          for (const each of await indexedDB.databases()) indexedDB.deleteDatabase(each.name);
        }"""
    )
    page.close()
    assert seen.exceptions == []
    assert seen.strangers == []


together = pytest.mark.xdist_group("installed")


def local(page: Page) -> list[str]:
    """Everything that this origin has left on the device, besides the page itself."""
    return page.evaluate(
        """async () => [
          ...Object.keys(localStorage).map((key) => `local ${key}`),
          ...Object.keys(sessionStorage).map((key) => `session ${key}`),
          ...(await indexedDB.databases()).map((each) => `base ${each.name}`),
          ...(document.cookie ? ["cookie"] : []),
        ]"""
    )


@pytest.mark.timeout(240)
def test_after_one_visit_everything_works_without_the_server(
    host: Callable[..., Host], device: Callable[[], BrowserContext]
) -> None:
    server = host()
    browser = device()
    page = browser.new_page()
    page.goto(server.at().partition("#")[0])
    page.get_by_test_id("solo-open").tap()
    solo.ready(page)
    assert server.stop() == 0

    page.reload()
    solo.ready(page)
    solo.begin(page)
    hand = page.locator("button.held").count()
    assert hand >= 7
    page.get_by_test_id("menu").tap()
    page.get_by_test_id("menu-rules").tap()
    page.get_by_test_id("rules-page").wait_for()
    page.get_by_test_id("close").tap()

    # A link into another tab: the practice table, and a table that cannot be reached now.
    tab = browser.new_page()
    tab.goto(server.at().partition("#")[0] + "#solo")
    solo.ready(tab)
    tab.goto("about:blank")
    tab.goto(server.url)
    tab.get_by_test_id("name-input").wait_for()
    browser.close()

    again = device()
    page = again.new_page()
    page.goto(server.at().partition("#")[0] + "#solo")
    solo.ready(page)
    solo.begin(page)
    again.close()


MEMORY = "caches.open('penultima-memory').then((c) => c.keys()).then((all) => all.length)"


@pytest.mark.timeout(240)
def test_the_second_start_is_out_of_memory_and_a_spoilt_one_is_made_anew(
    tmp_path: Path, device: Callable[[], BrowserContext]
) -> None:
    root = tmp_path / "www"
    site.write(root, packaged_client())

    def start(page: Page, *, remembered: bool) -> None:
        page.goto("about:blank")
        page.goto(f"{address}/#solo")
        solo.ready(page)
        progress = page.get_by_test_id("solo-progress")
        assert progress.get_attribute("data-remembered") == str(remembered).lower()
        solo.begin(page)
        # It is kept when the cards are dealt, and holds nothing of them.
        for _ in range(200):
            if page.evaluate(MEMORY) == 1:
                return
            page.wait_for_timeout(100)
        raise AssertionError("Python's memory is not kept")

    with solo.serve(root) as (address, _):
        browser = device()
        page = browser.new_page()
        hands = []
        for remembered in (False, True, True):
            start(page, remembered=remembered)
            held = page.locator("button.held")
            hands.append(held.evaluate_all("all => all.map((each) => each.ariaLabel)"))
        assert hands[1] != hands[2], "another deal each time"
        page.evaluate(
            """async () => {
              const kept = await caches.open("penultima-memory");
              const [request] = await kept.keys();
              const bytes = new Uint8Array(await (await kept.match(request)).arrayBuffer());
              bytes.fill(7, 1000, 200000);
              await kept.put(request, new Response(bytes));
            }"""
        )
        start(page, remembered=False)
        page.evaluate(
            """async () => {
              const kept = await caches.open("penultima-memory");
              const [request] = await kept.keys();
              await kept.put(request, new Response(new Uint8Array(12345)));
            }"""
        )
        start(page, remembered=False)


@pytest.mark.timeout(300)
def test_a_full_game_is_played_alone_and_no_request_leaves(
    host: Callable[..., Host], phone: Callable[..., Phone]
) -> None:
    ana = person(phone)
    page = ana.page
    page.add_init_script(
        """window.__violations = [];
        addEventListener("securitypolicyviolation", (e) => __violations.push(e.violatedDirective + " " + e.blockedURI));"""
    )
    page.add_init_script(
        """window.__persisted = 0;
        StorageManager.prototype.persist = async () => { window.__persisted++; return true; };"""
    )
    server = host()
    page.goto(server.at().partition("#")[0])
    page.get_by_test_id("solo-open").tap()
    solo.ready(page)
    assert page.get_by_test_id("install-offer").count() == 0
    server.stop()
    solo.pick(page, "Rivales", "1")
    solo.pick(page, "Ritmo", "rápido")
    solo.pick(page, "Meta", "100")
    before = len(ana.phone.requests)
    solo.begin(page)
    # As Chromium would, for a page that can be installed.
    page.evaluate(
        """() => {
          const event = new Event("beforeinstallprompt", { cancelable: true });
          event.prompt = async () => { window.__prompted = true; };
          dispatchEvent(event);
        }"""
    )
    page.evaluate(solo.PLAYER)
    assert page.evaluate("window.__persisted") == 0, "nothing is worth keeping yet"
    page.wait_for_selector('[data-testid="match-end"]', timeout=200_000)
    page.evaluate("clearInterval(window.__plays)")
    # The browser is asked once not to throw away what this device has, and without a question to
    # the player: who has played to the end here comes back.
    assert page.evaluate("window.__persisted") == 1
    # Chromium looks at the icon again when the address changes; the service worker has it.
    asked = [url for url in ana.phone.requests[before:] if not url.endswith("/icon.svg")]
    assert asked == []
    assert [frame for frame in ana.phone.frames if frame.path == "ws"] == []
    kinds = {event["e"] for event in ana.events}
    assert {"dealt", "played", "drew", "round_ended", "match_ended"} <= kinds
    scores = [seat.get("score", 0) for seat in ana.view["seats"]]
    assert max(scores) >= 100
    # Nothing but what was one's own ever came out of the worker.
    assert not any(seat.get("hand") for view in ana.views for seat in view["v"]["seats"])

    # Installing is offered now, and only now.
    page.get_by_test_id("install-yes").tap()
    assert page.evaluate("window.__prompted") is True
    page.get_by_test_id("install-offer").wait_for(state="detached")

    # By default nothing is left behind.
    assert local(page) == []
    assert page.evaluate("window.__violations") == []

    page.get_by_test_id("rematch").tap()
    page.wait_for_selector('[data-testid="table"][data-phase="round"]')
    assert max(seat.get("score", 0) for seat in ana.view["seats"]) == 0


def test_the_policy_allows_webassembly_and_no_eval(
    origin: str, phone: Callable[..., Phone]
) -> None:
    page = phone().page
    answer = page.goto(origin)
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy
    assert "blob:" not in policy
    assert "'unsafe-eval'" not in policy
    # Later, by itself: what Playwright evaluates is excepted from the policy.
    tried = """() => new Promise((resolve) => setTimeout(() => {
      try { resolve(String(new Function("return 1")())); } catch (error) { resolve(error.name); }
    }, 10))"""
    assert page.evaluate(tried) == "EvalError"


def test_joining_a_table_loads_nothing_of_it(
    host: Callable[..., Host], phone: Callable[..., Phone]
) -> None:
    server = host()
    beto = Person(phone(), "Beto").enter(server.host_url)
    beto.page.wait_for_timeout(1_500)
    assert [url for url in beto.phone.requests if HEAVY.search(url)] == []
    assert [url for url in beto.phone.requests if url.endswith("/sw.js")] == []
    assert beto.page.get_by_test_id("install-offer").count() == 0


@together
def test_time_stands_still_under_a_menu_and_in_a_hidden_page(ana: Person) -> None:
    page = ana.page
    solo.pick(page, "Ritmo", "rápido")
    solo.pick(page, "Rivales", "1")
    solo.begin(page)
    page.evaluate(solo.PLAYER)
    ana.until(lambda view: view.get("turn") == 1 and view["phase"] == "round", 60)
    page.evaluate("clearInterval(window.__plays)")
    page.get_by_test_id("menu").tap()
    page.wait_for_timeout(700)
    seq = ana.seq
    page.wait_for_timeout(2_500)
    assert ana.seq == seq
    page.get_by_test_id("close").tap()
    page.evaluate(solo.PLAYER)
    ana.wait(lambda: ana.seq > seq)
    # The same when the page is hidden.
    page.evaluate(
        """() => {
          clearInterval(window.__plays);
          Object.defineProperty(document, "hidden", { value: true, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    page.wait_for_timeout(700)
    seq = ana.seq
    page.wait_for_timeout(2_000)
    assert ana.seq == seq


@together
def test_a_game_is_kept_only_if_asked_and_goes_on_with_the_same_hand(ana: Person) -> None:
    page = ana.page
    assert page.get_by_test_id("solo-resume").count() == 0
    page.get_by_test_id("solo-keep").tap()
    solo.pick(page, "Nivel", "difícil")
    solo.begin(page)
    page.evaluate(solo.PLAYER)
    ana.wait(lambda: ana.kinds().count("played") >= 5, 60)
    page.evaluate("clearInterval(window.__plays)")
    page.get_by_test_id("menu").tap()
    ana.wait(lambda: all(ana.seq == each["seq"] or each["seq"] < ana.seq for each in ana.views))
    page.wait_for_timeout(500)
    left = ana.view
    ana.phone.frames.clear()
    page.reload()
    page.get_by_test_id("solo-resume").tap()
    page.wait_for_selector('[data-testid="table"][data-phase="round"]', timeout=solo.START_MS)
    now = ana.until(lambda view: view.get("hand"))
    first = next(f.message["v"] for f in ana.phone.frames if f.message["t"] == "view")
    assert first["hand"] == left["hand"]
    assert first["round"] == left["round"]
    assert now["seats"][0]["name"] == left["seats"][0]["name"]
    # Out of it, it can be deleted; then nothing is there any more.
    page.get_by_test_id("menu").tap()
    page.get_by_test_id("menu-leave").tap()
    page.get_by_test_id("leave-yes").tap()
    page.get_by_test_id("solo-forget").tap()
    page.get_by_test_id("solo-resume").wait_for(state="detached")
    page.reload()
    solo.ready(page)
    assert page.get_by_test_id("solo-resume").count() == 0


KEPT = """() => new Promise((resolve) => {
  const asked = indexedDB.open("penultima", 1);
  asked.onsuccess = () => {
    const count = asked.result.transaction("records").objectStore("records").count();
    count.onsuccess = () => { asked.result.close(); resolve(count.result); };
  };
})"""


def leave(page: Page) -> None:
    page.get_by_test_id("menu").tap()
    page.get_by_test_id("menu-leave").tap()
    page.get_by_test_id("leave-yes").tap()
    page.get_by_test_id("solo-start").wait_for()


@together
def test_a_left_game_stands_still_and_is_lost_only_by_whoever_wants_it(ana: Person) -> None:
    page = ana.page
    page.get_by_test_id("solo-keep").tap()
    solo.pick(page, "Ritmo", "rápido")
    solo.begin(page)
    page.evaluate(solo.PLAYER)
    ana.until(lambda view: view.get("turn") != 0 and view["phase"] == "round", 60)
    page.evaluate("clearInterval(window.__plays)")
    leave(page)
    page.wait_for_timeout(700)
    records = page.evaluate(KEPT)
    page.wait_for_timeout(2_500)
    assert page.evaluate(KEPT) == records, "the bots went on"
    # Options that are refused begin nothing, and so end nothing.
    page.get_by_test_id("solo-details").tap()
    page.locator('[data-rule="teams"]').get_by_text("sí", exact=True).tap()
    page.get_by_test_id("solo-start").tap()
    page.get_by_test_id("solo-replace-yes").tap()
    page.get_by_role("alert").filter(has_text="Parejas").first.wait_for()
    page.wait_for_timeout(300)
    assert page.evaluate(KEPT) == records
    # Without the switch nothing stays: what is said beside it.
    page.get_by_test_id("solo-keep").tap()
    page.get_by_test_id("solo-resume").wait_for(state="detached")
    page.reload()
    solo.ready(page)
    assert page.get_by_test_id("solo-resume").count() == 0
    assert page.evaluate(KEPT) == 0


@together
def test_a_new_game_takes_the_place_of_a_kept_one_only_after_a_question(ana: Person) -> None:
    page = ana.page
    solo.pick(page, "Rivales", "3")
    page.get_by_test_id("solo-preset-party").tap()
    page.get_by_test_id("solo-keep").tap()
    solo.begin(page)
    hand = ana.hand
    page.get_by_test_id("menu").tap()
    page.get_by_test_id("menu-leave").tap()
    page.get_by_text(say("es", "solo.leave.kept")).wait_for()
    page.get_by_test_id("sure-no").tap()
    leave(page)
    # Most want the same again.
    assert page.get_by_test_id("solo-preset-party").get_attribute("aria-pressed") == "true"
    rivals = page.get_by_role("group", name="Rivales")
    assert rivals.get_by_text("3").get_attribute("aria-pressed") == "true"
    records = page.evaluate(KEPT)
    # What is offered first is to go on.
    assert "main" in str(page.get_by_test_id("solo-resume").get_attribute("class"))
    assert "main" not in str(page.get_by_test_id("solo-start").get_attribute("class"))
    # A finger that comes down twice has answered nothing.
    page.evaluate(
        """async () => {
          const at = (id) => document.querySelector(`[data-testid="${id}"]`);
          at("solo-start").click();
          while (at("solo-replace") === null) await new Promise((done) => setTimeout(done));
          for (const answer of ["yes", "no"]) at(`solo-replace-${answer}`).click();
        }"""
    )
    page.wait_for_timeout(500)
    assert page.get_by_test_id("solo-replace").is_visible()
    assert page.evaluate(KEPT) == records
    page.get_by_test_id("solo-replace-no").tap()
    page.wait_for_selector('[data-testid="table"][data-phase="round"]', timeout=solo.START_MS)
    ana.wait(lambda: ana.hand == hand)
    # And whoever says so has another.
    leave(page)
    page.get_by_test_id("solo-start").tap()
    page.get_by_test_id("solo-replace-yes").tap()
    page.wait_for_selector('[data-testid="table"][data-phase="round"]', timeout=solo.START_MS)
    ana.wait(lambda: len(ana.shown_hand()) >= 7 and ana.shown_hand() != sorted(hand))
    leave(page)
    page.get_by_test_id("solo-forget").tap()
    page.get_by_test_id("solo-resume").wait_for(state="detached")
    assert page.get_by_test_id("solo-start").inner_text() == say("es", "solo.start")
    page.get_by_test_id("solo-keep").tap()
    solo.begin(page)
    page.get_by_test_id("menu").tap()
    page.get_by_test_id("menu-leave").tap()
    page.get_by_text(say("es", "solo.leave.lost")).wait_for()


@together
@pytest.mark.timeout(240)
def test_a_game_that_is_over_is_not_kept_however_it_is_left(ana: Person) -> None:
    page = ana.page
    # As on a phone of Apple's: nothing there offers to install, and here it cannot keep for good.
    page.add_init_script(solo.IPHONE + "delete StorageManager.prototype.persist;")
    page.reload()
    solo.ready(page)
    page.get_by_test_id("solo-keep").tap()
    solo.pick(page, "Rivales", "1")
    solo.pick(page, "Ritmo", "rápido")
    solo.pick(page, "Meta", "100")
    solo.begin(page)
    page.evaluate(solo.PLAYER)
    page.wait_for_selector('[data-testid="match-end"]', timeout=200_000)
    page.evaluate("clearInterval(window.__plays)")
    offer = page.get_by_test_id("install-offer")
    offer.get_by_text(say("es", "install.ios")).wait_for()
    assert page.get_by_test_id("install-yes").count() == 0
    page.get_by_test_id("install-no").tap()
    offer.wait_for(state="detached")
    page.get_by_test_id("solo-change").tap()
    page.get_by_test_id("solo-start").wait_for()
    page.wait_for_timeout(700)
    assert page.evaluate(KEPT) == 0
    assert page.get_by_test_id("solo-resume").count() == 0


@together
@pytest.mark.timeout(240)
def test_two_tabs_never_write_one_game(ana: Person) -> None:
    page = ana.page
    page.get_by_test_id("solo-keep").tap()
    solo.pick(page, "Ritmo", "rápido")
    solo.begin(page)
    other = page.context.new_page()
    other.goto(page.url)
    solo.ready(other)
    other.get_by_test_id("solo-resume").tap()
    other.wait_for_selector('[data-testid="table"][data-phase="round"]', timeout=solo.START_MS)
    # The first is told at its next move that it is not kept any more.
    page.bring_to_front()
    page.evaluate(solo.PLAYER)
    page.get_by_test_id("unkept").wait_for(timeout=30_000)
    page.evaluate("clearInterval(window.__plays)")
    # And the second can be continued.
    other.bring_to_front()
    records = other.evaluate(KEPT)
    other.evaluate(solo.PLAYER)
    for _ in range(100):
        if other.evaluate(KEPT) > records + 2:
            break
        other.wait_for_timeout(100)
    other.reload()
    other.get_by_test_id("solo-resume").tap()
    other.wait_for_selector('[data-testid="table"]', timeout=solo.START_MS)
    other.close()


@together
def test_ten_thousand_taps_begin_one_game(ana: Person) -> None:
    page = ana.page
    page.evaluate(
        """() => {
          const start = document.querySelector('[data-testid="solo-start"]');
          for (let i = 0; i < 10000; i++) start.click();
        }"""
    )
    page.wait_for_selector('[data-testid="table"][data-phase="round"]', timeout=solo.START_MS)
    page.wait_for_timeout(500)
    assert len([each for each in ana.phone.frames if each.message["t"] == "welcome"]) == 1


@together
def test_a_worker_that_breaks_leads_back_to_the_options_and_says_so(ana: Person) -> None:
    page = ana.page
    solo.begin(page)
    (worker,) = page.workers
    worker.evaluate("setTimeout(() => { throw new Error('as if') }, 0)")
    page.wait_for_selector('[data-testid="solo-failed"][data-why="broken"]')
    solo.begin(page)


@together
def test_a_worker_that_is_stuck_leads_back_to_the_options_and_its_game_can_go_on(
    ana: Person,
) -> None:
    page = ana.page
    page.clock.install()
    page.reload()
    solo.ready(page)
    page.get_by_test_id("solo-keep").tap()
    solo.begin(page)
    hand = ana.until(lambda view: view.get("hand"))["hand"]
    (worker,) = page.workers
    worker.evaluate("setTimeout(() => { for (;;); }, 0)")
    page.wait_for_timeout(300)
    # Nobody looks: a phone that sleeps puts the worker to sleep, too.
    hide = """(on) => {
      Object.defineProperty(document, "hidden", { value: on, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.evaluate(hide, True)
    page.clock.run_for(600_000)
    assert page.get_by_test_id("table").count() == 1
    page.evaluate(hide, False)
    # Not much longer: what is kept is then read, and that has its own five seconds.
    page.clock.run_for(22_000)
    page.wait_for_selector('[data-testid="solo-failed"][data-why="broken"]')
    page.get_by_test_id("solo-resume").tap()
    page.wait_for_selector('[data-testid="table"][data-phase="round"]', timeout=solo.START_MS)
    assert ana.until(lambda view: view.get("hand"))["hand"] == hand


@together
def test_a_memory_that_never_answers_holds_nobody_up(ana: Person) -> None:
    page = ana.page
    page.get_by_test_id("solo-keep").tap()
    (worker,) = page.workers
    worker.evaluate("void (IDBFactory.prototype.open = () => new EventTarget())")
    solo.begin(page)
    page.get_by_test_id("unkept").wait_for()
    seq = ana.seq
    page.evaluate(solo.PLAYER)
    ana.wait(lambda: ana.seq > seq)


@together
def test_a_kept_game_that_cannot_be_read_just_now_is_not_deleted(ana: Person) -> None:
    page = ana.page
    page.get_by_test_id("solo-keep").tap()
    solo.begin(page)
    page.wait_for_timeout(500)
    leave(page)
    records = page.evaluate(KEPT)
    assert records > 0
    (worker,) = page.workers
    worker.evaluate("void (IDBObjectStore.prototype.getAll = () => { throw new Error() })")
    page.get_by_test_id("solo-resume").tap()
    page.get_by_role("alert").filter(has_text="La partida guardada").wait_for()
    assert page.evaluate(KEPT) == records
    page.reload()
    page.get_by_test_id("solo-resume").tap()
    page.wait_for_selector('[data-testid="table"][data-phase="round"]', timeout=solo.START_MS)


@pytest.mark.parametrize(("heard", "why"), [(False, "files"), (True, "start")])
def test_a_start_that_neither_ends_nor_fails_is_given_up_with_a_word(
    origin: str, phone: Callable[..., Phone], *, heard: bool, why: str
) -> None:
    """As a browser does that may not run WebAssembly and does not say so, or a network that swallows all."""
    mute = """
      window.__plain = window.Worker;
      window.Worker = class extends EventTarget {
        postMessage(message) {
          if (message.do === "boot" && HEARD) setTimeout(() => this.onmessage({ data: { say: "loaded" } }), 0);
        }
        terminate() {}
      };"""
    page = phone(script=mute.replace("HEARD", str(heard).lower())).page
    page.clock.install()
    page.goto(f"{origin}/#solo")
    page.get_by_test_id("solo-start").tap()
    page.get_by_test_id("solo-progress").wait_for()
    page.clock.run_for(28_000)
    assert page.get_by_test_id("solo-failed").count() == 0
    page.clock.run_for(20_000)
    page.wait_for_selector(f'[data-testid="solo-failed"][data-why="{why}"]')
    page.evaluate("void (window.Worker = window.__plain)")
    page.get_by_test_id("solo-retry").tap()
    solo.ready(page)
    solo.begin(page)


def test_a_browser_without_workers_says_so(origin: str, phone: Callable[..., Phone]) -> None:
    page = phone(script="delete window.Worker").page
    page.goto(f"{origin}/#solo")
    failed = page.locator('[data-testid="solo-failed"][data-why="start"]')
    failed.wait_for()
    page.get_by_test_id("solo-start").tap()
    failed.wait_for()
    page.get_by_test_id("solo-start").get_by_text("Empezar").wait_for()


@together
def test_options_that_do_not_go_together_are_refused_with_the_rule_s_name(ana: Person) -> None:
    page = ana.page
    page.get_by_test_id("solo-details").tap()
    rule = page.locator('[data-rule="teams"]')
    rule.get_by_text("sí", exact=True).tap()
    page.get_by_test_id("solo-start").tap()
    page.get_by_role("alert").filter(has_text="Parejas").first.wait_for()
    solo.pick(page, "Rivales", "3")
    solo.begin(page)


def test_on_an_insecure_origin_it_plays_and_says_where_to_install(
    host: Callable[..., Host], launch: Callable[..., Any], phone: Callable[..., Phone]
) -> None:
    port = free_port()
    host("--public-url", f"http://mesa.test:{port}", port=port)
    browser = launch("--host-resolver-rules=MAP mesa.test 127.0.0.1")
    page = phone(browser=browser).page
    page.goto(f"http://mesa.test:{port}/#solo")
    assert page.evaluate("isSecureContext") is False
    page.get_by_test_id("solo-insecure").wait_for()
    assert "https://" in page.get_by_test_id("solo-insecure").inner_text()
    solo.ready(page, on_device=False)
    solo.begin(page)


def test_a_server_that_forbids_webassembly_is_named(
    origin: str, phone: Callable[..., Phone]
) -> None:
    new = phone()

    def strict(route: Any) -> None:
        answer = route.fetch()
        headers = answer.headers | {"content-security-policy": "default-src 'self'"}
        route.fulfill(response=answer, headers=headers)

    new.context.route("**/*", strict)
    new.page.goto(f"{origin}/#solo")
    new.page.wait_for_selector('[data-testid="solo-failed"][data-why="forbidden"]')
    assert "wasm-unsafe-eval" in new.page.get_by_test_id("solo-failed").inner_text()
    new.context.unroute_all(behavior="ignoreErrors")


def test_without_a_network_the_first_time_it_says_so_and_tries_again(
    origin: str, phone: Callable[..., Phone]
) -> None:
    new = phone()
    new.context.route(re.compile(r"\.wasm$"), lambda route: route.abort())
    new.page.goto(f"{origin}/#solo")
    new.page.wait_for_selector('[data-testid="solo-failed"][data-why="files"]')
    new.context.unroute(re.compile(r"\.wasm$"))
    new.page.get_by_test_id("solo-retry").tap()
    solo.ready(new.page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_while_it_is_fetched_the_page_says_how_many_megabytes_there_are_and_are_to_come(
    origin: str, phone: Callable[..., Phone], language: str
) -> None:
    new = phone(locale=language)
    held: list[Any] = []
    passes: list[str] = []

    def hold(route: Any) -> None:
        if route.request.url.endswith(tuple(passes)):
            route.continue_()
        else:
            held.append(route)

    def let_through(*endings: str) -> None:
        passes.extend(endings)
        for route in [*held]:
            if route.request.url.endswith(endings):
                held.remove(route)
                route.continue_()

    new.context.route(re.compile(r"/assets/(python|penultima)-"), hold)
    page = new.page
    page.goto(f"{origin}/#solo")
    # As they travel: packed, where that makes them smaller.
    assets = packaged_client() / "assets"
    sizes = {
        path: path.with_name(f"{path.name}.br").stat().st_size
        for name in ("python-*.js", "python-*.wasm", "python-*.zip", "penultima-*.zip")
        for path in assets.glob(name)
    }
    whole = f"{round(sum(sizes.values()) / 100_000) / 10:g}"
    point = "." if language == "en" else ","
    progress = page.get_by_test_id("solo-progress")

    def text(done: str) -> str:
        return say(language, "solo.loading", done=done, all=whole.replace(".", point))

    progress.get_by_text(text("0")).wait_for()
    bar = progress.get_by_role("progressbar")
    assert bar.get_attribute("aria-valuenow") == "0"
    page.wait_for_timeout(300)
    let_through(".js", ".zip")
    # All that has come is said, however long the rest takes.
    arrived = sum(size for path, size in sizes.items() if path.suffix != ".wasm")
    said = text(f"{round(arrived / 100_000) / 10:g}".replace(".", point))
    progress.get_by_text(said).wait_for()
    assert bar.get_attribute("aria-valuenow") == str(round(100 * arrived / sum(sizes.values())))
    assert bar.get_attribute("aria-valuetext") == said
    let_through(".wasm")
    solo.ready(page, on_device=False)
    new.context.unroute_all(behavior="ignoreErrors")


@pytest.mark.parametrize(
    ("device", "told"),
    [("iphone", True), ("ipad", True), ("mac", False), ("android", False), ("insecure", False)],
)
def test_on_a_phone_of_apples_it_says_that_the_app_keeps_its_own(
    origin: str, phone: Callable[..., Phone], device: str, told: bool
) -> None:
    script = {
        "iphone": solo.IPHONE,
        "ipad": solo.MAC + "Object.defineProperty(navigator, 'maxTouchPoints', { value: 5 });",
        "mac": solo.MAC + "Object.defineProperty(navigator, 'maxTouchPoints', { value: 0 });",
        "android": "",
        "insecure": solo.IPHONE + "Object.defineProperty(window, 'isSecureContext', { value: false });",
    }
    page = phone(script=script[device] + solo.NO_WORKER).page
    page.goto(f"{origin}/#solo")
    page.get_by_test_id("solo").wait_for()
    assert page.get_by_text(say("es", "solo.ios")).count() == told
    assert page.get_by_test_id("solo-insecure").count() == (device == "insecure")


@pytest.mark.timeout(240)
def test_what_a_portal_or_a_broken_connection_sends_is_never_kept(
    tmp_path: Path, phone: Callable[..., Phone]
) -> None:
    root = tmp_path / "www"
    site.write(root / "uno", packaged_client())
    portal: list[str] = []
    cut: list[str] = []
    with solo.serve(root, portal=portal, cut=cut) as (address, asked):
        # The page looks ahead while all the large files, and the page itself, are something else.
        new = phone()
        page = new.page
        page.goto(f"{address}/uno/")
        portal += ["/assets/python", "/assets/penultima", "/uno/index.html"]
        for _ in range(100):
            if sum("index.html" in path for path in asked):
                break
            page.wait_for_timeout(100)
        page.goto(f"{address}/uno/#solo")
        page.reload()
        page.wait_for_selector('[data-testid="solo-failed"][data-why="files"]', timeout=30_000)
        portal.clear()
        cut.append(".wasm")
        page.get_by_test_id("solo-retry").tap()
        page.wait_for_selector('[data-testid="solo-failed"][data-why="files"]', timeout=30_000)
        cut.clear()
        page.get_by_test_id("solo-retry").tap()
        solo.ready(page, on_device=False)
        page.reload()
        solo.ready(page)
        portal += ["/"]
        page.reload()
        solo.ready(page)
        solo.begin(page)


@pytest.mark.timeout(240)
def test_practice_that_broke_off_while_it_was_fetched_ahead_is_asked_for_again(
    tmp_path: Path, phone: Callable[..., Phone]
) -> None:
    root = tmp_path / "www"
    site.write(root, packaged_client())
    cut = [".wasm"]
    kept = """caches.open("penultima-files").then((c) => c.keys())
      .then((all) => all.some((each) => each.url.endsWith(".wasm")))"""
    with solo.serve(root, cut=cut) as (address, asked):
        page = phone().page
        page.clock.install()
        page.goto(address)
        for _ in range(200):
            page.clock.run_for(100)
            # Past the browser's own cache as well, and refused again.
            if sum(".wasm" in path for path in asked) > 1:
                break
            page.wait_for_timeout(100)
        page.wait_for_timeout(500)
        assert page.evaluate(kept) is False
        cut.clear()
        page.clock.run_for(61_000)
        for _ in range(200):
            if page.evaluate(kept):
                break
            page.wait_for_timeout(100)
        assert page.evaluate(kept) is True


@pytest.mark.timeout(240)
def test_files_that_a_device_has_lost_or_spoilt_are_fetched_again(
    tmp_path: Path, phone: Callable[..., Phone]
) -> None:
    root = tmp_path / "www"
    site.write(root, packaged_client())
    spoil = """async ([ending, content]) => {
      const kept = await caches.open("penultima-files");
      for (const request of await kept.keys()) {
        if (!request.url.endsWith(ending)) continue;
        if (content === null) await kept.delete(request);
        else await kept.put(request, new Response(content, { headers: { "Content-Type": "text/html" } }));
      }
      await caches.delete("penultima-memory");
    }"""
    with solo.serve(root) as (address, asked):
        page = phone().page
        page.goto(f"{address}/#solo")
        solo.ready(page)
        page.evaluate(spoil, [".wasm", None])
        asked.clear()
        page.reload()
        solo.ready(page)
        assert len([path for path in asked if path.endswith(".wasm")]) == 1
        assert not [path for path in asked if path.endswith(".zip")]
        # As an older version might have kept it.
        name = next((root / "assets").glob("python-*.js")).name
        page.evaluate(spoil, [name, "<!doctype html>"])
        page.reload()
        page.wait_for_selector('[data-testid="solo-failed"][data-why="files"]', timeout=60_000)
        page.get_by_test_id("solo-retry").tap()
        solo.ready(page)


@pytest.mark.timeout(240)
def test_a_device_that_has_lost_the_page_itself_has_it_again_before_it_says_so(
    tmp_path: Path, phone: Callable[..., Phone]
) -> None:
    root = tmp_path / "www"
    site.write(root, packaged_client())
    with solo.serve(root) as (address, _):
        page = phone().page
        page.goto(f"{address}/#solo")
        solo.ready(page)
        page.evaluate(
            "async () => { for (const name of await caches.keys()) await caches.delete(name); }"
        )
        page.reload()
        solo.ready(page)
    page.reload()
    solo.ready(page)
    solo.begin(page)


COVERED = """() => {
  const notice = document.querySelector("[data-testid=unkept]").getBoundingClientRect();
  const over = (it) => {
    const { left, right, top, bottom } = it.getBoundingClientRect();
    return left < notice.right && notice.left < right && top < notice.bottom && notice.top < bottom;
  };
  return [...document.querySelectorAll(".actions button, .held, .strip *")].filter(over).map((it) => it.className);
}"""


def test_a_device_without_room_plays_and_says_what_it_does_not_keep(
    tmp_path: Path, phone: Callable[..., Phone]
) -> None:
    root = tmp_path / "www"
    site.write(root, packaged_client())
    with solo.serve(root) as (address, _):
        new = person(phone)
        page = new.page
        quota = page.context.new_cdp_session(page)
        quota.send("Storage.overrideQuotaForOrigin", {"origin": address, "quotaSize": 1_000_000})
        page.goto(f"{address}/#solo")
        solo.ready(page, on_device=False)
        assert page.get_by_test_id("solo-progress").get_attribute("data-device") == "false"
        quota.send("Storage.overrideQuotaForOrigin", {"origin": address, "quotaSize": 1})
        page.get_by_test_id("solo-keep").tap()
        solo.begin(page)
        page.evaluate(solo.PLAYER)
        page.get_by_test_id("unkept").wait_for(timeout=30_000)
        page.evaluate("clearInterval(window.__plays)")
        # It lies on nothing that one plays with, however the phone is held.
        for width, height in ((360, 640), (390, 844), (844, 390), (640, 360)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(COVERED) == [], f"{width}x{height}"
        page.get_by_test_id("unkept").get_by_role("button").tap()
        page.get_by_test_id("unkept").wait_for(state="detached")
        seq = new.seq
        page.evaluate(solo.PLAYER)
        new.wait(lambda: new.seq > seq)


def test_two_copies_on_one_origin_leave_each_other_alone(
    tmp_path: Path, phone: Callable[..., Phone]
) -> None:
    """As a user's pages on GitHub are: one origin, a folder for each."""
    root = tmp_path / "www"
    for name in ("one", "two"):
        site.write(root / name, packaged_client())
    # Another version, whose files have other names.
    newer(root / "two", "index-*.js")
    text = (root / "two" / "sw.js").read_text()
    (root / "two" / "sw.js").write_text(re.sub(r"version:`[^`]*`", "version:`newnewnew1`", text))
    kept = """async () => {
      const all = [];
      for (const name of await caches.keys()) {
        for (const each of await (await caches.open(name)).keys()) all.push(new URL(each.url).pathname);
      }
      return all;
    }"""
    active = """navigator.serviceWorker.ready.then((it) => new Promise((resolve) => {
      const look = () => it.active.state === "activated" ? resolve(true) : setTimeout(look, 50);
      look();
    }))"""
    with solo.serve(root) as (address, _):
        page = phone().page
        page.goto(f"{address}/one/")
        page.evaluate(active)
        before = {path for path in page.evaluate(kept) if path.startswith("/one/")}
        assert "/one/index.html" in before
        page.goto(f"{address}/two/")
        page.evaluate(active)
        page.wait_for_timeout(300)
        after = set(page.evaluate(kept))
        assert "/two/index.html" in after
        assert before <= after


def test_where_not_even_the_options_can_be_fetched_there_is_a_way_back(
    origin: str, phone: Callable[..., Phone]
) -> None:
    new = phone()
    new.context.route(re.compile(r"/assets/practice-"), lambda route: route.abort())
    new.page.goto(f"{origin}/#solo")
    new.page.get_by_test_id("solo-missing").wait_for()
    new.page.get_by_test_id("solo-home").tap()
    new.page.get_by_test_id("solo-open").wait_for()


def test_the_service_worker_s_list_is_what_was_built() -> None:
    client = packaged_client()
    text = (client / "sw.js").read_text(encoding="utf-8")
    found = re.search(r"LIST=(\{.*?\]),entry:", text)
    assert found is not None
    groups = re.findall(r"(shell|practice|named):\[(.*?)\]", found[1])
    listed = {name for _, names in groups for name in re.findall(r"`(.*?)`", names)}
    there = {
        path.relative_to(client).as_posix()
        for path in client.rglob("*")
        if path.is_file() and path.suffix not in {".br", ".gz", ".map"}
    }
    assert listed == there - {"sw.js"}
    shell = dict(groups)["shell"]
    assert "wasm" not in shell
    assert "python" not in shell
    # Whoever sits at a table reads its rules without a network as well.
    for name in ("index", "reading", "rules", "late", "powers", "mesa", "qr"):
        assert f"assets/{name}-" in shell


def sums(client: Path) -> dict[str, str]:
    return {
        path.relative_to(client).as_posix(): "sha256-"
        + base64.b64encode(hashlib.sha256(path.read_bytes()).digest()).decode()
        for path in (client / "assets").iterdir()
        if path.suffix not in {".br", ".gz", ".map"}
    }


def test_the_service_worker_knows_what_it_keeps_by_its_contents() -> None:
    client = packaged_client()
    text = (client / "sw.js").read_text(encoding="utf-8")
    assert dict(re.findall(r'"(assets/[^"]+)":`(sha256-[^`]+)`', text)) == sums(client)


def sparing(phone: Callable[..., Phone]) -> Phone:
    """The phone of somebody who saves data: nothing is fetched ahead for them."""
    new = phone()
    new.context.add_init_script(
        "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"
    )
    return new


def controlled(page: Page, meanwhile: Callable[[], object] = lambda: None) -> None:
    """Wait until the service worker has the page."""
    for _ in range(200):
        meanwhile()
        if page.evaluate("navigator.serviceWorker.controller !== null"):
            return
        page.wait_for_timeout(100)
    raise AssertionError("no service worker has the page")


def newer_client(client: Path) -> tuple[Path, str]:
    """The client with our packages changed, and with their name that of every script above them; the
    packages' name until now."""
    shutil.copytree(packaged_client(), client)
    old = newer(client, "penultima-*.zip")
    (index,) = (client / "assets").glob("index-*.js")
    scripts = sorted((client / "assets").glob("*.js"))
    above = [each.name for each in scripts if each == index or index.name in each.read_text()]
    assert len(above) > 5
    for name in above:
        newer(client, f"{name.partition('-')[0]}-*.js")
    worker = client / "sw.js"
    worker.write_text(re.sub(r"version:`[^`]*`", "version:`newnewnew1`", worker.read_text()))
    return client, old


def newer(folder: Path, pattern: str) -> str:
    """Gives a built file another name, as another content would; its name until now."""
    (old,) = (folder / "assets").glob(pattern)
    new = f"{old.name.partition('-')[0]}-newnewnew1{old.suffix}"
    old.rename(old.with_name(new))
    for path in [folder / "index.html", folder / "sw.js", *(folder / "assets").glob("*.js")]:
        path.write_text(path.read_text().replace(old.name, new))
    # And the sums of those that have changed by that.
    worker = folder / "sw.js"
    text = worker.read_text()
    for name, sum_ in sums(folder).items():
        text = re.sub(f'"{re.escape(name)}":`[^`]*`', f'"{name}":`{sum_}`', text)
    worker.write_text(text)
    return old.name


@pytest.mark.timeout(240)
def test_a_static_copy_in_a_folder_updates_only_what_changed_and_not_in_a_round(
    tmp_path: Path, phone: Callable[..., Phone]
) -> None:
    root = tmp_path / "www"
    site.write(root / "games" / "uno", packaged_client())
    folder = root / "games" / "uno"
    with solo.serve(root) as (address, asked):
        new = phone()
        page = new.page
        page.goto(f"{address}/games/uno/#solo")
        solo.ready(page)
        assert page.evaluate("navigator.serviceWorker.ready.then((it) => it.scope)").endswith(
            "/games/uno/"
        )
        page.reload()
        solo.ready(page)
        solo.begin(page)

        # A new version is written there. The browser looks for one by itself too, whenever it likes.
        client, old = newer_client(tmp_path / "client")
        asked.clear()
        site.write(folder, client)
        page.evaluate("navigator.serviceWorker.ready.then((it) => it.update())")
        # Installed, however long that takes beside other tests.
        waiting = "navigator.serviceWorker.ready.then((it) => it.waiting !== null)"
        for _ in range(1200):
            if page.evaluate(waiting):
                break
            page.wait_for_timeout(100)
        assert page.evaluate(waiting), asked
        fetched = {urlsplit(path).path.rpartition("/")[2] for path in asked}
        assert "penultima-newnewnew1.zip" in fetched, fetched
        assert not [name for name in fetched if name.endswith(".wasm")]
        assert not [name for name in fetched if name.startswith("python-")]

        # In the middle of a round it waits, unseen.
        page.wait_for_timeout(500)
        assert page.get_by_test_id("update").count() == 0
        # And for the round that is on in another tab, whoever asks for it.
        other = page.context.new_page()
        other.goto(f"{address}/games/uno/")
        other.get_by_test_id("update-now").tap()
        other.get_by_text("En otra pestaña hay una ronda en juego").wait_for()
        other.wait_for_timeout(500)
        assert page.evaluate("navigator.serviceWorker.ready.then((it) => it.waiting !== null)")
        assert "newnewnew1" not in other.evaluate(LOADED)
        other.close()
        page.bring_to_front()
        page.get_by_test_id("menu").tap()
        page.get_by_test_id("menu-leave").tap()
        page.get_by_test_id("leave-yes").tap()
        page.get_by_test_id("update").wait_for()
        with page.expect_navigation():
            page.get_by_test_id("update-now").tap()
        solo.ready(page)
        assert "newnewnew1" in page.evaluate(LOADED)
        kept = page.evaluate(
            "caches.open('penultima-files').then((c) => c.keys()).then((all) => all.map((r) => r.url))"
        )
        assert not [url for url in kept if url.endswith(old)]
        solo.begin(page)


def test_a_page_whose_practice_is_gone_from_the_server_leads_to_the_new_version(
    tmp_path: Path, phone: Callable[..., Phone]
) -> None:
    """Visited once, never practised, and the site has been published anew since."""
    root = tmp_path / "www"
    site.write(root, packaged_client())
    with solo.serve(root) as (address, _):
        new = sparing(phone)
        page = new.page
        page.goto(address)
        controlled(page)
        site.write(root, newer_client(tmp_path / "client")[0])
        # And anew after that: what was of the version before is there until then.
        for each in (root / "assets").iterdir():
            if each.name not in (root / "sw.js").read_text():
                each.unlink()
        page.reload()
        page.get_by_test_id("solo-open").tap()
        page.get_by_test_id("solo-missing").wait_for()
        page.get_by_test_id("update-now").tap()
        solo.ready(page)


def test_a_page_that_was_open_when_a_new_version_came_still_gets_its_practice(
    tmp_path: Path, phone: Callable[..., Phone]
) -> None:
    root = tmp_path / "www"
    site.write(root, packaged_client())
    with solo.serve(root) as (address, _):
        new = sparing(phone)
        page = new.page
        page.goto(address)
        page.get_by_test_id("solo-open").wait_for()
        site.write(root, newer_client(tmp_path / "client")[0])
        page.get_by_test_id("solo-open").tap()
        solo.ready(page, on_device=False)
        solo.begin(page)
        assert "newnewnew1" not in page.evaluate(LOADED)


@pytest.mark.timeout(240)
def test_a_new_version_that_breaks_off_is_asked_for_again_while_the_page_is_open(
    tmp_path: Path, phone: Callable[..., Phone]
) -> None:
    root = tmp_path / "www"
    site.write(root, packaged_client())
    with solo.serve(root) as (address, asked):
        new = sparing(phone)
        page = new.page
        page.clock.install()
        page.goto(address)
        controlled(page, lambda: page.clock.run_for(100))
        # One of its files is not there yet, whoever looks whenever.
        client, _ = newer_client(tmp_path / "client")
        (script,) = (client / "assets").glob("index-newnewnew1.js")
        late = script.rename(tmp_path / "late.js")
        asked.clear()
        site.write(root, client)
        page.evaluate("navigator.serviceWorker.ready.then((it) => it.update())")
        installing = "navigator.serviceWorker.ready.then((it) => it.installing ?? it.waiting)"
        for _ in range(200):
            page.wait_for_timeout(50)
            if any("newnewnew1" in path for path in asked) and not page.evaluate(installing):
                break
        assert page.evaluate(installing) is None

        # It is whole by now, and nobody comes back to the page or loads it again.
        late.rename(root / "assets" / script.name)
        page.clock.run_for(61_000)
        page.get_by_test_id("update").wait_for()
        with page.expect_navigation():
            page.get_by_test_id("update-now").tap()
        assert "newnewnew1" in page.evaluate(LOADED)


def test_a_file_of_the_page_that_a_device_has_lost_is_kept_again(
    origin: str, phone: Callable[..., Phone]
) -> None:
    page = phone().page
    page.goto(origin)
    controlled(page)
    kept = """caches.open('penultima-files').then((cache) => cache.keys())
      .then((all) => all.filter(({ url }) => url.includes('/assets/index-')).length)"""
    assert page.evaluate(kept) == 2  # script and style
    page.evaluate(
        """caches.open('penultima-files').then(async (cache) => {
          for (const each of await cache.keys()) if (each.url.includes("/assets/index-")) await cache.delete(each);
        })"""
    )
    assert page.evaluate(kept) == 0
    page.reload()
    page.get_by_test_id("solo-open").wait_for()
    assert page.evaluate(kept) == 2


def test_the_options_fit_every_phone(
    origin: str, phone: Callable[..., Phone]
) -> None:
    """No horizontal scroll and targets of 44 px on the options, in three languages and two sizes."""
    for locale in ("es-ES", "pt-BR", "en-GB"):
        for size in ((360, 640), (390, 844), (640, 360)):
            new = phone(locale=locale, size=size)
            # It may stay on its way: this is about the options.
            new.context.route(re.compile(r"\.wasm$"), lambda route: None)
            page = new.page
            page.goto(f"{origin}/#solo")
            page.get_by_test_id("solo-details").tap()
            found = page.evaluate(
                """() => ({
                  wide: document.documentElement.scrollWidth - innerWidth,
                  small: [...document.querySelectorAll("button, a, input")]
                    .filter((it) => it.offsetParent !== null)
                    .map((it) => [it.dataset.testid ?? it.textContent, it.getBoundingClientRect()])
                    .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
                    .map(([name, box]) => `${name} ${box.width}x${box.height}`),
                })"""
            )
            assert found == {"wide": 0, "small": []}, (locale, size, json.dumps(found))
