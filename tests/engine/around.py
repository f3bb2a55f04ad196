"""The parts around the engine, small and real: a disk, a journal, a person, a scripted model."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hermes_tui.engine.footprint import Footprint
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.messages import Message, ToolCall, Usage
from hermes_tui.engine.protocols import ABSENT, Answer, Pending, Request, Sink, Verdict


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class RealDisk:
    """Replaces files by rename."""

    def hash(self, path: Path) -> str:
        return sha(path.read_bytes()) if path.exists() else ABSENT

    @contextmanager
    def stage(self, path: Path, data: bytes | None, mode: int | None = None) -> Iterator[Callable[[], None]]:
        staged = path.with_name(f".{path.name}.{threading.get_ident()}")
        if data is not None:
            staged.write_bytes(data)

        def commit() -> None:
            if data is None:
                path.unlink()
            else:
                staged.replace(path)

        try:
            yield commit
        finally:
            staged.unlink(missing_ok=True)


class Journal:
    """Checkpoints that remember what was asked of them, in order; `meanwhile` runs before each change."""

    def __init__(
        self, log: list[str] | None = None, meanwhile: Callable[[Path], None] = lambda path: None
    ) -> None:
        self.log = [] if log is None else log
        self.made = 0
        self.calls: list[str] = []
        self._meanwhile = meanwhile

    def open(self, label: str, call: str) -> _Checkpoint | None:
        self.made += 1
        self.calls.append(call)
        self.log.append(f"open {self.made}: {label}")
        return _Checkpoint(self.made, self.log, self._meanwhile)

    def uncovered(self, footprint: Footprint) -> Sequence[str]:
        return ()


class NoGit:
    """Checkpoints that cannot be made."""

    def open(self, label: str, call: str) -> _Checkpoint | None:
        return None

    def uncovered(self, footprint: Footprint) -> Sequence[str]:
        return ("rollback is off here",)


class _Checkpoint:
    def __init__(self, number: int, log: list[str], meanwhile: Callable[[Path], None]) -> None:
        self._number = number
        self.left_out: list[str] = []
        self._meanwhile = meanwhile
        self._log = log

    @property
    def number(self) -> int:
        return self._number

    @contextmanager
    def change(self, path: Path, after: bytes | None) -> Iterator[None]:
        self._log.append(f"intent {self._number}: {path.name}")
        self._meanwhile(path)
        try:
            yield
        except BaseException:
            self._log.append(f"void {self._number}: {path.name}")
            raise
        self._log.append(f"done {self._number}: {path.name}")

    @contextmanager
    def scanned(self, call_id: str, footprint: Footprint) -> Iterator[None]:
        self._log.append(f"scan {self._number}: {call_id}")
        yield
        self._log.append(f"scanned {self._number}: {call_id}")

    def written(self, call_id: str) -> int:
        return 0

    def not_covered(self) -> Sequence[str]:
        return self.left_out

    def close(self) -> int:
        self._log.append(f"close {self._number}")
        return 0


class Person:
    """Permissions: asks about the tools named in `ask`, denies those in `deny`, and learns."""

    def __init__(self, ask: Sequence[str] = (), deny: Sequence[str] = ()) -> None:
        self._ask = ask
        self._deny = deny
        self.learned: list[tuple[str, str]] = []

    def judge(self, call: Pending) -> Verdict:
        if call.name in self._deny:
            return Verdict("deny", (f"{call.name} is forbidden; allow it with --permission all",))
        if call.name in self._ask and call.name not in [name for name, _ in self.learned]:
            return Verdict("ask", (f"{call.name} has an effect",), call.footprint.subjects, f"{call.name}(*)")
        return Verdict("allow")

    def learn(self, call: Pending, verdict: Verdict, scope: str) -> None:
        self.learned.append((call.name, scope))


Say = str | Message | Exception | Callable[[Request, Sink, Token], Answer]


class Script:
    """A model that says what it was told to, and keeps every request."""

    def __init__(self, *lines: Say) -> None:
        self.lines = list(lines)
        self.requests: list[Request] = []
        self.usage: Usage | None = None
        self.closed = False

    @property
    def model(self) -> str:
        return "script"

    def answer(self, request: Request, sink: Sink, token: Token) -> Answer:
        self.requests.append(request)
        line = self.lines.pop(0) if self.lines else "the end"
        if isinstance(line, Exception):
            raise line
        if callable(line):
            return line(request, sink, token)
        message = Message("assistant", line) if isinstance(line, str) else line
        if message.content:
            sink.text(message.content)
        return Answer(message, self.usage)

    def close(self) -> None:
        self.closed = True


def calls(*each: tuple[str, Any]) -> Message:
    """An answer that asks for a batch: (name, arguments as an object or as raw text)."""
    made = [
        ToolCall(f"c{number}", name, raw if isinstance(raw, str) else json.dumps(raw))
        for number, (name, raw) in enumerate(each, 1)
    ]
    return Message("assistant", "", tuple(made))
