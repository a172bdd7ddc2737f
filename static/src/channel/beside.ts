// The second way to the table: a data channel beside the socket, offered over it, and offered again when it is lost.
import type { FromPage, IceServer } from "../wire";
import type { Channel, Clock, Listener } from "./channel";
import type { Peer } from "./peer";
import { DEAD_MS, REOFFER_MS, RESEND_MS } from "./times";

export type MakePeer = (signal: (message: FromPage) => void, listener: Listener, ice: readonly IceServer[]) => Peer;

export class Beside {
  peer: Peer | null = null;
  open = false;
  /** What the table said last of STUN and TURN: its credentials are good for minutes. */
  ice: readonly IceServer[] = [];
  /** When it was heard last, and when something was said through it. */
  heard = 0;
  said = 0;
  /** When something was said that has had no answer, nor anything else. */
  private asked: number | null = null;
  private offers = 0;
  private cancelOffer: (() => void) | null = null;

  constructor(
    private readonly make: MakePeer | null,
    private readonly clock: Clock,
    private readonly told: { open(): void; text(text: string, peer: Channel): void; down(): void },
  ) {}

  /** Offers one over that socket, unless there is one or there can be none. */
  offer(socket: Channel | null): void {
    if (this.make === null || this.peer !== null) return;
    let peer: Peer | null = null;
    try {
      peer = this.make(
        (message) => socket?.send(JSON.stringify(message)),
        {
          open: () => {
            if (peer === null || this.peer !== peer) return;
            this.open = true;
            this.heard = this.said = this.clock.now();
            this.asked = null;
            this.offers = 0;
            this.told.open();
          },
          text: (text) => {
            if (peer !== null && this.peer === peer) this.told.text(text, peer);
          },
          down: () => {
            if (peer !== null && this.peer === peer) this.told.down();
          },
        },
        this.ice,
      );
      this.peer = peer;
    } catch {
      this.peer = null;
    }
  }

  drop(): void {
    this.cancelOffer?.();
    this.cancelOffer = null;
    const peer = this.peer;
    this.peer = null;
    this.open = false;
    peer?.close();
  }

  /** A fresh one later, a few times. */
  later(offer: () => void): void {
    const wait = REOFFER_MS[this.offers++];
    if (wait !== undefined) this.cancelOffer = this.clock.after(wait, offer);
  }

  /** The next loss is a first one. */
  afresh(): void {
    this.offers = 0;
  }

  hears(now: number): void {
    this.heard = now;
    this.asked = null;
  }

  send(text: string): void {
    this.said = this.clock.now();
    this.asked ??= this.said;
    this.peer?.send(text);
  }

  isDead(now: number): boolean {
    return this.open && now - this.heard > DEAD_MS;
  }

  /** It owes an answer for so long that the other way is the better one. */
  isDoubted(): boolean {
    return this.asked !== null && this.clock.now() - this.asked >= RESEND_MS;
  }

  /** So long (ms) nothing can have been heard. */
  excuse(late: number): void {
    this.heard += late;
    if (this.asked !== null) this.asked += late;
  }
}
