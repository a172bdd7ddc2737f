// Where the state lives, and where its effects are carried out.
import { signal } from "@preact/signals";
import { canPeer, offerPeer } from "./channel/peer";
import { type Channel, type Listener, realClock } from "./channel/channel";
import type { Meeting } from "./channel/far";
import { Session } from "./channel/session";
import { openSocket } from "./channel/socket";
import { piece } from "./device/piece";
import { probe } from "./device/probe";
import * as storage from "./device/storage";
import { lang, pick } from "./i18n";
import { animate } from "./motion/motion";
import { cue, cues } from "./sound/cues";
import { isNear, isScreen, type Link } from "./state/link";
import { type Effect, type Input, initial, type State, type Tap } from "./state/shape";
import { step } from "./state/state";

export const state = signal<State>(initial(null, storage.loadPrefs()));

let session: Session | null = null;

export function put(input: Input): void {
  const before = state.value;
  const { state: next, effects } = step(before, input, performance.now());
  state.value = next;
  if (next.ask !== before.ask && next.link !== null && alone === null) storage.keepAsk(next.link.code, next.ask);
  for (const effect of effects) carryOut(effect);
}

export const tap = (what: Tap): void => put({ k: "tap", tap: what });

/** For the gallery: shows a state, with nobody at the other end. */
export function pretend(shown: State): void {
  state.value = shown;
}

/** The page may not come back from where it goes now. */
export function rememberLog(): void {
  const { link, seat, log } = state.value;
  if (link !== null && seat !== null && alone === null) storage.keepLog(link.code, log);
}

export function current(): Session | null {
  return session;
}

export function setLanguage(tag: State["prefs"]["lang"]): void {
  // ?lang=x-long is the tests' made-up language.
  const long = new URLSearchParams(location.search).get("lang") === "x-long";
  lang.value = long ? "x-long" : (tag ?? pick(navigator.languages));
  const spoken = long ? "es" : lang.value;
  // Written only when it is another: all that is on the page is styled anew for it.
  if (document.documentElement.lang !== spoken) document.documentElement.lang = spoken;
}

export interface Alone {
  key: string;
  open(listener: Listener): Channel;
}

/** The practice table (offline/): another channel, and nothing of it is remembered. */
let alone: Alone | null = null;

/** Sits down at the practice table, or (`null`) gets up from it. */
export function playAlone(table: Alone | null): void {
  session?.stop();
  session = null;
  alone = table;
  const link = table === null ? null : { code: "alone", secret: "alone", hostKey: "alone", far: null };
  state.value = { ...initial(link, state.value.prefs), returning: table !== null };
  dial("none");
}

function open(link: Link, listener: Listener): Channel {
  if (alone !== null) return alone.open(listener);
  return link.far === null ? openSocket(link.code, listener) : openLater({ ...link.far, secret: link.secret }, listener);
}

const far = piece(() => import("./channel/far"));

/** Whoever is in the host's own network never loads what this needs. */
function openLater(meeting: Meeting, listener: Listener): Channel {
  let channel: Channel | null = null;
  let done = false;
  far().then(
    ({ openFar }) => {
      if (!done) channel = openFar(meeting, listener, (step) => put({ k: "far", step }));
    },
    () => {
      if (!done) listener.down();
    },
  );
  return {
    kind: "rtc",
    send: (text) => channel?.send(text),
    about: async () => (await channel?.about?.()) ?? { relay: null, rtt: null },
    close() {
      done = true;
      channel?.close();
    },
  };
}

function dial(which: "tab" | "device" | "none"): void {
  const { link } = state.value;
  if (link === null) return;
  const key =
    alone !== null
      ? alone.key
      : which === "tab"
      ? storage.tabKey(link.code)
      : which === "device"
        ? (storage.deviceSeat(link.code)?.key ?? null)
        : null;
  const me = {
    secret: link.secret,
    key,
    host: link.hostKey,
    lang: lang.value,
    watch: isScreen(location),
  };
  session ??= new Session(
    {
      socket: (listener) => open(link, listener),
      peer: alone === null && link.far === null && canPeer() ? offerPeer : null,
    },
    realClock,
    {
      message: (message) => put({ k: "from", message }),
      answer: (id, ok, code, field) =>
        put(code === undefined ? { k: "answer", id, ok } : { k: "answer", id, ok, code, field }),
      path(online, rtc, since) {
        document.documentElement.dataset.channel = alone !== null ? "worker" : rtc ? "rtc" : "ws";
        put({ k: "path", online, rtc, since });
      },
    },
    me,
  );
  session.dial(me);
}

function carryOut(effect: Effect): void {
  const { link, prefs } = state.value;
  switch (effect.do) {
    case "request":
      session?.request(effect.id, effect.body.t === "sit" && link !== null ? { ...effect.body, id: storage.tabId(link.code) } : effect.body);
      break;
    case "dial":
      dial(effect.key);
      break;
    case "keep":
      if (link !== null) storage.keepSeat(link.code, { key: effect.key, name: prefs.name });
      break;
    case "named":
      if (link !== null && alone === null) storage.nameSeat(link.code, effect.name);
      break;
    case "forget":
      session?.forget();
      if (link !== null) storage.forgetSeat(link.code);
      break;
    case "save":
      storage.savePrefs(effect.prefs);
      setLanguage(effect.prefs.lang);
      break;
    case "after":
      realClock.after(effect.ms, () => put(effect.input));
      break;
    case "probe":
      void probe(isNear(location.href)).then((trouble) => put({ k: "trouble", trouble }));
      break;
    case "viewed":
      animate(effect.before, effect.after, effect.events, prefs.calm);
      if (prefs.sound) cues(effect.before, effect.after, effect.events);
      break;
    case "refused":
      if (prefs.sound) cue("no");
      break;
  }
}
