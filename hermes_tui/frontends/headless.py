"""One prompt without a screen: events in, text or JSON out, an exit code. Loads no screen library.

stdout holds the answer alone; stderr is narration. The last line of stream-json is turn_finished, after
an interrupt too.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from hermes_tui.assemble import Hermes
from hermes_tui.engine.events import (
    BatchPlanned,
    CallFinished,
    CheckpointMade,
    Event,
    MessageDone,
    Notice,
    TurnFinished,
    TurnStarted,
)
from hermes_tui.frontends.jsonline import json_line
from hermes_tui.frontends.signals import signals
from hermes_tui.text import harmless

EXIT_CODES = {"done": 0, "error": 1, "limit": 1, "interrupted": 130}


@dataclass(slots=True)
class Record:
    """What `--output json` prints at the end."""

    session: str = ""
    reason: str = "error"
    text: str = ""
    error: str | None = None
    calls: list[dict[str, Any]] = field(default_factory=list)
    """In call order, batch after batch."""
    checkpoints: list[int] = field(default_factory=list)
    batch: list[dict[str, Any]] = field(default_factory=list)
    """Those of the batch that runs."""

    def take(self, event: Event) -> None:
        """Fold one event in; a sub-agent's are its call's business."""
        if event.agent is not None:
            return
        match event:
            case TurnStarted():
                self.session = event.session
            case MessageDone():
                self.text = str(event.message["content"] or "")
            case BatchPlanned():
                self.batch = [{"id": call["id"], "name": call["name"]} for call in event.plan["calls"]]
                self.calls += self.batch
            case CallFinished():
                ended = next(call for call in self.batch if call["id"] == event.id)
                ended.update(status=event.status, seconds=round(event.seconds, 3))
            case CheckpointMade():
                self.checkpoints.append(event.number)
            case TurnFinished():
                self.reason, self.error = event.reason, event.error
            case _:
                pass


class Printer:
    """Writes one of the three outputs."""

    def __init__(self, form: str, out: BinaryIO) -> None:
        self._form = form
        self._out = out
        self.record = Record()

    def take(self, event: Event) -> None:
        """Show one event as it happens: a line of stream-json, or narration on stderr."""
        self.record.take(event)
        if self._form == "stream-json":
            self._write(json_line(event.as_dict()))
        elif line := narration(event):
            narrate(line)

    def end(self, usage: dict[str, int] | None, seconds: float) -> None:
        """Write what stands at the end: the last message, or the one object."""
        record = self.record
        if self._form == "text" and record.text:
            self._write(harmless(record.text).rstrip("\n"))
        if self._form == "json":
            keys = ("session", "reason", "text", "error", "calls", "checkpoints")
            body: dict[str, Any] = {key: getattr(record, key) for key in keys}
            self._write(json_line({**body, "usage": usage, "seconds": round(seconds, 3)}))
        if record.error and self._form != "stream-json":
            narrate(record.error)

    def _write(self, line: str) -> None:
        self._out.write(line.encode("utf-8", "replace") + b"\n")
        self._out.flush()


def narrate(line: str) -> None:
    """Print a line on stderr; when nobody reads it any more, the turn goes on without."""
    try:
        print(harmless(line), file=sys.stderr, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def narration(event: Event) -> str:
    """Return one line for stderr, or nothing."""
    match event:
        case BatchPlanned():
            how = "side by side" if event.plan["parallel"] else "one after another"
            count = len(event.plan["calls"])
            return f"[batch {event.batch}: {count} call{'s' * (count != 1)} {how}; {event.plan['reason']}]"
        case CallFinished() if event.status != "ok":
            first = event.content.strip().partition("\n")[0]
            return f"[{event.id}: {event.status}: {first}]"
        case CheckpointMade():
            left_out = f"; not covered: {', '.join(event.not_covered)}" if event.not_covered else ""
            return f"[checkpoint #{event.number}: {event.label}{left_out}]"
        case Notice():
            return f"[{event.level}: {event.text}]"
        case _:
            return ""


def run_headless(hermes: Hermes, prompt: str, form: str) -> int:
    """Run one turn and return the exit code of design.md 3.1."""
    printer = Printer(form, sys.stdout.buffer)
    woken = threading.Event()
    agent = hermes.agent
    agent.events.listen(woken.set)
    presses = 0

    def stop(number: signal.Signals) -> None:
        nonlocal presses
        presses += 1
        agent.interrupt(force=presses > 1 or number is not signal.SIGINT)

    started = time.monotonic()
    with signals((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), stop):
        agent.submit(prompt)
        try:
            finished = False
            while not finished:
                woken.wait()
                woken.clear()
                for event in agent.events.drain():
                    printer.take(event)
                    finished = isinstance(event, TurnFinished)
            usage = agent.usage
            total = {"input": usage.input, "output": usage.output} if usage else None
            printer.end(total, time.monotonic() - started)
        except BrokenPipeError:
            # whoever read us has gone: stop the turn, and keep the interpreter from flushing into the void
            agent.interrupt(force=True)
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_CODES[printer.record.reason]
