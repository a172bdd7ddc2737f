// The talk with the table, over one or two paths: hello, numbering, resending, heartbeat, and
// finding the way back. What is said is none of its business.
import type { FromPage, FromTable, IceServer, Request } from "../wire";
import type { About, Channel, Clock, Listener } from "./channel";
import type { Peer } from "./peer";

/** How often the table hears of this page: what it takes for a loss, it can date this exactly. */
export const BEAT_MS = 1500;
/** A data channel beside a socket that beats says something at least this often. */
export const WATCH_MS = 4500;
export const DEAD_MS = 8000;
/** A socket that was welcomed and is silent this long is dialled anew: a hello costs little, while
 * TCP itself may wait for longer than that before it tries again. */
export const STALE_MS = 4500;
/** So long without a word, and the page is told: while both ends beat there is no such gap. The bar is
 * there 3 s after a loss even if the page is held up for a moment (UX 8, A9). */
export const QUIET_MS = 2600;
export const RESEND_MS = 2000;
/** A timer this late was held up: nothing can have been heard meanwhile. */
const LATE_MS = 1000;
const TICK_MS = 500;
/** Said so often to a table that is there, and no answer: it will not come. */
export const TRIES = 5;
/** From one attempt to connect to the next one, and at least between the two. */
export const REDIAL_MS = [250, 500, 1000, 1500];
/** For so long a socket may open: a lost first packet is sent again after one second, then after
 * two and four more, so a new socket is there sooner. As long as four times what the last one took. */
const OPEN_MS = { first: 8000, least: 2000, most: 4000, more: 500 };
/** So far from those of an older page begin the numbers of a newer one (docs/protocol.md, 2). */
const NUMBERS_APART = 1000;
const REOFFER_MS = [3000, 10_000, 30_000];

export interface Ways {
  socket(listener: Listener): Channel;
  /** Absent where there are no data channels. */
  peer: ((signal: (message: FromPage) => void, listener: Listener, ice: readonly IceServer[]) => Peer) | null;
}

export interface Identity {
  secret: string;
  key: string | null;
  host: string | null;
  lang: string;
  watch: boolean;
}

export interface Told {
  message(message: FromTable): void;
  answer(id: number, ok: boolean, code?: string, field?: string): void;
  /** `since`: when the last word came, if there has been none for a while. */
  path(online: boolean, rtc: boolean, since?: number): void;
}

interface Pending {
  n: number;
  id: number;
  body: Request;
  sentAt: number;
  tries: number;
}

export class Session {
  private socket: Channel | null = null;
  private peer: Peer | null = null;
  private peerOpen = false;
  /** What the table said last of STUN and TURN: its credentials are good for minutes. */
  private ice: readonly IceServer[] = [];
  /** The table has answered on some path that is still there. */
  private welcomed = false;
  /** It has answered on this very socket: until then an older connection may live on beside it. */
  private socketUp = false;
  private stopped = true;
  private attempt = 0;
  private offers = 0;
  private socketAt = 0;
  private socketHeard = 0;
  private peerHeard = 0;
  private peerSaid = 0;
  /** When something was said through the data channel that has had no answer, nor anything else. */
  private peerAsked: number | null = null;
  /** How long the last socket took to open. */
  private openedIn: number | null = null;
  private quiet = false;
  /** The table has said that it decides nothing for now: its silence is no answer. */
  private resting = false;
  private nextN = 1;
  private seat: number | null = null;
  private counting: string | null = null;
  private seq = -1;
  private beat = 0;
  private beatAt = 0;
  /** How long the last heartbeat took there and back, and by which path. */
  private trip: { path: Channel; ms: number } | null = null;
  private tickDue = Infinity;
  private pending: Pending[] = [];
  private cancelRedial: (() => void) | null = null;
  private cancelBeat: (() => void) | null = null;
  private cancelListen: (() => void) | null = null;
  private cancelOpen: (() => void) | null = null;
  private cancelOffer: (() => void) | null = null;

  constructor(
    private readonly ways: Ways,
    private readonly clock: Clock,
    private readonly told: Told,
    private me: Identity,
  ) {}

  /** Says hello as this person from now on; nothing that was asked as somebody else is repeated. */
  dial(me: Identity): void {
    if (me.key !== this.me.key) {
      this.pending = this.pending.filter((each) => each.body.t === "sit");
      this.seat = this.counting = null;
    }
    this.me = me;
    this.attempt = 0;
    this.stopped = false;
    this.hangUp();
    this.connect();
  }

  keepKey(key: string | null): void {
    this.me = { ...this.me, key };
  }

  /** The seat is given up or gone: what was asked from it is not asked again by whoever comes next. */
  forget(): void {
    this.keepKey(null);
    this.pending = [];
    this.seat = this.counting = null;
  }

  request(id: number, body: Request): void {
    const n = this.welcomed || this.pending.length > 0 ? this.nextN++ : 0;
    const pending: Pending = { n, id, body, sentAt: this.clock.now(), tries: 0 };
    this.pending.push(pending);
    if (this.welcomed) this.ask(pending);
  }

  /** Without a number, without an answer. */
  status(hidden: boolean): void {
    if (this.welcomed) this.post({ t: "status", hidden });
  }

  /** How the path is made that is in use. */
  async about(): Promise<About> {
    const path = this.peerOpen ? this.peer : this.socket;
    const timed = this.trip !== null && this.trip.path === path ? this.trip.ms : null;
    const about = (await path?.about?.()) ?? { relay: null, rtt: null };
    return { relay: about.relay, rtt: timed ?? about.rtt };
  }

  /** Something says that we might be back: try now, and again from scratch if `stale`. */
  wake(stale: boolean): void {
    if (this.stopped) return;
    if (stale) this.hangUp();
    if (this.socket === null) {
      this.attempt = 0;
      this.connect();
    } else this.pulse();
  }

  /** The page goes away: free both ends at once. A `wake` brings it back. */
  drop(): void {
    this.hangUp();
    this.told.path(false, false);
  }

  stop(): void {
    this.stopped = true;
    this.hangUp();
  }

  private hangUp(): void {
    this.cancelBeat?.();
    this.cancelBeat = null;
    this.cancelListen?.();
    this.cancelListen = null;
    this.tickDue = Infinity;
    this.dropPeer();
    this.dropSocket();
    this.welcomed = false;
    this.quiet = false;
  }

  private dropSocket(): void {
    this.cancelRedial?.();
    this.cancelRedial = null;
    this.cancelOpen?.();
    this.cancelOpen = null;
    this.socketUp = false;
    this.socket?.close();
    this.socket = null;
  }

  private connect(): void {
    this.dropSocket();
    this.ice = [];
    this.socketAt = this.clock.now();
    const channel: Channel = this.ways.socket({
      open: () => {
        if (this.socket !== channel) return;
        this.cancelOpen?.();
        this.openedIn = this.clock.now() - this.socketAt;
        const { secret, key, host, lang, watch } = this.me;
        const hello: FromPage = { t: "hello", v: 1, secret, lang };
        if (key !== null) hello.key = key;
        if (host !== null) hello.host = host;
        if (watch) hello.watch = true;
        channel.send(JSON.stringify(hello));
        this.socketHeard = this.clock.now();
        this.pulseLater();
      },
      text: (text) => {
        if (this.socket === channel) this.hear(text, channel);
      },
      down: () => {
        if (this.socket === channel) this.lost();
      },
    });
    this.socket = channel;
    // A worker takes the time that it takes.
    if (channel.kind === "ws") this.cancelOpen = this.clock.after(this.opening(), () => this.lost());
  }

  private opening(): number {
    if (this.openedIn === null) return OPEN_MS.first;
    const least = Math.min(OPEN_MS.least + OPEN_MS.more * Math.max(0, this.attempt - 3), OPEN_MS.most);
    return Math.min(Math.max(least, 4 * this.openedIn), OPEN_MS.first);
  }

  /** The socket is gone. What still arrives over a data channel goes on arriving, and the table is
   * dialled beside it. */
  private lost(): void {
    if (this.peerOpen && this.clock.now() - this.peerHeard <= DEAD_MS) this.dropSocket();
    else {
      this.hangUp();
      if (this.stopped) return;
      this.told.path(false, false);
    }
    const apart = REDIAL_MS[Math.min(this.attempt, REDIAL_MS.length - 1)]!;
    this.attempt++;
    const wait = Math.max(apart - (this.clock.now() - this.socketAt), REDIAL_MS[0]!);
    this.cancelRedial = this.clock.after(wait, () => this.connect());
  }

  /** The table speaks over a data channel: beside the socket, or instead of one. */
  private isRtc(): boolean {
    return this.peerOpen || this.socket?.kind === "rtc";
  }

  /** The better path that is open and answers. */
  private post(message: FromPage): void {
    if (this.peerOpen && !(this.socketUp && this.doubted())) this.tellPeer(JSON.stringify(message));
    else this.socket?.send(JSON.stringify(message));
  }

  private tellPeer(text: string): void {
    this.peerSaid = this.clock.now();
    this.peerAsked ??= this.peerSaid;
    this.peer?.send(text);
  }

  private doubted(): boolean {
    return this.peerAsked !== null && this.clock.now() - this.peerAsked >= RESEND_MS;
  }

  private ask(pending: Pending): void {
    pending.sentAt = this.clock.now();
    pending.tries++;
    this.post({ ...pending.body, n: pending.n });
  }

  private hear(text: string, path: Channel): void {
    const now = this.clock.now();
    if (path === this.peer) {
      this.peerHeard = now;
      this.peerAsked = null;
    } else this.socketHeard = now;
    if (this.quiet) this.listen();
    let message: FromTable;
    try {
      message = JSON.parse(text) as FromTable;
    } catch {
      return;
    }
    switch (message.t) {
      case "ping":
        path.send(JSON.stringify({ t: "pong", i: message.i } satisfies FromPage));
        if (path === this.peer) this.peerSaid = now;
        return;
      case "pong":
        if (message.i === this.beat) this.trip = { path, ms: now - this.beatAt };
        return;
      case "links":
        this.told.message(message);
        return;
      case "ice":
        this.ice = message.servers;
        return;
      case "answer":
      case "no_channel":
        this.peer?.hear(message);
        return;
      case "welcome":
        // A new connection: the data channel beside it was the old one's.
        this.dropPeer();
        this.socketUp = true;
        this.welcome(message.n, message.seat);
        this.told.message(message);
        this.told.path(true, this.isRtc());
        this.offer();
        return;
      case "seated":
        this.seat = message.seat;
        this.keepKey(message.key);
        this.counting = message.key;
        this.told.message(message);
        this.settle(message.n, true);
        this.offer();
        return;
      case "view":
        if (message.seq <= this.seq) return;
        this.greetBack(message.seq);
        this.resting = false;
        this.told.message(message);
        return;
      case "notice":
        this.resting = true;
        this.told.message(message);
        return;
      case "done":
        this.settle(message.n, true);
        return;
      case "refused":
        // Decides nothing: the same is asked again in a moment, under the same number.
        if (message.code === "too_fast") return;
        this.settle(message.n === 0 ? this.meant(message.code, message.field) : message.n, false, message.code, message.field);
        return;
      case "closed":
        // Replaced by this page's own new connection, whose welcome is on its way.
        if (message.code === "replaced" && path === this.peer && this.socket !== null && !this.socketUp) {
          this.dropPeer();
          this.welcomed = false;
          return;
        }
        this.stop();
        this.told.message(message);
        return;
    }
  }

  private welcome(n: number, seat: number | null): void {
    this.welcomed = true;
    this.attempt = 0;
    this.offers = 0;
    this.seq = -1;
    this.resting = false;
    this.listenLater();
    for (const each of this.pending) each.tries = 0;
    // The numbers belong to the key; the seat's own number changes when a match begins.
    const whose = seat === null ? null : (this.me.key ?? "host");
    const same = whose !== null && whose === this.counting;
    this.seat = seat;
    this.counting = whose;
    if (same) {
      // Another page of this person has counted on: what this one had asked is void.
      if (n >= this.nextN) {
        for (const each of this.pending.splice(0)) this.told.answer(each.id, false, "stale");
      }
      this.nextN = Math.max(this.nextN, n + 1);
    } else {
      // A gap, so that no number of an older page of this person is ever used again.
      this.nextN = n + 1 + (seat === null || n === 0 ? 0 : NUMBERS_APART);
      for (const each of this.pending) each.n = this.nextN++;
    }
    for (const each of this.pending) {
      if (each.n === 0) each.n = this.nextN++;
    }
    this.resend(0);
  }

  private settle(n: number, ok: boolean, code?: string, field?: string): void {
    const found = this.pending.find((each) => each.n === n);
    if (found === undefined) return;
    this.pending = this.pending.filter((each) => each !== found);
    this.told.answer(found.id, ok, code, field);
  }

  /** The number of the request that the table could not read, as far as can be told: there is no
   * number in what it says then. */
  private meant(code: string, field?: string): number {
    if (code !== "bad_message" && code !== "too_big") return 0;
    const open = this.pending.filter((each) => each.tries > 0 && (field === undefined || field in { n: 0, ...each.body }));
    return open.length === 1 ? open[0]!.n : 0;
  }

  private resend(olderThan: number): void {
    const now = this.clock.now();
    for (const each of [...this.pending]) {
      if (now - each.sentAt < olderThan) continue;
      // A claim is answered when the host has looked; a table that is not heard may answer yet.
      const patient = each.body.t === "claim" || this.resting || this.quiet;
      if (patient) each.tries = 0;
      else if (each.tries >= TRIES) {
        this.settle(each.n, false, "unanswered");
        continue;
      }
      this.ask(each);
    }
  }

  // ------------------------------------------------------------------------------- heartbeat

  private pulseLater(): void {
    this.cancelBeat?.();
    // A finer grain than the beat itself, for resending in time.
    this.tickDue = this.clock.now() + TICK_MS;
    this.cancelBeat = this.clock.after(TICK_MS, () => {
      this.catchUp();
      if (this.clock.now() - this.beatAt > BEAT_MS - TICK_MS / 2) this.pulse();
      if (this.welcomed) this.resend(RESEND_MS);
      if (this.socket !== null || this.peerOpen) this.pulseLater();
    });
  }

  /** While the page stands still, frozen or busy, nothing is heard; that is nobody's silence. */
  private catchUp(): void {
    const late = this.clock.now() - this.tickDue;
    if (late <= LATE_MS) return;
    this.tickDue += late;
    this.socketHeard += late;
    this.peerHeard += late;
    if (this.peerAsked !== null) this.peerAsked += late;
  }

  private heard(): number {
    return Math.max(this.socketHeard, this.peerHeard);
  }

  private listenLater(): void {
    this.cancelListen?.();
    const left = this.heard() + QUIET_MS - this.clock.now();
    this.cancelListen = this.clock.after(Math.max(left, 20), () => this.listen());
  }

  private listen(): void {
    if (!this.welcomed) return;
    this.catchUp();
    const heard = this.heard();
    const quiet = this.clock.now() - heard >= QUIET_MS;
    if (!quiet) this.listenLater();
    if (quiet === this.quiet) return;
    this.quiet = quiet;
    if (quiet) this.told.path(false, this.isRtc(), heard);
    else this.told.path(true, this.isRtc());
  }

  /** The first view of a connection is answered with a beat at once: from then on the table knows
   * that silence means a loss. */
  private greetBack(seq: number): void {
    const first = this.seq < 0;
    this.seq = seq;
    if (first) this.pulse();
  }

  private pulse(): void {
    const now = this.clock.now();
    this.beatAt = now;
    const patience = this.socketUp && this.socket?.kind === "ws" ? STALE_MS : DEAD_MS;
    if (this.socket !== null && now - Math.max(this.socketHeard, this.socketAt) > patience) {
      this.lost();
      return;
    }
    if (!this.welcomed) return;
    if (this.peerOpen && now - this.peerHeard > DEAD_MS) this.peerLost();
    const ping = JSON.stringify({ t: "ping", i: ++this.beat, seq: this.seq } satisfies FromPage);
    if (this.socketUp) this.socket?.send(ping);
    const idle = now - Math.min(this.peerSaid, this.peerHeard) > WATCH_MS - TICK_MS;
    // A beat without an answer: which of the two comes through sooner is not known.
    const missed = now - this.socketHeard > BEAT_MS + LATE_MS;
    if (this.peerOpen && (!this.socketUp || idle || missed || this.doubted())) this.tellPeer(ping);
  }

  // ---------------------------------------------------------------------------- data channel

  private offer(): void {
    const makePeer = this.ways.peer;
    if (makePeer === null || this.peer !== null || !this.welcomed) return;
    if (this.seat === null && !this.me.watch) return;
    const socket = this.socket;
    let peer: Peer | null = null;
    try {
      peer = makePeer(
        (message) => socket?.send(JSON.stringify(message)),
        {
          open: () => {
            if (peer === null || this.peer !== peer) return;
            this.peerOpen = true;
            this.peerHeard = this.peerSaid = this.clock.now();
            this.peerAsked = null;
            this.offers = 0;
            this.told.path(true, true);
          },
          text: (text) => {
            if (peer !== null && this.peer === peer) this.hear(text, peer);
          },
          down: () => {
            if (peer !== null && this.peer === peer) this.peerLost();
          },
        },
        this.ice,
      );
      this.peer = peer;
    } catch {
      this.peer = null;
    }
  }

  private dropPeer(): void {
    this.cancelOffer?.();
    this.cancelOffer = null;
    const peer = this.peer;
    this.peer = null;
    this.peerOpen = false;
    peer?.close();
  }

  /** Carry on over the standby; a fresh peer connection later, a few times. */
  private peerLost(): void {
    const wasOpen = this.peerOpen;
    this.dropPeer();
    if (!this.socketUp) {
      this.welcomed = false;
      this.told.path(false, false);
      return;
    }
    if (wasOpen) {
      if (!this.quiet) this.told.path(true, false);
      this.resend(0);
    }
    const wait = REOFFER_MS[this.offers++];
    if (wait !== undefined) this.cancelOffer = this.clock.after(wait, () => this.offer());
  }
}
