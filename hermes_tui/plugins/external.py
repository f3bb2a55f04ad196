"""The session's external memory: a provider in a thread of its own, so that nothing waits for it for long.

A failure is one notice until it works again; it never stops a turn. The provider is opened by its first use.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace
from typing import Any, Final

from hermes_tui.config.settings import MemorySettings
from hermes_tui.engine.errors import HermesError, Interrupted, ToolError
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.judge import one_line
from hermes_tui.engine.recall import SOURCE, MemoryProvider, Remembered
from hermes_tui.redact import redacted

OPENING: Final = 30.0
"""Seconds that the first use may take: a library is imported and files are read."""
ASKED, ANSWERED = 2_000, 4_000
"""Characters of a prompt and of an answer that are kept; a query is as long as a prompt."""
OWN: Final = 10
"""How many more are asked for, as those of the session itself are left out."""


class External:
    """Implements `engine.recall.ExternalMemory`."""

    def __init__(
        self,
        settings: MemorySettings,
        opening: Callable[[], MemoryProvider],
        notice: Callable[[str, str], None],
        patient: bool = False,
    ) -> None:
        """`opening` opens the provider, in the thread; `patient`: a turn ends when it was kept, or not."""
        self._settings = settings
        self._opening = opening
        self._notice = notice
        self._patient = patient
        self._jobs: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._provider: MemoryProvider | None = None
        self._late: Future[Any] | None = None
        """What did not end in time, and may still hold the thread."""
        self._last: Future[Any] | None = None
        self.trouble = ""
        """Why it does not work, as the user was told; empty while it does."""
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def before(self, prompt: str, session: str, token: Token) -> Sequence[Remembered]:
        """Return what other sessions said near to a prompt."""
        if not self._settings.recall or not prompt.strip():
            return ()
        try:
            found = self.search(prompt, self._settings.limit + OWN, token)
        except Interrupted:
            return ()  # the turn sees the token, too
        except ToolError as error:
            self._failed(str(error))
            return ()
        near = [turn for turn in found if turn.session != session and turn.score >= self._settings.least]
        return near[: self._settings.limit]

    def after(self, prompt: str, answer: str, session: str) -> None:
        """Keep a turn that is done, in the thread; a run that ends with the turn has to wait anyway."""
        if not self._settings.store or not (prompt.strip() and answer.strip()):
            return
        asked, answered = _short(redacted(prompt), ASKED), _short(redacted(answer), ANSWERED)
        turn = Remembered(f"Asked: {asked}\nAnswered: {answered}", time.time(), session)
        future = self._start(lambda: self._open().store(turn))
        future.add_done_callback(self._stored)
        if self._patient:
            wait([future], timeout=self._patience)

    def search(self, query: str, limit: int, token: Token) -> Sequence[Remembered]:
        """Return the nearest turns; `ToolError` says why there are none."""
        text = _short(redacted(query), ASKED)
        return [
            replace(turn, text=str(turn.text), score=float(turn.score))
            for turn in self._asked(lambda: list(self._open().recall(text, limit)), token)
        ]

    def close(self) -> None:
        """Wait a little for what is still to be kept, then let go."""
        with self._lock:
            last, thread = self._last, self._thread
        if thread is None:
            return
        if last is not None and not wait([last], timeout=self._patience).done:
            self._notice("warning", f"{SOURCE}: the last turn could not be kept in time")
        self._jobs.put(None)

    @property
    def _patience(self) -> float:
        """Seconds that somebody waits for it."""
        return self._settings.timeout if self._provider is not None else OPENING

    # -- the thread -----------------------------------------------------------------------------------

    def _asked(self, work: Callable[[], list[Remembered]], token: Token) -> list[Remembered]:
        """Return what the thread makes of it; `ToolError` when it fails or takes too long."""
        if self._late is not None and not self._late.done():
            raise ToolError(f"{SOURCE} still does not answer")
        patience = self._patience
        future = self._start(work)
        wait([future, token.future], timeout=patience, return_when=FIRST_COMPLETED)
        if not future.done():
            token.raise_if_set()
            self._late = future
            raise ToolError(f"{SOURCE} did not answer within {patience:g} s")
        try:
            found: list[Remembered] = future.result()
        except Exception as error:  # the provider is foreign code
            raise ToolError(f"{SOURCE} failed: {_why(error)}") from None
        self.trouble = ""
        return found

    def _start(self, work: Callable[[], Any]) -> Future[Any]:
        """Give the thread something to do."""
        future: Future[Any] = Future()
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="external memory", daemon=True)
                self._thread.start()
            self._last = future
            self._jobs.put((work, future))
        return future

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            work, future = job
            try:
                future.set_result(work())
            except (Exception, SystemExit) as error:  # the provider is foreign code
                future.set_exception(error if isinstance(error, Exception) else ToolError("it tried to exit"))
        try:
            if self._provider is not None:
                self._provider.close()
        except Exception as error:  # likewise
            self._failed(_why(error))

    def _open(self) -> MemoryProvider:
        """Return the provider, opened."""
        if self._provider is None:
            self._provider = self._opening()
        return self._provider

    # -- what the user learns -------------------------------------------------------------------------

    def _stored(self, future: Future[Any]) -> None:
        error = future.exception()
        if error is not None:
            self._failed(f"{SOURCE} failed: {_why(error)}")
        else:
            self.trouble = ""

    def _failed(self, text: str) -> None:
        """Tell that it does not work, once until it works again."""
        known, self.trouble = self.trouble, text
        if not known:
            self._notice("warning", f"{text}; turns go on without it")


def _why(error: BaseException) -> str:
    return str(error) if isinstance(error, HermesError) else one_line(error)


def _short(text: str, most: int) -> str:
    """Return a text with its middle left out if it is long."""
    text = text.strip()
    return text if len(text) <= most else f"{text[: most * 2 // 3]} […] {text[-most // 3 :]}"
