"""Edits shown as diffs."""

from __future__ import annotations

from hermes_tui.files.diff import unified
from hermes_tui.frontends.tui.widgets.transcript.diff import DIFF_LINES, Row, draw_rows, parse
from tests.frontends.transcript.stage import canvas, texts

BEFORE = "import os\n\ndef load(path):\n    f = open(path)\n    return f\n"
AFTER = "import os\n\ndef load(path):\n    f = open(path, 'rb')\n    return f\n"


def test_a_diff_has_line_numbers_and_marks_the_words_that_changed() -> None:
    rows = parse(unified(BEFORE, AFTER, "a.py"))
    assert rows == [
        Row(" ", 1, "import os"),
        Row(" ", 2, ""),
        Row(" ", 3, "def load(path):"),
        Row("-", 4, "    f = open(path)", []),
        Row("+", 4, "    f = open(path, 'rb')", [(17, 23)]),
        Row(" ", 5, "    return f"),
    ]
    assert texts(draw_rows(rows, canvas())) == [
        "1   import os",
        "2",
        "3   def load(path):",
        "4 −     f = open(path)",
        "4 +     f = open(path, 'rb')",
        "5       return f",
    ]


def test_content_that_looks_like_a_head_is_content() -> None:
    rows = parse(unified("-- a\n++ b\nsame\n", "same\n@@ -1 +1 @@\n", "query.sql"))
    assert [(row.kind, row.text) for row in rows] == [
        ("-", "-- a"),
        ("-", "++ b"),
        (" ", "same"),
        ("+", "@@ -1 +1 @@"),
    ]


def test_several_files_are_named_and_their_hunks_set_apart() -> None:
    lines = [str(number) for number in range(40)]
    changed = ["x" if number in (3, 30) else line for number, line in enumerate(lines)]
    first = unified("\n".join(lines), "\n".join(changed), "b/one.py")
    text = first + unified(None, "new\n", "two.py") + unified("old\n", None, "three.py")
    heads = [(row.kind, row.text) for row in parse(text) if row.kind in "@…"]
    assert heads == [("@", "b/one.py"), ("…", ""), ("@", "two.py (new)"), ("@", "three.py (deleted)")]


def test_the_names_of_a_git_diff_are_shown_without_their_prefix() -> None:
    text = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
    assert [row.text for row in parse(text + text.replace("x", "y")) if row.kind == "@"] == ["x", "y"]


def test_an_endless_diff_is_cut_and_says_so() -> None:
    text = "--- a\n+++ a\n@@ -0,0 +1,5000 @@\n" + "+line\n" * 5000
    rows = parse(text)
    assert len(rows) <= DIFF_LINES + 1
    assert rows[-1] == Row("…", None, f"{5003 - DIFF_LINES} more lines")


def test_garbage_instead_of_a_diff_shows_nothing_and_breaks_nothing() -> None:
    assert parse("not a diff\n[/foo]\n\x1b[2J") == []
    assert parse("") == []
