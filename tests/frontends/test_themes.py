"""Themes: files, names and how well they can be read."""

from __future__ import annotations

import pytest
from textual.color import Color

from hermes_tui.engine.errors import UsageError
from hermes_tui.frontends.tui import themes

TEXTS = ("foreground", "primary", "secondary", "accent", "success", "warning", "error", "text-muted")
GROUNDS = ("background", "surface", "panel")


def coloured() -> list[str]:
    return [name for name in themes.names() if not themes.load(name).ansi]


def test_there_are_two_dark_themes_a_light_one_and_one_of_the_terminals_own_colours() -> None:
    kinds = [(theme.ansi, theme.dark) for theme in map(themes.load, themes.names())]
    assert kinds.count((False, True)) >= 2
    assert kinds.count((False, False)) >= 1
    assert sum(ansi for ansi, _ in kinds) >= 1


@pytest.mark.parametrize("name", coloured())
def test_every_text_colour_stands_out_from_every_ground(name: str) -> None:
    colours = themes.load(name).to_color_system().generate() | themes.load(name).variables
    for ground in map(Color.parse, (colours[key] for key in GROUNDS)):
        for key in TEXTS:
            assert contrast(Color.parse(colours[key]), ground) >= 4.5, f"{name}: {key} on {ground.hex}"


@pytest.mark.parametrize("name", coloured())
def test_the_selection_and_the_cursor_can_be_read(name: str) -> None:
    colours = themes.load(name).to_color_system().generate() | themes.load(name).variables
    pairs = [
        ("foreground", "input-selection-background"),
        ("foreground", "screen-selection-background"),
        ("block-cursor-foreground", "block-cursor-background"),
        ("input-cursor-foreground", "input-cursor-background"),
    ]
    for text, ground in pairs:
        assert contrast(Color.parse(colours[text]), Color.parse(colours[ground])) >= 4.5, (name, text)


@pytest.mark.parametrize("name", ["no-such-theme", "../pyproject", ""])
def test_an_unknown_theme_is_refused_with_the_names_there_are(name: str) -> None:
    with pytest.raises(UsageError, match="hermes-dark"):
        themes.load(name)


def contrast(text: Color, ground: Color) -> float:
    """Return the contrast ratio of WCAG 2.1, 1 to 21."""
    lighter, darker = sorted((luminance(text), luminance(ground)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: Color) -> float:
    red, green, blue = (
        value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in colour.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
