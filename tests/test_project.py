"""Where a project begins, what it is called, and what counts only after trust."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_tui.project import Trust, acts, branch, find_project, instructions, system_text


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


def test_a_damaged_trust_file_trusts_nothing(tmp_path: Path) -> None:
    file = tmp_path / "trust.json"
    file.write_text("[1")
    assert not Trust(file).holds(tmp_path)


def test_instructions_come_from_the_top_down_and_only_when_trusted(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "AGENTS.md").write_text("be kind")
    (deep / "CLAUDE.md").write_text("x" * 40_000)
    text = instructions(tmp_path, deep)
    assert text.index("be kind") < text.index("[cut:")
    assert len(text) < 33_000
    assert "be kind" in system_text(deep, tmp_path, trusted=True)
    assert "be kind" not in system_text(deep, tmp_path, trusted=False)
