"""People round a match: seats, keys, pauses, the host's powers, the journal's records.

Sans-I/O: no clock, no socket, nothing that waits (``table.Table`` is the front door). Imports the
engine and the standard library only; runs on a host and in a browser's worker alike.
"""

from penultima.table.bots import Bot, Brain
from penultima.table.presence import Patience
from penultima.table.table import Options, RestoreError, Table

__all__ = ["Bot", "Brain", "Options", "Patience", "RestoreError", "Table"]
