"""Themes: files, names and how well they can be read."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from textual.color import Color

from hermes_tui.engine.errors import UsageError
from hermes_tui.frontends.tui import themes

TEXTS = ("foreground", "primary", "secondary", "accent", "success", "warning", "error", "text-muted")
GROUNDS = ("background", "surface", "panel")


def coloured() -> list[str]:
    return [name for name in themes.names() if not themes.load(name).ansi]


def test_there_are_eight_themes_dark_and_light_and_one_of_the_terminals_own_colours() -> None:
    kinds = [(theme.ansi, theme.dark) for theme in map(themes.load, themes.names())]
    assert len(kinds) >= 8
    assert kinds.count((False, True)) >= 3
    assert kinds.count((False, False)) >= 3
    assert sum(ansi for ansi, _ in kinds) == 1


@pytest.mark.parametrize("name", coloured())
def test_every_text_colour_stands_out_from_every_ground(name: str) -> None:
    colours = themes.load(name).to_color_system().generate() | themes.load(name).variables
    for ground in map(Color.parse, (colours[key] for key in GROUNDS)):
        for key in TEXTS:
            assert contrast(Color.parse(colours[key]), ground) >= 4.5, f"{name}: {key} on {ground.hex}"


TINTS = [
    ("success", 0.12),
    ("error", 0.12),
    ("success", 0.35),
    ("error", 0.35),
    ("warning", 0.35),
    ("accent", 0.2),
]
"""Behind the lines and words of a difference, behind what was searched for, behind the line of the cursor."""


@pytest.mark.parametrize("name", coloured())
def test_text_on_the_tints_of_differences_and_searches_can_be_read(name: str) -> None:
    colours = themes.load(name).to_color_system().generate() | themes.load(name).variables
    ground, text = Color.parse(colours["background"]), Color.parse(colours["foreground"])
    for tint, part in TINTS:
        assert contrast(text, ground.blend(Color.parse(colours[tint]), part)) >= 4.5, (name, tint, part)
    assert contrast(ground, Color.parse(colours["warning"])) >= 4.5, "the match that was gone to"


CLEAR = [name for name in themes.names() if "clear" in name]

DEUTERAN = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881))
PROTAN = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
"""How the two common kinds of colour blindness see linear RGB (Machado, Oliveira and Fernandes 2009)."""


@pytest.mark.parametrize("name", CLEAR)
@pytest.mark.parametrize("eye", [DEUTERAN, PROTAN])
def test_a_colour_blind_reader_tells_what_matters_apart(
    name: str, eye: tuple[tuple[float, float, float], ...]
) -> None:
    theme = themes.load(name)
    names = ("success", "error", "warning", "accent")
    seen = {key: seen_by(eye, Color.parse(getattr(theme, key))) for key in names}
    for one, other in combinations(names, 2):
        distance = math.dist(seen[one], seen[other])
        assert distance >= 0.2, (name, one, other, distance)


def seen_by(eye: tuple[tuple[float, float, float], ...], colour: Color) -> list[float]:
    """Return a colour as somebody sees it: sRGB, each 0 to 1."""
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in colour.normalized]
    mixed = [min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear, strict=True)))) for row in eye]
    return [12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055 for v in mixed]


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
