// A page that sleeps waits for nothing: only seconds in which it ran and was seen count.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Patience, within } from "../src/offline/patience";

const page = { hidden: false };

beforeEach(() => {
  page.hidden = false;
  vi.useFakeTimers();
  vi.stubGlobal("document", page);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("patience", () => {
  it("ends after its seconds, once", () => {
    const over = vi.fn();
    new Patience().wait(30, over);
    vi.advanceTimersByTime(29_900);
    expect(over).not.toHaveBeenCalled();
    vi.advanceTimersByTime(60_000);
    expect(over).toHaveBeenCalledTimes(1);
  });

  it("counts no second in which nobody looks", () => {
    const over = vi.fn();
    new Patience().wait(30, over);
    vi.advanceTimersByTime(10_000);
    page.hidden = true;
    vi.advanceTimersByTime(3_600_000);
    page.hidden = false;
    vi.advanceTimersByTime(19_900);
    expect(over).not.toHaveBeenCalled();
    vi.advanceTimersByTime(200);
    expect(over).toHaveBeenCalled();
  });

  it("takes a sleep of the whole phone for one second", () => {
    const over = vi.fn();
    new Patience().wait(30, over);
    // The clock goes on, and no timer runs.
    vi.setSystemTime(Date.now() + 3_600_000);
    vi.advanceTimersByTime(1_000);
    expect(over).not.toHaveBeenCalled();
  });

  it("begins anew with every sign of life, and is ended by the last", () => {
    const over = vi.fn();
    const patience = new Patience();
    for (let i = 0; i < 10; i++) {
      patience.wait(30, over);
      vi.advanceTimersByTime(20_000);
    }
    expect(patience.isWaiting).toBe(true);
    patience.end();
    expect(patience.isWaiting).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect(over).not.toHaveBeenCalled();
  });

  it("rejects what never answers, and passes on what does", async () => {
    const never = within(5, new Promise(() => {}));
    const refused = expect(never).rejects.toThrow("nothing for 5 s");
    vi.advanceTimersByTime(5_000);
    await refused;
    await expect(within(5, Promise.resolve(3))).resolves.toBe(3);
    await expect(within(5, Promise.reject(new Error("full")))).rejects.toThrow("full");
    expect(vi.getTimerCount()).toBe(0);
  });
});
