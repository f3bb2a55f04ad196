"""What an agent is made of: the parts around the engine, and its settings. Plain data."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hermes_tui.engine.messages import Message
from hermes_tui.engine.protocols import Checkpoints, Disk, Guard, Permissions, Provider, ToolBox
from hermes_tui.engine.state import StateSource


def _forget(message: Message) -> None:
    """Keep no record."""


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
    record: Callable[[Message], None] = _forget
    """Called in the engine thread with each message the moment it joins the conversation."""


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
    session: str = field(default_factory=lambda: uuid.uuid4().hex)
    """The session's id."""
    messages: Sequence[Message] = ()
    """The conversation so far, of a session that is resumed."""
