"""A job that is done as soon as our packages are loaded: for measuring the start."""

import penultima.offline


def run() -> str:
    return penultima.offline.__name__
