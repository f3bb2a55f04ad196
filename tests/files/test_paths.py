from pathlib import Path

import pytest

from hermes_tui.engine.errors import BadArguments
from hermes_tui.files.paths import canonical, display, entry, nearest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "real" / "inner").mkdir(parents=True)
    (tmp_path / "real" / "a.txt").write_text("a")
    (tmp_path / "link").symlink_to("real/inner")
    (tmp_path / "dangling").symlink_to("real/new.txt")
    (tmp_path / "round").symlink_to("round")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("real/a.txt", "real/a.txt"),
        ("./real//a.txt", "real/a.txt"),
        ("sub/../real/a.txt", "real/a.txt"),
        ("link", "real/inner"),
        ("link/..", "real"),
        ("link/../a.txt", "real/a.txt"),
        ("dangling", "real/new.txt"),
        ("link/missing/deep", "real/inner/missing/deep"),
        ("real/a.txt/", "real/a.txt"),
        (".", "."),
        ("[x]*? é\n", "[x]*? é\n"),
    ],
)
def test_every_spelling_of_a_path_means_one_path(folder: Path, text: str, meant: str) -> None:
    """cases b/20, l/178, l/179."""
    assert canonical(text, folder) == folder / meant
    assert canonical(f"{folder}//{text}", Path("/")) == folder / meant


def test_a_tilde_is_the_home_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder))
    assert canonical("~/real", Path("/")) == folder / "real"
    assert canonical("~", Path("/")) == folder
    assert canonical("a~", folder) == folder / "a~"


@pytest.mark.parametrize("text", ["", "a\0b", "a\ud800"])
def test_what_can_be_no_path_is_refused(folder: Path, text: str) -> None:
    with pytest.raises(BadArguments, match="path"):
        canonical(text, folder)


def test_links_that_lead_round_end(folder: Path) -> None:
    assert canonical("round/x", folder).is_relative_to(folder)


def test_removing_a_link_names_the_link_and_not_its_target(folder: Path) -> None:
    assert entry("link", folder) == folder / "link"
    assert entry("link/", folder) == folder / "link"
    assert entry("link/..", folder) == folder / "real"
    assert entry("link/x", folder) == folder / "real/inner/x"


def test_a_missing_path_depends_on_what_exists_above_it(folder: Path) -> None:
    assert nearest(folder / "real/x/y/z") == folder / "real"
    assert nearest(folder / "real/a.txt") == folder / "real/a.txt"
    assert nearest(folder / "real/a.txt/x") == folder / "real/a.txt"


def test_a_path_is_shown_relative_when_it_lies_below(folder: Path) -> None:
    assert display(folder / "real/a.txt", folder) == "real/a.txt"
    assert display(folder, folder) == "."
    assert display(Path("/etc/hosts"), folder) == "/etc/hosts"
