"""What line mode asks of the place where text goes and lines come from. Two fit it: an editor on a terminal
that can draw (`editor.py`), and plain lines on everything else (`lines.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Console(Protocol):
    """Text out, lines in."""

    @property
    def interactive(self) -> bool:
        """Whether a person types: keys may come too early, and the history is kept."""

    @property
    def keys(self) -> Sequence[tuple[str, str]]:
        """The keys that do something here, each with what it does."""

    @property
    def draft(self) -> str:
        """What is written and not sent."""

    def since_key(self) -> float:
        """Return the seconds since the last key; infinite where keys are not seen."""

    def width(self) -> int | None:
        """Return the terminal's width in cells; None where text is not shown on one."""

    def write(self, text: str) -> None:
        """Write whole lines."""

    def refresh(self) -> None:
        """The prompt may have become another one."""

    def remember(self, text: str) -> None:
        """Put a line into the history, where a person types."""

    def copy(self, text: str) -> bool:
        """Let the terminal put `text` on its clipboard; False where it cannot."""

    def put_aside(self) -> None:
        """Something is asked: keep the draft for later and begin with an empty line."""

    def take_back(self) -> None:
        """Nothing is asked any more: the draft is there again."""

    def give_back(self, text: str) -> None:
        """Put `text` into the line, to be sent again or changed."""

    def clear_draft(self) -> None:
        """Put the draft into the history and empty the line."""

    def delete_right(self) -> None:
        """Delete the character at the cursor."""

    async def run(self) -> None:
        """Give lines and keys to the mode until it is left."""
