"""What a slash command may ask of a front end; each of the three front ends implements it.

Must know no front end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class UI(Protocol):
    """The side of a front end that commands see. Text given to it is plain, never markup."""

    def say(self, text: str) -> None:
        """Show a note in the conversation; it is not sent to the model."""

    def warn(self, text: str) -> None:
        """Show one line that needs attention."""

    async def confirm(self, title: str, body: str, yes: str) -> bool:
        """Show `body` (many lines) and ask; the default is no. `yes` names what yes does: "restore"."""

    async def choose(self, title: str, options: Sequence[str], current: int | None) -> int | None:
        """Let the user pick one; None when nothing was picked."""

    async def run(self, work: Callable[[], T]) -> T:
        """Do slow work off the screen's thread and return its result."""

    async def browse_checkpoints(self) -> None:
        """Open the checkpoint browser, or list the checkpoints where there is no screen."""

    def set_theme(self, name: str) -> None:
        """Use a theme from now on; `UsageError` if there is none of this name."""

    def themes(self) -> Sequence[str]:
        """Return the names of all themes; empty where there are none."""

    def clear(self) -> None:
        """Empty the conversation on the screen."""

    def quit(self) -> None:
        """Leave, with everything saved."""
