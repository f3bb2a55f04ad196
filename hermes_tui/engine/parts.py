"""What an agent is made of: the parts around the engine, and its settings. Plain data."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hermes_tui.engine.allowance import Limits
from hermes_tui.engine.events import Event
from hermes_tui.engine.footprint import Footprint
from hermes_tui.engine.messages import Image, Message
from hermes_tui.engine.protocols import (
    Checkpoints,
    Disk,
    Guard,
    Permissions,
    Provider,
    Recorder,
    ToolBox,
)
from hermes_tui.engine.recall import ExternalMemory, NoMemory
from hermes_tui.engine.state import StateSource


class NoRecorder:
    """Keeps no record."""

    def message(self, message: Message) -> None:
        """Forget it."""

    def event(self, event: Event) -> None:
        """Forget it."""

    def cut(self, keep: int) -> None:
        """Forget it."""

    def replaced(self, messages: Sequence[Message]) -> None:
        """Forget them."""


def _keep_nothing(name: str, text: str) -> str:
    """Keep no long text."""
    return ""


def _nothing(prompt: str = "") -> Sequence[Any]:
    """Know of nothing."""
    return ()


def _no_sources(footprint: Footprint) -> Sequence[str]:
    """Take everything for the project's own."""
    return ()


@dataclass(slots=True, kw_only=True)
class Parts:
    """The parts around the engine, each behind its protocol."""

    provider: Provider
    toolbox: ToolBox
    permissions: Permissions
    checkpoints: Checkpoints
    disk: Disk
    system: Callable[[], str]
    """Returns the system text; called before each request."""
    state: StateSource = field(default_factory=StateSource)
    """What tools may ask for by protocol. `Asker` needs no entry: the engine's desk answers it."""
    guards: Sequence[Guard] = ()
    """Plugins' say before each call, outermost first."""
    recorder: Recorder = field(default_factory=NoRecorder)
    """Told of each message the moment it joins the conversation, and of each event before it is shown."""
    keep_text: Callable[[str, str], str] = _keep_nothing
    """Keeps a text that is too long for the conversation, under a name (its call's id); returns one line that
    tells the model where it can read the whole of it, or nothing when it could not be kept."""
    carry: Callable[[], str] = str
    """Returns what a compacted conversation must still know, as text: open tasks, files that were read."""
    news: Callable[[], Sequence[str]] = _nothing
    """Returns what has changed around the session (branch, day) since it was last asked, a sentence each."""
    images: Callable[[str], Sequence[Image]] = _nothing
    """Returns the pictures that a prompt names."""
    foreign: Callable[[Footprint], Sequence[str]] = _no_sources
    """Returns where the result of a call comes from, as far as others wrote it: addresses, paths, servers."""
    memory: ExternalMemory = field(default_factory=NoMemory)
    """Asked before each turn of the session's own agent, and told of each that is done."""


@dataclass(slots=True, kw_only=True)
class Options:
    """Settings of an agent. `schedule` may change at any time: the next batch uses it."""

    folder: Path
    """The session's folder: relative paths start here."""
    schedule: str = "batch"
    """`batch`, `graph` or `serial`."""
    max_parallel: int = 8
    """How many calls run at once."""
    unattended: Callable[[str], str] | None = None
    """None: somebody can be asked. Else nobody is there, and this says what would allow a refused call, given
    the mode in which it would not ask (empty: there is none)."""
    step_limit: int = 200
    """How many batches one turn may run."""
    agent_steps: int = 50
    """The same for the turn of a sub-agent."""
    limits: Limits = field(default_factory=Limits)
    """What one turn may take."""
    deadline: float | None = None
    """Seconds a call may run before it is told to stop, not counting those a person is asked. None: any."""
    grace: float = 3.0
    """Seconds a call that was told to stop is waited for."""
    forced_grace: float = 0.3
    """The same, once the user insists."""
    result_cap: int = 100_000
    """Characters of one result that the model gets; a longer one says what was left out in its middle."""
    context: int | None = None
    """Tokens the model's context holds, from the next answer on; None: not known."""
    compact_at: float = 0.8
    """The part of the context at whose filling the conversation is compacted; 0: only when it is too long."""
    session: str = field(default_factory=lambda: uuid.uuid4().hex)
    """The session's id."""
    messages: Sequence[Message] = ()
    """The conversation so far, of a session that is resumed."""
    batches: int = 0
    """How many batches that session had."""
