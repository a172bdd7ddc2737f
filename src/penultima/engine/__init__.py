"""The game itself: the standard library only, no I/O, no clock. Runs on a host and in a browser.

From the front door inwards: ``match`` (rounds to the end of a match), ``round`` (one round),
``house`` (every rule, official and house, one place each), ``rules`` (the switches), ``view``
(what one seat may know), ``reading``, ``writing`` and ``replay`` (``.partida`` files; ``notation``
has their words).
"""
