// How long is waited for something that may never answer: a worker, a download, a device's memory. What
// counts are seconds in which this ran and could be seen: a phone that puts a page to sleep puts what it
// waits for to sleep, too, and both wake up together.

const SECOND_MS = 1000;

const isSeen = (): boolean => (globalThis as { document?: Document }).document?.hidden !== true;

export class Patience {
  private timer: ReturnType<typeof setInterval> | undefined;

  get isWaiting(): boolean {
    return this.timer !== undefined;
  }

  /** Calls `over` after that many seconds, unless it is ended or begun anew before. */
  wait(seconds: number, over: () => void): void {
    this.end();
    let left = seconds;
    this.timer = setInterval(() => {
      if (!isSeen() || --left > 0) return;
      this.end();
      over();
    }, SECOND_MS);
  }

  end(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** That work, or a rejection when it has not come to an end after so many seconds. */
export function within<T>(seconds: number, work: Promise<T>): Promise<T> {
  const patience = new Patience();
  const tooLong = new Promise<never>((_, reject) => {
    patience.wait(seconds, () => reject(new Error(`nothing for ${seconds} s`)));
  });
  return Promise.race([work, tooLong]).finally(() => patience.end());
}
