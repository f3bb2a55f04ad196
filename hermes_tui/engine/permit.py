"""The first two layers of dispatch: what plugins and permissions say of a call, and the question if they ask.

Fail closed: a guard that breaks denies, a question without an answer is no consent, and a footprint that
changed while a person was asked is judged anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Final

from hermes_tui.engine.callstate import CallState, Outcome
from hermes_tui.engine.footprint import Footprint
from hermes_tui.engine.judge import declare, one_line
from hermes_tui.engine.parts import Options, Parts
from hermes_tui.engine.protocols import Pending, Tool, Verdict
from hermes_tui.engine.questions import Ask
from hermes_tui.engine.reasons import leading, shown
from hermes_tui.engine.shared import Shared

NO_ANSWER: Final = "the question was closed without an answer: this is no consent, and nothing was run"

Aside = Callable[[CallState], AbstractContextManager[Callable[[], None]]]
"""While a call waits for a person: it holds no slot and its clock stands still (`Running.aside`)."""

Skip = Callable[[CallState], None]
"""Keeps the later calls of its batch from starting."""


class Permit:
    """Clears calls, each in its own thread."""

    def __init__(self, parts: Parts, options: Options, shared: Shared) -> None:
        self._parts = parts
        self._options = options
        self._desk = shared.desk
        self._agent = shared.agent
        self._foreign = shared.foreign

    def clear(self, state: CallState, tool: Tool, aside: Aside, skip: Skip) -> Footprint | Outcome:
        """Return what the call may touch, computed now, or its outcome when it may not run.

        Raises `ToolError` when the call turns out to be impossible.
        """
        granted: Footprint | None = None
        while True:
            pending = self._pending(state, tool)
            if pending.footprint == granted:
                return granted
            denial = self._guards(pending)
            if denial is not None:
                return denied(denial)
            verdict = self._parts.permissions.judge(pending)
            if verdict.decision == "allow":
                return pending.footprint
            if verdict.decision == "deny":
                return denied("; ".join(verdict.why) or "the permissions forbid it")
            if self._options.unattended is not None:
                why = (*verdict.why, *self._losses(pending), self._options.unattended(verdict.mode))
                return denied("; ".join(why))
            ended = self._ask(state, pending, verdict, aside)
            if ended is not None:
                if ended.status == "cancelled":
                    skip(state)
                return ended
            granted = pending.footprint

    def _pending(self, state: CallState, tool: Tool) -> Pending:
        arguments = state.planned.judged.arguments or {}
        footprint = declare(tool, arguments, self._options.folder)
        return Pending(state.call.id, state.planned.judged.name, arguments, footprint, state.call.written)

    def _guards(self, pending: Pending) -> str | None:
        for guard in self._parts.guards:
            try:
                denial = guard.check(pending)
            except Exception as error:
                return f"a plugin's guard broke, and that counts as no: {one_line(error)}"
            if denial is not None:
                return denial
        return None

    def _ask(self, state: CallState, pending: Pending, verdict: Verdict, aside: Aside) -> Outcome | None:
        """Ask the user. None is a yes."""
        ask = self._question(state, pending, verdict)
        state.wait_for("waits for your answer")
        with aside(state) as asked:
            closing = self._desk.ask(ask, state.token, asked)
        if closing is None:
            return state.not_started()
        if closing.how != "answered":
            return unanswered(state)
        if closing.scope is None:
            text = closing.answer.strip()
            said = "" if text.lower() in ("", "no") else f": {text}"
            return denied(f"the user said no{said}")
        if closing.scope != "once" and not closing.covered:
            self._parts.permissions.learn(pending, verdict, closing.scope)
        self._desk.look_again(closing)
        return None

    def _question(self, state: CallState, pending: Pending, verdict: Verdict) -> Ask:
        def covered() -> bool:
            return self._parts.permissions.judge(pending).decision == "allow"

        return Ask(
            kind="permission",
            call=state.call.id,
            text=self._text(pending, verdict),
            choices=("once", *(("session", "always") if verdict.pattern else ()), "no"),
            preview=self._preview(state, pending),
            marks=tuple(subject.span for subject in verdict.subjects if subject.span is not None),
            details=(*verdict.why, *self._foreign.said_of(pending.footprint), *self._losses(pending)),
            pattern=verdict.pattern,
            covered=covered,
            agent=self._agent,
        )

    def _losses(self, pending: Pending) -> Sequence[str]:
        """Return what no rollback would bring back: who consents shall know it."""
        writes = pending.footprint.may_write_files
        return self._parts.checkpoints.uncovered(pending.footprint) if writes else ()

    def _text(self, pending: Pending, verdict: Verdict) -> str:
        names = leading(verdict.subjects or pending.footprint.subjects)
        what = " ".join(shown(names[0], self._options.folder).split()) if names else ""
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        return f"Allow {pending.name} {what}".rstrip() + f"{more}?"

    def _preview(self, state: CallState, pending: Pending) -> str:
        """Return exactly what will run. Never empty: nobody shall consent to what they cannot see."""
        tool = state.planned.judged.tool
        try:
            text = tool.preview(pending.arguments, self._options.folder) if tool is not None else ""
        except Exception as error:
            text = f"[no preview: {one_line(error)}]\n"
        if text and not text.startswith("[no preview"):
            return text
        return text + json.dumps(dict(pending.arguments), ensure_ascii=False, indent=2, default=str)


def denied(why: str) -> Outcome:
    """Return the outcome of a call that may not run."""
    return Outcome("denied", f"denied: {why}", "denied")


def unanswered(state: CallState) -> Outcome:
    """Return the outcome of a call whose question ended without an answer."""
    if state.skipped:
        return state.not_started()
    if state.token.is_set:
        return Outcome("cancelled", f"{state.token.reason}, no answer", "no answer")
    return Outcome("cancelled", NO_ANSWER, "no answer")
