// How long what may take on the way to a table, in milliseconds.

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
export const LATE_MS = 1000;
export const TICK_MS = 500;
/** From one attempt to connect to the next one, and at least between the two. */
export const REDIAL_MS = [250, 500, 1000, 1500];
/** For so long a socket may open: a lost first packet is sent again after one second, then after
 * two and four more, so a new socket is there sooner. As long as four times what the last one took. */
export const OPEN_MS = { first: 8000, least: 2000, most: 4000, more: 500 };
export const REOFFER_MS = [3000, 10_000, 30_000];
