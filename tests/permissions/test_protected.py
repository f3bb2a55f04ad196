"""Protected places ask in every mode: also by another name, another spelling, and through links."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hermes_tui.engine.footprint import Access, Footprint, Level, Subject
from hermes_tui.engine.protocols import Pending
from hermes_tui.permissions import MODES, ProjectPermissions, RuleStore


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shop" / ".git" / "hooks").mkdir(parents=True)
    (tmp_path / "shop" / ".git" / "hooks" / "pre-push").write_text("#!/bin/sh\n")
    (tmp_path / "home" / ".ssh").mkdir(parents=True)
    (tmp_path / "home" / ".ssh" / "id").write_text("key")
    (tmp_path / "home" / ".bashrc").write_text("# mine\n")
    (tmp_path / "real-state").mkdir()
    (tmp_path / "state").symlink_to("real-state")
    return tmp_path / "shop"


def decisions(project: Path, path: Path, access: Access) -> set[str]:
    """Return the decisions of all modes but `plan`, with every rule that could allow it."""
    base = project.parent
    found: set[str] = set()
    for mode in MODES[1:]:
        permissions = ProjectPermissions(
            project, base / "home", RuleStore(base / "rules", project), [base / "state"], mode
        )
        permissions.configure(["*"], [], [])
        writes = (str(path),) if access is Access.WRITE else ()
        subject = Subject("path", str(path), access)
        footprint = Footprint(Level.SCOPED, () if writes else (str(path),), writes, subjects=(subject,))
        found.add(permissions.judge(Pending("1", "any", {}, footprint)).decision)
    return found


@pytest.mark.parametrize(
    "name",
    [
        ".git/hooks/pre-push", ".GIT/HOOKS/pre-push", ".g\u200cit/hooks/x", ".git/config",
        ".git/config.worktree",
        ".git/info/attributes", ".git/modules/a/config", ".git", "bare.git/hooks/x",
        ".hermes-tui/config.toml",
        ".hermes-tui/skills/a/SKILL.md", ".Hermes-TUI/config.toml", ".mcp.json", "../home/.bashrc",
        "../home/.ssh/new", "../home/.BASHRC", "../real-state/trust.json", "../state/x",
    ],
)  # fmt: skip
def test_a_write_asks_in_every_mode_whatever_the_rules(name: str, project: Path) -> None:
    assert decisions(project, Path(os.path.normpath(project / name)), Access.WRITE) == {"ask"}


@pytest.mark.parametrize(
    "name", ["a.py", ".gitignore", "hooks/a", "git/hooks/a", ".github/hooks/a", "mcp.json"]
)
def test_what_only_looks_like_one_does_not(name: str, project: Path) -> None:
    assert decisions(project, project / name, Access.WRITE) == {"allow"}


@pytest.mark.parametrize("target", [".git/hooks/pre-push", "../home/.bashrc", "../home/.ssh/id"])
def test_another_name_of_a_protected_file_asks_too(target: str, project: Path) -> None:
    """A hard link has no target that could be resolved."""
    os.link(project / target, project / "innocent.txt")
    assert decisions(project, project / "innocent.txt", Access.WRITE) == {"ask"}
    reading = {"ask"} if ".ssh" in target else {"allow"}
    assert decisions(project, project / "innocent.txt", Access.READ) == reading


def test_in_edits_a_file_with_several_names_asks_unless_a_rule_allows_it(project: Path) -> None:
    """The other name may lie outside the project."""
    (project.parent / "elsewhere").write_text("x")
    os.link(project.parent / "elsewhere", project / "twin")
    (project / "single").write_text("x")
    store = RuleStore(project.parent / "rules", project)
    permissions = ProjectPermissions(project, project.parent / "home", store, (), "edits")

    def verdict(name: str) -> tuple[str, tuple[str, ...]]:
        path = str(project / name)
        subject = Subject("path", path, Access.WRITE)
        footprint = Footprint(Level.SCOPED, (), (path,), subjects=(subject,))
        judged = permissions.judge(Pending("1", "any", {}, footprint))
        return judged.decision, judged.why

    assert verdict("single") == ("allow", ())
    assert verdict("twin") == ("ask", ("twin has 2 names (hard links)",))
    permissions.configure(["any(twin)"], [], [])
    assert verdict("twin") == ("allow", ())
