"""The queue of questions: one dialog at a time, never under the fingers of somebody who types.

Knows no widget: it asks its `Stage` to show and close dialogs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from hermes_tui.engine.events import QuestionAnswered, QuestionAsked
from hermes_tui.frontends.tui.screens.questions.base import CANCELLED, Reply

QUIET: Final = 1.0
"""Seconds since the last key before a dialog may open."""
SETTLE: Final = 0.5
"""Seconds in which a new dialog takes no key."""


class Stage(Protocol):
    """Where questions are shown."""

    def since_key(self) -> float:
        """Return the seconds since the last key."""

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        """Call `act` after a time, on the screen's loop."""

    def show(self, question: QuestionAsked, ended: Callable[[Reply | None], None], wanted: bool) -> None:
        """Open the dialog; `ended` is called once, with None when it was closed without a reply.

        `wanted`: the user asked for it, so that its keys count at once.
        """

    def place(self, position: int, total: int) -> None:
        """Say in the open dialog which question of how many it is."""

    def keep(self, question: QuestionAsked) -> None:
        """Keep what was begun in the open dialog, for when it is shown again."""

    def close(self) -> None:
        """Close the open dialog."""

    def answer(self, question: QuestionAsked, reply: Reply) -> None:
        """Tell the engine."""

    def waiting(self, count: int) -> None:
        """Say that so many questions wait and none is shown."""


class Questions:
    """Open questions, oldest first."""

    def __init__(self, stage: Stage, quiet: float = QUIET) -> None:
        self._stage = stage
        self._quiet = quiet
        self._open: list[QuestionAsked] = []
        self._series: list[str] = []
        """The ids of all questions since none was open: what "2 of 3" counts."""
        self._put_off: set[str] = set()
        self._shown: QuestionAsked | None = None
        self._due = False

    @property
    def shown(self) -> QuestionAsked | None:
        """The question whose dialog is open."""
        return self._shown

    @property
    def count(self) -> int:
        """How many are open, the shown one too."""
        return len(self._open)

    def asked(self, event: QuestionAsked) -> None:
        """Take a question."""
        self._open.append(event)
        self._series.append(event.id)
        self._next()

    def answered(self, event: QuestionAnswered) -> None:
        """A question has ended, by our answer or elsewhere."""
        self._drop(event.id)
        if self._shown is not None and self._shown.id == event.id:
            self._stage.close()
        self._next()

    def cancel(self) -> None:
        """End the shown question without an answer."""
        if (question := self._shown) is not None:
            self._end(question, CANCELLED)
            self._stage.close()

    def put_off(self) -> None:
        """Close the shown question for now: the next one is shown, this one when the user comes back."""
        if (question := self._shown) is not None:
            self._put_off.add(question.id)
            self._stage.keep(question)
            self._stage.close()

    def come_back(self) -> None:
        """Show the oldest open question, put off or not."""
        self._put_off.clear()
        if self._shown is None and self._open:
            self._show(self._open[0], wanted=True)

    def _next(self) -> None:
        if not self._open:
            self._series.clear()
            self._put_off.clear()
        if self._shown is not None:
            if self._shown in self._open:  # else it has ended, and its dialog is closing
                self._place(self._shown)
            return
        due = next((question for question in self._open if question.id not in self._put_off), None)
        wait = self._quiet - self._stage.since_key()
        if due is None or self._due or wait > 0:
            self._stage.waiting(len(self._open))
        if due is None or self._due:
            return
        if wait > 0:
            self._due = True
            self._stage.later(wait, self._look_again)
        else:
            self._show(due)

    def _look_again(self) -> None:
        self._due = False
        self._next()

    def _show(self, question: QuestionAsked, wanted: bool = False) -> None:
        self._shown = question
        self._stage.waiting(0)
        self._stage.show(question, lambda reply: self._ended(question, reply), wanted)
        self._place(question)

    def _place(self, question: QuestionAsked) -> None:
        """Say "1 of 3": the engine knows how many its batch will still ask, we know which are open."""
        total = max([len(self._series), *(other.total for other in self._open)])
        self._stage.place(max(self._series.index(question.id) + 1, question.position), total)

    def _ended(self, question: QuestionAsked, reply: Reply | None) -> None:
        if self._shown is question:
            self._shown = None
        if reply is not None:
            self._end(question, reply)
        self._next()

    def _end(self, question: QuestionAsked, reply: Reply) -> None:
        self._drop(question.id)
        self._stage.answer(question, reply)

    def _drop(self, question_id: str) -> None:
        self._open = [question for question in self._open if question.id != question_id]
