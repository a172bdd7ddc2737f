"""`python -m penultima` is the command `penultima`."""

import sys

from penultima.host.cli import main

if __name__ == "__main__":
    sys.exit(main())
