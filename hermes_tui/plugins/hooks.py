"""Hooks: the user's own shell commands before and after calls and turns, given the event as JSON on stdin.

`before_call` is asked and may say no: a non-zero exit denies the call with its output as the reason, and so
does one that does not end in time. The others are told, in order, in a thread of their own; nothing waits
for them.
"""

from __future__ import annotations

import json
import os
import queue
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any, Final

from hermes_tui.config.settings import HookSettings
from hermes_tui.engine.errors import HermesError
from hermes_tui.engine.events import CallFinished, Event, TurnFinished, TurnStarted
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.protocols import Pending
from hermes_tui.processes.run import Finished, run
from hermes_tui.text import harmless

SHOWN: Final = 400
"""Characters of a hook's output that are passed on."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where hooks run."""

    folder: Path
    environment: Mapping[str, str]
    notice: Callable[[str, str], None]
    """Tells the user: level, text."""


class ShellHooks:
    """Implements `engine.protocols.Guard`, and takes events."""

    def __init__(self, settings: HookSettings, place: Place) -> None:
        self._settings = settings
        self._place = place
        self._told: queue.SimpleQueue[tuple[Sequence[str], dict[str, Any]] | None] = queue.SimpleQueue()
        self._token = Token()
        if settings.turn_start or settings.turn_end or settings.after_call:
            threading.Thread(target=self._tell, name="hooks", daemon=True).start()

    def check(self, call: Pending) -> str | None:
        """Return why a hook denies the call, or None."""
        event = {"type": "before_call", "id": call.id, "name": call.name, "arguments": dict(call.arguments)}
        for command in self._settings.before_call:
            finished = self._run(command, event)
            if finished.exit_code != 0 or finished.timed_out:
                return f"the hook `{command}` says no: {self._why(finished)}"
        return None

    def event(self, event: Event) -> None:
        """Tell the hooks of an event of the session's own agent; returns at once."""
        if event.agent is not None:
            return
        commands = {
            TurnStarted: self._settings.turn_start,
            TurnFinished: self._settings.turn_end,
            CallFinished: self._settings.after_call,
        }.get(type(event), ())
        if commands:
            self._told.put((commands, event.as_dict()))

    def close(self) -> None:
        """Stop telling; a hook that runs is ended."""
        self._token.force("closed")
        self._told.put(None)

    def _tell(self) -> None:
        while (item := self._told.get()) is not None:
            commands, event = item
            for command in commands:
                try:
                    finished = self._run(command, event)
                except HermesError as error:
                    self._place.notice("warning", f"the hook `{command}` cannot be run: {error}")
                    continue
                if finished.interrupted:
                    return
                if finished.exit_code != 0 or finished.timed_out:
                    self._place.notice("warning", f"the hook `{command}` failed: {self._why(finished)}")

    def _why(self, finished: Finished) -> str:
        """Return in words why a hook did not end well."""
        if finished.timed_out:
            return f"it did not end within {self._settings.timeout:g} s"
        return " ".join(harmless(finished.output).split())[:SHOWN] or f"exit {finished.exit_code}"

    def _run(self, command: str, event: Mapping[str, Any]) -> Finished:
        """Run one command with the event on its standard input."""
        with tempfile.NamedTemporaryFile(
            "w", prefix="hermes-hook-", suffix=".json", encoding="utf-8"
        ) as file:
            json.dump(event, file, ensure_ascii=True, default=str)
            file.flush()
            os.chmod(file.name, 0o600)
            line = f"{{ {command}\n}} < {quote(file.name)}"
            place = self._place
            return run(line, place.folder, place.environment, self._settings.timeout, self._token, _drop)


def _drop(text: str) -> None:
    """Show nothing while it runs."""
