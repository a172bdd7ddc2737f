// The first way to the table: a socket that opens in time, or is dialled again.
import type { Channel, Clock, Listener } from "./channel";
import { DEAD_MS, OPEN_MS, REDIAL_MS, STALE_MS } from "./times";

export class Dialling {
  /** The socket, from the moment that it is dialled. */
  socket: Channel | null = null;
  /** The table has answered on this very socket: until then an older connection may live on beside it. */
  up = false;
  /** When it was heard last. */
  heard = 0;
  private at = 0;
  private attempt = 0;
  /** How long the last one took to open. */
  private openedIn: number | null = null;
  private cancelRedial: (() => void) | null = null;
  private cancelOpen: (() => void) | null = null;

  constructor(
    private readonly make: (listener: Listener) => Channel,
    private readonly clock: Clock,
    private readonly told: { open(socket: Channel): void; text(text: string, socket: Channel): void; down(): void },
  ) {}

  /** Dials, in place of whatever was there. */
  dial(): void {
    this.drop();
    this.at = this.clock.now();
    const socket: Channel = this.make({
      open: () => {
        if (this.socket !== socket) return;
        this.cancelOpen?.();
        this.heard = this.clock.now();
        this.openedIn = this.heard - this.at;
        this.told.open(socket);
      },
      text: (text) => {
        if (this.socket === socket) this.told.text(text, socket);
      },
      down: () => {
        if (this.socket === socket) this.told.down();
      },
    });
    this.socket = socket;
    // A worker takes the time that it takes.
    if (socket.kind === "ws") this.cancelOpen = this.clock.after(this.patience(), () => this.told.down());
  }

  private patience(): number {
    if (this.openedIn === null) return OPEN_MS.first;
    const least = Math.min(OPEN_MS.least + OPEN_MS.more * Math.max(0, this.attempt - 3), OPEN_MS.most);
    return Math.min(Math.max(least, 4 * this.openedIn), OPEN_MS.first);
  }

  drop(): void {
    this.cancelRedial?.();
    this.cancelRedial = null;
    this.cancelOpen?.();
    this.cancelOpen = null;
    this.up = false;
    this.socket?.close();
    this.socket = null;
  }

  /** Dials again in a while, which grows from one attempt to the next. */
  later(dial: () => void): void {
    const apart = REDIAL_MS[Math.min(this.attempt, REDIAL_MS.length - 1)]!;
    this.attempt++;
    const wait = Math.max(apart - (this.clock.now() - this.at), REDIAL_MS[0]!);
    this.cancelRedial = this.clock.after(wait, dial);
  }

  /** The next attempt is a first one. */
  afresh(): void {
    this.attempt = 0;
  }

  /** Silent for so long that it counts for lost. */
  isStale(now: number): boolean {
    const patience = this.up && this.socket?.kind === "ws" ? STALE_MS : DEAD_MS;
    return this.socket !== null && now - Math.max(this.heard, this.at) > patience;
  }
}
