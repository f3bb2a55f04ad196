"""Whether two calls touch the same: paths, other names of one file, state, the user."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path

import pytest

from hermes_tui.engine.footprint import (
    ANYTHING,
    PERSON,
    Footprint,
    Level,
    conflicts,
    overlap,
    undeclared,
)

SAFE, SCOPED = Level.SAFE, Level.SCOPED
FOLDER = Path("/p")


def scoped(reads: Sequence[str] = (), writes: Sequence[str] = ()) -> Footprint:
    return Footprint(SCOPED, tuple(reads), tuple(writes))


def safe(*reads: str) -> Footprint:
    return Footprint(SAFE, reads)


ASKS = Footprint(Level.INTERACTIVE)
MAKE = undeclared("`make` is not known to be safe")


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("/a/b", "/a/bc", False),
        ("/a/b", "/a/b/c", True),
        ("/a/b/c", "/a/b", True),
        ("/a", "/", True),
        ("/a/b", "/a/b", True),
        ("/a/B", "/a/b", True),
        ("/a/Straße", "/a/STRASSE", True),
        (unicodedata.normalize("NFC", "/é"), unicodedata.normalize("NFD", "/É"), True),
        ("/a/b", "*", True),
        ("*", "state:todo", True),
        ("state:todo", "state:todo", True),
        ("state:todo", "state:Todo", False),
        ("state:todo", "/state:todo", False),
    ],
)
def test_overlap_compares_components_as_any_file_system_might(a: str, b: str, expected: bool) -> None:
    """Cases b/20, b/25."""
    assert overlap(a, b) is expected
    assert overlap(b, a) is expected


def test_two_names_of_one_file_overlap(tmp_path: Path) -> None:
    one, two, other, folder = tmp_path / "one", tmp_path / "two", tmp_path / "other", tmp_path / "sub"
    one.write_text("x")
    two.hardlink_to(one)
    other.write_text("y")
    folder.mkdir()
    assert overlap(str(one), str(two))
    assert not overlap(str(one), str(other))
    # a third name may lie in any folder, but not in a folder of another call's single file
    assert overlap(str(one), str(folder))
    assert not overlap(str(other), str(folder))


def test_a_path_that_no_system_takes_is_still_compared() -> None:
    assert overlap("/a/\0", "/a/\0")
    assert not overlap("/a/\0", "/a/b")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (safe("/p"), scoped([], ["/p/a"]), "/p/a"),
        (safe("*"), scoped([], ["/p/a"]), "/p/a"),
        (safe("/p/a"), safe("/p/a"), None),
        (MAKE, safe(), ANYTHING),
        (ASKS, ASKS, PERSON),
        (ASKS, scoped([], ["/p/a"]), PERSON),
        (ASKS, scoped(["/p/a"]), None),
    ],
)
def test_conflicts_name_what_both_touch(first: Footprint, second: Footprint, expected: str | None) -> None:
    assert conflicts(first, second) == expected
    assert conflicts(second, first) == expected
