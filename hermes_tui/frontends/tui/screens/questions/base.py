"""A question's dialog: its place, its first half second, its number. Knows no engine.

Its result is a `Reply`, or None when it was closed because the question ended elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from hermes_tui.engine.events import QuestionAsked
from hermes_tui.engine.questions import How
from hermes_tui.frontends.tui.screens.dialog import Dialog
from hermes_tui.frontends.tui.widgets.prompt.editor import Editor


@dataclass(frozen=True, slots=True)
class Reply:
    """How the user ended a question."""

    how: How
    """answered or cancelled; only the first is an answer."""
    answer: str = ""
    scope: str | None = None
    """For a permission: once, session or always; None is a no."""


CANCELLED = Reply("cancelled")


class QuestionDialog(Dialog[Reply]):
    """One question. For its first half second no key answers it: the user may still be typing elsewhere."""

    DEFAULT_CSS = """
    QuestionDialog {
        align: left middle;
        & > .box { width: 57%; min-width: 58; margin-left: 1; }
        & Editor { border-left: thick $accent; padding: 0 1; background: $panel; display: none; }
        & Editor.-shown { display: block; }
    }
    QuestionDialog.-narrow { align: center top; }
    QuestionDialog.-narrow > .box { width: 100%; margin: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    def __init__(self, question: QuestionAsked, settle: float) -> None:
        super().__init__()
        self.question = question
        self._settle = settle
        self.fresh = True
        """No key counts yet, Ctrl-C apart."""

    def first(self) -> Widget:
        """Return what gets the focus once keys count."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Let the first half second go by."""
        self.set_timer(self._settle, self._ready) if self._settle else self._ready()

    def _ready(self) -> None:
        self.fresh = False
        self.first().focus()
        self.refresh_bindings()

    def place(self, position: int, total: int) -> None:
        """Say which question of how many it is."""
        title = f"Question {position} of {total}" if total > 1 else "Question"
        self.box.border_title = title

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While it is fresh nothing but Ctrl-C acts."""
        return not self.fresh or action == "ladder"

    async def action_leave(self) -> None:
        """Esc."""
        await self.app.run_action("ladder('escape')")

    def on_editor_sent(self, event: Editor.Sent) -> None:
        """Take what was written."""
        event.stop()
        if not self.fresh:
            self.written(event.text)

    def written(self, text: str) -> None:
        """The user sent a free answer."""
        raise NotImplementedError
