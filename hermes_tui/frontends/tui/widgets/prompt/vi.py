"""The vi keys of the prompt as one pure function: (what was pressed so far, text, key) → what happens.

A subset that hands expect: normal and insert mode, counts, d c y with motions, x X D C Y s S r J ~ p P u
Ctrl+R, i a I A o O. Knows no widget; what it does not know it leaves to others (`ELSEWHERE`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from hermes_tui.frontends.tui.widgets.prompt.vi_motions import (
    INCLUSIVE,
    LINEWISE,
    MOTIONS,
    VERTICAL,
    first_letter,
    line_end,
    line_start,
)

Edit = tuple[int, int, str]
"""Replace the text from start to end."""


class Do(StrEnum):
    """What the widget does beside an edit."""

    NOTHING = "nothing"
    ELSEWHERE = "elsewhere"
    """The key is not vi's here: the prompt, the history or the key ladder has it."""
    UNDO = "undo"
    REDO = "redo"


@dataclass(frozen=True, slots=True)
class Vi:
    """What is remembered between two keys."""

    insert: bool = True
    """Insert mode: every key but Esc is the editor's."""
    count: str = ""
    operator: str = ""
    """`d`, `c` or `y`, waiting for its motion."""
    before: int = 0
    """The count that was typed before the operator; 0 for none."""
    pending: str = ""
    """`g` or `r`, waiting for the next key."""
    register: str = ""
    """What was deleted or yanked last; with a new line at its end it is whole lines."""

    def ready(self, *, insert: bool = False, register: str | None = None) -> Vi:
        """Return the state after a command."""
        return Vi(insert=insert, register=self.register if register is None else register)


@dataclass(frozen=True, slots=True)
class Step:
    """What one key does."""

    vi: Vi
    at: int
    """Where the cursor is then."""
    edit: Edit | None = None
    do: Do = Do.NOTHING


@dataclass(frozen=True, slots=True)
class _Now:
    """The state in which a command acts."""

    vi: Vi
    text: str
    at: int
    count: int

    @property
    def times(self) -> int:
        return max(1, self.count)

    def step(self, at: int, edit: Edit | None = None, *, insert: bool = False) -> Step:
        return Step(self.vi.ready(insert=insert), at, edit)

    def cut(self, start: int, end: int, *, insert: bool = False) -> Step:
        """Delete a part, into the register."""
        vi = self.vi.ready(insert=insert, register=self.text[start:end] or None)
        return Step(vi, start, (start, end, ""))


def press(vi: Vi, text: str, at: int, key: str) -> Step:
    """Return what `key` does: a printable character, or a name such as "escape"."""
    if vi.insert:
        return _leave_insert(vi, text, at) if key == "escape" else Step(vi, at, None, Do.ELSEWHERE)
    if key == "escape":
        busy = vi.count or vi.operator or vi.pending
        return Step(vi.ready(), at, None, Do.NOTHING if busy else Do.ELSEWHERE)
    if vi.pending == "r":
        return _replace_letter(_Now(vi, text, at, int(vi.count or 0)), key)
    if key.isdigit() and len(key) == 1 and (key != "0" or vi.count):
        return Step(replace(vi, count=(vi.count + key)[:4]), at)
    if key == "g" and not vi.pending:
        return Step(replace(vi, pending="g"), at)
    key = vi.pending + key if vi.pending == "g" else key
    count = int(vi.count or 0)
    if vi.before:
        count = vi.before * max(1, count)
    now = _Now(replace(vi, pending=""), text, at, count)
    if vi.operator:
        return _operate(now, key)
    if key in MOTIONS:
        return _move(now, key)
    if key in _COMMANDS:
        return _COMMANDS[key](now)
    known = len(key) == 1 or vi.pending
    return Step(vi.ready(), at, None, Do.NOTHING if known else Do.ELSEWHERE)


def _leave_insert(vi: Vi, text: str, at: int) -> Step:
    return Step(vi.ready(), max(line_start(text, at), at - 1))


def _move(now: _Now, key: str) -> Step:
    at = MOTIONS[key](now.text, now.at, now.count)
    line = line_start(now.text, now.at)
    if key in VERTICAL and line_start(now.text, at) == line:
        return Step(now.vi.ready(), now.at, None, Do.ELSEWHERE)
    return now.step(on_letter(now.text, at))


def on_letter(text: str, at: int) -> int:
    """Return `at`, moved from a line's end onto its last character: normal mode stands on characters."""
    return at - 1 if at == line_end(text, at) and at > line_start(text, at) else at


def _operate(now: _Now, key: str) -> Step:
    operator, text, at = now.vi.operator, now.text, now.at
    if key == operator:
        end = at
        for _ in range(now.times - 1):
            end = min(len(text), line_end(text, end) + 1)
        return _on_lines(now, operator, at, end)
    if key not in MOTIONS:
        return now.step(at)
    if operator == "c" and key in ("w", "W"):
        key = "e" if key == "w" else "E"  # as vi does: the blank behind the word stays
        at_word = text[at : at + 1].strip()
        if not at_word:
            return _on_letters(now, operator, at, min(line_end(text, at), at + 1))
    target = MOTIONS[key](text, at, now.count)
    if key in LINEWISE:
        return _on_lines(now, operator, min(at, target), max(at, target))
    start, end = min(at, target), max(at, target) + (key in INCLUSIVE)
    if key in ("w", "W") and "\n" in text[start:end]:
        end = min(end, max(line_end(text, start), start))
    return _on_letters(now, operator, start, min(end, len(text)))


def _on_letters(now: _Now, operator: str, start: int, end: int) -> Step:
    if operator == "y":
        return Step(now.vi.ready(register=now.text[start:end] or None), start)
    step = now.cut(start, end, insert=operator == "c")
    left = now.text[:start] + now.text[end:]
    return step if operator == "c" else replace(step, at=on_letter(left, start))


def _on_lines(now: _Now, operator: str, first: int, last: int) -> Step:
    text = now.text
    start, end = line_start(text, first), line_end(text, last)
    vi = now.vi.ready(register=text[start:end] + "\n")
    if operator == "y":
        return Step(vi, now.at if first == now.at else start)
    if operator == "c":
        return Step(replace(vi, insert=True), start, (start, end, ""))
    if end < len(text):
        end += 1
    elif start:
        start -= 1
    left = text[:start] + text[end:]
    return Step(vi, first_letter(left, min(start, len(left))), (start, end, ""))


def _operator(name: str) -> Callable[[_Now], Step]:
    return lambda now: Step(replace(now.vi, operator=name, before=now.count, count=""), now.at)


def _insert(place: Callable[[str, int], int]) -> Callable[[_Now], Step]:
    return lambda now: now.step(place(now.text, now.at), insert=True)


def _after(text: str, at: int) -> int:
    return min(line_end(text, at), at + 1)


def _open_below(now: _Now) -> Step:
    end = line_end(now.text, now.at)
    return now.step(end + 1, (end, end, "\n"), insert=True)


def _open_above(now: _Now) -> Step:
    start = line_start(now.text, now.at)
    return now.step(start, (start, start, "\n"), insert=True)


def _to_end(operator: str) -> Callable[[_Now], Step]:
    return lambda now: _on_letters(now, operator, now.at, line_end(now.text, now.at))


def _letters(operator: str) -> Callable[[_Now], Step]:
    def act(now: _Now) -> Step:
        return _on_letters(now, operator, now.at, min(line_end(now.text, now.at), now.at + now.times))

    return act


def _letter_before(now: _Now) -> Step:
    start = max(line_start(now.text, now.at), now.at - now.times)
    return now.cut(start, now.at)


def _whole_line(operator: str) -> Callable[[_Now], Step]:
    return lambda now: _operate(replace(now, vi=replace(now.vi, operator=operator)), operator)


def _put(before: bool) -> Callable[[_Now], Step]:
    def act(now: _Now) -> Step:
        what, text, at = now.vi.register * now.times, now.text, now.at
        if not what:
            return now.step(at)
        if not what.endswith("\n"):
            place = at if before else _after(text, at)
            return now.step(place + len(what) - 1, (place, place, what))
        if before:
            place = line_start(text, at)
            return now.step(place, (place, place, what))
        place = line_end(text, at)
        return now.step(place + 1, (place, place, f"\n{what[:-1]}"))

    return act


def _replace_letter(now: _Now, key: str) -> Step:
    end = now.at + now.times
    if len(key) != 1 or end > line_end(now.text, now.at):
        return now.step(now.at)
    return now.step(end - 1, (now.at, end, key * now.times))


def _swap_case(now: _Now) -> Step:
    end = min(line_end(now.text, now.at), now.at + now.times)
    swapped = now.text[now.at : end].swapcase()
    return now.step(on_letter(now.text, end), (now.at, end, swapped))


def _join(now: _Now) -> Step:
    end = line_end(now.text, now.at)
    if end == len(now.text):
        return now.step(now.at)
    return now.step(end, (end, first_letter(now.text, end + 1), " "))


_COMMANDS: Final[Mapping[str, Callable[[_Now], Step]]] = MappingProxyType(
    {
        "d": _operator("d"), "c": _operator("c"), "y": _operator("y"),
        "i": _insert(lambda text, at: at), "a": _insert(_after),
        "I": _insert(first_letter), "A": _insert(line_end), "o": _open_below, "O": _open_above,
        "x": _letters("d"), "delete": _letters("d"), "X": _letter_before, "s": _letters("c"),
        "D": _to_end("d"), "C": _to_end("c"), "Y": _whole_line("y"), "S": _whole_line("c"),
        "p": _put(before=False), "P": _put(before=True), "J": _join, "~": _swap_case,
        "r": lambda now: Step(replace(now.vi, pending="r"), now.at),
        "u": lambda now: Step(now.vi.ready(), now.at, None, Do.UNDO),
        "ctrl+r": lambda now: Step(now.vi.ready(), now.at, None, Do.REDO),
    }
)  # fmt: skip

KEYS: Final = (*MOTIONS, *_COMMANDS)
"""All that normal mode knows."""
