"""What happens, told in lines: one method an event type. The same in a terminal, a pipe and a replay.

Nothing that was written is ever changed. What a call prints is not copied out: a command's last lines are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from hermes_tui.engine import events as ev
from hermes_tui.frontends.plain.answer import Answer
from hermes_tui.frontends.plain.paper import Paper
from hermes_tui.frontends.runs import Batch, Call, Runs, duration
from hermes_tui.text import clip, one_line

LONG: Final = 1.0
"""Seconds a call runs before it is said that it does."""
SILENT: Final = 5.0
"""Seconds without a word from the model before that is said, once a request."""
TAIL: Final = 5
"""Lines of a command's output that are shown when it has ended."""
DIFF: Final = 60
"""Lines of an edit's diff that are shown when nobody was asked about it."""

Later = Callable[[float, Callable[[], None]], object]
"""Calls a function after a number of seconds."""


def never(seconds: float, act: Callable[[], None]) -> None:
    """A `Later` of somebody who has no clock: what is late is never said."""


class Teller:
    """Tells events in their order."""

    def __init__(self, paper: Paper, runs: Runs, later: Later = never) -> None:
        self._paper = paper
        self.runs = runs
        self._later = later
        self._answer = Answer(paper.width)
        self._thinking = False
        self._request = 0
        """How many waits for the model have begun or ended: which one a late look belongs to."""
        self._said: dict[tuple[str | None, int, str], str] = {}
        """The last line of each running call that is known to run."""
        self._printing: set[tuple[str | None, int, str]] = set()
        """Calls that showed live output: commands."""
        self._asked: set[str] = set()
        """Calls whose diff was shown by a question."""
        self._tell: Mapping[type[ev.Event], Callable[[Any], None]] = {
            ev.TurnStarted: self._turn_started,
            ev.TextDelta: self._text_delta,
            ev.ThinkingDelta: self._thinking_delta,
            ev.MessageDone: self._message_done,
            ev.BatchPlanned: self._batch_planned,
            ev.CallWaiting: self._call_waiting,
            ev.CallStarted: self._call_started,
            ev.CallOutput: self._call_output,
            ev.CallFinished: self._call_finished,
            ev.QuestionAsked: self._question_asked,
            ev.CheckpointMade: self._checkpoint_made,
            ev.Heartbeat: self._heartbeat,
            ev.ContextChanged: self._context_changed,
            ev.Notice: self._notice,
            ev.BatchFinished: self._batch_finished,
            ev.TurnFinished: self._turn_finished,
        }

    def take(self, event: ev.Event) -> None:
        """Tell one event; what a sub-agent says is not told, what its calls do is."""
        words = isinstance(event, ev.TextDelta | ev.ThinkingDelta | ev.TurnStarted | ev.TurnFinished)
        tell = self._tell.get(type(event))
        if tell is not None and not (words and event.agent is not None):
            tell(event)

    # -- the model ------------------------------------------------------------------------------------

    def _turn_started(self, event: ev.TurnStarted) -> None:
        self._asked.clear()
        self._await_model()

    def _await_model(self) -> None:
        self._request += 1
        mine = self._request

        def look() -> None:
            if mine == self._request:
                self._paper.line("[waiting for the model; Ctrl-C stops]", "note")

        self._later(SILENT, look)

    def _text_delta(self, event: ev.TextDelta) -> None:
        self._request += 1
        for row in self._answer.feed(event.text):
            self._paper.spans(row)

    def _thinking_delta(self, event: ev.ThinkingDelta) -> None:
        self._request += 1
        if not self._thinking:
            self._thinking = True
            self._paper.line("[thinking]", "note")

    def _message_done(self, event: ev.MessageDone) -> None:
        if event.agent is None:
            self._close_answer()
        self.runs.message(event)

    def _close_answer(self) -> None:
        self._thinking = False
        for row in self._answer.close():
            self._paper.spans(row)

    # -- a batch --------------------------------------------------------------------------------------

    def _batch_planned(self, event: ev.BatchPlanned) -> None:
        self._request += 1
        batch = self.runs.planned(event)
        why = f"; {batch.why}" if len(batch.calls) > 1 else ""
        self._paper.line(f"[{name(batch)}: {batch.mode}{why}]", "note")
        for call in batch.calls.values():
            if call.why:
                self._paper.line(f"  #{call.number} {title(call)}: {call.why}", "note")

    def _call_waiting(self, event: ev.CallWaiting) -> None:
        call = self.runs.waiting(event)
        if call is not None and "your answer" not in call.why:  # the question says so itself
            self._paper.line(f"  {title(call)} ... {call.why}", "note")

    def _call_started(self, event: ev.CallStarted) -> None:
        call = self.runs.started(event)
        if call is None:
            return
        key = (event.agent, event.batch, event.id)

        def look() -> None:
            if not call.over and key not in self._said:
                self._said[key] = call.last_line
                self._paper.line(f"  {title(call)} ... running", "note")

        self._later(LONG, look)

    def _call_output(self, event: ev.CallOutput) -> None:
        self._printing.add((event.agent, event.batch, event.id))
        self.runs.output(event)

    def _heartbeat(self, event: ev.Heartbeat) -> None:
        for batch in self.runs.batches:
            for call in batch.running:
                key = (batch.agent, batch.number, call.id)
                if call.id in event.running and self._said.get(key) != call.last_line:
                    self._said[key] = call.last_line
                    elapsed = duration(call.seconds(event.time) or 0.0)
                    last = f": {one_line(call.last_line, 120)}" if call.last_line else ""
                    self._paper.line(f"  {title(call)} ... {elapsed}{last}", "note")

    def _call_finished(self, event: ev.CallFinished) -> None:
        call = self.runs.finished(event)
        if call is None:
            return
        key = (event.agent, event.batch, event.id)
        self._said.pop(key, None)
        printed = key in self._printing
        self._paper.line(outcome(call, event, printed), "" if event.status == "ok" else "warning")
        if event.id not in self._asked and event.status == "ok" and (diff := unified_diff(event.content)):
            write_diff(self._paper, diff, DIFF)
        elif printed:
            self._printing.discard(key)
            self._show_tail(call)

    def _show_tail(self, call: Call) -> None:
        lines = [line for line in call.text.rstrip().split("\n") if line.strip()]
        if len(lines) > TAIL:
            self._paper.line(f"    | … {len(lines) - TAIL} lines before …", "note")
        for line in lines[-TAIL:]:
            self._paper.line(f"    | {one_line(line, 200)}", "note")

    def _question_asked(self, event: ev.QuestionAsked) -> None:
        if unified_diff(event.preview):
            self._asked.add(event.call)

    def _checkpoint_made(self, event: ev.CheckpointMade) -> None:
        self.runs.checkpoint(event)
        self._paper.line(f"[checkpoint #{event.number}: {one_line(event.label, 120)}]", "note")
        for text in event.not_covered:
            self._paper.line(f"[not covered by it: {one_line(text, 200)}]", "warning")

    def _batch_finished(self, event: ev.BatchFinished) -> None:
        if event.agent is None:
            self._await_model()
        batch = self.runs.batch_finished(event)
        if batch is not None and len(batch.calls) > 1:
            self._paper.line(f"[{name(batch)}: done in {batch.timing(event.time)}]", "note")

    # -- the rest -------------------------------------------------------------------------------------

    def _context_changed(self, event: ev.ContextChanged) -> None:
        if event.compacted:
            self._paper.line("[the conversation was shortened to fit the model's context]", "note")

    def _notice(self, event: ev.Notice) -> None:
        if event.level == ev.STEERED:
            self._paper.line(f"[the model has it: {one_line(event.text, 200)}]", "note")
            return
        self._paper.line(f"[{event.level}: {event.text}]", "note" if event.level == "info" else event.level)

    def _turn_finished(self, event: ev.TurnFinished) -> None:
        self._request += 1
        self._close_answer()
        if event.error:
            level = "warning" if event.reason == "limit" else "error"
            self._paper.line(f"[{level}: {event.error}]", level)


def name(batch: Batch) -> str:
    """Return how a batch is called: "batch 3", for a sub-agent's with the task it belongs to."""
    return f"batch {batch.number}" if batch.agent is None else f"batch {batch.number} of {batch.agent}"


def title(call: Call) -> str:
    """Return a call's name and what it is about."""
    return clip(f"{call.name} {call.main}".rstrip(), 120)


def outcome(call: Call, event: ev.CallFinished, printed: bool) -> str:
    """Return a call's line: "  read_file a.py ... ok 0.1 s, 184 lines". `printed`: its output follows."""
    took = "" if call.started is None else f" {duration(event.seconds)}"
    said = f", {call.display}" if call.display and call.display != event.status else ""
    if event.status in ("failed", "denied") and not printed:
        first = event.content.strip().partition("\n")[0].removeprefix("denied: ")
        said = f": {one_line(first, 300)}"
    return f"  {title(call)} ... {event.status.replace('_', ' ')}{took}{said}"


def unified_diff(content: str) -> str:
    """Return the unified diff that a text holds, from its first file head on; empty if there is none."""
    start = 0 if content.startswith("--- ") else content.find("\n--- ") + 1
    head = content[start:]
    return head if head.startswith("--- ") and "\n+++ " in head and "\n@@ " in head else ""


def write_diff(paper: Paper, diff: str, most: int) -> None:
    """Write a diff, a line each; of a long one its beginning and how much there is."""
    lines = diff.rstrip("\n").split("\n")
    for line in lines[:most]:
        style = {"+": "added", "-": "removed"}.get(line[:1], "")
        paper.line(f"    {line}", style)
    if len(lines) > most:
        paper.line(f"    … {len(lines) - most} more lines …", "note")
