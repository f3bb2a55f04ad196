"""terminal: what a command line declares: reads that are complete, and one subject for all it asks about."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hermes_tui.engine.footprint import Access, Footprint, Hazard, Level, Subject
from hermes_tui.tools.terminal import TOOL


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a repository with a file, a folder and links."""
    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "."], cwd=project, check=True)
    (project / "a.txt").touch()
    (project / "src" / "b.py").touch()
    (tmp_path / "outside").mkdir()
    (project / "link").symlink_to(tmp_path / "outside")
    return project


def declared(project: Path, command: str, **arguments: object) -> Footprint:
    """Return the footprint of a command."""
    return TOOL.footprint({"command": command, **arguments}, project)


@pytest.mark.parametrize(
    ("command", "reads"),
    [
        ("echo hi", []),
        ("sleep 5", []),
        ("cat a.txt", ["a.txt"]),
        ("cat a.txt | wc -l", ["a.txt"]),
        ("cat ./src/../a.txt", ["a.txt"]),
        ("cat link/x", ["../outside"]),
        ("cat src/none/deep", ["src"]),
        ("ls src", ["src"]),
        ("git status", ["."]),
        ("git -C src status", ["src", "."]),
        ("cat src/*.py", ["src"]),
        ("cat *.txt", ["*"]),
        ("cat $X", ["*"]),
    ],
)
def test_a_read_only_command_declares_all_that_it_reads(
    project: Path, command: str, reads: list[str]
) -> None:
    footprint = declared(project, command)
    expected = tuple(read if read == "*" else str((project / read).resolve()) for read in reads)
    if expected == ("*",):
        assert footprint.reads == ("*",)
    else:
        assert (footprint.level, footprint.reads, footprint.writes) == (Level.SAFE, expected, ())


def test_a_git_verb_in_a_linked_work_tree_reads_its_git_folder_too(project: Path, tmp_path: Path) -> None:
    commit = ["git", "-c", "user.name=a", "-c", "user.email=b", "commit", "-q", "--allow-empty", "-m", "x"]
    subprocess.run(commit, cwd=project, check=True)
    subprocess.run(["git", "worktree", "add", "-q", str(tmp_path / "tree")], cwd=project, check=True)
    assert declared(tmp_path / "tree", "git status").reads == (
        f"{tmp_path}/tree",
        f"{project}/.git/worktrees/tree",
        f"{project}/.git",
    )


def test_a_search_reads_the_ignore_files_above_it(project: Path) -> None:
    (project / ".gitignore").touch()
    assert f"{project}/.gitignore" in declared(project, "rg foo src").reads


def test_workdir_decides_where_paths_start(project: Path) -> None:
    assert declared(project, "cat b.py", workdir="src").reads == (f"{project}/src/b.py",)
    missing = declared(project, "sleep 1", workdir="src/none/deep")
    assert (missing.level, missing.reads) == (Level.SAFE, (f"{project}/src",))


def test_a_read_only_command_has_subjects_for_commands_and_paths(project: Path) -> None:
    assert declared(project, "cat a.txt").subjects == (
        Subject("command", "cat a.txt", Access.READ, span=(0, 9), pattern="cat a.txt"),
        Subject("path", f"{project}/a.txt", Access.READ, pattern=f"{project}/a.txt"),
    )


def test_anything_else_is_undeclared_and_says_why(project: Path) -> None:
    footprint = declared(project, "ls && rm -rf src")
    assert footprint == Footprint(
        Level.UNDECLARED,
        ("*",),
        ("*",),
        Hazard.DELETES,
        (
            Subject("command", "ls", Access.READ, span=(0, 2), pattern="ls"),
            Subject(
                "command", "rm -rf src", Access.RUN, Hazard.DELETES, (6, 16), "rm -rf src", "`rm` deletes"
            ),
            Subject("path", f"{project}/src", Access.WRITE, Hazard.OVERWRITES, pattern=f"{project}/src"),
        ),
        "`rm` deletes",
    )


def test_what_a_line_names_is_told_beside_what_may_write_anything(project: Path) -> None:
    """A checkpoint can save an ignored file beforehand only if it is named."""
    footprint = declared(project, "rm .env; make")
    paths = [(s.text, s.access) for s in footprint.subjects if s.kind == "path"]
    assert (footprint.writes, paths) == (("*",), [(f"{project}/.env", Access.WRITE)])


def test_the_network_is_named_as_such(project: Path) -> None:
    (subject,) = declared(project, "curl https://example.org").subjects
    assert (subject.access, subject.hazard) == (Access.NETWORK, Hazard.NETWORK)


@pytest.mark.parametrize(
    "command",
    [
        "echo $((v))", "v=1", "(", "echo 'x", "cat <(touch x)", "f() { rm x; }; f", "echo `touch x`",
        "echo a > x", "cat ${v@P}", "ls & rm x", "make > log; echo $((v))", "git commit -m x; echo $((v))",
    ],
)  # fmt: skip
def test_a_line_that_is_not_read_only_always_has_something_to_ask_about(project: Path, command: str) -> None:
    """Whatever it was that decided: a rule for the commands alone never lets it through."""
    footprint = declared(project, command)
    assert footprint.level is Level.UNDECLARED
    assert footprint.why in {subject.why for subject in footprint.subjects}
    assert any(subject.access is not Access.READ for subject in footprint.subjects)


def test_background_is_undeclared_and_asked_about_whatever_the_command(project: Path) -> None:
    footprint = declared(project, "cat a.txt", background=True)
    assert (footprint.level, footprint.reads, footprint.writes) == (Level.UNDECLARED, ("*",), ("*",))
    assert footprint.subjects == (
        Subject(
            "command",
            "cat a.txt",
            Access.RUN,
            span=(0, 9),
            pattern="cat a.txt",
            why="it goes on running in the background",
        ),
    )


def test_the_preview_is_exactly_what_will_run(project: Path) -> None:
    command = "ls\t  ;\n rm x"
    assert TOOL.preview({"command": command}, project) == command
    assert TOOL.preview({"command": command, "workdir": "src", "background": True}, project) == (
        f"{command}\n# in {project}/src, in the background"
    )
    footprint = declared(project, command)
    spans = [subject.span for subject in footprint.subjects if subject.access is Access.RUN and subject.span]
    assert [command[start:end] for start, end in spans] == ["rm x"]


def test_declaring_changes_nothing_and_never_fails(project: Path) -> None:
    before = sorted(project.rglob("*"))
    for command in (
        "cat <<E\nx",
        "\\",
        "'",
        "a" * 5000,
        "ls " + "(" * 500,
        "echo \x01",
        "*",
        "~",
        "cat " + "../" * 60,
    ):
        assert TOOL.footprint({"command": command}, project).subjects
    assert sorted(project.rglob("*")) == before
