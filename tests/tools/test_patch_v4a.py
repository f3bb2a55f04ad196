import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from hermes_tui.engine.errors import BadArguments, Interrupted, StaleFile, ToolError
from hermes_tui.engine.footprint import Hazard, Level
from hermes_tui.engine.protocols import Result
from hermes_tui.files.replace import SafeDisk
from hermes_tui.tools.patch import TOOL
from hermes_tui.tools.read_file import TOOL as READ
from tests.tools.support import Session, tree


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


def envelope(body: str) -> str:
    return f"*** Begin Patch\n{body}\n*** End Patch\n"


def patch(session: Session, body: str) -> Result:
    return session.run(TOOL, mode="patch", patch=envelope(body))


def refused(session: Session, body: str) -> str:
    """Return what the model is told of a patch that must fail; every file stays."""
    before = tree(session.folder)
    said = session.refused(TOOL, mode="patch", patch=envelope(body))
    assert tree(session.folder) == before
    return said


def files(session: Session, **contents: bytes) -> None:
    for name, content in contents.items():
        (session.folder / name).write_bytes(content)


@pytest.mark.parametrize(
    ("before", "body", "after"),
    [
        (b"a\nb\nc\n", "@@\n a\n-b\n+B\n c", b"a\nB\nc\n"),
        (b"a\nb\nc\n", " a\n-b\n+B\n c", b"a\nB\nc\n"),
        (b"a\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", b"a\nB\nc\n"),
        (b"a\r\nb\r\nc\r\n", "@@\n a\n-b\n+B\n+C\n c", b"a\r\nB\r\nC\r\nc\r\n"),
        (b"a\r\nb\nc\rd\n", "@@\n a\n-b\n+B", b"a\r\nB\nc\rd\n"),
        (b"x=1\n# caf\xe9\n", "@@\n-x=1\n+x=2", b"x=2\n# caf\xe9\n"),
        (b"\xef\xbb\xbfa\nb\n", "@@\n-a\n+A\n b", b"\xef\xbb\xbfA\nb\n"),
        (b"l1\nl2\nl3", "@@\n-l1\n+L1\n l2", b"L1\nl2\nl3"),
        (b"l1\nl2\nl3", "@@\n l2\n-l3\n+L3", b"l1\nl2\nL3"),
        (b"l1\nl2\nl3", "@@\n l2\n-l3\n\\ No newline at end of file", b"l1\nl2"),
        (b"end", "@@\n end\n+new", b"end\nnew"),
        (b"end", "@@\n+new\n*** End of File", b"end\nnew"),
        (b"a\r\nend", "@@\n+new\n*** End of File", b"a\r\nend\r\nnew"),
        (b"end\n", "@@\n+new", b"end\nnew\n"),
        (b"", "@@\n+new", b"new\n"),
        (b"a\nb\n", "@@\n-a\n-b", b""),
        (b"a\n\nb\n", "@@\n a\n\n-b\n+B", b"a\n\nB\n"),
        (b"a\nb\n", "@@\n-a\n+A\n\n", b"A\nb\n"),
        (b"def f():\n  x\ndef g():\n  x\n", "@@ def g():\n-  x\n+  y", b"def f():\n  x\ndef g():\n  y\n"),
        (
            b"def f():\n  x\ndef g():\n  x\n",
            "@@ def g():\n def g():\n-  x\n+  y",
            b"def f():\n  x\ndef g():\n  y\n",
        ),
        (
            b"class A:\n  def f():\n    x\nclass B:\n  def f():\n    x\n",
            "@@ class B:\n@@   def f():\n-    x\n+    y",
            b"class A:\n  def f():\n    x\nclass B:\n  def f():\n    y\n",
        ),
        (b"import a\n\nx\n", "@@ import a\n+import b", b"import a\nimport b\n\nx\n"),
        (b"x\ny\nx\n", "@@\n-x\n+z\n*** End of File", b"x\ny\nz\n"),
        (b"1\n2\n3\n4\n", "@@\n-1\n+one\n@@\n-4\n+four", b"one\n2\n3\nfour\n"),
        (b"1\n2\n3\n4\n", "@@\n-4\n+four\n@@\n-1\n+one", b"one\n2\n3\nfour\n"),
        (b"x\na\nx\nb\n", "@@\n a\n-x\n+y\n@@\n-b\n+B", b"x\na\ny\nB\n"),
        ("a\u2028b\x0cc\nd\n".encode(), "@@\n-d\n+D", "a\u2028b\x0cc\nD\n".encode()),
    ],
)
def test_hunks_change_their_lines_and_no_other_byte(
    session: Session, before: bytes, body: str, after: bytes
) -> None:
    """cases d/49, d/50, d/52, d/53, d/55."""
    files(session, f=before)
    patch(session, f"*** Update File: f\n{body}")
    assert (session.folder / "f").read_bytes() == after


@pytest.mark.parametrize(
    ("before", "body", "said"),
    [
        (b"a\nb\n", "@@\n-c\n+d", "the hunk was not found"),
        (b"x\ny\nx\n", "@@\n-x\n+z", "the hunk fits 2 places (lines 1, 3)"),
        (b"x\ny\nx\n", "@@ q\n-x\n+z", "the hunk fits 2 places"),
        (b"a\nb\n", "@@ q\n+new", "its line `@@ q` is not found exactly once"),
        (b"a\nb\n", "@@\n-a\n+c\n*** End of File", "the hunk at the end of the file was not found"),
        (b"a\nb\n", "@@\n-a\n+c\n@@\n-a\n+d", "hunk 2 was not found"),
        (b"alpha(1)\nbeta(2)\n", "@@\n alpha(1)\n-beta(9)\n+x", "Closest is line 2"),
    ],
)
def test_a_hunk_that_fits_nowhere_or_twice_is_an_error(
    session: Session, before: bytes, body: str, said: str
) -> None:
    """cases d/59."""
    files(session, f=before)
    assert said in refused(session, f"*** Update File: f\n{body}")


def test_a_hunk_that_fits_but_for_blanks_is_applied_and_said(session: Session) -> None:
    """cases d/59."""
    files(session, f=b"class A:\n\tdef f():\n\t\treturn 1\n")
    result = patch(session, "*** Update File: f\n@@\n def f():\n-    return 1\n+    x = 2\n+    return x")
    assert (session.folder / "f").read_bytes() == b"class A:\n\tdef f():\n\t\tx = 2\n\t\treturn x\n"
    assert "matched lines 2-3 only when blanks do not count" in result.content


def test_one_patch_adds_updates_moves_and_deletes(session: Session) -> None:
    files(session, a=b"1\n2\n", b=b"b\n", c=b"c\n", d=b"d\n")
    result = patch(
        session,
        "*** Add File: new/deep.txt\n+one\n+\n+two\n"
        "*** Update File: a\n@@\n-1\n+one\n"
        "*** Update File: b\n*** Move to: moved/b\n@@\n-b\n+B\n"
        "*** Delete File: c\n"
        "*** Move File: d -> e",
    )
    assert tree(session.folder) == {
        "a": b"one\n2\n",
        "e": b"d\n",
        "moved/b": b"B\n",
        "new/deep.txt": b"one\n\ntwo\n",
    }
    assert result == Result(
        "moved b -> moved/b (+1 −1)\nmoved d -> e (+0 −0)\nadded new/deep.txt (+3 −0)\n"
        "updated a (+1 −1)\ndeleted c (+0 −1)",
        "5 files, +5 −3",
    )


def test_later_parts_see_what_earlier_ones_made(session: Session) -> None:
    files(session, a=b"1\n")
    patch(
        session,
        "*** Update File: a\n*** Move to: b\n@@\n-1\n+2\n*** Update File: ./b\n@@\n-2\n+3\n"
        "*** Add File: a\n+new\n*** Add File: gone\n+x\n*** Delete File: gone",
    )
    assert tree(session.folder) == {"a": b"new\n", "b": b"3\n"}


def test_a_moved_file_keeps_its_mode(session: Session) -> None:
    """cases d/56."""
    files(session, run=b"#!/bin/sh\n")
    (session.folder / "run").chmod(0o750)
    patch(session, "*** Move File: run -> bin/go")
    assert (session.folder / "bin" / "go").stat().st_mode & 0o7777 == 0o750


def test_a_file_moved_to_itself_is_edited_or_left(session: Session) -> None:
    """cases b/29."""
    files(session, **{"a.md": b"x\n"})
    patch(session, "*** Update File: a.md\n*** Move to: ./a.md\n@@\n-x\n+y")
    assert tree(session.folder) == {"a.md": b"y\n"}
    assert patch(session, "*** Move File: a.md -> sub/../a.md").display == "no change"
    assert patch(session, "*** Update File: a.md\n*** Move to: ./a.md").display == "no change"
    assert tree(session.folder) == {"a.md": b"y\n"}


@pytest.mark.parametrize("body", ["*** Move File: a -> b", "*** Update File: a\n*** Move to: b\n@@\n-1\n+2"])
def test_a_move_onto_another_file_is_refused(session: Session, body: str) -> None:
    """cases b/29."""
    files(session, a=b"1\n", b=b"2\n")
    assert "cannot move a: b exists already" in refused(session, body)


def test_a_move_onto_another_name_of_the_same_file_is_refused(session: Session) -> None:
    files(session, a=b"1\n")
    os.link(session.folder / "a", session.folder / "b")
    assert "b exists already" in refused(session, "*** Move File: a -> b")


def test_nothing_is_written_when_one_of_three_files_does_not_fit(session: Session) -> None:
    """cases d/65."""
    files(session, a=b"1\n", b=b"2\n", c=b"3\n")
    said = refused(
        session,
        "*** Update File: a\n@@\n-1\n+x\n*** Update File: b\n@@\n-9\n+x\n*** Update File: c\n@@\n-3\n+x",
    )
    assert said.startswith(
        "nothing was written: 1 of 3 parts of the patch do not fit.\na: would be changed\n"
    )
    assert "\nb: the hunk was not found" in said
    assert said.endswith("\nc: would be changed")


def test_nothing_is_written_when_one_file_changed_since_the_read(session: Session) -> None:
    """cases b/26."""
    files(session, a=b"1\n", b=b"2\n")
    session.run(READ, path="b")
    files(session, b=b"mine\n2\n")
    before = tree(session.folder)
    with pytest.raises(StaleFile, match=r"b changed since you last read it(?s:.*)\+mine"):
        patch(session, "*** Update File: a\n@@\n-1\n+x\n*** Update File: b\n@@\n-2\n+x")
    with pytest.raises(StaleFile):
        patch(session, "*** Delete File: b")
    assert tree(session.folder) == before


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("*** Add File: a\n+x", "a exists already"),
        ("*** Update File: none\n@@\n-x\n+y", "no such file: none"),
        ("*** Delete File: none", "no such file: none"),
        ("*** Move File: none -> x", "no such file: none"),
        ("*** Delete File: folder", "is a folder, not a file"),
        ("*** Move File: folder -> x", "is a folder, not a file"),
        ("*** Add File: folder\n+x", "is a folder, not a file"),
        ("*** Move File: a -> folder", "is a folder, not a file"),
        ("*** Move File: link -> x", "is a symbolic link"),
        ("*** Add File: a/b\n+x", "a file, not a folder"),
    ],
)
def test_what_cannot_be_is_said_before_anything_changes(session: Session, body: str, said: str) -> None:
    files(session, a=b"1\n", z=b"z\n")
    (session.folder / "folder").mkdir()
    (session.folder / "link").symlink_to("a")
    assert said in refused(session, f"*** Update File: z\n@@\n-z\n+y\n{body}")


def test_removing_a_link_is_undeclared_and_leaves_its_target(session: Session) -> None:
    files(session, a=b"1\n")
    (session.folder / "link").symlink_to("a")
    (session.folder / "dangling").symlink_to("nowhere")
    text = envelope("*** Delete File: link\n*** Delete File: dangling")
    footprint = TOOL.footprint({"patch": text}, session.folder)
    assert (footprint.level, footprint.why) == (Level.UNDECLARED, "link is a symbolic link")
    assert footprint.writes == (f"{session.folder}/link", f"{session.folder}/dangling")
    session.run(TOOL, patch=text)
    assert os.listdir(session.folder) == ["a"]


def test_the_footprint_covers_every_file_named_and_not_the_path_beside(session: Session) -> None:
    """cases b/29; peers.md: a decoy path."""
    files(session, a=b"1\n", b=b"2\n", c=b"3\n")
    (session.folder / "link").symlink_to("a")
    text = envelope(
        "*** Update File: link\n@@\n-1\n+2\n*** Update File: b\n*** Move to: sub/../d\n*** Delete File: c\n"
        "*** Move File: a -> e\n*** Add File: new\n+x"
    )
    footprint = TOOL.footprint({"mode": "patch", "path": "decoy", "patch": text}, session.folder)
    assert footprint.level is Level.SCOPED
    assert footprint.reads == ()
    assert footprint.writes == tuple(str(session.folder / name) for name in ("a", "b", "d", "c", "e", "new"))
    assert footprint.hazard is Hazard.DELETES


@pytest.mark.parametrize(
    ("body", "why"),
    [("*** Move File: folder -> x", "folder is a folder"), ("*** Delete File: folder", "folder is a folder")],
)
def test_a_folder_that_would_go_is_undeclared(session: Session, body: str, why: str) -> None:
    (session.folder / "folder").mkdir()
    footprint = TOOL.footprint({"patch": envelope(body)}, session.folder)
    assert (footprint.level, footprint.why) == (Level.UNDECLARED, why)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "just words",
        "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y",
        "*** Update File: a\n@@\n-x\n+y\n*** End Patch",
        envelope(""),
        envelope("words"),
        envelope("*** Update File: a\n@@\nx"),
        envelope("*** Update File: a\n@@\n x"),
        envelope("*** Update File: a"),
        envelope("*** Update File:\n@@\n-x\n+y"),
        envelope("*** Add File: a\nx"),
        envelope("*** Delete File: a\n-x"),
        envelope("*** Move File: a"),
        envelope("*** Move File: a -> "),
        envelope("*** Add File: a\n*** Move to: b"),
        envelope("*** Update File: a\n@@\n-x\n+y\n*** Move to: b"),
        envelope("*** Update File: a\n*** End of File"),
        envelope("*** Rename File: a"),
    ],
)
def test_a_text_that_is_no_patch_is_refused_before_planning(session: Session, text: str) -> None:
    files(session, a=b"x\n")
    with pytest.raises(BadArguments, match=r"(?s)A patch looks like this:.*\*\*\* Begin Patch"):
        TOOL.footprint({"mode": "patch", "patch": text}, session.folder)


def test_a_patch_sent_with_other_line_ends_and_blank_lines_around_is_read(session: Session) -> None:
    files(session, a=b"x\n")
    text = "\n" + envelope("*** Update File: a\n@@\n-x\n+y\n\n*** Add File: b\n+1\n") + "\n\n"
    session.run(TOOL, mode="patch", patch=text.replace("\n", "\r\n"))
    assert tree(session.folder) == {"a": b"y\n", "b": b"1\n"}


def test_the_question_shows_every_file(session: Session) -> None:
    files(session, a=b"1\n", b=b"2\n", c=b"3\n")
    (session.folder / "link").symlink_to("a")
    body = "*** Update File: a\n*** Move to: d\n@@\n-1\n+x\n*** Delete File: b\n*** Delete File: link"
    assert TOOL.preview({"patch": envelope(body)}, session.folder) == (
        "moves a -> d\n--- d\n+++ d\n@@ -1 +1 @@\n-1\n+x\n"
        "--- b\n+++ /dev/null\n@@ -1 +0,0 @@\n-2\n"
        "removes the symbolic link link\n"
    )


class CutOff(SafeDisk):
    """A disk on which something happens before a given write."""

    def __init__(self, before: int, happens: Callable[[], None]) -> None:
        super().__init__()
        self._left = before
        self._happens = happens

    @contextmanager
    def stage(self, path: Path, data: bytes | None, mode: int | None = None) -> Iterator[Callable[[], None]]:
        self._left -= 1
        if self._left == 0:
            self._happens()
        inner: AbstractContextManager[Callable[[], None]] = super().stage(path, data, mode)
        with inner as commit:
            yield commit


BODY = "*** Update File: a\n@@\n-1\n+x\n*** Update File: b\n@@\n-2\n+x\n*** Update File: c\n@@\n-3\n+x"


def test_an_interrupt_in_the_middle_says_which_files_were_written(tmp_path: Path) -> None:
    session = Session(tmp_path)
    session.disk = CutOff(2, session.token.set)
    files(session, a=b"1\n", b=b"2\n", c=b"3\n")
    with pytest.raises(Interrupted) as caught:
        patch(session, BODY)
    assert tree(tmp_path) == {"a": b"x\n", "b": b"2\n", "c": b"3\n"}
    assert caught.value.content == (
        "only a part of the patch was written; check before you go on.\n"
        "a: updated (done)\nb: not updated: interrupted\nc: not updated"
    )


def test_a_failure_in_the_middle_says_which_files_were_written(tmp_path: Path) -> None:
    """cases d/65."""
    session = Session(tmp_path)
    session.disk = CutOff(2, lambda: files(session, b=b"somebody else\n"))
    files(session, a=b"1\n", b=b"2\n", c=b"3\n")
    with pytest.raises(ToolError, match=r"(?s)a: updated \(done\)\nb: not updated: .*\nc: not updated$"):
        patch(session, BODY)
    assert tree(tmp_path) == {"a": b"x\n", "b": b"somebody else\n", "c": b"3\n"}


def test_what_was_patched_counts_as_read(session: Session) -> None:
    files(session, a=b"1\n", b=b"2\n")
    session.run(READ, path="a")
    patch(session, "*** Update File: a\n@@\n-1\n+x")
    patch(session, "*** Update File: a\n*** Move to: c\n@@\n-x\n+y")
    patch(session, "*** Add File: a\n+again")
    patch(session, "*** Update File: c\n@@\n-y\n+z")
    assert tree(session.folder) == {"a": b"again\n", "b": b"2\n", "c": b"z\n"}
