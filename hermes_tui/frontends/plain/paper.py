"""Lines on their way out: the one place of line mode through which every text goes, harmless from then on.

Knows styles by name and nothing of events. Without colour no escape sequence ever leaves it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from hermes_tui.text import harmless

Span = tuple[str, str]
"""A piece of a line and the name of its style; an empty name is plain."""

STYLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "": "",
        "note": "dim",
        "warning": "yellow",
        "error": "red",
        "strong": "bold",
        "code": "cyan",
        "added": "green",
        "removed": "red",
        "marked": "bold underline",
        "hidden": "reverse",
    }
)
"""Names of styles, and what they are in the terminal's own sixteen colours."""


class Paper:
    """Writes whole lines."""

    def __init__(
        self, write: Callable[[str], None], width: Callable[[], int | None], colour: bool = False
    ) -> None:
        """`write` takes whole lines with their ends; `width` is the terminal's in cells, None without one."""
        self._write = write
        self.width = width
        self._colour = colour
        self._console: Any = None

    def line(self, text: str, style: str = "") -> None:
        """Write a text of one or more lines."""
        self.spans([(text, style)])

    def spans(self, spans: Sequence[Span]) -> None:
        """Write one line made of pieces."""
        safe = [(harmless(text), style) for text, style in spans]
        self._write(self._coloured(safe) if self._colour else "".join(text for text, _ in safe) + "\n")

    def _coloured(self, spans: Sequence[Span]) -> str:
        from rich.console import Console
        from rich.text import Text

        if self._console is None:
            self._console = Console(
                force_terminal=True, color_system="standard", highlight=False, markup=False, emoji=False
            )
        line = Text.assemble(*((text, STYLES[style]) for text, style in spans))
        with self._console.capture() as captured:
            self._console.print(line, soft_wrap=True)
        return str(captured.get())
