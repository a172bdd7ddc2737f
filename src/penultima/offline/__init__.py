"""The table in the browser's worker: one person and bots, without a network.

The same engine, bots and table as on a host. JSON texts come in and go out; the clock, the
timers, the randomness and the storage are the worker's (static/src/offline/worker.ts). Standard
library only, and nothing that waits.
"""

from penultima.offline.practice import Practice, Trouble

__all__ = ["Practice", "Trouble"]
