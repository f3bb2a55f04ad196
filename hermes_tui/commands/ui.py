"""What a slash command may ask of a front end; each of the three front ends implements it.

Must know no front end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from hermes_tui.commands.settings import Sheet

T = TypeVar("T")


class UI(Protocol):
    """The side of a front end that commands see. Text given to it is plain, never markup."""

    def say(self, text: str) -> None:
        """Show a note in the conversation; it is not sent to the model."""

    def warn(self, text: str) -> None:
        """Show one line that needs attention."""

    async def confirm(self, title: str, body: str, yes: str) -> bool:
        """Show `body` (many lines) and ask; the default is no. `yes` names what yes does: "restore"."""

    async def decide(self, title: str, body: str, options: Sequence[str]) -> int | None:
        """Show `body` (many lines) and ask which of `options` to do; None, the default, is none."""

    async def choose(
        self,
        title: str,
        options: Sequence[str],
        current: int | None,
        look: Callable[[int], None] | None = None,
    ) -> int | None:
        """Let the user pick one; None when nothing was picked.

        `look` is told where the cursor stands, so that it can be seen what it would be like.
        """

    async def run(self, work: Callable[[], T]) -> T:
        """Do slow work off the screen's thread and return its result."""

    async def browse_checkpoints(self) -> None:
        """Open the checkpoint browser, or list the checkpoints where there is no screen."""

    def rolled_back(self, number: int, saved_as: int) -> None:
        """Files stand as before checkpoint #`number`; what stood there is saved as #`saved_as`."""

    def went_back(self, prompt: str, count: int) -> None:
        """The last `count` messages, from `prompt` on, have left the conversation.

        Show where it ends now, and give the prompt back, to be sent again or changed.
        """

    def copy(self, text: str) -> None:
        """Put a text on the user's clipboard."""

    async def browse_sessions(self, text: str) -> None:
        """Open the session picker, searching for `text`, or list the sessions where there is no screen."""

    async def browse_settings(self, sheet: Sheet) -> None:
        """Open the settings, or list them where there is no screen."""

    async def show_past(self) -> None:
        """Show the session that was taken up, in place of what is there."""

    def set_theme(self, name: str) -> None:
        """Use a theme from now on; `UsageError` if there is none of this name."""

    def keys(self) -> Sequence[tuple[str, str]]:
        """Return the keys that help names, as they are now, each with what it does here."""

    def themes(self) -> Sequence[str]:
        """Return the names of all themes; empty where there are none."""

    def clear(self) -> None:
        """Empty the conversation on the screen."""

    def quit(self) -> None:
        """Leave, with everything saved."""
