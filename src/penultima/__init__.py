"""Penúltima: friends play UNO on their phones, and one of them runs this program.

Only the version lives here, so that importing `penultima.engine` stays cheap and free of I/O,
also in the browser. The packages below import one way: host -> table, wire, bots -> engine.
"""

__version__ = "0.1.0"
