"""What each setting means, taken from where it is written down: the line below each field of `Settings`."""

from __future__ import annotations

import ast
import inspect
from typing import get_args, get_type_hints

from hermes_tui.config.settings import Settings


def meanings() -> dict[str, str]:
    """Return key → its meaning, on one line. Reads the source: for a screen, not for a start."""
    (body,) = ast.parse(inspect.getsource(Settings)).body
    assert isinstance(body, ast.ClassDef)
    found: dict[str, str] = {}
    for field, below in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            text = (
                below.value.value
                if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
                else ""
            )
            found[field.target.id] = " ".join(str(text).split())
    return found


def choices(key: str) -> tuple[str, ...]:
    """Return the words that a setting may be, `on` and `off` for a switch; empty for any other value."""
    kind = get_type_hints(Settings)[key]
    if kind is bool:
        return ("on", "off")
    return tuple(arg for arg in get_args(kind) if isinstance(arg, str))
