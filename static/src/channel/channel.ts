// One way to the table. Whatever it is made of, it carries texts in order while it is open.

export interface Listener {
  open(): void;
  text(text: string): void;
  down(): void;
}

/** How a path is made. `relay`: by which transport it goes to a TURN server, null for a direct one;
 * `rtt`: milliseconds there and back, null while nobody knows. */
export interface About {
  relay: "udp" | "tcp" | "tls" | null;
  rtt: number | null;
}

export interface Channel {
  readonly kind: "ws" | "rtc" | "worker" | "loop";
  send(text: string): void;
  close(): void;
  /** Asks the browser, where it knows. */
  about?(): Promise<About>;
}

/** Time, so that tests can hold it still. Milliseconds; `after` returns its own cancelling. */
export interface Clock {
  now(): number;
  after(ms: number, run: () => void): () => void;
}

export const realClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const id = setTimeout(run, ms);
    return () => clearTimeout(id);
  },
};
