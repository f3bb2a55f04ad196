"""The desk: calls wait here for a person. Each question ends exactly once; only an answer is an answer.

Knows nothing of permissions; `permit.py` words their questions and judges them again.
"""

from __future__ import annotations

import concurrent.futures
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from hermes_tui.engine.events import QuestionAnswered, QuestionAsked
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.outbox import Out

How = Literal["answered", "cancelled", "refused"]

NOBODY: Final = "nobody is there to answer; this is no consent"


@dataclass(frozen=True, slots=True)
class Ask:
    """A question, before it has its number."""

    kind: Literal["clarify", "permission"]
    call: str
    """The id of the call that asks."""
    text: str
    choices: tuple[str, ...] = ()
    multiple: bool = False
    preview: str = ""
    marks: tuple[tuple[int, int], ...] = ()
    details: tuple[str, ...] = ()
    pattern: str = ""
    covered: Callable[[], bool] | None = None
    """Whether an answer given elsewhere has settled it meanwhile."""
    agent: str | None = None
    """The sub-agent whose call it is; None for the session's own."""


@dataclass(frozen=True, slots=True)
class Closing:
    """How a question ended."""

    how: How
    answer: str = ""
    scope: str | None = None
    """For a permission: once, session or always is a yes; None is a no."""
    covered: bool = False
    """An answer to another question settled this one: there is nothing new to remember."""


class _Open:
    """A question that nobody has answered yet."""

    def __init__(self, ask: Ask, token: Token) -> None:
        self.ask = ask
        self.token = token
        self.closing: Future[Closing] = Future()


class Desk:
    """All open questions of a session. Thread-safe."""

    def __init__(self, outbox: Out, unattended: bool = False) -> None:
        self._outbox = outbox
        self._unattended = unattended
        self._lock = threading.RLock()
        self._open: dict[str, _Open] = {}
        self._count = 0
        self._closed = 0
        """Questions of this batch that have ended."""
        self._expected = 0
        """Clarifying questions of this batch that have not been asked yet."""

    @property
    def is_asking(self) -> bool:
        """Whether a person is waited for."""
        return bool(self._open)

    def begin(self, expected: int) -> None:
        """Begin a batch of which `expected` calls will ask the user: they are counted in "1 of 3"."""
        with self._lock:
            self._closed, self._expected = 0, expected

    def ask(self, ask: Ask, token: Token, asked: Callable[[], None]) -> Closing | None:
        """Ask, call `asked`, and wait. None when the token is set already: then nothing is asked.

        `cancelled` when the token is set meanwhile, `refused` when nobody is there.
        """
        with self._lock:
            if token.is_set:
                return None
            self._count += 1
            question_id = f"q{self._count}"
            question = self._open[question_id] = _Open(ask, token)
            if ask.kind == "clarify":
                self._expected = max(0, self._expected - 1)
            position = self._closed + len(self._open)
            self._outbox.put(_event(question_id, ask, position, position + self._expected))
        asked()
        if self._unattended:
            self._close(question_id, Closing("refused", NOBODY))
        waits: list[Future[Any]] = [question.closing, token.future]
        concurrent.futures.wait(waits, return_when=concurrent.futures.FIRST_COMPLETED)
        self._close(question_id, Closing("cancelled"))
        return question.closing.result()

    def answer(self, question_id: str, closing: Closing) -> bool:
        """End a question; False when it has ended already, or when the scope is none of its choices."""
        with self._lock:
            question = self._open.get(question_id)
            if question is None or question.token.is_set:
                return False
            if closing.scope is not None and closing.scope not in question.ask.choices:
                return False
            return self._close(question_id, closing)

    def look_again(self, closing: Closing) -> None:
        """End each open question that the answer given to another one has settled."""
        with self._lock:
            waiting = list(self._open.items())
        for question_id, question in waiting:
            covered = question.ask.covered
            if covered is not None and covered():
                self._close(question_id, replace(closing, covered=True))

    def _close(self, question_id: str, closing: Closing) -> bool:
        with self._lock:
            question = self._open.pop(question_id, None)
            if question is None:
                return False
            self._closed += 1
            self._outbox.put(
                QuestionAnswered(
                    id=question_id,
                    how=closing.how,
                    answer=closing.answer,
                    scope=closing.scope,
                    agent=question.ask.agent,
                )
            )
            question.closing.set_result(closing)
            return True


def _event(question_id: str, ask: Ask, position: int, total: int) -> QuestionAsked:
    return QuestionAsked(
        id=question_id,
        kind=ask.kind,
        call=ask.call,
        text=ask.text,
        choices=list(ask.choices),
        multiple=ask.multiple,
        preview=ask.preview,
        position=position,
        total=total,
        marks=list(ask.marks),
        details=list(ask.details),
        pattern=ask.pattern,
        agent=ask.agent,
    )
