// The front door: reads the link, finds out who this device was, and shows the first screen.
import { effect } from "@preact/signals";
import { render } from "preact";
import "./look/look.css";
import { stayAwake } from "./device/awake";
import { holdBack, onBack } from "./device/back";
import { isModern } from "./device/browser";
import { piece } from "./device/piece";
import { deviceSeat, tabAsk, tabKey, tabLog } from "./device/storage";
import { App } from "./screens/app";
import { fetchAhead, screen } from "./screens/later";
import { wakeSound } from "./sound/cues";
import { isScreen, readLink } from "./state/link";
import { HASH, home, practice } from "./offline/gate";
import { register } from "./installed/register";
import "./installed/prompt";
import { isHeld } from "./state/shape";
import { current, put, rememberLog, setLanguage, state, tap } from "./store";

setLanguage(state.value.prefs.lang);

function open(text: string): void {
  const link = readLink(text);
  if (link === null) return;
  const known = deviceSeat(link.code);
  const returning = tabKey(link.code) !== null;
  const ask = returning ? tabAsk(link.code) : null;
  const log = returning ? tabLog(link.code) : [];
  put({ k: "link", link, known: returning ? null : (known?.name ?? null), returning, ask, log });
}

function enter(text: string): void {
  const link = readLink(text);
  if (link === null) return;
  const fragment = text.slice(text.lastIndexOf("#"));
  if (location.hash === fragment) open(text);
  else location.hash = fragment;
}

open(location.hash);
if (location.hash === HASH) practice.value = "setup";
// Another link pasted into the same page is another table: begin again.
addEventListener("hashchange", () => {
  const alone = location.hash === HASH;
  if (practice.value !== null) {
    if (readLink(location.hash) !== null) location.reload();
    else if (!alone) home();
  } else if (state.value.link === null && alone) practice.value = "setup";
  else if (state.value.link === null) open(location.hash);
  else location.reload();
});

// ------------------------------------------------------------------------------ coming and going

effect(() => {
  const { isHost, seat, table } = state.value;
  if (seat !== null && table !== null && practice.value === null) fetchAhead(isHost);
});
effect(() => holdBack(isHeld(state.value)));
onBack(() => {
  const before = state.value;
  if (!isHeld(before)) return false;
  tap({ on: "back" });
  return true;
});

let hiddenAt: number | null = null;
const HIDDEN_LONG_MS = 10_000;

function back(): void {
  const away = hiddenAt === null ? 0 : performance.now() - hiddenAt;
  hiddenAt = null;
  current()?.wake(away > HIDDEN_LONG_MS);
  current()?.status(false);
  stayAwake();
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") back();
  else {
    hiddenAt = performance.now();
    rememberLog();
    current()?.status(true);
  }
});
addEventListener("pageshow", (event) => {
  if (event.persisted) current()?.wake(true);
});
addEventListener("online", () => current()?.wake(true));
addEventListener("pagehide", () => {
  rememberLog();
  current()?.drop();
});
addEventListener(
  "pointerdown",
  () => {
    wakeSound();
    stayAwake();
  },
  { passive: true },
);
addEventListener("keydown", wakeSound, { passive: true });

/** From a script that did not come to the next attempt. */
const AGAIN_MS = 3_000;

const place = document.getElementById("app")!;
if (!isModern()) {
  document.documentElement.classList.add("old");
} else if (location.pathname.endsWith("/club")) {
  // Another page in the same clothes; whoever plays never loads it.
  const club = piece(() => import("./club/club"));
  const show = (): void =>
    void club().then(
      ({ ClubPage }) => render(<ClubPage />, place),
      () => setTimeout(show, AGAIN_MS),
    );
  show();
} else {
  // The table answers meanwhile.
  if (isScreen(location)) void screen.fetch();
  render(<App onLink={enter} />, place);
  register();
}
