"""Themes: one TOML file each, in the wheel as `hermes_tui/themes`, in a checkout beside the package.

A file holds the fields of Textual's `Theme` and a table `[variables]`; its name is the theme's name.
Must know no widget.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from textual.app import App
from textual.color import ColorParseError
from textual.theme import Theme

import hermes_tui
from hermes_tui.engine.errors import UsageError

DEFAULTS: Final = {"rule": "#808080"}
"""Variables of our own and what they are where a theme does not say."""


FIRST: Final = "hermes-dark"
"""What is shown until a plugin has brought the theme that is wanted."""


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


def made(name: str, fields: Mapping[str, Any]) -> Theme:
    """Make the theme that a plugin brings; `UsageError` says what is wrong with it."""
    if name in names():
        raise UsageError(f"a plugin's theme {name} is not used: there is one of this name")
    try:
        theme = Theme(name=name, **fields)
        theme.to_color_system().generate()
    except (TypeError, ValueError, AttributeError, ColorParseError) as error:
        raise UsageError(f"a plugin's theme {name} is not used: {error}") from None
    return theme


class ThemedApp(App[None], inherit_bindings=False):
    """An app that has its theme from the first frame on."""

    def __init__(self, theme: str, late: Callable[[], bool] = lambda: False) -> None:
        """Raise `UsageError` when there is no such theme, and it cannot come `late`, with a plugin."""
        super().__init__()
        self.brought: dict[str, Theme] = {}
        """Those of plugins, by name."""
        self._late_theme = ""
        try:
            first = load(theme)
        except UsageError:
            if not late():
                raise
            self._late_theme, first = theme, load(FIRST)
        self.register_theme(first)
        if first.ansi:
            self.theme = first.name
        else:  # the same but for the filter of ANSI colours, and nothing has to be styled a second time
            self.set_reactive(App.theme, first.name)
            self.stylesheet.set_variables(self.get_css_variables())

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return our own variables where a theme does not say."""
        return dict(DEFAULTS)

    def bring(self, themes: Mapping[str, Mapping[str, Any]]) -> list[str]:
        """Take the themes of plugins, and use the one that was wanted; return a line on what is wrong."""
        wrong = []
        for name, fields in themes.items():
            try:
                self.brought[name] = made(name, fields)
            except UsageError as error:
                wrong.append(str(error))
        wanted, self._late_theme = self._late_theme, ""
        if wanted:
            try:
                self.use_theme(wanted)
            except UsageError as error:
                wrong.append(str(error))
        return wrong

    def use_theme(self, name: str) -> None:
        """Use another theme from now on; `UsageError` when there is no such theme."""
        self.register_theme(self.brought.get(name) or load(name))
        self.theme = name
