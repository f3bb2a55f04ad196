"""Keeps the garbage collector still until the first frame: a quarter of the start is spent in it.

Until then hardly anything but modules and styles is made, and all of that stays. It is set aside for
good afterwards, so that no later collection walks over it while somebody types.
"""

from __future__ import annotations

import gc


def pause() -> None:
    """Called first thing by whoever opens the screen."""
    gc.disable()


def resume() -> None:
    """Called after the first frame; does nothing if the collector was not paused."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
