"""What is too long for the conversation lies in the program's own files, for this session alone."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest

from hermes_tui.engine.messages import Image
from hermes_tui.files.kept import MOST, OLDEST, KeptTexts
from hermes_tui.files.pictures import LARGEST, mentioned, pictures

PNG = b"\x89PNG\r\n\x1a\n"


def kept(folder: Path, session: str = "s1") -> KeptTexts:
    return KeptTexts(folder / "texts", lambda: session)


def test_a_text_is_kept_whole_and_private_and_its_place_is_told(tmp_path: Path) -> None:
    place = kept(tmp_path).keep("call_1", "all of it\n\ud800")
    path = Path(place.partition(" (")[0])
    assert path.parent == (tmp_path / "texts" / "s1").resolve()
    assert path.read_text() == "all of it\n?"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert "offset" in place


def test_two_texts_of_one_name_are_two_files_and_the_same_text_is_one(tmp_path: Path) -> None:
    """Sub-agents have calls of their own that may have the same id."""
    where = kept(tmp_path)
    assert where.keep("c", "one") != where.keep("c", "two")
    assert where.keep("c", "one") == where.keep("c", "one")


def test_a_name_that_is_a_path_stays_inside(tmp_path: Path) -> None:
    path = kept(tmp_path, "../../x").put("../../etc/passwd", ".txt", b"x")
    assert path.is_relative_to((tmp_path / "texts").resolve())


def test_what_the_disk_refuses_is_not_promised(tmp_path: Path) -> None:
    (tmp_path / "texts").write_text("a file in the way")
    assert kept(tmp_path).keep("c", "text") == ""


def test_the_readable_folders_are_this_sessions_and_those_it_was_forked_from(tmp_path: Path) -> None:
    where = kept(tmp_path)
    root = (tmp_path / "texts").resolve()
    assert where.readable() == (root / "s1",)
    where.forked_from("s0")
    assert where.readable() == (root / "s1", root / "s0")
    where.forked_from()
    assert where.readable() == (root / "s1",)


def test_old_sessions_go_and_this_one_stays(tmp_path: Path) -> None:
    long_ago = time.time() - OLDEST - 10
    for session in ("s1", "old", "fresh"):
        path = kept(tmp_path, session).put("c", ".txt", b"x")
        if session != "fresh":
            os.utime(path, (long_ago, long_ago))
    kept(tmp_path).sweep()
    assert sorted(entry.name for entry in (tmp_path / "texts").iterdir()) == ["fresh", "s1"]


def test_the_oldest_go_until_all_fit(tmp_path: Path) -> None:
    for age, session in ((300, "a"), (200, "b"), (100, "c")):
        path = kept(tmp_path, session).put("c", ".txt", b"x")
        os.truncate(path, MOST // 2)  # a hole: it takes no room
        os.utime(path, (time.time() - age,) * 2)
    kept(tmp_path).sweep()
    assert sorted(entry.name for entry in (tmp_path / "texts").iterdir()) == ["b", "c"]


def test_a_sweep_of_nothing_is_no_error(tmp_path: Path) -> None:
    kept(tmp_path).sweep()


# -- pictures ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("what is @shot.png?", ["shot.png"]),
        ('compare @a.PNG and @"my shots/b c.jpeg".', ["a.PNG", "my shots/b c.jpeg"]),
        ("mail me@host.png and read @notes.txt", []),
        ("(@a.png)", []),
        ("@a.webp, @b.gif)", ["a.webp", "b.gif"]),
    ],
)
def test_pictures_are_what_stands_behind_an_at(prompt: str, names: list[str]) -> None:
    assert list(mentioned(prompt)) == names


def test_a_picture_is_copied_so_that_what_was_sent_stays(tmp_path: Path) -> None:
    told: list[str] = []
    (tmp_path / "shot.png").write_bytes(PNG)
    found = pictures("see @shot.png and @./shot.png", tmp_path, kept(tmp_path), told.append)
    (tmp_path / "shot.png").write_bytes(b"other")
    (image,) = found
    assert image == Image("shot.png", "image/png", image.path, len(PNG))
    assert Path(image.path).read_bytes() == PNG
    assert told == []


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (None, "no such file"),
        (b"text", "it is no PNG, JPEG, GIF or WebP picture"),
        (PNG + b"x" * LARGEST, "larger than 5 MB"),
    ],
)
def test_a_picture_that_cannot_be_sent_is_told_and_the_prompt_goes_on(
    tmp_path: Path, body: bytes | None, why: str
) -> None:
    told: list[str] = []
    if body is not None:
        (tmp_path / "a.png").write_bytes(body)
    assert pictures("@a.png", tmp_path, kept(tmp_path), told.append) == ()
    (line,) = told
    assert line.startswith("no picture is sent for @a.png: ")
    assert why in line
