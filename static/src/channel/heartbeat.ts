// The heartbeat over both ways: by it the table knows of this page, and this page of a silence.
import type { FromPage } from "../wire";
import type { Beside } from "./beside";
import type { Channel, Clock } from "./channel";
import type { Dialling } from "./dialling";
import { BEAT_MS, LATE_MS, QUIET_MS, TICK_MS, WATCH_MS } from "./times";

interface Talk {
  isWelcomed(): boolean;
  /** The number of the newest view. */
  seq(): number;
  socketLost(): void;
  peerLost(): void;
  /** Every `TICK_MS`, for what has to be said in time. */
  tick(): void;
  /** A silence has begun, or ended. `heard`: when the last word came. */
  quiet(quiet: boolean, heard: number): void;
}

export class Heartbeat {
  /** There has been no word for a while. */
  quiet = false;
  private beat = 0;
  private beatAt = 0;
  /** How long the last one took there and back, and by which way. */
  private trip: { path: Channel; ms: number } | null = null;
  private tickDue = Infinity;
  private cancelTick: (() => void) | null = null;
  private cancelListen: (() => void) | null = null;

  constructor(
    private readonly line: Dialling,
    private readonly beside: Beside,
    private readonly clock: Clock,
    private readonly talk: Talk,
  ) {}

  /** From now on, until both ways are gone. */
  start(): void {
    this.cancelTick?.();
    // A finer grain than the beat itself, for resending in time.
    this.tickDue = this.clock.now() + TICK_MS;
    this.cancelTick = this.clock.after(TICK_MS, () => {
      this.catchUp();
      if (this.clock.now() - this.beatAt > BEAT_MS - TICK_MS / 2) this.pulse();
      this.talk.tick();
      if (this.line.socket !== null || this.beside.open) this.start();
    });
  }

  stop(): void {
    this.cancelTick?.();
    this.cancelTick = null;
    this.cancelListen?.();
    this.cancelListen = null;
    this.tickDue = Infinity;
    this.quiet = false;
  }

  /** While the page stands still, frozen or busy, nothing is heard; that is nobody's silence. */
  private catchUp(): void {
    const late = this.clock.now() - this.tickDue;
    if (late <= LATE_MS) return;
    this.tickDue += late;
    this.line.heard += late;
    this.beside.excuse(late);
  }

  private heard(): number {
    return Math.max(this.line.heard, this.beside.heard);
  }

  listenLater(): void {
    this.cancelListen?.();
    const left = this.heard() + QUIET_MS - this.clock.now();
    this.cancelListen = this.clock.after(Math.max(left, 20), () => this.listen());
  }

  listen(): void {
    if (!this.talk.isWelcomed()) return;
    this.catchUp();
    const heard = this.heard();
    const quiet = this.clock.now() - heard >= QUIET_MS;
    if (!quiet) this.listenLater();
    if (quiet === this.quiet) return;
    this.quiet = quiet;
    this.talk.quiet(quiet, heard);
  }

  pulse(): void {
    const now = this.clock.now();
    const { beside, line } = this;
    this.beatAt = now;
    if (line.isStale(now)) {
      this.talk.socketLost();
      return;
    }
    if (!this.talk.isWelcomed()) return;
    if (beside.isDead(now)) this.talk.peerLost();
    const ping = JSON.stringify({ t: "ping", i: ++this.beat, seq: this.talk.seq() } satisfies FromPage);
    if (line.up) line.socket?.send(ping);
    const idle = now - Math.min(beside.said, beside.heard) > WATCH_MS - TICK_MS;
    // A beat without an answer: which of the two comes through sooner is not known.
    const missed = now - line.heard > BEAT_MS + LATE_MS;
    if (beside.open && (!line.up || idle || missed || beside.isDoubted())) beside.send(ping);
  }

  /** The table's answer to a beat. */
  pong(i: number, path: Channel): void {
    if (i === this.beat) this.trip = { path, ms: this.clock.now() - this.beatAt };
  }

  /** Milliseconds there and back, if the last beat went that way. */
  tripOver(path: Channel | null): number | null {
    return this.trip !== null && this.trip.path === path ? this.trip.ms : null;
  }
}
