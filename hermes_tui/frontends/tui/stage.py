"""Where questions are shown: dialogs on the app's screens, answers to the engine. Decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hermes_tui.engine.events import QuestionAsked
from hermes_tui.frontends.tui.screens.questions.base import NOTHING, Draft, QuestionDialog, Reply

if TYPE_CHECKING:
    from hermes_tui.frontends.tui.app import HermesApp


class ScreenStage:
    """The `questions.Stage` of the full screen."""

    def __init__(self, app: HermesApp, settle: float) -> None:
        self._app = app
        self._settle = settle
        self._dialog: QuestionDialog | None = None
        self._drafts: dict[str, Draft] = {}
        """What was begun in questions that were put off, by their id."""

    def since_key(self) -> float:
        """Return the seconds since the last key."""
        return self._app.ladder.quiet

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        """Call `act` after a time."""
        self._app.set_timer(seconds, act)

    def show(self, question: QuestionAsked, ended: Callable[[Reply | None], None], wanted: bool) -> None:
        """Open the dialog of this kind of question, with what was begun in it."""
        draft = self._drafts.pop(question.id, NOTHING)
        self._dialog = dialog_of(question)(question, 0.0 if wanted else self._settle, draft)
        self._app.push_screen(self._dialog, ended)

    def place(self, position: int, total: int) -> None:
        """Number the open dialog."""
        if self._dialog is not None:
            self._dialog.place(position, total)

    def keep(self, question: QuestionAsked) -> None:
        """Keep what was begun in the open dialog, for when the question comes back."""
        if self._dialog is not None:
            self._drafts[question.id] = self._dialog.draft()

    def close(self) -> None:
        """Close the open dialog; it is the top-most screen, as nothing opens over a question."""
        if self._dialog is not None and self._dialog.is_current:
            self._dialog.close()

    def answer(self, question: QuestionAsked, reply: Reply) -> None:
        """Tell the engine; what comes too late is said."""
        taken = self._app.hermes.agent.answer(question.id, reply.how, reply.answer, reply.scope)
        if not taken and reply.how == "answered":
            self._app.main.transcript.note("the answer came too late: the call had ended", "warning")

    def waiting(self, count: int) -> None:
        """Say in the status line that questions wait."""
        self._app.main.status.questions = count


def dialog_of(question: QuestionAsked) -> type[QuestionDialog]:
    """Return the dialog for this kind of question; it is loaded when it is first needed."""
    if question.kind == "permission":
        from hermes_tui.frontends.tui.screens.questions.permission import PermissionDialog

        return PermissionDialog
    from hermes_tui.frontends.tui.screens.questions.clarify import ClarifyDialog

    return ClarifyDialog
