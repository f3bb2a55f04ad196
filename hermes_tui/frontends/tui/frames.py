"""How often the screen may be painted. Textual takes that from the environment, once, when it is imported.

While calls run it paints for them, and a key that comes in between waits for the next time: with 60 a second
up to 17 ms. What may not be painted that often holds itself back (`bridge.PAUSE`, the transcript's frames).
"""

from __future__ import annotations

import importlib
import os
from typing import Final

NAME: Final = "TEXTUAL_FPS"
PER_SECOND: Final = "120"


def set_pace() -> None:
    """Called before Textual is imported. The user's own variable counts; no command inherits ours."""
    if NAME in os.environ:
        return
    os.environ[NAME] = PER_SECOND
    try:
        importlib.import_module("textual.constants")
    finally:
        del os.environ[NAME]
