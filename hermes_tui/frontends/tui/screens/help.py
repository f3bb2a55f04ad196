"""F1: every key, from the bindings themselves, and every slash command."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.binding import Binding, BindingType

from hermes_tui.frontends.tui.screens.output import OutputScreen
from hermes_tui.text import cells

LADDER = (
    ("Enter", "send; queue while a turn runs; run a complete slash command"),
    ("Ctrl-C", "copy what is selected, else stop what runs (again: at once), else clear the line, else quit"),
    ("Esc", "close the top-most thing; stop what runs and keep the queue; twice when idle: checkpoints"),
    ("Ctrl-D", "quit, when nothing is written"),
    ("Shift+Tab", "what may run unasked: plan, ask, edits, all"),
    ("Tab", "take the completion, else go to the runs and back"),
    ("↑ ↓", "history, from the first and the last line"),
)
"""The keys of the ladder (frontends/keys.py) and those that depend on where the cursor is."""

NAMES = {"ctrl+": "Ctrl-", "shift+": "Shift+", "pageup": "PgUp", "pagedown": "PgDn", "space": "Space"}


class HelpScreen(OutputScreen):
    """Keys and commands, scrollable."""

    def __init__(
        self, about: str, groups: Iterable[tuple[str, Sequence[BindingType]]], commands: list[tuple[str, str]]
    ) -> None:
        super().__init__("Help", help_text(about, groups, commands))


def help_text(
    about: str, groups: Iterable[tuple[str, Sequence[BindingType]]], commands: list[tuple[str, str]]
) -> str:
    """Return the whole page."""
    sections = [about, section("Keys", LADDER)]
    for title, bindings in groups:
        rows = [
            (key_name(b.key), b.description) for b in bindings if isinstance(b, Binding) and b.description
        ]
        sections.append(section(title, rows))
    sections.append(section("Commands", [(f"/{name}", text) for name, text in commands]))
    return "\n\n".join(part for part in sections if part)


def section(title: str, rows: Sequence[tuple[str, str]]) -> str:
    """Return a title and two columns below it; nothing for no rows."""
    width = max((cells(key) for key, _ in rows), default=0)
    lines = [f"  {key}{' ' * (width - cells(key))}  {text}" for key, text in rows]
    return "\n".join([title, *lines]) if rows else ""


def key_name(keys: str) -> str:
    """Return keys as people write them: "ctrl+j,f1" becomes "Ctrl-J, F1"."""
    return ", ".join(_one(key) for key in keys.split(","))


def _one(key: str) -> str:
    for plain, shown in NAMES.items():
        key = key.replace(plain, shown)
    head, dash, last = key.rpartition("-")
    if dash:
        return f"{head}-{last.upper() if len(last) == 1 else last}"
    return (
        key.upper()
        if len(key) > 1 and key[0] == "f" and key[1:].isdigit()
        else key[:1].upper() + key[1:]
        if len(key) > 1
        else key
    )
