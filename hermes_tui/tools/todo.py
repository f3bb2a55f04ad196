"""todo: the model's own list of steps. Touches no file; the list lives as long as the session."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from hermes_tui.engine.errors import BadArguments
from hermes_tui.engine.footprint import Footprint, Level
from hermes_tui.engine.protocols import Call, Result
from hermes_tui.engine.state import Todo, Todos
from hermes_tui.tools.base import TypedTool

STATE: Final = "state:todo"
MOST: Final = 200
"""Items that a list can hold."""

Status = Literal["pending", "in_progress", "completed", "cancelled"]

_BOX: Final = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]", "cancelled": "[-]"}


class TodoItem(msgspec.Struct):
    """One item as the model sends it."""

    id: Annotated[str, msgspec.Meta(description="Short and unique.", examples=["1"])]
    content: Annotated[
        str,
        msgspec.Meta(
            description="The step; may be left out when merge updates one.", examples=["run the tests"]
        ),
    ] = ""
    status: Annotated[Status | None, msgspec.Meta(description="Default: pending, or unchanged by merge.")] = (
        None
    )


class TodoArguments(msgspec.Struct):
    """What todo takes."""

    todos: Annotated[
        list[TodoItem] | None,
        msgspec.Meta(
            description="The items to write, in order. Leave it out to read the list.",
            examples=[[{"id": "1", "content": "run the tests", "status": "in_progress"}]],
        ),
    ] = None
    merge: Annotated[
        bool, msgspec.Meta(description="Update items by id and add new ones, instead of replacing the list.")
    ] = False


class TodoTool(TypedTool[TodoArguments]):
    """Reads and writes the list."""

    name = "todo"
    description = (
        "Keep a list of the steps of a longer task; the user sees it. Without todos it returns the list. "
        "Statuses: pending, in_progress, completed, cancelled. Keep one item in_progress, and complete it as "
        "soon as it is done."
    )
    Arguments = TodoArguments

    def declare(self, args: TodoArguments, folder: Path) -> Footprint:
        """Return that it may change the list, and no file."""
        return Footprint(Level.UNDECLARED, (STATE,), (STATE,), why="it may change the todo list")

    def act(self, args: TodoArguments, call: Call) -> Result:
        """Return the whole list."""
        state = call.state(Todos)
        if args.todos is None:
            return _shown(state.items())
        return _shown(state.write(_checked(args.todos, state.items() if args.merge else []), args.merge))


class TodoList:
    """Implements `engine.state.Todos`."""

    def __init__(self, changed: Callable[[Sequence[Todo]], None] = lambda items: None) -> None:
        """`changed` is told the whole list when the model has written it."""
        self._lock = threading.Lock()
        self._items: list[Todo] = []
        self._changed = changed

    def items(self) -> list[Todo]:
        """Return copies of the items, in order."""
        with self._lock:
            return [replace(item) for item in self._items]

    def write(self, todos: Sequence[Todo], merge: bool) -> list[Todo]:
        """Replace the list, or put each item in the place of the one with its id, new ones at the end."""
        with self._lock:
            kept = {item.id: item for item in self._items} if merge else {}
            kept |= {item.id: replace(item) for item in todos}
            self._items = list(kept.values())
        items = self.items()
        self._changed(items)
        return items

    def load(self, todos: Sequence[Todo]) -> None:
        """Take up the list of another session."""
        with self._lock:
            self._items = [replace(item) for item in todos]


def _checked(sent: Sequence[TodoItem], old: Sequence[Todo]) -> list[Todo]:
    """Return the items complete, what is left out taken from the old ones, or raise `BadArguments`."""
    known = {item.id: item for item in old}
    ids = [item.id.strip() for item in sent]
    if "" in ids:
        raise BadArguments("todo: an item has an empty id; number them 1, 2, 3")
    if len(set(ids)) < len(ids):
        twice = next(each for each in ids if ids.count(each) > 1)
        raise BadArguments(f"todo: the id {twice!r} stands twice; give every item its own")
    if len(known.keys() | set(ids)) > MOST:
        raise BadArguments(f"todo: more than {MOST} items; group the steps")
    return [_complete(item, key, known.get(key)) for item, key in zip(sent, ids, strict=True)]


def _complete(item: TodoItem, key: str, old: Todo | None) -> Todo:
    """Return one item with content and status."""
    content = item.content.strip() or (old.content if old else "")
    if not content:
        raise BadArguments(f"todo: the item {key!r} has no content; say what is to be done")
    return Todo(key, content, item.status or (old.status if old else "pending"))


def _shown(items: Sequence[Todo]) -> Result:
    """Return the list as text."""
    if not items:
        return Result("the todo list is empty", display="empty")
    done = sum(item.status == "completed" for item in items)
    lines = [f"{_BOX[item.status]} {item.id}: {item.content}" for item in items]
    legend = "[ ] pending, [>] in_progress, [x] completed, [-] cancelled"
    return Result("\n".join([*lines, f"({legend})"]), display=f"{done} of {len(items)} done")


TOOL = TodoTool()
