"""The agent: one daemon thread that runs turns, and the few calls by which a front end drives it.

Only the engine thread touches the conversation; everybody else submits, steers, interrupts, answers, or has
a function run between turns. Signals are the front end's business.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TypeVar

from hermes_tui.engine.context import Meter
from hermes_tui.engine.errors import UsageError
from hermes_tui.engine.events import TurnFinished
from hermes_tui.engine.history import History, clean
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.messages import Message, Usage
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


class Agent:
    """Runs turns one after another in its own thread. Every method returns at once."""

    def __init__(self, parts: Parts, options: Options) -> None:
        self._parts = parts
        self._options = options
        self._shared = Shared(options)
        self._history = History(options.messages, parts.record)
        self._meter = Meter()
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
        return self._shared.outbox

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

    @session.setter
    def session(self, session: str) -> None:
        self._options.session = session

    @property
    def provider(self) -> Provider:
        """Who answers the next turn."""
        return self._parts.provider

    @property
    def usage(self) -> Usage | None:
        """Tokens that servers have counted since the program started; None if none did."""
        return self._meter.usage

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
        self._history.messages = [clean(message) for message in messages]

    # -- what a front end does ------------------------------------------------------------------------

    def submit(self, text: str) -> None:
        """Run a turn for a prompt, after those that wait. Wakes a queue that an interrupt paused."""
        with self._news:
            if self._closed:
                return
            self._queue.append(_Prompt(text))
            self._paused = False
            self._promote()

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
        turn = Turn(self._parts, self._options, self._shared, self._history, self._meter)
        with self._news:
            self._turn = turn
        reason, error = turn.run(prompt.text, prompt.token)
        with self._news:
            # from here on a message is a prompt; those that the model never got come first
            self._turn = None
            self._queue.extendleft(_Prompt(text) for text in reversed(turn.close()))
            self._current = None
            self._promote()
        self.events.put(TurnFinished(reason=reason, error=error))

    def _promote(self) -> None:
        """Let the oldest waiting prompt be the next turn."""
        if self._current is None and self._queue and not self._paused and not self._closed:
            self._current = self._queue.popleft()
            self._news.notify()
