"""The keys that can be changed: every action's name, its own keys, and where they act.

The widgets bind their keys under these names; a test holds the two together. Ctrl-C, Esc, Enter, Tab and the
arrows are not here: they mean the same everywhere and always (design.md 3.7).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

ANYWHERE: Final = "anywhere"


class Bound(NamedTuple):
    """An action."""

    keys: str
    """The keys that do it, with commas between."""
    where: str = ANYWHERE
    """`anywhere`, also while something is written; else the part that needs the focus."""


ACTIONS: Final[Mapping[str, Bound]] = {
    "help": Bound("f1"),
    "palette": Bound("ctrl+p"),
    "questions": Bound("ctrl+q"),
    "runs": Bound("ctrl+t"),
    "find": Bound("ctrl+f"),
    "open": Bound("ctrl+o"),
    "give_output": Bound("ctrl+b"),
    "send_other_way": Bound("ctrl+s,alt+enter,ctrl+enter"),
    "paste": Bound("ctrl+v,super+v"),
    "recall": Bound("ctrl+r"),
    "page_up": Bound("pageup"),
    "page_down": Bound("pagedown"),
    "to_end": Bound("ctrl+end"),
    "new_line": Bound("ctrl+j,shift+enter"),
    "editor": Bound("ctrl+g"),
    "undo": Bound("ctrl+z,super+z"),
    "redo": Bound("ctrl+y,super+y"),
    "stop_call": Bound("k", "runs"),
    "run_again": Bound("r", "runs"),
    "roll_back": Bound("r", "receipt"),
    "next_detail": Bound("j", "conversation"),
    "previous_detail": Bound("k", "conversation"),
    "all_details": Bound("o", "conversation"),
    "allow_once": Bound("y", "permission"),
    "allow_session": Bound("s", "permission"),
    "allow_always": Bound("a", "permission"),
    "refuse": Bound("n", "permission"),
    "explain": Bound("e", "permission"),
}

FIXED: Final = ("ctrl+c", "escape", "enter", "tab", "shift+tab", "ctrl+d", "up", "down", "left", "right")
"""Keys that no action can have: what they do holds everywhere."""
NAMED: Final = ("space", "backspace", "delete", "insert", "home", "end", "pageup", "pagedown",
                *("up", "down", "left", "right", "enter", "tab", "escape"))  # fmt: skip

_FORM: Final = re.compile(r"(?P<with>(?:(?:ctrl|alt|shift|super|meta|hyper)\+)*)(?P<base>[^\s,]|[a-z0-9_]+)")
_EXAMPLES: Final = "write for example ctrl+x, alt+p, f5, or a letter"


def mistakes(keys: object) -> Iterator[tuple[str, str]]:
    """Yield (action, what is wrong) for a `[keys]` table whose values are texts."""
    if not isinstance(keys, dict):
        return
    for name, text in keys.items():
        if name not in ACTIONS:
            close = difflib.get_close_matches(name, ACTIONS, 1)
            hint = f"did you mean '{close[0]}'?" if close else f"there are {', '.join(ACTIONS)}"
            yield name, f"no such action; {hint}"
        elif why := next(filter(None, (_wrong(name, key) for key in split(text))), None):
            yield name, why
        elif not split(text):
            yield name, f"no key; {_EXAMPLES}"
    yield from _clashes({name: text for name, text in keys.items() if name in ACTIONS})


def split(keys: str) -> list[str]:
    """Return the single keys of a text like "ctrl+j, shift+enter"."""
    return [key.strip() for key in keys.split(",") if key.strip()]


def _wrong(name: str, key: str) -> str:
    match = _FORM.fullmatch(key)
    base = match["base"] if match else ""
    known = len(base) == 1 or base in NAMED or re.fullmatch(r"f([1-9]|1\d|2[0-4])", base)
    if match is None or not known:
        return f"'{key}' is no key; {_EXAMPLES}"
    if key in FIXED:
        return f"'{key}' always does the same and cannot be given to an action"
    typed = len(base) == 1 or base == "space"
    if ACTIONS[name].where == ANYWHERE and typed and match["with"] in ("", "shift+"):
        return f"'{key}' is needed for writing; take ctrl+, alt+ or a function key"
    return ""


def _clashes(chosen: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the actions whose key another one has that can act in the same place."""
    for name, text in chosen.items():
        for other, bound in ACTIONS.items():
            together = bound.where == ACTIONS[name].where or ANYWHERE in (bound.where, ACTIONS[name].where)
            taken = set(split(text)) & set(split(chosen.get(other, bound.keys)))
            if other != name and together and taken:
                yield name, f"'{min(taken)}' does {other}; give that one another key, too"
