"""A stored session of any length, as a run would have left it."""

from __future__ import annotations

from pathlib import Path

from hermes_tui.engine import events as ev
from hermes_tui.engine.messages import Message
from hermes_tui.sessions.current import CurrentSession


def store(home: Path, project: Path, turns: list[tuple[str, str]]) -> None:
    """Store one session of these prompts and answers; `home` is what HERMES_TUI_HOME will be."""
    session = CurrentSession(home / "data" / "sessions.db", (project, project), print)
    for number, (prompt, answer) in enumerate(turns):
        begun = ev.TurnStarted(prompt=prompt, session=session.id, model="m", time=1.0 + number)
        session.recorder.event(begun)
        session.recorder.message(Message("user", prompt))
        session.recorder.message(Message("assistant", answer))
        session.recorder.event(ev.MessageDone(message={"role": "assistant", "content": answer, "calls": []}))
        session.recorder.event(ev.TurnFinished(reason="done", error=None))
    session.flush()
    assert session.close(60)
