"""The only package that does I/O: sockets, channels, the clock, the console, the disk.

Nothing of the game is decided here. A table (`penultima.table`) is fed with what arrives and
asked for what to send. Modules, from the wire inwards: `app` (addresses and sockets), `websocket`
and `datachannel` (ways to a page), `session` (a page), `runner` (a table), `serve` (all of it).
"""
