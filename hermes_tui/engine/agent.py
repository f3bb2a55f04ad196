"""The agent: one daemon thread that runs turns, and the few calls by which a front end drives it.

Only the engine thread touches the conversation; everybody else submits, steers, interrupts, answers, or has
a function run between turns. Signals are the front end's business.
"""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TypeVar

from hermes_tui.engine.context import Meter
from hermes_tui.engine.errors import UsageError
from hermes_tui.engine.events import COMPACT, TurnFinished
from hermes_tui.engine.history import History, prompt_of
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.messages import Message, ToolCall, Usage
from hermes_tui.engine.outbox import Outbox
from hermes_tui.engine.parts import Options, Parts
from hermes_tui.engine.plan import SCHEDULES
from hermes_tui.engine.protocols import Provider
from hermes_tui.engine.questions import Closing, How
from hermes_tui.engine.shared import Shared
from hermes_tui.engine.turn import Turn

T = TypeVar("T")


@dataclass(slots=True)
class _Prompt:
    text: str
    token: Token = field(default_factory=Token)
    focus: str | None = None
    """None for a prompt; else the conversation is to be compacted, with this in mind."""
    again: ToolCall | None = None
    """A call that the user wants to see once more, instead of a prompt."""


class Agent:
    """Runs turns one after another in its own thread. Every method returns at once."""

    def __init__(self, parts: Parts, options: Options) -> None:
        self._parts = parts
        self._options = options
        self._outbox = Outbox(parts.recorder.event)
        self._shared = Shared(options, self._outbox)
        self._history = History(options.messages, parts.recorder)
        self._news = threading.Condition()
        self._queue: deque[_Prompt] = deque()
        self._jobs: deque[Callable[[], None]] = deque()
        self._current: _Prompt | None = None
        """The prompt whose turn runs, or runs next for certain."""
        self._turn: Turn | None = None
        self._paused = False
        self._closed = False
        threading.Thread(target=self._loop, name="engine", daemon=True).start()

    # -- what a front end sees ------------------------------------------------------------------------

    @property
    def events(self) -> Outbox:
        """Everything that happens; one listener drains it."""
        return self._outbox

    @property
    def busy(self) -> bool:
        """Whether a turn runs, or is about to."""
        return self._current is not None

    @property
    def queued(self) -> list[str]:
        """The prompts that wait for their turn, oldest first."""
        with self._news:
            return [prompt.text for prompt in self._queue]

    @property
    def session(self) -> str:
        """The session's id."""
        return self._options.session

    @property
    def provider(self) -> Provider:
        """Who answers the next turn."""
        return self._parts.provider

    @property
    def usage(self) -> Usage | None:
        """Tokens that servers have counted since the session began; None if none did."""
        return self._shared.meter.usage

    @property
    def meter(self) -> Meter:
        """What the session and its turns have used and cost."""
        return self._shared.meter

    @property
    def schedule(self) -> str:
        """How batches are scheduled, from the next one on."""
        return self._options.schedule

    @schedule.setter
    def schedule(self, schedule: str) -> None:
        if schedule not in SCHEDULES:
            raise UsageError(f"no schedule {schedule!r}; there are {', '.join(SCHEDULES)}")
        self._options.schedule = schedule

    @property
    def messages(self) -> Sequence[Message]:
        """The conversation. For the engine thread: read and replace it inside `do`."""
        return self._history.messages

    @messages.setter
    def messages(self, messages: Sequence[Message]) -> None:
        self._history.replace(messages)

    def take_up(self, session: str, messages: Sequence[Message], batches: int) -> None:
        """Go on with another session, which had so many batches. For the engine thread: inside `do`."""
        self._options.session = session
        self._shared.batches = itertools.count(batches + 1)
        self._history.take_up(messages)
        self._shared.meter = Meter()

    def prompt_of(self, call: str) -> str | None:
        """Return the prompt whose turn made a call; None when it is gone. For any thread."""
        messages = [*self._history.messages]
        position = prompt_of(messages, call)
        return None if position is None else messages[position].content

    def cut_back(self, call: str) -> list[Message]:
        """Cut the conversation back to before the prompt whose turn made a call; return what went.

        For the engine thread: inside `do`. Nothing goes when that prompt has left the conversation.
        """
        position = prompt_of(self._history.messages, call)
        if position is None:
            return []
        gone = self._history.messages[position:]
        self._history.cut(position)
        return gone

    # -- what a front end does ------------------------------------------------------------------------

    def submit(self, text: str) -> None:
        """Run a turn for a prompt, after those that wait. Wakes a queue that an interrupt paused."""
        self._enqueue(_Prompt(text))

    def compact(self, focus: str = "") -> None:
        """Compact the conversation, after the prompts that wait; a turn of its own that can be interrupted.

        `focus` is what the user wishes the summary to keep.
        """
        self._enqueue(_Prompt(f"{COMPACT} {focus}".rstrip(), focus=focus))

    def again(self, call: ToolCall) -> None:
        """Run a call that only reads once more, for the user alone; after the prompts that wait.

        A turn of its own, of which the model learns nothing; `call` has an id that no other call has.
        """
        self._enqueue(_Prompt(f"/again {call.name}", again=call))

    def unqueue(self) -> str | None:
        """Take the newest waiting prompt back; None if none waits."""
        with self._news:
            return self._queue.pop().text if self._queue else None

    def steer(self, text: str) -> None:
        """Give the model a message at the next batch boundary; idle, it is a prompt like any other.

        What of the current batch has not started is not run, and its results say so.
        """
        with self._news:
            if self._turn is None or not self._turn.steer(text):
                self.submit(text)

    def interrupt(self, call_id: str | None = None, force: bool = False) -> bool:
        """Stop the turn, or one call of it alone; `force` kills now. False when there is nothing to stop.

        Prompts that wait stay queued, but are not sent before the next `submit`.
        """
        with self._news:
            current, turn = self._current, self._turn
            if call_id is None:
                self._paused = self._paused or current is not None
        if current is None:
            return False
        if call_id is not None:
            return turn is not None and turn.stop(call_id, force)
        if force:
            current.token.force()
        else:
            current.token.set()
        return True

    def answer(self, question_id: str, how: How, answer: str = "", scope: str | None = None) -> bool:
        """End a question; False when it has ended already. A permission is given by its `scope` alone."""
        return self._shared.desk.answer(question_id, Closing(how, answer, scope))

    def set_provider(self, provider: Provider, context: int | None = None) -> None:
        """Let another provider answer, from the next turn on; `context`: the tokens its model holds."""
        self._parts.provider = provider
        self._options.context = context

    def tell(self, note: str) -> None:
        """Let the model know something that the user did himself, with the next request."""
        self._shared.notes.put(note)

    def do(self, function: Callable[[], T]) -> Future[T]:
        """Run a function in the engine thread, between turns and before prompts that wait."""
        future: Future[T] = Future()

        def job() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(function())
                except Exception as error:  # it belongs to whoever waits for the future
                    future.set_exception(error)

        with self._news:
            if self._closed:
                future.cancel()
            else:
                self._jobs.append(job)
                self._news.notify()
        return future

    def close(self) -> None:
        """Stop everything now and take nothing more; waits for nobody."""
        with self._news:
            self._closed = True
            self._queue.clear()
            current = self._current
            self._news.notify()
        if current is not None:
            current.token.force("closed")
        self._parts.provider.close()

    # -- the engine thread ----------------------------------------------------------------------------

    def _loop(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._jobs or self._current or self._closed)
                job = self._jobs.popleft() if self._jobs else None
                prompt = self._current
            if job is not None:
                job()
            elif prompt is not None:
                self._run(prompt)
            else:
                return

    def _run(self, prompt: _Prompt) -> None:
        turn = Turn(self._parts, self._options, self._shared, self._history, self._shared.meter)
        with self._news:
            self._turn = turn
        self._shared.meter.begin_turn()
        if prompt.again is not None:
            reason, error = turn.again(prompt.again, prompt.token)
        elif prompt.focus is not None:
            reason, error = turn.compact(prompt.focus, prompt.token)
        else:
            reason, error = turn.run(prompt.text, prompt.token)
        with self._news:
            # from here on a message is a prompt; those that the model never got come first
            self._turn = None
            self._queue.extendleft(_Prompt(text) for text in reversed(turn.close()))
            self._current = None
            self._promote()
        self.events.put(TurnFinished(reason=reason, error=error))

    def _enqueue(self, prompt: _Prompt) -> None:
        with self._news:
            if self._closed:
                return
            self._queue.append(prompt)
            self._paused = False
            self._promote()

    def _promote(self) -> None:
        """Let the oldest waiting prompt be the next turn."""
        if self._current is None and self._queue and not self._paused and not self._closed:
            self._current = self._queue.popleft()
            self._news.notify()
