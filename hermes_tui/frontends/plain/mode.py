"""Line mode itself: what the engine tells goes to the teller, what is typed to the engine, one question at a
time. Wires and decides nothing; knows neither prompt_toolkit nor whether there is a terminal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Final

from hermes_tui.assemble import Hermes
from hermes_tui.engine import events as ev
from hermes_tui.frontends.headless import EXIT_CODES
from hermes_tui.frontends.offthread import off_thread
from hermes_tui.frontends.plain.asks import Ask, Clarify, Permission, Reply
from hermes_tui.frontends.plain.console import Console
from hermes_tui.frontends.plain.ladder import Ladder
from hermes_tui.frontends.plain.paper import Paper
from hermes_tui.frontends.plain.shell import Shell
from hermes_tui.frontends.plain.tell import Teller
from hermes_tui.frontends.plain.ui import LineUI
from hermes_tui.frontends.receipt import effects, receipt
from hermes_tui.frontends.runs import Runs
from hermes_tui.text import one_line

PROMPT: Final = "you> "
QUIET: Final = 1.0
"""Seconds since the last key before a question is shown to somebody who types."""
SETTLE: Final = 0.5
"""Seconds in which a new question takes no answer from somebody who types."""


class LineMode:
    """One run of line mode, on the loop that made it."""

    def __init__(self, hermes: Hermes, console: Console, colour: bool) -> None:
        self.hermes = hermes
        self.console = console
        self.paper = Paper(console.write, console.width, colour)
        self._loop = asyncio.get_running_loop()
        self.teller = Teller(self.paper, Runs(hermes.folder), self._loop.call_later)
        self.ladder = Ladder(self)
        self.shell = Shell(self)
        self._ui = LineUI(self)
        self.left: asyncio.Future[int] = self._loop.create_future()
        """Done, with the exit code, once the mode is left."""
        self.running = False
        self._work: set[asyncio.Task[None]] = set()
        self._seen: list[str] = []
        """Lines that stand on the page already and may begin a turn."""
        self._turn_began = 0.0
        self._first_batch = 0
        self.asks: list[Ask] = []
        self.ask: Ask | None = None
        """What is asked now: the first of `asks`, once it is shown."""
        self._shown_at = 0.0
        self._done = 0
        self._ended = False
        """No more lines come."""
        self.last_code = 0
        """The exit code that the last turn would have had without a person."""

    # -- what is typed --------------------------------------------------------------------------------

    @property
    def prompt(self) -> str:
        """What stands before the line that is wanted now; empty while none is."""
        if self.left.done():
            return ""
        if self.ask is not None:
            return self.ask.prompt
        return "" if self.running or self._work or self.asks else PROMPT

    @property
    def question_open(self) -> bool:
        """Whether the engine waits for an answer that is asked for now."""
        return isinstance(self.ask, Clarify | Permission)

    @property
    def vi_keys(self) -> bool:
        """Whether the line is edited with vi's keys."""
        return self.hermes.settings.vi_keys

    @property
    def settling(self) -> bool:
        """Whether the question is so new that somebody who types cannot have read it."""
        young = self._loop.time() - self._shown_at < SETTLE
        return self.ask is not None and self.console.interactive and young

    def line(self, text: str) -> None:
        """Take a typed line: an answer while something is asked, else a command or a message."""
        if self.ask is None:
            self.enter(text)
        elif self.settling:
            self.paper.line("that came before the question could be read, and is no answer", "warning")
        else:
            self._answer(self.ask, text)
        self.console.refresh()

    def _answer(self, ask: Ask, text: str) -> None:
        taken = ask.take(text)
        for line in taken.say:
            self.paper.spans(line)
        if taken.over:
            self._drop(ask)

    def enter(self, text: str) -> None:
        """Run a slash command or a `!command`, or send a message; an empty line sends what waits."""
        agent = self.hermes.agent
        if not text.strip():
            if not self.running and agent.queued:
                self._submit(agent.unqueue() or "", seen=False)
        elif text.startswith("!"):
            self.console.remember(text)
            self.start(self.shell.run(text))
        elif self.hermes.commands.is_meant(text):
            self.command(text)
        else:
            self.console.remember(text)
            self._submit(text, seen=not self.running)

    def _submit(self, text: str, seen: bool) -> None:
        if seen:
            self._seen.append(text)
        agent, waits = self.hermes.agent, self.running
        self.running = True
        steers = waits and self.hermes.settings.while_working == "steer"
        agent.steer(text) if steers else agent.submit(text)
        if waits:
            when = "at its next step" if steers else "queued"
            self.paper.line(f"[{when}: {one_line(text, 200)}]", "note")

    def end_of_input(self) -> bool:
        """No more lines come: never an answer. Leave once nothing runs.

        At a terminal it only ends what is asked: True, more may come.
        """
        goes_on = self.console.interactive and self.ask is not None
        self._ended = not goes_on
        if self.ask is not None:
            self._close_unanswered()
        elif not self.prompt:
            self.paper.line("[end of input: leaves when the turn has ended; Ctrl-C stops it]", "note")
        self._leave_at_the_end()
        self.console.refresh()
        return goes_on

    def _leave_at_the_end(self) -> None:
        """With no more lines to come: close what is asked, and leave when nothing is left to do."""
        if self._ended and self.ask is not None:
            self._close_unanswered()
        elif self._ended and self.prompt:
            self.leave()

    def _close_unanswered(self) -> None:
        self.paper.line("[end of input: no answer]", "note")
        self.cancel_ask()

    def other_key(self) -> None:
        """A key was pressed that is not the ladder's."""
        self.ladder.other("")

    def unqueue(self) -> str | None:
        """Take the newest waiting message back."""
        return self.hermes.agent.unqueue()

    def press(self, key: str) -> None:
        """Take a key of the ladder."""
        self.ladder.press(key)
        self.console.refresh()

    def cycle_permission(self) -> None:
        """Go to the next permission mode."""
        self.paper.line(f"[permission: {self.hermes.permissions.cycle()}]", "note")

    def command(self, line: str) -> None:
        """Run a slash command; what it asks is asked in turn."""
        self.console.remember(line)
        self._seen.append(line.strip())
        self.start(self.hermes.commands.run(self.hermes, self._ui, line))

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that takes time; no line is asked for meanwhile."""
        task = self._loop.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._worked)

    def _worked(self, task: asyncio.Task[None]) -> None:
        self._work.discard(task)
        if not (self.running or self.shell.running):
            self.ladder.turn_ended()
        if not task.cancelled() and (error := task.exception()) is not None:
            self._loop.call_exception_handler({"message": "a command broke", "exception": error})
        self._leave_at_the_end()
        self.console.refresh()

    def leave(self, code: int = 0) -> None:
        """End the mode."""
        if not self.left.done():
            self.console.clear_draft()
            self.left.set_result(code)

    # -- what is asked --------------------------------------------------------------------------------

    def asked(self, ask: Ask) -> None:
        """Ask something, after what is asked already."""
        self.asks.append(ask)
        self._show_next()
        self.console.refresh()

    def cancel_ask(self) -> None:
        """End what is asked now without an answer."""
        if (ask := self.ask) is not None:
            ask.cancel()
            self._drop(ask)

    def _show_next(self) -> None:
        if self.ask is not None or not self.asks or self.left.done():
            return
        wait = QUIET - self.console.since_key()
        if wait > 0:
            self._loop.call_later(wait, self._look_again)
            return
        self.ask = self.asks[0]
        self._shown_at = self._loop.time()
        self.console.put_aside()
        for line in self.ask.lines():
            self.paper.spans(line)
        self._leave_at_the_end()

    def _look_again(self) -> None:
        self._show_next()
        self.console.refresh()

    def _drop(self, ask: Ask) -> None:
        self.asks = [other for other in self.asks if other is not ask]
        if isinstance(ask, Clarify | Permission):
            self._done = self._done + 1 if self._questions() else 0
        if self.ask is ask:
            self.ask = None
            self.console.take_back()
        self._show_next()

    def _questions(self) -> list[ev.QuestionAsked]:
        return [ask.question for ask in self.asks if isinstance(ask, Clarify | Permission)]

    def _question_asked(self, event: ev.QuestionAsked) -> None:
        total = max(self._done + len(self._questions()) + 1, event.total)
        position = max(self._done + 1, event.position)
        head = f"Question {position} of {total}" if total > 1 else "Question"

        def end(reply: Reply) -> None:
            taken = self.hermes.agent.answer(event.id, reply.how, reply.answer, reply.scope)
            if not taken and reply.how == "answered":
                self.paper.line("[the answer came too late: the call had ended]", "warning")

        kind = Permission if event.kind == "permission" else Clarify
        self.asked(kind(event, head, end))

    def _question_answered(self, event: ev.QuestionAnswered) -> None:
        for ask in self.asks:
            if isinstance(ask, Clarify | Permission) and ask.question.id == event.id:
                if ask is self.ask:
                    self.paper.line(f"[the question has ended: {event.answer or event.how}]", "note")
                self._drop(ask)

    # -- what the engine tells ------------------------------------------------------------------------

    def take(self, events: list[ev.Event]) -> None:
        """Tell events in their order."""
        for event in events:
            if isinstance(event, ev.TurnStarted) and event.agent is None:
                self._turn_started(event)
            self.teller.take(event)
            match event:
                case ev.QuestionAsked():
                    self._question_asked(event)
                case ev.QuestionAnswered():
                    self._question_answered(event)
                case ev.TurnFinished(agent=None):
                    self._turn_finished(event)
                case _:
                    pass
        self._leave_at_the_end()
        self.console.refresh()

    def _turn_started(self, event: ev.TurnStarted) -> None:
        self.running = True
        self._turn_began = event.time
        self._first_batch = len(self.teller.runs.batches)
        if event.prompt in self._seen:
            self._seen.remove(event.prompt)
        else:
            self.paper.line(f"{PROMPT}{event.prompt}", "strong")

    def _turn_finished(self, event: ev.TurnFinished) -> None:
        self.running = self.hermes.agent.busy
        if not self.running:
            self._seen.clear()
        self.last_code = EXIT_CODES[event.reason]
        self.ladder.turn_ended()
        if event.reason == "interrupted":
            self.start(self._receipt(event.time - self._turn_began))

    async def _receipt(self, seconds: float) -> None:
        """Say what the interrupted turn left, and what waits."""
        batches = self.teller.runs.batches[self._first_batch :]
        found = await off_thread(lambda: effects(batches, self.hermes.checkpoints))
        running = [f"{one.id} {one.command}" for one in self.hermes.background.list() if one.running]
        for text in receipt(seconds, batches, found.files, running):
            self.paper.line(f"[{text}]", "warning")
        if waiting := len(self.hermes.agent.queued):
            count = "1 message waits" if waiting == 1 else f"{waiting} messages wait"
            self.paper.line(f"[{count}; Enter on an empty line sends]", "note")
