import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_tui.engine.errors import BadArguments, StaleFile, ToolError
from hermes_tui.engine.footprint import Footprint, Level
from hermes_tui.engine.protocols import Result
from hermes_tui.tools.base import write_path
from hermes_tui.tools.patch import TOOL
from hermes_tui.tools.patch.replace import replaced
from hermes_tui.tools.read_file import TOOL as READ
from tests.tools.support import Session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


def edited(session: Session, before: bytes, old: str, new: str, everywhere: bool = False) -> bytes:
    """Return a file's bytes after one replacement."""
    path = session.folder / "f"
    path.write_bytes(before)
    session.run(TOOL, path="f", old_string=old, new_string=new, replace_all=everywhere)
    return path.read_bytes()


def kept(session: Session, before: bytes, old: str, new: str = "NEW", everywhere: bool = False) -> str:
    """Return what the model is told of a replacement that must fail; the file stays."""
    path = session.folder / "f"
    path.write_bytes(before)
    said = session.refused(TOOL, path="f", old_string=old, new_string=new, replace_all=everywhere)
    assert path.read_bytes() == before
    return said


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        (b"a\r\nb\r\nc\r\n", "a\nb", "a\nX", b"a\r\nX\r\nc\r\n"),
        (b"a\r\nb\r\nc\r\n", "a\r\nb", "a\r\nX\r\nY", b"a\r\nX\r\nY\r\nc\r\n"),
        (b"a\r\nb\r\n", "b", "x\ny", b"a\r\nx\r\ny\r\n"),
        (b"a\r\nb\r\n", "b\n", "", b"a\r\n"),
        (b"a\r\nb", "b", "x\ny", b"a\r\nx\r\ny"),
        (b"a\r\nb\nc\rd\n", "b", "B", b"a\r\nB\nc\rd\n"),
        (b"a\r\nb\nc\rd\n", "a\nb\nc", "a\nB\nc", b"a\r\nB\nc\rd\n"),
        (b"a\r\nb\nc\r\n", "a\nb\nc\n", "a\nb\nX\nc\n", b"a\r\nb\nX\r\nc\r\n"),
        (b"c\rd\n", "c\nd", "c\nD", b"c\rD\n"),
        (b"x=1\n# caf\xe9\n", "x=1", "x=2", b"x=2\n# caf\xe9\n"),
        (b"\xef\xbb\xbfa\n", "a", "b", b"\xef\xbb\xbfb\n"),
        (b"l1\nl2\nl3", "l1", "L1", b"L1\nl2\nl3"),
        (b"l1\nl2", "l2", "L2\n", b"l1\nL2\n"),
        ("a\u2028b\x0cc\x85d\n".encode(), "d", "D", "a\u2028b\x0cc\x85D\n".encode()),
        ("aé漢\r\nb".encode("utf-16"), "é漢\nb", "E\nc", "aE\r\nc".encode("utf-16")),
        (b"a.*b\n", "a.*b", "\\1$&\\n", b"\\1$&\\n\n"),
        (b"tail\n", "tail\n", "", b""),
        (b"\0bin\0x", "bin", "BIN", b"\0BIN\0x"),
    ],
)
def test_every_byte_outside_the_edit_stays(
    session: Session, before: bytes, old: str, new: str, after: bytes
) -> None:
    """cases d/49, d/50, d/52, d/53."""
    assert edited(session, before, old, new) == after


lines = st.lists(st.sampled_from(["a", "b", "ab", "", "\r", "é"]), min_size=1, max_size=12)
ends = st.sampled_from(["\n", "\r\n"])


@settings(max_examples=300)
@given(st.lists(st.tuples(st.sampled_from(["a", "b", "c", ""]), ends), min_size=3, max_size=12), st.data())
def test_a_line_is_exchanged_and_all_others_stay(file: list[tuple[str, str]], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(file) - 1))
    file[at] = ("unique", file[at][1])
    start = data.draw(st.integers(max(0, at - 2), at))
    stop = data.draw(st.integers(at + 1, min(len(file), at + 3)))
    old = [line for line, _ in file[start:stop]]
    new = [*old[: at - start], "changed", *old[at - start + 1 :]]
    text = "".join(line + end for line, end in file)
    after = [*file[:at], ("changed", file[at][1]), *file[at + 1 :]]
    made = replaced(text, "\n".join(old), "\n".join(new), everywhere=False)
    assert made.text == "".join(line + end for line, end in after)


@given(st.text("ab\n", max_size=30), st.text("ab\n", min_size=1, max_size=3), st.text("abc\n", max_size=3))
def test_with_plain_line_feeds_it_is_what_str_replace_does(text: str, old: str, new: str) -> None:
    if old == new or old not in text:
        return
    assert replaced(text, old, new, everywhere=True).text == text.replace(old, new)


def test_the_mode_and_links_stay(session: Session) -> None:
    """cases d/56."""
    path = session.folder / "run.sh"
    path.write_text("echo one\n")
    path.chmod(0o750)
    os.link(path, session.folder / "other")
    (session.folder / "link").symlink_to("run.sh")
    session.run(TOOL, path="link", old_string="one", new_string="two")
    assert stat.S_IMODE(path.stat().st_mode) == 0o750
    assert (session.folder / "other").read_text() == "echo two\n"
    assert (session.folder / "link").is_symlink()


def test_the_receipt_says_where(session: Session) -> None:
    (session.folder / "f").write_text("a\nb\na\n")
    assert session.run(TOOL, path="f", old_string="b", new_string="B") == Result(
        "updated f (+1 −1)\n1 replacement at line 2", "+1 −1"
    )
    assert session.run(TOOL, path="f", old_string="a", new_string="A", replace_all=True).content == (
        "updated f (+2 −2)\n2 replacements at line 1, 3"
    )


@pytest.mark.parametrize("everywhere", [False, True])
def test_an_empty_search_text_is_an_error_at_once(session: Session, everywhere: bool) -> None:
    """cases d/58."""
    assert "old_string is empty" in kept(session, b"abc", "", "X", everywhere)
    assert "old_string is empty" in kept(session, b"", "", "X", everywhere)


def test_equal_texts_are_an_error(session: Session) -> None:
    assert "equal" in kept(session, b"abc", "abc", "abc")


def test_several_places_are_an_error_with_their_lines(session: Session) -> None:
    said = kept(session, b"x\na\na\nb\na\n", "a")
    assert "found 3 times (lines 2, 3, 5)" in said
    assert "replace_all" in said
    assert "found 2 times" in kept(session, b"aaa", "aa")


def test_a_near_but_wrong_block_is_never_taken(session: Session) -> None:
    """cases d/59."""
    said = kept(session, b"zero\nalpha(1)\nbeta(2)\ngamma(3)\n", "alpha(1)\nbeta(9)\ngamma(3)\n")
    assert "Closest is line 3: it differs from column 6 on" in said
    assert "     2|alpha(1)\n     3|beta(2)\n     4|gamma(3)" in said


def test_blanks_alone_may_differ_if_the_place_is_unique_and_it_is_said(session: Session) -> None:
    """cases d/59."""
    path = session.folder / "f"
    path.write_bytes(b"def f():\r\n\tif  x:\r\n\t\treturn 1 \r\n\r\ny\r\n")
    result = session.run(
        TOOL, path="f", old_string="if x:\n    return 1\n", new_string="if x:\n    return 2\n"
    )
    assert path.read_bytes() == b"def f():\r\n\tif  x:\r\n\t\treturn 2\r\n\r\ny\r\n"
    assert "matched lines 2-3 only when blanks do not count" in result.content
    assert "fits more than one place" in kept(session, b"\ta\nb\n\ta\n", " a\n", "x\n")


def test_a_block_sent_with_less_indentation_is_put_in_with_the_files(session: Session) -> None:
    before = b"class A:\n    def f(self):\n        return 1\n"
    after = edited(
        session, before, "def f(self):\n    return 1\n", "def f(self):\n    x = 2\n\n    return x\n"
    )
    assert after == b"class A:\n    def f(self):\n        x = 2\n\n        return x\n"


@pytest.mark.parametrize(
    ("before", "old", "said"),
    [
        (
            "cafe\u0301 list\n",
            "café list",
            "column 4 is U+0065 LATIN SMALL LETTER E + U+0301 COMBINING",
        ),
        ("a\u00a0b = 1\n", "a b = 1", "column 2 is U+00A0 NO-BREAK SPACE, you sent U+0020 SPACE"),
        ("say “hi”\n", 'say "hi"', "column 5 is U+201C LEFT DOUBLE QUOTATION MARK, you sent U+0022"),
        ("x\u200by\n", "xy", "column 2 is U+200B ZERO WIDTH SPACE, you sent U+0079"),
    ],
)
def test_a_lookalike_is_named_by_its_code_point(session: Session, before: str, old: str, said: str) -> None:
    """cases d/61."""
    assert said in kept(session, before.encode(), old)


def test_copied_line_numbers_are_recognised(session: Session) -> None:
    assert "Leave out the line numbers" in kept(session, b"one\ntwo\n", "     1|one\n     2|two")


def test_a_failed_search_in_a_large_file_ends_soon(session: Session) -> None:
    line = b"value = compute(alpha, beta) # %d\n"
    data = b"".join(line % n for n in range(100_000))
    assert "not found" in kept(session, data, "value = compute(alpha, gamma) # x")
    assert "not found" in kept(session, b"}\n" * 200_000, "{\n" * 50 + "}\n" * 50)


def test_an_edit_of_a_changed_file_is_refused_with_what_changed(session: Session) -> None:
    """cases b/26."""
    path = session.folder / "f"
    path.write_text("one\ntwo\n")
    session.run(READ, path="f")
    path.write_text("one\n2\n")
    with pytest.raises(StaleFile, match=r"(?s)f changed since.*-two\n\+2\n"):
        session.run(TOOL, path="f", old_string="one", new_string="1")
    assert path.read_text() == "one\n2\n"


def test_edits_one_after_another_are_not_stale(session: Session) -> None:
    """cases b/22."""
    path = session.folder / "f"
    path.write_text("".join(f"{n}\n" for n in range(1, 101)))
    session.run(READ, path="f")
    session.run(TOOL, path="f", old_string="50\n", new_string="fifty\n")
    session.run(TOOL, path="f", old_string="75\n", new_string="seventy-five\n")
    assert {"fifty", "seventy-five"} <= set(path.read_text().split())


def test_a_missing_file_brings_names_that_are_near(session: Session) -> None:
    (session.folder / "app.py").write_text("a")
    said = session.refused(TOOL, path="ap.py", old_string="a", new_string="b")
    assert "no such file: ap.py. Did you mean app.py?" in said
    footprint = TOOL.footprint({"path": "ap.py", "old_string": "a", "new_string": "b"}, session.folder)
    assert footprint.reads == (str(session.folder),)


def test_it_declares_the_file_it_changes(session: Session) -> None:
    (session.folder / "f").touch()
    arguments = {"path": "x/../f", "old_string": "a", "new_string": "b"}
    assert TOOL.footprint(arguments, session.folder) == Footprint(
        Level.SCOPED, (), (f"{session.folder}/f",), subjects=(write_path("f", session.folder),)
    )


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"path": "a"},
        {"path": "a", "old_string": "x"},
        {"mode": "patch"},
        {"mode": "patch", "path": "a", "old_string": "x", "new_string": "y"},
        {"mode": "replace", "patch": "*** Begin Patch\n*** Delete File: a\n*** End Patch"},
        {"mode": "edit", "path": "a", "old_string": "x", "new_string": "y"},
        {"path": "", "old_string": "x", "new_string": "y"},
        {"path": "a", "old_string": "x", "new_string": "\ud800"},
    ],
)
def test_arguments_that_say_too_little_are_refused_before_planning(
    session: Session, arguments: dict[str, object]
) -> None:
    with pytest.raises(BadArguments):
        TOOL.footprint(arguments, session.folder)


def test_the_question_shows_the_diff_or_why_it_will_fail(session: Session) -> None:
    (session.folder / "f").write_text("a\nb\n")
    arguments = {"path": "f", "old_string": "b", "new_string": "B"}
    assert TOOL.preview(arguments, session.folder) == "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n"
    arguments["old_string"] = "c"
    assert TOOL.preview(arguments, session.folder).startswith("this patch will fail: f: old_string was not")


def test_special_files_are_refused(session: Session) -> None:
    os.mkfifo(session.folder / "pipe")
    with pytest.raises(ToolError, match="named pipe"):
        session.run(TOOL, path="pipe", old_string="a", new_string="b")
