// Scripts of their own, which are loaded when they are needed first.

const anew = (address: string): Promise<unknown> => import(/* @vite-ignore */ address);

/** Loads it, once for all who ask. After a failure the next call tries again: in Firefox, which remembers for as
 * long as the page lives that a script did not come, under another address. */
export function piece<T>(load: () => Promise<T>, loadFrom = anew as (address: string) => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null;
  let lost: string | undefined;
  let tries = 0;
  return () =>
    (asked ??= (lost === undefined ? load() : loadFrom(`${lost}?again=${tries}`)).catch((error: unknown) => {
      asked = null;
      tries++;
      // Which one it was the browsers say that need it.
      lost ??= /https?:\S+?\.js/.exec(String(error))?.[0];
      throw error;
    }));
}
