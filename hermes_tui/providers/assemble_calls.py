"""Puts streamed fragments of tool calls together. Pure: no SDK, no I/O, and it never reads the arguments.

Servers disagree on how a fragment names its call: by index, by id, by both, by neither, by an index that
is always 0. The rules here take all of them; what a call's arguments mean is not decided here.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hermes_tui.engine.messages import ToolCall


@dataclass(slots=True)
class _Open:
    """A call that may still grow."""

    index: Hashable | None
    id: str = ""
    name: str = ""
    arguments: str = ""

    @property
    def whole(self) -> bool:
        """Whether its arguments are complete JSON already, so that a new name means a new call."""
        try:
            json.loads(self.arguments)
        except (ValueError, RecursionError):
            return False
        return True


class CallAssembler:
    """Collects the `tool_calls` entries of one answer's deltas."""

    def __init__(self) -> None:
        self._calls: list[_Open] = []

    def __bool__(self) -> bool:
        return bool(self._calls)

    def add(self, entry: Mapping[str, Any]) -> None:
        """Take one entry: `{"index"?, "id"?, "function": {"name"?, "arguments"?}}`, in any odd form."""
        function = entry.get("function")
        if not isinstance(function, Mapping):
            function = {}
        name, call_id = _text(function.get("name")), _text(entry.get("id"))
        call = self._find(entry.get("index"), call_id, name)
        call.id = call.id or call_id
        _rename(call, name)
        call.arguments += _arguments(function.get("arguments"))

    def calls(self, taken: Collection[str] = ()) -> tuple[ToolCall, ...]:
        """Return the calls in order, each with an id of its own that is not in `taken`.

        Ids that the server left out or used before are replaced. Entries that never said anything are
        dropped; a call without a name stays, so that the model is told of it.
        """
        return with_ids([ToolCall(call.id, call.name, call.arguments) for call in self._ordered()], taken)

    def _ordered(self) -> list[_Open]:
        calls = [call for call in self._calls if call.id or call.name or call.arguments]
        indexes = [call.index for call in calls if isinstance(call.index, int)]
        if len(set(indexes)) < len(calls):
            return calls
        return [call for _, call in sorted(zip(indexes, calls, strict=True), key=lambda pair: pair[0])]

    def _find(self, index: Hashable, call_id: str, name: str) -> _Open:
        """Return the call that a fragment belongs to, a new one if it starts one."""
        call = self._by_id(index, call_id, name) if call_id else self._by_place(index, name)
        if call is None:
            call = _Open(index)
            self._calls.append(call)
        return call

    def _by_id(self, index: Hashable, call_id: str, name: str) -> _Open | None:
        known = next((call for call in self._calls if call.id == call_id), None)
        if index is None:
            return known
        here = self._at(index)
        if here is None:
            return None if name else known  # an index that changes within one call
        return here if here.id in ("", call_id) else known  # one index for all: the id decides

    def _by_place(self, index: Hashable, name: str) -> _Open | None:
        if index is None:
            call = self._calls[-1] if self._calls else None
            starts = bool(name)
        else:
            call = self._at(index)
            starts = bool(name) and call is not None and name != call.name
        return None if call is not None and starts and call.whole else call

    def _at(self, index: Hashable) -> _Open | None:
        return next((call for call in reversed(self._calls) if call.index == index), None)


def with_ids(calls: Sequence[ToolCall], taken: Collection[str]) -> tuple[ToolCall, ...]:
    """Return the calls, each with an id of its own that is not in `taken`."""
    used, result = set(taken), []
    for call in calls:
        call_id = call.id
        while not call_id or call_id in used:
            call_id = f"c{secrets.token_hex(4)}"  # nine letters and digits: what the strictest server takes
        used.add(call_id)
        result.append(replace(call, id=call_id))
    return tuple(result)


def _rename(call: _Open, name: str) -> None:
    """Set the name once: repeats are ignored; pieces of it count until the arguments begin."""
    if name.startswith(call.name):
        call.name = name
    elif not call.arguments:
        call.name += name


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _arguments(value: Any) -> str:
    """Return a fragment of arguments as text; some servers send the object itself."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)
