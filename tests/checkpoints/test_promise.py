"""What is said before a call runs, and that it is true: what is said is lost, what is not said comes back."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from hermes_tui.checkpoints.states import Limits
from hermes_tui.checkpoints.store import CheckpointStore
from hermes_tui.engine.footprint import Access, Footprint, Hazard, Level, Subject
from hermes_tui.tools.terminal.footprint import footprint_of
from tests.checkpoints.kit import Project, edit

CAPS = Limits(max_file_bytes=1000, max_total_bytes=20_000, max_files=200)
"""What is ignored below one path may take a tenth of the total: 2 kB."""

FILES = {
    ".gitignore": "build/\n*.log\n.env\n",
    "a.txt": "one\n",
    "src/b.py": "b = 1\n",
    ".env": "KEY=1\n",
    "small.log": "1\n",
    "big.log": "x" * 2000,
    "build/o1": "x" * 900,
    "build/o2": "x" * 900,
    "dist/all": "x" * 900,
}


@pytest.fixture
def capped(tmp_path: Path) -> Project:
    """A project under git whose caps are small."""
    project = Project(tmp_path, CAPS)
    project.put(FILES)
    project.sh("git init -q -b main && git add . && git commit -qm first")
    return project


def said(project: Project, command: str) -> list[str]:
    """What the question about a command says, by its real footprint."""
    return list(project.store.uncovered(footprint_of(command, project.root)))


@pytest.mark.parametrize(
    "command",
    [
        "rm a.txt",
        "rm .env small.log",
        "mv .env other",
        "sed -i s/1/2/ .env",
        "echo more >>small.log",
        "rm -r src dist",
        "rm -r build",
        "rm -rf build/o1 *.log src",
        "truncate -s 0 .env",
    ],
)
def test_nothing_is_said_of_what_comes_back(capped: Project, command: str) -> None:
    capped.put({"big.log": "x\n"})
    before = capped.tree()
    assert said(capped, command) == []
    number = capped.runs(command)
    assert capped.tree() != before
    assert (capped.back(number).kept, capped.tree()) == ((), before)


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("rm big.log", "big.log is 2.0 kB, more than the 1.0 kB that are kept"),
        ("echo more >>big.log", "big.log is 2.0 kB, more than the 1.0 kB that are kept"),
        ("rm -rf build", "build/ is ignored and 2.7 kB"),
        ("rm -rf build/sub", "build/sub/ is ignored and 2.7 kB"),
        ("rm -rf src", "src/ holds 2.7 kB that are ignored"),
        ("rm -rf pipe", "pipe is no ordinary file"),
    ],
)
def test_what_would_not_come_back_is_said_and_true(capped: Project, command: str, line: str) -> None:
    place = command.rpartition(" ")[2] if command.startswith("rm -rf") and "pipe" not in command else "other"
    capped.put({f"{place}/{i}.log": "x" * 900 for i in range(3)})
    shutil.rmtree(capped.root / "build", ignore_errors=True) if place == "src" else None
    for name in ("o1", "o2"):
        if place == "build":
            (capped.root / "build" / name).unlink()
    os.mkfifo(capped.root / "pipe")
    before = capped.tree()
    assert said(capped, command) == [f"{line}: /rollback will not bring it back"]
    number = capped.runs(command)
    capped.back(number)
    assert capped.tree() != before


def test_a_call_that_names_many_such_paths_is_told_of_in_a_few_lines(capped: Project) -> None:
    capped.put({f"big{i}.log": "x" * 2000 for i in range(9)})
    lines = said(capped, "rm -f big*.log small.log")
    assert (len(lines), lines[-1]) == (4, "/rollback will not bring back 7 other paths either")


def test_an_edit_by_a_tool_is_judged_alike(capped: Project, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("theirs\n")

    def edit(path: Path) -> list[str]:
        subject = Subject("path", str(path), Access.WRITE, Hazard.OVERWRITES)
        return list(
            capped.store.uncovered(Footprint(Level.SCOPED, (str(path),), (str(path),), subjects=(subject,)))
        )

    assert edit(capped.root / ".env") == edit(capped.root / "new") == edit(tmp_path / "new") == []
    assert edit(capped.root / "big.log")[0].startswith("big.log is 2.0 kB")
    assert edit(tmp_path / "elsewhere") == [
        f"{tmp_path}/elsewhere is outside the project: /rollback will not bring it back"
    ]
    assert edit(capped.root / ".git" / "config") == [
        ".git/config is a repository's own data: /rollback will not bring it back"
    ]


def test_a_repository_that_is_removed_takes_its_own_data_with_it(capped: Project) -> None:
    capped.put({"sub/q": "1\n", "sub/.gitignore": "made/\n"})
    capped.sh("cd sub && git init -q && git add . && git commit -qm sub")
    capped.put({f"sub/made/{i}": "x" * 900 for i in range(3)})
    assert said(capped, "rm -rf sub") == [
        "sub/.git is a repository's own data: /rollback will not bring it back",
        "sub/ holds 2.7 kB that are ignored: /rollback will not bring it back",
    ]
    assert said(capped, "rm -rf sub/made") == [
        "sub/made/ is ignored and 2.7 kB: /rollback will not bring it back"
    ]
    assert said(capped, "touch sub/q") == []


def test_everything_at_once_is_judged_entry_by_entry(capped: Project) -> None:
    capped.put({"big.log": "x\n", "node/.gitignore": "*\n", **{f"node/{i}": "x" * 900 for i in range(3)}})
    capped.sh("rm -r build")
    before = capped.tree()
    assert said(capped, "rm -rf *") == ["node/ is ignored and 2.7 kB: /rollback will not bring it back"]
    number = capped.runs("rm -rf *")
    capped.back(number)
    kept = {path: entry for path, entry in before.items() if not path.startswith("node")}
    assert {p: e for p, e in capped.tree().items() if not p.startswith("node")} == kept


def test_a_pattern_names_what_it_matches_and_no_more(capped: Project) -> None:
    capped.put({f"build/{i}": "x" * 900 for i in range(3)})
    capped.put({f"build/x{i}.o": "1\n" for i in range(3)})
    before = capped.tree()
    for command in ("rm small.* build/*.o", "rm -f *.env .e* src/?.py"):
        assert said(capped, command) == []
        number = capped.runs(command)
        assert capped.tree() != before
        capped.back(number)
        assert capped.tree() == before
    assert said(capped, "rm build/[0-9]") == [
        "build/ is ignored and 4.5 kB: /rollback will not bring it back"
    ]


@pytest.mark.parametrize("command", ["git clean -qfdx", "find . -type f -delete"])
def test_commands_that_take_what_is_ignored_are_seen_to(capped: Project, command: str) -> None:
    capped.put({"big.log": "1\n", "new.txt": "1\n"})
    before = capped.tree()
    assert said(capped, command) == []
    number = capped.runs(command)
    assert not (capped.root / ".env").exists()
    capped.sh("git init -q")
    capped.back(number)
    assert capped.tree() == before
    capped.put({f"build/more{i}": "x" * 900 for i in range(3)})
    assert said(capped, command) == ["build/ is ignored and 4.5 kB: /rollback will not bring it back"]


def test_a_tree_that_is_too_large_is_said_once_it_is_known(capped: Project) -> None:
    capped.put({f"many/{i}": "" for i in range(300)})
    assert said(capped, "make") == []
    capped.command("true")
    assert said(capped, "make") == [
        "more than 200 files here: /rollback brings back only what the command names"
    ]


def test_where_rollback_is_off_every_question_says_so(tmp_path: Path) -> None:
    store = CheckpointStore(None, tmp_path / "data", "s", Limits(), lambda level, text: None)
    assert store.uncovered(footprint_of("make", tmp_path)) == (
        "rollback is off: this is no project's folder; start in one to have it: "
        "nothing brings back what this changes",
    )


def test_what_is_left_out_is_named_once_in_a_run(capped: Project) -> None:
    capped.runs("echo 1 >>big.log; echo 2 >a.txt")
    recording = capped.open()
    with recording.scanned("call", footprint_of("rm big.log", capped.root)):
        assert recording.not_covered() == ()
        capped.sh("rm big.log")
    recording.close()
    assert capped.notices == [
        ("info", "checkpoint #1 does not cover big.log (2.0 kB, more than the 1.0 kB that are kept)")
    ]
    assert [info.lost for info in capped.store.list()] == [("big.log",), ("big.log",)]


def test_an_edit_outside_the_project_is_named_once(capped: Project, tmp_path: Path) -> None:
    for text in ("1\n", "2\n"):
        recording = capped.open()
        edit(recording, tmp_path / "elsewhere", text)
        recording.close()
    said = f"{tmp_path}/elsewhere (outside the project)"
    assert capped.notices == [("warning", f"checkpoint #1 does not cover {said}")]
