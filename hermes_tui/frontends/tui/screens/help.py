"""F1: every key, from the bindings themselves, and every slash command."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Final

from textual.binding import Binding, BindingType

from hermes_tui.frontends.tui.keymap import long
from hermes_tui.frontends.tui.screens.output import OutputScreen
from hermes_tui.text import cells

LADDER: Final = (
    ("Enter", "send; queue while a turn runs; run a complete slash command"),
    ("Ctrl-C", "copy what is selected, else stop what runs (again: at once), else clear the line, else quit"),
    ("Esc", "close the top-most thing; stop what runs and keep the queue; twice when idle: checkpoints"),
    ("Ctrl-D", "quit, when nothing is written"),
    ("Shift+Tab", "what may run unasked: plan, ask, edits, all"),
    ("Tab", "take the completion, else go to the runs and back; in a question: answer it later"),
    ("↑ ↓", "history, from the first and the last line"),
)
"""The keys of the ladder (frontends/keys.py) and those that depend on where the cursor is."""
FRAME: Final = 6
"""Cells of the box around the page: its border, its padding, its scrollbar."""
CHANGE: Final = 'Keys that end with a [name] can be changed in config.toml: [keys], then name = "ctrl+x"'

Groups = Iterable[tuple[str, Sequence[BindingType]]]
"""Where bindings act, and the bindings."""


class HelpScreen(OutputScreen):
    """Keys and commands, scrollable and searchable."""

    def __init__(
        self, groups: Groups, commands: Sequence[tuple[str, str]], changed: Mapping[str, str], width: int
    ) -> None:
        """`changed`: the keys that the user changed, by action; `width`: of the screen, in cells."""
        super().__init__("Help", help_text(groups, commands, changed, width * 96 // 100 - FRAME))


def help_text(
    groups: Groups, commands: Sequence[tuple[str, str]], changed: Mapping[str, str], width: int
) -> str:
    """Return the whole page, in lines of at most `width` cells."""
    sections = [section("Keys", LADDER, width)]
    for title, bindings in groups:
        rows = [row(b, changed) for b in bindings if isinstance(b, Binding) and b.description]
        sections.append(section(title, rows, width))
    sections.append(section("Commands", [(f"/{name}", text) for name, text in commands], width))
    return "\n\n".join(part for part in [*sections, "\n".join(wrap(CHANGE, width))] if part)


def question_keys() -> Sequence[BindingType]:
    """Return the bindings of the dialogs that ask."""
    from hermes_tui.frontends.tui.screens.questions.base import QuestionDialog
    from hermes_tui.frontends.tui.screens.questions.permission import PermissionDialog

    return [*QuestionDialog.BINDINGS, *PermissionDialog.BINDINGS]


def row(binding: Binding, changed: Mapping[str, str]) -> tuple[str, str]:
    """Return a binding's keys, as they are now, and what it does; with its name if it can be changed."""
    keys = changed.get(binding.id or "", binding.key)
    return long(keys), f"{binding.description}  [{binding.id}]" if binding.id else binding.description


def section(title: str, rows: Sequence[tuple[str, str]], width: int) -> str:
    """Return a title and two columns below it, the second one wrapped; nothing for no rows."""
    first = max((cells(key) for key, _ in rows), default=0)
    lines = []
    for key, text in rows:
        head, *more = wrap(text, max(20, width - first - 4)) or [""]
        lines.append(f"  {key}{' ' * (first - cells(key))}  {head}")
        lines += [" " * (first + 4) + line for line in more]
    return "\n".join([title, *lines]) if rows else ""
