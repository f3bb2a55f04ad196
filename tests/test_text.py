import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hermes_tui.text import cells, clip, exact, harmless, one_line

LIVE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\ufeff]"
)

PIECES = [
    "\x1b", "[", "]", "P", "\\", "\x07", "\x9b", "\x9d", "\x9c", "\x90", "\r", "\n", "\b", "2J", "0;t", "a",
    "é", "\u202e", "\u200d", "\u200c", "\ud800", "\x00", "\x7f", "\x85", "漢", "👩", "م", ";", "?", "m", " ",
    "\x1b]8;;x\x07", "\x1b]8;;\x1b\\",
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[2J\x1b[1;1Hb\x1b[?1049h\x1b]0;t\x07c", "abc"),
        ("a\x1b[31mred\x1b[0m", "ared"),
        ("\x1b]52;c;bHMK\x07y", "y"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ y", "link (http://x) y"),
        (
            "\x9d8;id=1;http://evil.example\x9chttps://good.example\x9d8;;\x9c",
            "https://good.example (http://evil.example)",
        ),
        ("\x1b]8;;http://x\x07\x1b[1mhttp://x\x1b[0m\x1b]8;;\x07", "http://x"),
        ("\x1b]8;;file://host/p/a.py\x07a.py\x1b]8;;\x07 b", "a.py b"),
        (
            "\x1b]8;;https://evil.example/good.example\x07good.example\x1b]8;;\x07",
            "good.example (https://evil.example/good.example)",
        ),
        ("\x1b]8;;http://x\x07\x1b]8;;http://y\x07a\nb", "http://xa (http://y)\nb"),
        ("\x1b]8;;http://x\u202e\x07a", "a (http://x⟨U+202E⟩)"),
        ("a\x1bPq#0;2;0\n#1~~\x1b\\b", "ab"),
        ("a\x1b_Gf=100;AAAA\x1b\\b", "ab"),
        ("a\x1bXsos\x9cb\x1b^pm\x1b\\c", "abc"),
        ("a\x9b31mb\x9d0;t\x9cc", "abc"),
        ("a\x1b]0;never ended\nb", "a\nb"),
        ("a\x1b[", "a"),
        ("a\x1b[12;", "a"),
        ("a\x1b", "a"),
        ("\x1b\x1b[2Jx", "x"),
        ("\x1b(Bx\x1bcy\x1b7z", "xyz"),
        ("a\r\nb\r\r\nc", "a\nb\nc"),
        ("10%\r50%\r100%\n", "100%\n"),
        ("10%\r100%\r", "100%"),
        ("10%\b\b\b20%", "20%"),
        ("N\bNA\bA", "NA"),
        ("a\x00b\x7fc", "a␀b␡c"),
        ("a\u202eb\u2066c\u200bd\ufeff", "a⟨U+202E⟩b⟨U+2066⟩c⟨U+200B⟩d⟨U+FEFF⟩"),
        ("a\x85b\u2028c\x0cd", "a⟨U+0085⟩b⟨U+2028⟩c␌d"),
        ("\ud83d x \udce9", "\ufffd x \ufffd"),
        ("tab\there [/dim] [@click=app.quit]", "tab\there [/dim] [@click=app.quit]"),
    ],
)
def test_what_a_terminal_would_obey_is_gone_and_the_text_stays(text: str, shown: str) -> None:
    """cases g/116, l/184, l/188."""
    assert harmless(text) == shown


def test_emoji_families_and_joined_scripts_stay_as_they_are() -> None:
    for text in ("👨\u200d👩\u200d👧", "می\u200cخواهم", "क्\u200dष"):
        assert harmless(text) == text
    assert harmless("rm\u200d x") == "rm⟨U+200D⟩ x"


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(st.characters(), max_size=60))
@example("\x1b[\x1b[2J")
@example("\x1b\x1b]\x1b]0;\x07")
def test_nothing_live_survives(text: str) -> None:
    assert LIVE.search(harmless(text)) is None
    assert harmless(harmless(text)) == harmless(text)
    assert LIVE.search(exact(text)) is None


@given(st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Mn", "Lo"])))
def test_text_without_controls_is_not_touched(text: str) -> None:
    assert harmless(text) == text


def test_many_unended_sequences_take_no_time_that_grows_with_the_square() -> None:
    for start in ("\x1b]", "\x9d", "\x1b]8;;", "\x9d8;;", "\x1b]8;;x\x07", "\x1bP", "\x1b[", "\r", "\b"):
        assert "\x1b" not in harmless((start + "\n") * 200_000)
        assert "\x1b" not in harmless(start * 200_000)


def test_consent_sees_what_a_terminal_would_swallow() -> None:
    """cases l/188: nothing may hide a part of a command."""
    assert exact('ls "\x1b]0;"; rm x; echo "\x07"') == 'ls "␛]0;"; rm x; echo "␇"'
    assert exact("ls\rrm x") == "ls␍rm x"


@pytest.mark.parametrize(
    ("text", "width", "label"),
    [
        ("short", 10, "short"),
        ("a\nb\tc", 10, "a⏎b c"),
        ("0123456789abc", 10, "012345678…"),
        ("漢字漢字漢字", 7, "漢字漢…"),
        ("漢字", 4, "漢字"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
        ("\x1b[31mred\x1b[0m", 3, "red"),
    ],
)
def test_a_label_is_one_line_of_the_width_asked_for(text: str, width: int, label: str) -> None:
    assert one_line(text, width) == label


@given(st.text(st.characters(), max_size=80), st.integers(0, 40))
def test_a_label_never_takes_more_cells_than_it_may(text: str, width: int) -> None:
    label = one_line(text, width)
    assert cells(label) <= width
    assert "\n" not in label


def test_a_huge_text_makes_a_label_at_once() -> None:
    assert one_line("x" * 50_000_000, 5) == "xxxx…"


def test_combining_marks_take_no_cell() -> None:
    assert cells(unicodedata.normalize("NFD", "éà")) == 2
    assert clip("e\u0301" * 5, 3) == "e\u0301e\u0301…"
