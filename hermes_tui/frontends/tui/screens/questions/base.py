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


@dataclass(frozen=True, slots=True)
class Draft:
    """What was begun in a dialog that was put off: it stands there again when it comes back."""

    text: str = ""
    """Of the free answer, or of the reason."""
    writing: bool = False
    """Whether the focus was in it."""
    at: int = 0
    """The choice under the cursor."""
    ticked: frozenset[int] = frozenset()


NOTHING = Draft()

WAYS_OUT = "Tab later · Esc no answer · Ctrl-C stop"


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
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("tab", "later", "Answer later; what is written stays"),
        Binding("ctrl+g", "write_outside", "Write the answer in your editor", id="editor"),
    ]

    def __init__(self, question: QuestionAsked, settle: float, draft: Draft = NOTHING) -> None:
        super().__init__()
        self.question = question
        self._settle = settle
        self._begun = draft
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
        if self._begun.writing:
            self.write()
        else:
            self.first().focus()
        self.refresh_bindings()

    @property
    def editor(self) -> Editor:
        """Where a free answer is written."""
        return self.query_one(Editor)

    def write(self) -> None:
        """Go on in the free answer."""
        self.editor.add_class("-shown")
        self.editor.focus()

    def draft(self) -> Draft:
        """Return what was begun."""
        return Draft(self.editor.written, self.editor.has_focus)

    def action_write_outside(self) -> None:
        """Write the answer in the user's own editor; Enter sends it then."""
        self.write()
        self.editor.action_edit_outside()

    def place(self, position: int, total: int) -> None:
        """Say which question of how many it is."""
        title = f"Question {position} of {total}" if total > 1 else "Question"
        self.box.border_title = title
        self.box.border_subtitle = WAYS_OUT

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While it is fresh nothing but Ctrl-C acts."""
        return not self.fresh or action == "ladder"

    async def action_leave(self) -> None:
        """Esc."""
        await self.app.run_action("ladder('escape')")

    async def action_later(self) -> None:
        """Tab."""
        await self.app.run_action("put_off")

    def on_editor_sent(self, event: Editor.Sent) -> None:
        """Take what was written."""
        event.stop()
        if not self.fresh:
            self.written(event.text)

    def written(self, text: str) -> None:
        """The user sent a free answer."""
        raise NotImplementedError
