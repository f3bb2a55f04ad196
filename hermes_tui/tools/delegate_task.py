"""delegate_task: up to three sub-agents at once, each with a conversation of its own. Does no work itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import msgspec

from hermes_tui.engine.errors import BadArguments
from hermes_tui.engine.footprint import Footprint, Level
from hermes_tui.engine.protocols import Call, Result
from hermes_tui.engine.state import Delegates, Report, Task
from hermes_tui.tools.base import TypedTool

MOST_TASKS: Final = 3
"""Sub-agents at once."""


class OneTask(msgspec.Struct):
    """One of several tasks."""

    goal: Annotated[str, msgspec.Meta(description="What is to be done.", examples=["read docs/ and …"])]
    context: Annotated[str, msgspec.Meta(description="What it has to know beyond the goal.")] = ""


class DelegateArguments(msgspec.Struct):
    """What delegate_task takes."""

    goal: Annotated[
        str,
        msgspec.Meta(
            description="What one sub-agent shall do, complete in itself. Leave it out when tasks are given.",
            examples=["find out where the cache is invalidated, and name the files and lines"],
        ),
    ] = ""
    context: Annotated[
        str,
        msgspec.Meta(description="What every sub-agent has to know: it sees nothing of this conversation."),
    ] = ""
    tasks: Annotated[
        list[OneTask],
        msgspec.Meta(
            description=f"Up to {MOST_TASKS} tasks that do not need each other; they are worked on at once.",
            examples=[[{"goal": "review a.py"}, {"goal": "review b.py"}]],
        ),
    ] = msgspec.field(default_factory=list)


class DelegateTask(TypedTool[DelegateArguments]):
    """Hands tasks to sub-agents and returns their answers."""

    name = "delegate_task"
    description = (
        "Give a task to a sub-agent that works with the same tools in a conversation of its own, or up "
        f"to {MOST_TASKS} independent tasks at once. It knows only what you write into goal and context; its "
        "last message is what you get. Good for long searches and reviews whose details you do not need. It "
        "cannot ask the user, remember things or delegate."
    )
    Arguments = DelegateArguments
    for_agents = False

    def declare(self, args: DelegateArguments, folder: Path) -> Footprint:
        """Return that it touches nothing itself: its agents' calls declare what they touch, and ask."""
        _tasks(args)
        return Footprint(Level.UNDECLARED, why="delegate_task's agents may change anything")

    def show(self, args: DelegateArguments, folder: Path) -> str:
        """Return the tasks in full."""
        return "\n\n".join(f"{task.goal}\n{task.context}".strip() for task in _tasks(args))

    def act(self, args: DelegateArguments, call: Call) -> Result:
        """Return every answer, in the order of the tasks."""
        tasks = _tasks(args)
        reports = call.state(Delegates).work(tasks)
        done = sum(report.reason == "done" for report in reports)
        parts = [_shown(number, len(tasks), report) for number, report in enumerate(reports, 1)]
        return Result("\n\n".join(parts), f"{done} of {len(tasks)} done", ok=done > 0)


def _tasks(args: DelegateArguments) -> list[Task]:
    """Return the tasks; `BadArguments` when there is none, too many, or an empty one."""
    if args.tasks and args.goal.strip():
        raise BadArguments("delegate_task: give either goal or tasks, not both")
    if len(args.tasks) > MOST_TASKS:
        raise BadArguments(
            f"delegate_task: {len(args.tasks)} tasks; {MOST_TASKS} at once, the rest afterwards"
        )
    sent = args.tasks or [OneTask(args.goal)]
    if not all(task.goal.strip() for task in sent):
        raise BadArguments("delegate_task: a goal is empty; say in full what the sub-agent shall do")
    return [Task(task.goal.strip(), _joined(args.context, task.context)) for task in sent]


def _joined(shared: str, own: str) -> str:
    return "\n".join(text.strip() for text in (shared, own) if text.strip())


def _shown(number: int, total: int, report: Report) -> str:
    """Return one report for the model: what was not done says so."""
    head = f"Task {number} of {total}: " if total > 1 else ""
    if report.reason == "done":
        return f"{head}{report.text}"
    why = f" ({report.error})" if report.error else ""
    return f"{head}not done: {report.reason}{why}\n{report.text}".rstrip()


TOOL = DelegateTask()
