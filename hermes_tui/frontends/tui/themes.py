"""Themes: one TOML file each, in the wheel as `hermes_tui/themes`, in a checkout beside the package.

A file holds the fields of Textual's `Theme` and a table `[variables]`; its name is the theme's name.
Must know no widget.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

from textual.app import App
from textual.theme import Theme

import hermes_tui
from hermes_tui.engine.errors import UsageError

DEFAULTS: Final = {"rule": "#808080"}
"""Variables of our own and what they are where a theme does not say."""


def folder() -> Path:
    """Return where the themes are."""
    package = Path(hermes_tui.__file__).parent
    inside = package / "themes"
    return inside if inside.is_dir() else package.parent / "themes"


def names() -> list[str]:
    """Return the names of all themes, in order."""
    return sorted(path.stem for path in folder().glob("*.toml"))


def load(name: str) -> Theme:
    """Read one theme; `UsageError` names those there are when there is none of this name."""
    file = folder() / f"{name}.toml"
    if file.parent != folder() or not file.is_file():
        raise UsageError(f"There is no theme {name!r}. Themes: {', '.join(names())}.")
    fields: dict[str, Any] = tomllib.loads(file.read_text("utf-8"))
    try:
        return Theme(name=name, **fields)
    except TypeError as error:
        raise UsageError(f"{file}: {error}") from None


class ThemedApp(App[None], inherit_bindings=False):
    """An app that has its theme from the first frame on."""

    def __init__(self, theme: str) -> None:
        """Raise `UsageError` when there is no such theme."""
        super().__init__()
        first = load(theme)
        self.register_theme(first)
        if first.ansi:
            self.theme = theme
        else:  # the same but for the filter of ANSI colours, and nothing has to be styled a second time
            self.set_reactive(App.theme, theme)
            self.stylesheet.set_variables(self.get_css_variables())

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return our own variables where a theme does not say."""
        return dict(DEFAULTS)

    def use_theme(self, name: str) -> None:
        """Use another theme from now on; `UsageError` when there is no such theme."""
        self.register_theme(load(name))
        self.theme = name
