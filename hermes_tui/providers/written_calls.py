"""Calls that a model wrote into its text, where the server reads none: found, or left alone as text. Pure.

Two forms: `<tool_call>{…}</tool_call>` blocks, and a message that is nothing but one JSON object with a name
and arguments (a fence around the whole of it changes nothing). Only names that were offered count, and
nothing inside prose does: a call that is quoted, explained or shown in a fence stays text. While a text may
still turn out to be a call it is held back; the rest streams on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from hermes_tui.engine.messages import ToolCall

TAG: Final = "<tool_call>"
END_TAG: Final = "</tool_call>"
FENCE: Final = "```"
KEYS: Final = frozenset({"name", "arguments", "parameters", "id", "type", "function"})
"""The only keys of an object that is a call."""

BEFORE: Final = re.compile(r"\s*(?:<think>.*?</think>\s*)?", re.DOTALL)
"""What may stand before a call that is a whole message: thinking that the server left in the text."""
FIRST_KEY: Final = re.compile(r'(?:```\w*\s*)?\{\s*"(?P<key>[^"]*)"')
FENCED: Final = re.compile(r"```(?:json|tool_call)?[ \t]*\n(?P<inside>.*?)\n?[ \t]*```\s*", re.DOTALL)
FENCE_BEGUN: Final = re.compile(r"```(?:\w*[ \t]*)?(?:\n\s*(?:\{.*)?)?", re.DOTALL)
TAG_LINE: Final = re.compile(r"^[ \t]*(?=<)", re.MULTILINE)


class Holder:
    """Takes an answer's text piece by piece and gives back what is certainly text."""

    def __init__(self, names: Collection[str], after_text: bool) -> None:
        self._names = names
        self._after_text = after_text
        """Whether blocks count that end a message with prose before them: the user said so of this server."""
        self._text = ""
        self._shown = 0
        self._start_is_open = True
        """Whether the message may still turn out to be nothing but a call."""

    def feed(self, piece: str) -> str:
        """Take the next piece; return what can be shown now."""
        self._text += piece
        return self._show(self._held_from())

    def end(self) -> tuple[str, Sequence[ToolCall]]:
        """Return what is left to show and the calls that the text held: one of the two is empty."""
        held = self._text[self._shown :].strip()
        calls = read_calls(held, self._names) if held else ()
        if calls:
            return "", calls
        return self._show(len(self._text)), ()

    def _show(self, until: int) -> str:
        piece, self._shown = self._text[self._shown : until], max(self._shown, until)
        return piece

    def _held_from(self) -> int:
        """Return where the text begins that may be a call; its end if none does."""
        if self._start_is_open:
            begin = BEFORE.match(self._text)
            start = begin.end() if begin else 0
            rest = self._text[start:]
            if not rest or _may_be_call(rest):
                return max(start, self._shown)
            # thinking may still end, and a call follow it
            self._start_is_open = rest.startswith("<think>") or "<think>".startswith(rest)
        if self._after_text:
            return self._last_block()
        return len(self._text)

    def _last_block(self) -> int:
        """Return where the blocks begin that may end the message; its end if there are none."""
        for line in TAG_LINE.finditer(self._text, self._line_start()):
            if _begins(self._text[line.end() :], TAG):
                return max(line.start(), self._shown)
        return len(self._text)

    def _line_start(self) -> int:
        return self._text.rfind("\n", 0, self._shown) + 1


def read_calls(text: str, names: Collection[str]) -> tuple[ToolCall, ...]:
    """Return the calls that a text consists of, without ids; none if it is anything else."""
    if text.startswith(TAG):
        return _blocks(text, names)
    fenced = FENCED.fullmatch(text)
    inside = fenced["inside"].strip() if fenced else text
    try:
        value, end = json.JSONDecoder().raw_decode(inside)
    except (ValueError, RecursionError):
        return ()
    call = _call(value, names) if not inside[end:].strip() else None
    return (call,) if call is not None else ()


def _blocks(text: str, names: Collection[str]) -> tuple[ToolCall, ...]:
    """Return the calls of a text that is nothing but blocks; the last may lack its end."""
    calls: list[ToolCall] = []
    rest = text
    while rest:
        if not rest.startswith(TAG):
            return ()
        body = rest[len(TAG) :].lstrip()
        try:
            value, end = json.JSONDecoder().raw_decode(body)
        except (ValueError, RecursionError):
            return ()
        rest = body[end:].lstrip()
        call = _call(value, names)
        if call is None or not (rest.startswith(END_TAG) or not rest):
            return ()
        calls.append(call)
        rest = rest.removeprefix(END_TAG).lstrip()
    return tuple(calls)


def _call(value: Any, names: Collection[str]) -> ToolCall | None:
    """Return the call that an object is, or None."""
    if not isinstance(value, Mapping) or not set(value) <= KEYS:
        return None
    inner = value.get("function")
    if isinstance(inner, Mapping):
        return _call(inner, names)
    arguments = value.get("arguments", value.get("parameters"))
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            return None
    name = value.get("name")
    if not isinstance(name, str) or name not in names or not isinstance(arguments, Mapping):
        return None
    return ToolCall("", name, json.dumps(arguments, ensure_ascii=False), written=True)


def _may_be_call(text: str) -> bool:
    """Whether a text that began like this can still become one of the forms."""
    if _begins(text, TAG):
        return True
    key = FIRST_KEY.match(text)
    if key and key["key"] not in KEYS:
        return False
    if _begins(text, FENCE):
        return len(text) < len(FENCE) or FENCE_BEGUN.fullmatch(text) is not None
    return text.startswith("{")


def _begins(text: str, form: str) -> bool:
    return text.startswith(form) or form.startswith(text)
