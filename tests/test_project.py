"""Where a project begins, what it is called, and what counts only after trust."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_tui.engine.errors import UsageError
from hermes_tui.project import MOST_FILES, SystemText, Trust, acts, branch, find_project, instructions
from tests.support.nobody import unprivileged

ROOT = Path(__file__).resolve().parent.parent


def test_the_project_is_the_nearest_folder_with_git(tmp_path: Path) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    deep = tmp_path / "repo" / "src" / "deep"
    deep.mkdir(parents=True)
    assert find_project(deep, tmp_path / "home") == tmp_path / "repo"


def test_a_worktree_is_a_project_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "main" / ".git" / "worktrees" / "w").mkdir(parents=True)
    (tmp_path / "main" / ".git" / "worktrees" / "w" / "HEAD").write_text("ref: refs/heads/feature/x\n")
    tree = tmp_path / "w"
    tree.mkdir()
    (tree / ".git").write_text("gitdir: ../main/.git/worktrees/w\n")
    assert find_project(tree, tmp_path / "home") == tree
    assert branch(tree) == "feature/x"


@pytest.mark.parametrize(
    ("head", "shown"), [("ref: refs/heads/main\n", "main"), ("0123456789abcdef\n", "01234567")]
)
def test_the_branch_is_read_without_git(tmp_path: Path, head: str, shown: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text(head)
    assert branch(tmp_path) == shown


def test_home_and_root_are_never_the_project(tmp_path: Path) -> None:
    """Cases e/82."""
    (tmp_path / ".git").mkdir()
    inside = tmp_path / "code"
    inside.mkdir()
    assert find_project(inside, tmp_path) == inside
    assert find_project(tmp_path, tmp_path) is None
    assert find_project(Path("/"), tmp_path) is None


def test_trust_ends_when_a_file_that_can_act_changes(tmp_path: Path) -> None:
    """Cases l/185."""
    project = tmp_path / "p"
    project.mkdir()
    (project / "AGENTS.md").write_text("be nice")
    trust = Trust(tmp_path / "data" / "trust.json")
    assert (acts(project), trust.holds(project)) == (True, False)
    trust.give(project)
    assert Trust(tmp_path / "data" / "trust.json").holds(project)
    (project / ".mcp.json").write_text("{}")
    assert not trust.holds(project)


def test_trust_is_bound_to_every_file_that_acts_where_the_session_is(tmp_path: Path) -> None:
    """Cases l/185: also below the top, behind links to folders, and for files that come later."""
    project = tmp_path / "p"
    deep = project / "a" / "b"
    deep.mkdir(parents=True)
    (project / "shared").mkdir()
    (project / "shared" / "SKILL.md").write_text("one")
    (project / ".hermes-tui").mkdir()
    (project / ".hermes-tui" / "skills").symlink_to("../shared")
    (project / "shared" / "round").symlink_to("../.hermes-tui")
    (deep / "AGENTS.md").write_text("be kind")
    trust = Trust(tmp_path / "trust.json")
    trust.give(project)
    assert (trust.holds(project), trust.holds(project, deep)) == (True, False)
    trust.give(project, deep)
    assert (trust.holds(project), trust.holds(project, deep)) == (True, True)
    (deep / "AGENTS.md").write_text("be rude")
    assert (trust.holds(project), trust.holds(project, deep)) == (True, False)
    (project / "shared" / "SKILL.md").write_text("two")
    assert not trust.holds(project)
    assert not trust.holds(tmp_path / "other")


@pytest.mark.parametrize("kind", ["pipe", "large", "link to a device", "crowd"])
def test_what_no_digest_can_stand_for_is_never_trusted_and_never_waited_for(
    kind: str, tmp_path: Path
) -> None:
    file = tmp_path / "AGENTS.md"
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "large":
        with file.open("wb") as opened:
            opened.truncate(5_000_000_000)
    elif kind == "crowd":
        (tmp_path / ".hermes-tui").mkdir()
        for number in range(MOST_FILES + 1):
            (tmp_path / ".hermes-tui" / str(number)).touch()
    else:
        file.symlink_to("/dev/zero")
    trust = Trust(tmp_path / "trust.json")
    with pytest.raises(UsageError, match="cannot be trusted"):
        trust.give(tmp_path)
    assert not trust.holds(tmp_path)


def test_a_damaged_trust_file_trusts_nothing(tmp_path: Path) -> None:
    file = tmp_path / "trust.json"
    file.write_text("[1")
    assert not Trust(file).holds(tmp_path)


def test_instructions_come_from_the_top_down_and_only_when_trusted(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "AGENTS.md").write_text("be kind")
    (deep / "CLAUDE.md").write_text("x" * 40_000)
    text, left_out = instructions(tmp_path, deep)
    assert left_out == [f"{deep / 'CLAUDE.md'} has 40000 bytes; only the first 32000 reach the model"]
    assert text.index("be kind") < text.index("[cut:")
    assert len(text) < 33_000
    assert "be kind" in SystemText(deep, tmp_path).text(trusted=True)
    assert "be kind" not in SystemText(deep, tmp_path).text(trusted=False)


def repository(folder: Path, branch_name: str = "main") -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text(f"ref: refs/heads/{branch_name}\n")
    return folder


def test_the_system_text_of_a_session_never_changes_and_what_changes_is_news(tmp_path: Path) -> None:
    """The server's cache of what came first stays warm."""
    project = repository(tmp_path / "p")
    (project / "AGENTS.md").write_text("be kind")
    made = SystemText(project, project)
    first = made.text(trusted=True)
    assert "Git: on main" in first
    assert made.news() == []
    (project / ".git" / "HEAD").write_text("ref: refs/heads/other\n")
    (project / ".git" / "MERGE_HEAD").write_text("x")
    (project / "AGENTS.md").write_text("be rude")
    assert made.text(trusted=True) == first
    assert made.news() == ["git is now on other, in the middle of a merge"]
    assert made.news() == []
    made.renew()
    assert "be rude" in made.text(trusted=True)


def test_what_never_changes_stands_first_and_the_day_last(tmp_path: Path) -> None:
    project = repository(tmp_path / "p")
    (project / "AGENTS.md").write_text("be kind")
    text = SystemText(project, project, lambda: "a note").text(trusted=True)
    places = [
        text.index(part) for part in ("You are hermes-tui", "be kind", "a note", "Folder:", "Git:", "Date:")
    ]
    assert places == sorted(places)
    assert text.splitlines()[-1].startswith("Date: ")


def test_instructions_that_cannot_be_read_are_told_and_the_others_used(open_folder: Path) -> None:
    deep = open_folder / "a"
    deep.mkdir()
    (open_folder / "AGENTS.md").write_text("be kind")
    (deep / "AGENTS.md").write_text("secret")
    (deep / "AGENTS.md").chmod(0)
    code = "from pathlib import Path as P; from hermes_tui.project import instructions as i; "
    code += f"print(i(P({str(open_folder)!r}), P({str(deep)!r})))"
    words = unprivileged([sys.executable, "-c", code])
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT)
    assert "be kind" in done.stdout
    assert (
        f"{deep / 'AGENTS.md'} cannot be read (Permission denied): its instructions are not used"
        in done.stdout
    )


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that anybody can reach."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)
