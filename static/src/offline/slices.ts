// Work in slices, and whoever else talks to this worker is heard between any two of them.

/**
 * Calls `slice` as long as it says that there is more. Each call is a task of its own: a message to
 * oneself queues up behind those that have come meanwhile, where a timer would wait for
 * milliseconds each time.
 */
export class Slices {
  private readonly channel = new MessageChannel();
  private waiting = false;

  constructor(slice: () => boolean) {
    this.channel.port1.onmessage = () => {
      this.waiting = false;
      if (slice()) this.go();
    };
  }

  /** There may be something to do, now or again. */
  go(): void {
    if (this.waiting) return;
    this.waiting = true;
    this.channel.port2.postMessage(null);
  }
}
