"""Keeps the garbage collector out of the way: a quarter of the start goes into it, and it stops typing later.

Until the first frame hardly anything but modules and styles is made, and all of that stays, as do the SDK
and the conversation later on. It is set aside for good, so that no collection walks over it again: that
takes a tenth of a second in which no key is answered.
"""

from __future__ import annotations

import gc
from typing import Final

MANY: Final = 20_000
"""Objects whose look-through would be felt while somebody types: about 10 ms."""


def pause() -> None:
    """Called first thing by whoever opens the screen."""
    gc.disable()


def resume() -> None:
    """Called after the first frame; does nothing if the collector was not paused."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def settle() -> None:
    """Called when a turn is over and seen: look at what it made, and never again at what is left of it.

    Where that is a great deal, the SDK for example, hardly any of it is garbage, and only the newest is
    looked at. Does nothing if the collector was never paused.
    """
    if gc.get_freeze_count():
        gc.collect(1 if len(gc.get_objects(2)) > MANY else 2)
        gc.freeze()
