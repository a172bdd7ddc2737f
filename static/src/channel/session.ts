// The talk with the table, over one or two ways (dialling.ts, beside.ts): hello, welcome, which way carries what is
// said, and finding back. What is said is none of its business.
import type { FromPage, FromTable, Request } from "../wire";
import { Beside, type MakePeer } from "./beside";
import type { About, Channel, Clock, Listener } from "./channel";
import { Dialling } from "./dialling";
import { Heartbeat } from "./heartbeat";
import { type Answer, Requests } from "./requests";
import { RESEND_MS } from "./times";

export interface Ways {
  socket(listener: Listener): Channel;
  /** Absent where there are no data channels. */
  peer: MakePeer | null;
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
  answer: Answer;
  /** `since`: when the last word came, if there has been none for a while. */
  path(online: boolean, rtc: boolean, since?: number): void;
}

export class Session {
  private readonly line: Dialling;
  private readonly beside: Beside;
  private readonly heart: Heartbeat;
  private readonly requests: Requests;
  /** The table has answered on some way that is still there. */
  private welcomed = false;
  private stopped = true;
  /** The table has said that it decides nothing for now: its silence is no answer. */
  private resting = false;
  private seat: number | null = null;
  private seq = -1;

  constructor(
    ways: Ways,
    private readonly clock: Clock,
    private readonly told: Told,
    private me: Identity,
  ) {
    const hear = (text: string, path: Channel): void => this.hear(text, path);
    this.line = new Dialling((listener) => ways.socket(listener), clock, { open: (socket) => this.hello(socket), text: hear, down: () => this.lost() });
    this.beside = new Beside(ways.peer, clock, { open: () => told.path(true, true), text: hear, down: () => this.peerLost() });
    this.heart = new Heartbeat(this.line, this.beside, clock, {
      isWelcomed: () => this.welcomed,
      seq: () => this.seq,
      socketLost: () => this.lost(),
      peerLost: () => this.peerLost(),
      tick: () => {
        if (this.welcomed) this.resend(RESEND_MS);
      },
      quiet: (quiet, heard) => (quiet ? told.path(false, this.isRtc(), heard) : told.path(true, this.isRtc())),
    });
    this.requests = new Requests(clock, (message) => this.post(message), told.answer);
  }

  /** Says hello as this person from now on; nothing that was asked as somebody else is repeated. */
  dial(me: Identity): void {
    if (me.key !== this.me.key) {
      this.requests.disown();
      this.seat = null;
    }
    this.me = me;
    this.line.afresh();
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
    this.requests.forget();
    this.seat = null;
  }

  request(id: number, body: Request): void {
    this.requests.add(id, body, this.welcomed);
  }

  /** Without a number, without an answer. */
  status(hidden: boolean): void {
    if (this.welcomed) this.post({ t: "status", hidden });
  }

  /** How the way is made that is in use. */
  async about(): Promise<About> {
    const path = this.beside.open ? this.beside.peer : this.line.socket;
    const timed = this.heart.tripOver(path);
    const about = (await path?.about?.()) ?? { relay: null, rtt: null };
    return { relay: about.relay, rtt: timed ?? about.rtt };
  }

  /** Something says that we might be back: try now, and again from scratch if `stale`. */
  wake(stale: boolean): void {
    if (this.stopped) return;
    if (stale) this.hangUp();
    if (this.line.socket === null) {
      this.line.afresh();
      this.connect();
    } else this.heart.pulse();
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
    this.heart.stop();
    this.beside.drop();
    this.line.drop();
    this.welcomed = false;
  }

  private connect(): void {
    this.beside.ice = [];
    this.line.dial();
  }

  private hello(socket: Channel): void {
    const { secret, key, host, lang, watch } = this.me;
    const hello: FromPage = { t: "hello", v: 1, secret, lang };
    if (key !== null) hello.key = key;
    if (host !== null) hello.host = host;
    if (watch) hello.watch = true;
    socket.send(JSON.stringify(hello));
    this.heart.start();
  }

  /** The socket is gone. What still arrives over a data channel goes on arriving, and the table is
   * dialled beside it. */
  private lost(): void {
    if (this.beside.open && !this.beside.isDead(this.clock.now())) this.line.drop();
    else {
      this.hangUp();
      if (this.stopped) return;
      this.told.path(false, false);
    }
    this.line.later(() => this.connect());
  }

  /** The data channel is gone: carry on over the socket. */
  private peerLost(): void {
    const wasOpen = this.beside.open;
    this.beside.drop();
    if (!this.line.up) {
      this.welcomed = false;
      this.told.path(false, false);
      return;
    }
    if (wasOpen) {
      if (!this.heart.quiet) this.told.path(true, false);
      this.resend(0);
    }
    this.beside.later(() => this.offer());
  }

  private offer(): void {
    if (this.welcomed && (this.seat !== null || this.me.watch)) this.beside.offer(this.line.socket);
  }

  /** The table speaks over a data channel: beside the socket, or instead of one. */
  private isRtc(): boolean {
    return this.beside.open || this.line.socket?.kind === "rtc";
  }

  /** By the better way that is open and answers. */
  private post(message: FromPage): void {
    const text = JSON.stringify(message);
    if (this.beside.open && !(this.line.up && this.beside.isDoubted())) this.beside.send(text);
    else this.line.socket?.send(text);
  }

  private resend(olderThan: number): void {
    this.requests.resend(olderThan, this.resting || this.heart.quiet);
  }

  private hear(text: string, path: Channel): void {
    const now = this.clock.now();
    if (path === this.beside.peer) this.beside.hears(now);
    else this.line.heard = now;
    if (this.heart.quiet) this.heart.listen();
    let message: FromTable;
    try {
      message = JSON.parse(text) as FromTable;
    } catch {
      return;
    }
    switch (message.t) {
      case "ping":
        path.send(JSON.stringify({ t: "pong", i: message.i } satisfies FromPage));
        if (path === this.beside.peer) this.beside.said = now;
        return;
      case "pong":
        this.heart.pong(message.i, path);
        return;
      case "links":
        this.told.message(message);
        return;
      case "ice":
        this.beside.ice = message.servers;
        return;
      case "answer":
      case "no_channel":
        this.beside.peer?.hear(message);
        return;
      case "welcome":
        // A new connection: the data channel beside it was the old one's.
        this.beside.drop();
        this.line.up = true;
        this.welcome(message.n, message.seat);
        this.told.message(message);
        this.told.path(true, this.isRtc());
        this.offer();
        return;
      case "seated":
        this.seat = message.seat;
        this.keepKey(message.key);
        this.requests.countAs(message.key);
        this.told.message(message);
        this.requests.settle(message.n, true);
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
        this.requests.settle(message.n, true);
        return;
      case "refused":
        // Decides nothing: the same is asked again in a moment, under the same number.
        if (message.code !== "too_fast") this.requests.refused(message.n, message.code, message.field);
        return;
      case "closed":
        // Replaced by this page's own new connection, whose welcome is on its way.
        if (message.code === "replaced" && path === this.beside.peer && this.line.socket !== null && !this.line.up) {
          this.beside.drop();
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
    this.line.afresh();
    this.beside.afresh();
    this.seq = -1;
    this.resting = false;
    this.heart.listenLater();
    this.seat = seat;
    // The numbers belong to the key; the seat's own number changes when a match begins.
    this.requests.welcome(n, seat === null ? null : (this.me.key ?? "host"), this.heart.quiet);
  }

  /** The first view of a connection is answered with a beat at once: from then on the table knows
   * that silence means a loss. */
  private greetBack(seq: number): void {
    const first = this.seq < 0;
    this.seq = seq;
    if (first) this.heart.pulse();
  }
}
