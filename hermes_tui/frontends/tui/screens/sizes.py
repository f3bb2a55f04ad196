"""Where the layout changes: classes that every screen gets by its size. Numbers and names only."""

from __future__ import annotations

from typing import Final

from textual.geometry import Size

BY_WIDTH: Final = [(0, "-narrow"), (100, "-wide")]
"""From 100 columns on the runs stand beside the conversation."""
BY_HEIGHT: Final = [(0, "-short"), (20, "-tall")]
"""From 20 lines on there is room for the top bar."""


def classes(size: Size) -> str:
    """Return the classes of a size, as the first resize sets them."""
    wide = max(at for at in BY_WIDTH if at[0] <= size.width)[1]
    tall = max(at for at in BY_HEIGHT if at[0] <= size.height)[1]
    return f"{wide} {tall}"
