"""What an answer looks like, drawn without an app."""

from __future__ import annotations

from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style

from hermes_tui.frontends.tui.widgets.transcript.canvas import ROLES, Canvas, cells
from hermes_tui.frontends.tui.widgets.transcript.markdown import draw
from hermes_tui.frontends.tui.widgets.transcript.split import Piece, split
from tests.frontends.transcript.stage import UNHURRIED, canvas, texts


def drawn(text: str, width: int = 60) -> list[str]:
    rows: list[str] = []
    for piece in split(text):
        rows += ([""] if rows and not piece.joined else []) + texts(draw(piece, canvas(width)))
    return rows


def test_blocks_are_drawn_left_aligned_with_their_marks() -> None:
    text = "# Head\n\n- a\n  - b\n\n1. one\n2. two\n\n> said\n\n---\n\n- [x] done\n- [ ] open"
    assert drawn(text, 20) == [
        "Head",
        "",
        "• a",
        "  ◦ b",
        "",
        "1. one",
        "2. two",
        "",
        "▎ said",
        "",
        "─" * 20,
        "",
        "☑ done",
        "☐ open",
    ]


def test_a_table_fits_its_columns_to_the_screen() -> None:
    text = "| name | n |\n|---|--:|\n| a | 1 |\n| a longer name | 20 |"
    assert drawn(text, 40) == [
        "name          │  n",
        "──────────────┼───",
        "a             │  1",
        "a longer name │ 20",
    ]
    assert drawn(text, 12) == [
        "name    │  n",
        "────────┼───",
        "a       │  1",
        "a       │ 20",
        "longer  │",
        "name    │",
    ]


def test_a_table_with_no_room_for_its_columns_is_read_row_by_row() -> None:
    text = "| a | b | c |\n|---|---|---|\n" + "| wwwwwwwww | xxxxxxxxx | yyyyyyyyy |\n" * 2
    row = ["a: wwwwwwwww", "b: xxxxxxxxx", "c: yyyyyyyyy"]
    assert drawn(text, 20) == [*row, "", *row]


@pytest.mark.parametrize(
    "text",
    [
        'arr[i] = [1, "3"]',
        "error in [/some/path] and [/dim] and [/]",
        "[link=http://x]y[/] and [@click=app.quit]x[/]",
        "[/",
        "[bold red]not a style",
        "<script>alert(1)</script> <b>no</b>",
        "[missing][reference]",
    ],
)
def test_what_looks_like_markup_is_shown_as_it_is(text: str) -> None:
    """Cases g/112, g/113, g/115."""
    assert drawn(text, 80) == [text]
    assert drawn(f"```\n{text}\n```", 80) == [f"  {text}"]
    assert drawn(f"- {text}", 80) == [f"• {text}"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[https://good.example](https://evil.example)", "https://good.example (https://evil.example)"),
        ("[`good.example`](//evil.example)", "good.example (//evil.example)"),
        ("[**good.example**][1]\n\n[1]: https://evil.example", "[good.example][1]||[1]: https://evil.example"),
        ("[![https://good.example](p.png)](https://evil.example)",
         "https://good.example (p.png) (https://evil.example)"),
        ("[ ](https://evil.example)", "(https://evil.example)"),
        ("<https://g\u043e\u043ed.example>", "https://g\u043e\u043ed.example (https://xn--gd-fmca.example)"),
        ("| a |\n|---|\n| [good.example](https://evil.example) |", "https://evil.example"),
        ("\x1b]8;;https://evil.example\x07https://good.example\x1b]8;;\x07",
         "https://good.example (https://evil.example)"),
    ],
)  # fmt: skip
def test_a_link_never_hides_its_target(text: str, shown: str) -> None:
    """Cases l/184."""
    assert shown in "|".join(line.strip() for line in drawn(text, 90))


def test_a_link_shows_where_it_leads_and_is_not_live() -> None:
    text = "See [the docs](https://evil.example/x) or <https://a.example> or ![logo](x.png)."
    lines = draw(Piece(text), canvas(200))
    assert texts(lines) == ["See the docs (https://evil.example/x) or https://a.example or logo (x.png)."]
    styles = [run.style for line in lines for run in line.runs if run.style]
    assert [style for style in styles if style.link or style.meta] == []


def test_a_reference_definition_does_not_vanish() -> None:
    assert drawn("[1]: https://a.example", 80) == ["[1]: https://a.example"]


@pytest.mark.parametrize(
    "hostile",
    [
        "a\x1b[2J\x1b[1;1Hb\x1b[?1049h\x1b]0;t\x07c",
        "\x1b]8;;http://x\x1b\\y\x1b]8;;\x1b\\",
        "\x1b]52;c;aGk=\x07",
        "\x9b2J \x90q\x9c \x00 \x7f",
        "&#27;[2J &#x202e; &#0;",
        "\u202eabc\u2066",
        "[x](\x1b]8;;y\x07)",
        "[x](https://a/\u202e)",
        "a\rb\x08c\x0bd\x0ce\x85f\u2028g",
    ],
)
@pytest.mark.parametrize(
    "form", ["{}", "`{}`", "```{}\ncode {}\n```", "- {}", "| {} |\n|---|\n| {} |", "> {}", "# {}"]
)
def test_no_control_character_of_an_answer_reaches_the_screen(hostile: str, form: str) -> None:
    """Cases g/116."""
    shown = "".join(drawn(form.replace("{}", hostile)))
    assert [c for c in shown if ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u2066\u2028"] == []


@UNHURRIED
@given(
    st.lists(
        st.sampled_from(
            ["# a b\n", "- x ", "  - 漢字 ", "> ", "| a | b |\n", "|-|-|\n", "```\n", "\t", "w" * 30]
        )
        | st.text(st.sampled_from("ab \n*`_[]()👩‍👧é"), max_size=20),
        max_size=30,
    ).map("".join),
    st.integers(20, 90),
)
def test_no_line_is_wider_than_the_canvas(text: str, width: int) -> None:
    for piece in split(text):
        assert max((cells(line.runs) for line in draw(piece, canvas(width))), default=0) <= max(width, 40)


@pytest.mark.parametrize(
    "unit", ["[", "*", "`", "> ", "- ", "![](", "_a ", "~~", "<", "\\", "| ", "[a](", "&", "# "]
)
def test_repeated_marks_do_not_take_for_ever(unit: str) -> None:
    """Cases g/124, the kind: an answer made to be slow. Generous: quadratic parsing would take minutes."""
    start = monotonic()
    for piece in split(unit * (60_000 // len(unit))):
        draw(piece, canvas(80))
    assert monotonic() - start < 30


def test_code_takes_its_colours_from_the_theme() -> None:
    styles = {role: Style(color=f"color({number + 16})") for number, role in enumerate(ROLES)}
    (line,) = draw(Piece("x = 'a'  # b", "python"), Canvas(40, styles, Style.null()))
    roles = {run.text.strip(): run.style.color for run in line.runs if run.style and run.text.strip()}
    assert roles == {
        "x =": styles["text"].color,
        "'a'": styles["string"].color,
        "# b": styles["comment"].color,
    }


def test_code_in_an_unknown_language_and_very_long_code_stay_plain() -> None:
    assert drawn("```nosuchlanguage\nx = 1\n```") == ["  x = 1"]
    assert len(drawn("```python\n" + "x = 1 " * 4000 + "\n```", 80)) > 300


def test_the_name_of_a_file_behind_the_fence_is_shown() -> None:
    assert drawn("```py title=a.py\nx\n```") == ["  py title=a.py", "  x"]
