"""The keys as they are written on the screen, those that the user changed included. Binds nothing itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from textual.message_pump import MessagePump

from hermes_tui.config.keymap import ACTIONS, split

NAMES: Final = {"ctrl+": "Ctrl-", "shift+": "Shift+", "alt+": "Alt+", "super+": "Super+", "pageup": "PgUp",
                "pagedown": "PgDn", "space": "Space"}  # fmt: skip
_ACTION: Final = re.compile(r"\{(\w+)\}")
CHARACTERS: Final = {"slash": "/", "question_mark": "?", "backslash": "\\", "full_stop": ".", "comma": ","}


def textual_keys(changed: Mapping[str, str]) -> dict[str, str]:
    """Return what `App.set_keymap` takes."""
    return {name: ",".join(split(keys)) for name, keys in changed.items()}


def keys_of(changed: Mapping[str, str], action: str) -> str:
    """Return the keys of an action as they are now, with commas between."""
    return changed.get(action, ACTIONS[action].keys)


def short(changed: Mapping[str, str], action: str) -> str:
    """Return the first key of an action as hints show it: "^T", "F1", "k"."""
    key = split(keys_of(changed, action))[0]
    head, plus, last = key.rpartition("+")
    if head == "ctrl" and len(last) == 1:
        return f"^{last.upper()}"
    return long(key) if plus or len(key) > 1 else key


def with_keys(changed: Mapping[str, str], hints: str) -> str:
    """Return hints with the keys of the actions that they name: "{help} help" becomes "F1 help"."""
    return _ACTION.sub(lambda match: short(changed, match[1]), hints)


def here(node: MessagePump, hints: str) -> str:
    """The same with the keys of the program that a widget is in."""
    return with_keys(_changed(node), hints)


def keys_here(node: MessagePump, action: str) -> list[str]:
    """Return the keys of an action in the program that a widget is in."""
    return split(keys_of(_changed(node), action))


def _changed(node: MessagePump) -> Mapping[str, str]:
    return getattr(node.app, "changed_keys", {})  # an app of another kind changes none


def long(keys: str) -> str:
    """Return keys as people write them: "ctrl+j,f1" becomes "Ctrl-J, F1"."""
    return ", ".join(_one(key) for key in split(keys))


def _one(key: str) -> str:
    for plain, shown in NAMES.items():
        key = key.replace(plain, shown)
    for sign in ("-", "+"):
        head, found, last = key.rpartition(sign)
        if found and head:
            last = CHARACTERS.get(last, last)
            return f"{head}{sign}{last.upper() if len(last) == 1 else last[:1].upper() + last[1:]}"
    key = CHARACTERS.get(key, key)
    return key[:1].upper() + key[1:] if len(key) > 1 else key
