"""Behind the edits: refs for plain git, packing, pruning, status, and what the reports say of it."""

from __future__ import annotations

import random
import subprocess
import time
from pathlib import Path

import pytest

from hermes_tui.checkpoints import report
from hermes_tui.checkpoints.keep import stored
from hermes_tui.checkpoints.plan_restore import Item, Preview
from hermes_tui.checkpoints.states import ABSENT, Limits, State
from hermes_tui.checkpoints.store import Outcome, Pruned
from hermes_tui.engine.errors import CheckpointError
from tests.checkpoints.kit import Project, edit
from tests.checkpoints.test_sessions import kill, line, other


def git(project: Project, *arguments: str) -> str:
    command = ["git", f"--git-dir={project.folder}", *arguments]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def test_plain_git_finds_every_state_before_a_change(project: Project) -> None:
    project.put({"d/a b": "1\n"})
    project.sh("ln -s d link")
    recording = project.open("twice\nover")
    edit(recording, project.root / "d/a b", "2\n")
    project.put({"d/a b": "mine\n"})
    edit(recording, project.root / "d/a b", "3\n")
    edit(recording, project.root / "link", None)
    recording.close()
    project.store.close(10)
    assert git(project, "ls-tree", "-r", "-z", "--name-only", "refs/checkpoints/1").split("\0") == [
        "after/d/a b",
        "before/d/a b",
        "before/link",
        "between/1.2/d/a b",
        "",
    ]
    assert git(project, "show", "refs/checkpoints/1:between/1.2/d/a b") == "mine\n"
    assert git(project, "log", "-1", "--format=%B", "refs/checkpoints/1") == "#1 twice\nover\n"
    git(project, "fsck", "--strict")


def test_refs_that_a_kill_prevented_are_written_by_the_next_session(project: Project) -> None:
    with other("project.edit('a', '1\\n'); print('ready', flush=True); input()", project.base) as process:
        assert line(process) == "ready"
        kill(process)
    project.edit("b", "1\n")
    project.store.close(10)
    assert git(project, "for-each-ref", "--format=%(refname)").split() == [
        "refs/checkpoints/1",
        "refs/checkpoints/2",
    ]


def test_hundreds_of_states_of_a_file_take_little_room(project: Project) -> None:
    text = [f"line {i} of the file\n" for i in range(200)]
    recording = project.open()
    for i in range(510):
        text[i % 200] = f"line changed in edit {i}\n"
        with recording.change(project.root / "a", "".join(text).encode()):
            project.put({"a": "".join(text)})
    recording.close()
    project.edit("b", "1\n")
    keeper = project.store._keeper
    assert keeper is not None
    keeper.refs()
    keeper.pack()
    assert stored(project.folder) < 1_500_000
    project.back(1)
    assert project.tree() == {}


def test_prune_forgets_the_oldest_and_never_their_numbers(project: Project) -> None:
    for i in range(6):
        project.edit("a", f"{i}\n")
    pruned = project.store.prune(keep=2)
    assert pruned.numbers == (1, 2, 3, 4)
    assert [info.number for info in project.store.list()] == [6, 5]
    with pytest.raises(CheckpointError, match=r"^there is no checkpoint #4: it was pruned; the list shows"):
        project.store.preview(4)
    assert project.edit("a", "x\n") == 7
    assert project.back(5).restored == ("a",)
    assert project.read("a") == b"3\n"
    project.store.prune(keep=0)
    project.store.close(10)
    project.reopened()
    assert (project.store.list(), project.edit("a", "y\n")) == ([], 9)


def test_prune_takes_by_age_and_by_size(tmp_path: Path) -> None:
    project = Project(tmp_path, Limits(max_total_bytes=200_000))
    for i in range(8):
        project.edit("a", random.Random(i).randbytes(100_000))
    assert project.store.prune().numbers[:4] == (1, 2, 3, 4)
    assert project.store.prune(days=0).numbers != ()
    assert project.store.list() == []


def test_after_a_prune_commands_are_still_undone(project: Project) -> None:
    project.put({"a": "1\n", "b": "1\n"})
    project.command("echo 2 >a")
    project.store.prune(keep=0)
    git(project, "prune", "--expire=now")
    project.command("rm a b")
    assert project.back(2).restored == ("a", "b")
    assert (project.read("a"), project.read("b")) == (b"2\n", b"1\n")


def test_a_store_far_over_its_limits_prunes_itself_behind_the_edits(tmp_path: Path) -> None:
    project = Project(tmp_path, Limits(keep=3))
    for i in range(5):
        project.edit("a", f"{i}\n")
    deadline = time.monotonic() + 30
    while len(project.store.list()) > 3:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert [info.number for info in project.store.list()] == [5, 4, 3]
    assert project.back(3).restored == ("a",)


def test_prune_waits_for_other_sessions(project: Project) -> None:
    project.edit("a", "1\n")
    with other("project.edit('b', '1\\n'); print('ready', flush=True); input()", project.base) as process:
        assert line(process) == "ready"
        with pytest.raises(CheckpointError, match="1 other session"):
            project.store.prune(keep=0)
    assert project.store.prune(keep=0).numbers == (1, 2)


def test_the_store_of_a_project_that_has_gone_goes_when_it_is_old(project: Project, tmp_path: Path) -> None:
    gone = Project(tmp_path / "gone")
    gone.home = project.home
    gone.reopened()
    gone.edit("a", "1\n")
    gone.store.close(10)
    gone.sh("rm -rf ../project")
    project.edit("a", "1\n")
    assert project.store.prune().projects == ()
    assert sorted(name for name, _, _ in project.store.status().projects) == [
        str(gone.root),
        str(project.root),
    ]
    subprocess.run(["touch", "-d", "2000-01-01", *project.home.glob("*/hermes/journal")], check=True)
    assert project.store.prune().projects == (str(gone.root),)


def test_nothing_is_created_by_asking(project: Project) -> None:
    assert project.store.list() == []
    assert (project.store.status().checkpoints, project.store.prune()) == (0, Pruned((), (), 0))
    assert not project.home.exists()


def test_the_first_look_at_the_tree_can_be_taken_in_the_background(project: Project) -> None:
    project.put({"a": "1\n"})
    project.store.warm()
    project.command("rm a")
    assert project.back(1).restored == ("a",)


def test_the_list_as_text_and_as_json(project: Project) -> None:
    assert (report.list_text([]), report.list_json([])) == (report.NONE_YET, [])
    project.edit("new\n\x1b[2J", "1\n")
    project.open().close()
    infos = project.store.list()
    text = report.list_text(infos)
    assert text.splitlines()[0].endswith("1 file: new\\x0a\\x1b[2J")
    assert text.splitlines()[1:] == ["(1 more in which nothing changed)"]
    assert report.list_json(infos)[1] == {
        "number": 1,
        "time": infos[1].time,
        "label": "write new\n\x1b[2J",
        "session": "s1",
        "kind": "call",
        "files": [{"path": "new\n\x1b[2J", "change": "created", "added": 1, "removed": 0}],
        "not_covered": [],
    }


def test_a_preview_and_an_outcome_as_text_and_as_json() -> None:
    file = State("file", 0o644, "0" * 40)
    items = (
        Item("a", "restore", "", file, file, 1, 3),
        Item("new.py", "delete", "by `x\x1b`, or by you while it ran", file, ABSENT, 0, 40),
        Item("c", "keep", "you edited it since", file, file),
    )
    preview = Preview(3, items, ("HEAD moved",))
    assert report.preview_text(preview) == (
        "restore  a       +1 −3\n"
        "delete   new.py  −40  (by `x␛`, or by you while it ran)\n"
        "keep     c  (you edited it since)\n"
        "note: HEAD moved"
    )
    kept = [{"path": "c", "reason": "you edited it since"}]
    assert report.preview_json(preview) == {
        "number": 3,
        "saved_as": None,
        "restored": ["a"],
        "deleted": ["new.py"],
        "kept": kept,
        "failed": [],
    }
    outcome = Outcome(3, 7, ("a",), ("new.py",), (("c", "you edited it since"),), ())
    assert report.outcome_json(outcome) == report.preview_json(preview) | {"saved_as": 7}
    assert report.exit_code(outcome) == 1
    assert report.outcome_text(outcome).splitlines() == [
        "Back to #3: 1 restored, 1 deleted (saved as #7; /rollback undo brings back what stood there)",
        "  restored a",
        "  deleted  new.py",
        "  kept     c: you edited it since",
    ]
