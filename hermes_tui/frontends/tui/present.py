"""Puts each event on the screen: one method an event type, found by the type. Decides nothing.

A sub-agent's calls, questions, checkpoints and notices are shown; what it says is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from hermes_tui.engine import events as ev
from hermes_tui.frontends.runs import Batch, Call
from hermes_tui.frontends.tui.questions import Questions
from hermes_tui.frontends.tui.screens.main import MainScreen
from hermes_tui.frontends.tui.widgets.topbar import context_text

OF_ANY_AGENT: Final = (
    ev.BatchPlanned,
    ev.CallWaiting,
    ev.CallStarted,
    ev.CallOutput,
    ev.CallFinished,
    ev.BatchFinished,
    ev.QuestionAsked,
    ev.QuestionAnswered,
    ev.CheckpointMade,
    ev.Notice,
)


@dataclass(frozen=True, slots=True)
class Left:
    """What an interrupted turn leaves."""

    seconds: float
    batches: list[Batch]


class Presenter:
    """Shows events in their order."""

    def __init__(
        self, main: MainScreen, questions: Questions, turn_ended: Callable[[Left | None], None]
    ) -> None:
        """`turn_ended` is told what is left when the turn was interrupted."""
        self._main = main
        self._questions = questions
        self._turn_ended = turn_ended
        self._turn_began = 0.0
        self._first_batch = 0
        self._edits: dict[str, str] = {}
        self._show: dict[type[ev.Event], Callable[[Any], None]] = {
            ev.TurnStarted: self._turn_started,
            ev.TextDelta: self._text_delta,
            ev.ThinkingDelta: self._thinking_delta,
            ev.MessageDone: self._message_done,
            ev.BatchPlanned: self._batch_planned,
            ev.CallWaiting: self._call_waiting,
            ev.CallStarted: self._call_started,
            ev.CallOutput: self._call_output,
            ev.CallFinished: self._call_finished,
            ev.BatchFinished: self._batch_finished,
            ev.QuestionAsked: self._question_asked,
            ev.QuestionAnswered: self._question_answered,
            ev.CheckpointMade: self._checkpoint_made,
            ev.ContextChanged: self._context_changed,
            ev.Notice: self._notice,
            ev.TurnFinished: self._turn_finished,
        }

    def take(self, events: Iterable[ev.Event]) -> None:
        """Show these events; the panel is drawn once for all of them."""
        for event in events:
            show = self._show.get(type(event))
            if show is not None and (event.agent is None or isinstance(event, OF_ANY_AGENT)):
                show(event)
        self._main.panel.changed()

    def _turn_started(self, event: ev.TurnStarted) -> None:
        self._turn_began = event.time
        self._first_batch = len(self._main.runs.batches)
        self._edits = {}
        self._main.status.running = self._main.status.awaiting = True
        self._main.welcome.go()
        self._main.way_back.hide()
        self._main.waiting.delivered(event.prompt)
        if event.prompt.partition(" ")[0] != ev.COMPACT:  # that line stands there
            self._main.transcript.user(event.prompt, follow=False)  # it may have waited: the reader stays

    def _text_delta(self, event: ev.TextDelta) -> None:
        self._main.status.awaiting = False
        self._main.transcript.answer_delta(event.text)

    def _thinking_delta(self, event: ev.ThinkingDelta) -> None:
        self._main.status.awaiting = False
        self._main.transcript.thinking_delta(event.text)

    def _message_done(self, event: ev.MessageDone) -> None:
        self._main.transcript.close_answer()
        self._main.runs.message(event)

    def _batch_planned(self, event: ev.BatchPlanned) -> None:
        self._main.status.awaiting = False
        batch = self._main.runs.planned(event)
        self._main.transcript.begin_batch(batch.number, batch.title)
        for call in batch.calls.values():
            self._row(batch.number, call, "waiting")

    def _row(self, batch: int, call: Call, state: str) -> None:
        self._main.transcript.call(batch, call.id, call.name, call.main, state, display=call.display)

    def _call_waiting(self, event: ev.CallWaiting) -> None:
        self._main.runs.waiting(event)

    def _call_started(self, event: ev.CallStarted) -> None:
        if call := self._main.runs.started(event):
            self._row(event.batch, call, call.state)

    def _call_output(self, event: ev.CallOutput) -> None:
        self._main.runs.output(event)

    def _call_finished(self, event: ev.CallFinished) -> None:
        call = self._main.runs.finished(event)
        if call is None:
            return
        self._main.transcript.call(
            event.batch, call.id, call.name, call.main, call.state, display=call.display, detail=call.text
        )
        asked = self._edits.pop(event.id, "")
        if event.status == "ok" and (diff := unified_diff(event.content) or asked):
            self._main.transcript.diff(call.id, diff)

    def _batch_finished(self, event: ev.BatchFinished) -> None:
        self._main.status.awaiting = event.agent is None
        if batch := self._main.runs.batch_finished(event):
            self._main.transcript.begin_batch(batch.number, batch.title)

    def _question_asked(self, event: ev.QuestionAsked) -> None:
        self._edits[event.call] = unified_diff(event.preview)
        self._questions.asked(event)

    def _question_answered(self, event: ev.QuestionAnswered) -> None:
        self._questions.answered(event)

    def _checkpoint_made(self, event: ev.CheckpointMade) -> None:
        self._main.runs.checkpoint(event)

    def _context_changed(self, event: ev.ContextChanged) -> None:
        self._main.topbar.context = context_text(event.tokens, event.limit, event.cost)
        self._main.status.context = context_text(event.tokens, event.limit, None).partition(" of")[0]

    def _notice(self, event: ev.Notice) -> None:
        if event.level == ev.STEERED:
            self._main.waiting.delivered(event.text)
            self._main.transcript.user(event.text, follow=False)
        else:
            self._main.transcript.note(event.text, event.level)

    def _turn_finished(self, event: ev.TurnFinished) -> None:
        main = self._main
        main.transcript.close_answer()
        main.status.running = main.status.awaiting = False
        main.waiting.turn_ended()
        if event.error:
            main.transcript.note(event.error, "warning" if event.reason == "limit" else "error")
        left = None
        if event.reason == "interrupted":
            left = Left(event.time - self._turn_began, main.runs.batches[self._first_batch :])
        self._turn_ended(left)


def unified_diff(content: str) -> str:
    """Return the unified diff that a result holds, from its first file head on; empty if there is none."""
    start = 0 if content.startswith("--- ") else content.find("\n--- ") + 1
    head = content[start:]
    if head.startswith("--- ") and "\n+++ " in head and "\n@@ " in head:
        return head
    return ""
