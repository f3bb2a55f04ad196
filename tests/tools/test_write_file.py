import os
import stat
from pathlib import Path

import pytest

from hermes_tui.engine.errors import BadArguments, Interrupted, StaleFile
from hermes_tui.engine.footprint import Footprint, Hazard, Level
from hermes_tui.engine.protocols import Result
from hermes_tui.tools.base import write_path
from hermes_tui.tools.read_file import TOOL as READ
from hermes_tui.tools.write_file import TOOL
from tests.tools.support import Session, tree


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


def test_a_new_file_is_written_with_its_folders(session: Session) -> None:
    result = session.run(TOOL, path="src/new/a.py", content="a\nb\n")
    assert result == Result("wrote src/new/a.py: new file, 2 lines", "new, 2 lines")
    assert tree(session.folder) == {"src/new/a.py": b"a\nb\n"}


@pytest.mark.parametrize("content", ["", "\ufeffa\r\nb\rc\u2028\x0c", "no end", "漢字\n" * 3])
def test_the_content_is_written_as_it_is(session: Session, content: str) -> None:
    session.run(TOOL, path="a", content=content)
    assert (session.folder / "a").read_bytes() == content.encode()


def test_a_file_that_was_read_is_replaced_and_its_mode_stays(session: Session) -> None:
    """cases d/56."""
    (session.folder / "run.sh").write_text("a\nb\nc\n")
    (session.folder / "run.sh").chmod(0o750)
    session.run(READ, path="run.sh")
    result = session.run(TOOL, path="run.sh", content="a\nB\nc\nd\n")
    assert result == Result("wrote run.sh: 4 lines (+2 −1)", "+2 −1")
    assert stat.S_IMODE((session.folder / "run.sh").stat().st_mode) == 0o750


def test_replacing_an_unread_file_is_said(session: Session) -> None:
    (session.folder / "a").write_text("old\n")
    result = session.run(TOOL, path="a", content="new\n")
    assert result.content == (
        "wrote a: 1 line (+1 −1). It replaced a file that you had not read in this session"
    )
    assert "not read" not in session.run(TOOL, path="a", content="newer\n").content


def test_a_file_changed_since_the_read_is_not_overwritten(session: Session) -> None:
    """cases b/26."""
    path = session.folder / "a"
    path.write_text("one\ntwo\n")
    session.run(READ, path="a")
    path.write_text("one\nmine\n")
    with pytest.raises(StaleFile) as caught:
        session.run(TOOL, path="a", content="x")
    assert "a changed since you last read it; nothing was written" in str(caught.value)
    assert "-two\n+mine\n" in str(caught.value)
    assert path.read_text() == "one\nmine\n"
    session.run(READ, path="a")
    session.run(TOOL, path="a", content="x")
    assert path.read_text() == "x"


def test_the_same_content_changes_nothing(session: Session) -> None:
    (session.folder / "a").write_text("same\n")
    before = (session.folder / "a").stat().st_ino
    assert session.run(TOOL, path="a", content="same\n").display == "no change"
    assert (session.folder / "a").stat().st_ino == before


def test_a_very_large_file_can_be_replaced(session: Session) -> None:
    with (session.folder / "log").open("wb") as stream:
        stream.truncate(65_000_000)
    assert "larger than 64 MB" in TOOL.preview({"path": "log", "content": "x"}, session.folder)
    assert session.run(TOOL, path="log", content="x").display == "replaced a large file"
    assert tree(session.folder) == {"log": b"x"}


def test_a_link_is_written_through_and_stays(session: Session) -> None:
    """cases l/179."""
    (session.folder / "real").write_text("old")
    (session.folder / "link").symlink_to("real")
    (session.folder / "draft").symlink_to("made/new")
    for name, target in [("link", "real"), ("draft", "made/new")]:
        footprint = TOOL.footprint({"path": name, "content": ""}, session.folder)
        assert footprint.writes == (str(session.folder / target),)
        session.run(TOOL, path=name, content="new")
        assert (session.folder / name).is_symlink()
        assert (session.folder / target).read_text() == "new"


def test_hard_links_stay_one_file(session: Session) -> None:
    (session.folder / "a").write_text("old")
    os.link(session.folder / "a", session.folder / "b")
    session.run(TOOL, path="a", content="new")
    assert tree(session.folder) == {"a": b"new", "b": b"new"}


def test_it_declares_exactly_its_path(session: Session) -> None:
    folder = session.folder
    new = TOOL.footprint({"path": "./x/../a", "content": ""}, folder)
    assert new == Footprint(Level.SCOPED, (), (f"{folder}/a",), Hazard.NONE, (write_path("a", folder),))
    (folder / "a").touch()
    assert TOOL.footprint({"path": "a", "content": ""}, folder).hazard is Hazard.OVERWRITES


def test_a_folder_is_never_replaced(session: Session) -> None:
    (session.folder / "src").mkdir()
    footprint = TOOL.footprint({"path": "src", "content": ""}, session.folder)
    assert (footprint.level, footprint.why) == (Level.UNDECLARED, "src is a folder")
    assert "is a folder, not a file" in session.refused(TOOL, path="src", content="x")


def test_half_a_character_is_refused(session: Session) -> None:
    with pytest.raises(BadArguments, match="half a surrogate pair at character 3"):
        session.run(TOOL, path="a", content="ab\ud83d")
    assert tree(session.folder) == {}


def test_the_question_shows_the_diff(session: Session) -> None:
    (session.folder / "a").write_bytes(b"x\r\n")
    (session.folder / "bin").write_bytes(b"\0")
    preview = {
        name: TOOL.preview({"path": name, "content": "y\r\n"}, session.folder) for name in ("a", "bin", "new")
    }
    assert preview == {
        "a": "--- a\n+++ a\n@@ -1 +1 @@\n-x\r\n+y\r\n",
        "bin": "replaces bin, which is binary data of 1 bytes",
        "new": "--- /dev/null\n+++ new\n@@ -0,0 +1 @@\n+y\r\n",
    }


def test_nothing_is_written_after_the_interrupt(session: Session) -> None:
    session.token.set()
    with pytest.raises(Interrupted):
        session.run(TOOL, path="x/a", content="late")
    assert list(session.folder.iterdir()) == []
