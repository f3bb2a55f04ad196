"""Sessions for tests: a real file, a real writer, and the events of an engine that says what it is told."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from hermes_tui.engine import events as ev
from hermes_tui.engine.messages import Message, ToolCall
from hermes_tui.sessions.current import CurrentSession

PATIENCE = 20.0


def until(condition: Callable[[], Any], seconds: float = PATIENCE) -> None:
    """Return when the condition holds; fail when it does not in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.002)


@dataclass
class Desk:
    """One program that writes sessions in a folder."""

    home: Path
    project: Path = Path("/project")
    notices: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.path = self.home / "data" / "sessions.db"
        self.current = CurrentSession(
            self.path, (self.project, self.project), lambda *notice: self.notices.append(notice)
        )

    @property
    def recorder(self) -> Any:
        return self.current.recorder

    def begin(self, prompt: str) -> None:
        """A turn begins."""
        self.recorder.event(ev.TurnStarted(prompt=prompt, session=self.current.id, model="m-1"))
        self.recorder.message(Message("user", prompt))

    def answer(self, text: str, *calls: ToolCall, reasoning: str = "") -> None:
        """The model's answer is complete."""
        message = Message("assistant", text, calls, reasoning=reasoning)
        self.recorder.message(message)
        body = {"role": "assistant", "content": text, "calls": [asdict(c) for c in calls], "reasoning": ""}
        self.recorder.event(ev.MessageDone(message=body))

    def plan(self, *ids: str, batch: int = 1) -> None:
        """A batch is planned."""
        rows = [{"id": i, "index": n, "name": "read", "after": [], "reason": ""} for n, i in enumerate(ids)]
        plan = {"schedule": "batch", "parallel": False, "reason": "one call", "calls": rows}
        self.recorder.event(ev.BatchPlanned(batch=batch, plan=plan))

    def start(self, call_id: str, batch: int = 1) -> None:
        """A call starts."""
        self.recorder.event(ev.CallStarted(batch=batch, id=call_id, name="read", arguments={"path": "a"}))

    def finish(self, call_id: str, content: str, batch: int = 1) -> None:
        """A call ends."""
        self.recorder.event(
            ev.CallFinished(
                batch=batch, id=call_id, status="ok", content=content, display="1 line", seconds=0.1
            )
        )

    def end(self, reason: str = "done") -> None:
        """The turn ends."""
        self.recorder.event(ev.TurnFinished(reason=reason, error=None))

    def talk(self, prompt: str, answer: str) -> None:
        """One whole turn."""
        self.begin(prompt)
        self.answer(answer)
        self.end()

    def close(self) -> None:
        """Leave, with everything saved."""
        assert self.current.close(PATIENCE)

    def vanish(self) -> None:
        """End as a crash does: nothing is released, what is committed stays."""
        self.current.flush()
        with connection(self.path) as file:
            file.execute("UPDATE sessions SET owner = 'here 1 0.0' WHERE id = ?", (self.current.id,))
            file.commit()


@contextmanager
def connection(path: Path) -> Iterator[sqlite3.Connection]:
    """Give a connection of a stranger."""
    with closing(sqlite3.connect(path, timeout=PATIENCE)) as file:
        yield file


def check(path: Path) -> str:
    """What SQLite says of the file."""
    with connection(path) as file:
        return str(file.execute("PRAGMA integrity_check").fetchone()[0])


def rows(path: Path, query: str, *values: Any) -> list[tuple[Any, ...]]:
    """What a query finds in the file."""
    with connection(path) as file:
        return list(file.execute(query, values))


def call(call_id: str, **arguments: Any) -> ToolCall:
    """A call of a tool called read."""
    import json

    return ToolCall(call_id, "read", json.dumps(arguments or {"path": "a"}))
