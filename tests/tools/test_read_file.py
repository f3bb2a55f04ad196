import os
import socket
from pathlib import Path

import pytest

from hermes_tui.engine.errors import Interrupted
from hermes_tui.engine.footprint import Level
from hermes_tui.engine.protocols import Result
from hermes_tui.files.lines import LineWindow
from hermes_tui.files.open import hash_bytes
from hermes_tui.tools.read_file import TOOL
from tests.tools.support import Session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


def test_lines_are_numbered(session: Session) -> None:
    (session.folder / "a.py").write_bytes(b"one\r\n\ttwo\nthree")
    assert session.run(TOOL, path="a.py") == Result("     1|one\n     2|\ttwo\n     3|three", "3 lines")


def test_a_long_file_says_how_to_go_on(session: Session) -> None:
    (session.folder / "a").write_text("".join(f"{n}\n" for n in range(1, 1205)))
    first = session.run(TOOL, path="a")
    assert first.content.startswith("     1|1\n")
    assert first.content.endswith("\n   500|500\n[lines 1-500 of 1204; go on with offset=501]")
    assert first.display == "lines 1–500"
    last = session.run(TOOL, path="a", offset="1201", limit=5000)
    assert last.content == ("  1201|1201\n  1202|1202\n  1203|1203\n  1204|1204\n[lines 1201-1204 of 1204]")
    assert session.run(TOOL, path="a", offset=0, limit=1).content.startswith("     1|1\n[lines 1-1 of")
    assert "1204 lines: offset=2000 is past its end" in session.refused(TOOL, path="a", offset=2000)


def test_an_empty_file_is_said_to_be_empty(session: Session) -> None:
    """cases d/64."""
    (session.folder / "a").touch()
    assert session.run(TOOL, path="a").content == "a: file is empty"


def test_one_line_of_five_megabytes_is_clipped_with_a_notice(session: Session) -> None:
    """cases d/64."""
    (session.folder / "a").write_bytes(b"x" * 5_000_000 + b"\nshort\n")
    content = session.run(TOOL, path="a").content
    assert content == f"     1|{'x' * 2000}… [line clipped: it has 5000000 bytes]\n     2|short"


def test_an_answer_never_holds_more_than_100_kb(session: Session) -> None:
    (session.folder / "a").write_text(("y" * 999 + "\n") * 2000)
    content = session.run(TOOL, path="a", limit=2000).content
    assert len(content) < 100_100
    assert content.endswith("[lines 1-99 of 2000; go on with offset=100]")


def test_pipes_sockets_devices_and_binary_files_are_refused_at_once(session: Session) -> None:
    """cases d/64."""
    os.mkfifo(session.folder / "pipe")
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(session.folder / "socket"))
    (session.folder / "png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    (session.folder / "bin").write_bytes(b"a\0b")
    for path, said in [
        ("pipe", "is a named pipe, not a file"),
        ("socket", "is a socket, not a file"),
        ("/dev/zero", "is a device, not a file"),
        ("png", "png is a PNG image of 108 bytes, not text"),
        ("bin", "bin is binary data of 3 bytes, not text"),
    ]:
        assert said in session.refused(TOOL, path=path)
    server.close()


def test_a_folder_lists_some_of_its_names(session: Session) -> None:
    (session.folder / "src/sub").mkdir(parents=True)
    (session.folder / "src/a.py").touch()
    assert "src is a folder, not a file. It holds a.py, sub/." in session.refused(TOOL, path="src")


@pytest.mark.parametrize(
    ("path", "meant"),
    [("Readme.md", "README.md"), ("src/ap.py", "src/app.py"), ("srcc/app.py", "src"), ("app.ts", None)],
)
def test_a_missing_file_brings_names_that_are_near(session: Session, path: str, meant: str | None) -> None:
    (session.folder / "src").mkdir()
    for name in ("README.md", "src/app.py", "zzz"):
        (session.folder / name).touch()
    text = session.refused(TOOL, path=path)
    assert text.startswith(f"no such file: {path}.")
    assert (f"Did you mean {meant}?" in text) if meant else ("Did you mean" not in text)


def test_a_missing_file_reads_the_nearest_folder(session: Session) -> None:
    footprint = TOOL.footprint({"path": "src/none/a.py"}, session.folder)
    assert (footprint.level, footprint.reads, footprint.writes) == (
        Level.SCOPED,
        (str(session.folder),),
        (),
    )


def test_bytes_that_are_no_utf8_are_shown_and_said(session: Session) -> None:
    (session.folder / "a").write_bytes(b"caf\xe9\n")
    assert session.run(TOOL, path="a").content.startswith("     1|caf\ufffd\n[bytes that are no UTF-8")
    (session.folder / "c").write_text("\ufffd\n")
    assert session.run(TOOL, path="c").content == "     1|\ufffd"
    (session.folder / "b").write_bytes("漢\r\n字".encode("utf-16"))
    assert session.run(TOOL, path="b").content == "     1|漢\n     2|字"


def test_the_hash_of_the_whole_content_is_remembered(session: Session) -> None:
    data = b"line\n" * 100_000
    (session.folder / "a").write_bytes(data)
    (session.folder / "link").symlink_to("a")
    session.run(TOOL, path="link", limit=1)
    assert session.reads.hash(session.folder / "a") == hash_bytes(data)
    assert session.reads.seen(session.folder / "a") == data


def test_a_read_of_a_large_file_stops_when_told(session: Session) -> None:
    with (session.folder / "a").open("wb") as stream:
        stream.truncate(10 << 30)
        stream.write(b"text\n" * 2000)
    session.token.set()
    with pytest.raises(Interrupted):
        session.run(TOOL, path="a")


@pytest.mark.parametrize("cut", range(1, 12))
@pytest.mark.parametrize("text", [b"one\ntwo\n\nfour", b"one\ntwo\n\nfour\n", b"\n\n\n", b"x"])
def test_a_window_is_the_same_however_the_file_is_cut(text: bytes, cut: int) -> None:
    lines = text.removesuffix(b"\n").split(b"\n")
    for first in range(1, 6):
        for limit in range(1, 6):
            window = LineWindow(first, limit)
            for start in range(0, len(text), cut):
                window.feed(text[start : start + cut])
            shown = [line.shown.encode() for line in window.lines]
            assert (shown, window.total) == (lines[first - 1 : first - 1 + limit], len(lines))
