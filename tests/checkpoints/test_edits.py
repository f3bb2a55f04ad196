"""Edits by tools, rolled back: bytes, modes, links, new folders, and the user's own work in between."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hermes_tui.checkpoints.show import FileChange
from hermes_tui.checkpoints.states import Limits
from hermes_tui.checkpoints.store import Outcome
from hermes_tui.engine.errors import CheckpointError
from tests.checkpoints.kit import Project, actions, edit, footprint


def test_an_edit_goes_back_byte_for_byte_with_its_mode(project: Project) -> None:
    project.put({"run.sh": b"a\r\nb\rc\xff\n"})
    project.sh("chmod 750 run.sh")
    before = project.tree()
    number = project.edit("run.sh", "new\n")
    assert project.back(number) == Outcome(1, 2, ("run.sh",), (), (), ())
    assert project.tree() == before


def test_a_new_file_goes_with_the_folders_made_for_it_and_a_removed_one_comes_back(project: Project) -> None:
    project.put({"old.txt": "old\n"})
    before = project.tree()
    project.edit("x/y/new.txt", "new\n")
    project.edit("old.txt", None)
    after = project.tree()
    assert project.back(1) == Outcome(1, 3, ("old.txt",), ("x", "x/y", "x/y/new.txt"), (), ())
    assert project.tree() == before
    assert project.store.undo() == Outcome(3, 4, ("x", "x/y", "x/y/new.txt"), ("old.txt",), (), (), True)
    assert project.tree() == after


def test_what_the_user_saved_between_two_edits_is_kept_and_can_be_had(project: Project) -> None:
    project.put({"a": "1\n"})
    project.edit("a", "agent\n")
    project.put({"a": "user\n"})
    project.edit("a", "agent again\n")
    (item,) = project.store.preview(1).items
    assert (item.action, item.reason) == (
        "keep",
        "you edited it between #1 and #2; /rollback 2 gives your version",
    )
    assert project.back(1) == Outcome(1, None, (), (), (("a", item.reason),), (), edited=("a",))
    project.back(2)
    assert project.read("a") == b"user\n"


@pytest.mark.parametrize(
    ("what", "reason"), [("echo mine >a", "you edited it since"), ("rm a", "you deleted it since")]
)
def test_what_the_user_did_since_is_kept_unless_forced(project: Project, what: str, reason: str) -> None:
    project.put({"a": "1\n"})
    project.edit("a", "agent\n")
    project.sh(what)
    assert project.back(1) == Outcome(1, None, (), (), (("a", reason),), (), edited=("a",))
    before = project.tree()
    assert project.back(1, force=True) == Outcome(1, 2, ("a",), (), (), ())
    assert project.read("a") == b"1\n"
    project.store.undo()
    assert project.tree() == before


def test_a_mode_that_the_user_changed_since_counts_as_an_edit(project: Project) -> None:
    project.put({"a": "1\n"})
    project.edit("a", "agent\n")
    project.sh("chmod +x a")
    assert project.back(1).kept == (("a", "you edited it since"),)


def test_a_file_the_user_put_into_a_folder_of_the_agent_stays_with_its_folder(project: Project) -> None:
    project.edit("new/agent.txt", "x\n")
    project.put({"new/mine.txt": "mine\n"})
    outcome = project.back(1)
    assert outcome.deleted == ("new/agent.txt",)
    assert outcome.kept == (("new", "it is not empty: mine.txt is no change of the agent"),)
    assert project.read("new/mine.txt") == b"mine\n"


def test_one_path_goes_back_alone_and_names_are_literal(project: Project) -> None:
    project.put({"a*": "1\n", "ab": "1\n", "two words": "1\n"})
    for name in ("a*", "ab", "two words"):
        project.edit(name, "agent\n")
    assert project.back(1, ["a*"]).restored == ("a*",)
    assert project.back(1, ["two words"]).restored == ("two words",)
    assert project.read("ab") == b"agent\n"
    with pytest.raises(CheckpointError, match=r"^#1 and later hold no change of a\?: nothing was restored$"):
        project.back(1, ["a?"])
    assert project.back(1, [str(project.root / "ab")]).restored == ("ab",)


def test_a_folder_names_what_is_below_it_and_missing_folders_are_made_again(project: Project) -> None:
    project.put({"d/e/a": "1\n", "d/b": "1\n", "c": "1\n"})
    project.command("rm -r d c")
    assert project.back(1, ["d/e"]).restored == ("d", "d/e", "d/e/a")
    assert sorted(project.tree()) == ["d", "d/e", "d/e/a"]


def test_undo_inverts_exactly_the_newest_rollback_and_each_one_once(project: Project) -> None:
    project.put({"a": "1\n", "b": "1\n"})
    project.edit("a", "2\n")
    project.edit("b", "2\n")
    project.back(1, ["a"])
    project.back(2, ["b"])
    assert project.store.undo().restored == ("b",)
    assert (project.read("a"), project.read("b")) == (b"1\n", b"2\n")
    assert project.store.undo().restored == ("a",)
    assert (project.read("a"), project.read("b")) == (b"2\n", b"2\n")
    with pytest.raises(CheckpointError, match="there is no rollback to undo"):
        project.store.undo()


def test_undo_keeps_what_was_changed_again_after_the_rollback(project: Project) -> None:
    project.put({"a": "1\n"})
    project.edit("a", "2\n")
    project.back(1)
    project.edit("a", "3\n")
    kept = (("a", "#3 changed it again"),)
    assert project.store.undo() == Outcome(2, None, (), (), kept, (), True, ("a",))
    assert project.read("a") == b"3\n"


def test_numbers_go_on_across_sessions_and_rollbacks_take_one_too(project: Project) -> None:
    project.edit("a", "1\n")
    project.back(1)
    project.store.close()
    project.reopened("s2")
    assert project.edit("a", "2\n") == 3
    assert [(i.number, i.kind, i.session) for i in project.store.list()] == [
        (3, "call", "s2"),
        (2, "rollback", "s1"),
        (1, "call", "s1"),
    ]


def test_a_checkpoint_in_which_nothing_changed_keeps_its_number(project: Project) -> None:
    project.put({"a": "1\n"})
    assert project.open().close() == 0
    assert project.edit("a", "1\n") == 2
    assert [(info.number, info.files) for info in project.store.list()] == [(2, ()), (1, ())]
    assert project.back(1) == Outcome(1, None, (), (), (), ())


def test_the_list_counts_files_and_lines_and_folders_only_when_they_are_empty(project: Project) -> None:
    project.put({"a": "1\n2\n3\n", "gone": "x"})
    recording = project.open("several")
    for name, data in {"a": "1\nzwei\n3\n4\n", "new/b": "x\n", "gone": None}.items():
        edit(recording, project.root / name, data)
    with recording.scanned("call", footprint()):
        project.sh("mkdir empty")
    assert recording.close() == 5
    (info,) = project.store.list()
    assert (info.number, info.label, info.kind, info.not_covered) == (1, "several", "call", ())
    assert info.files == (
        FileChange("a", "modified", 2, 1),
        FileChange("empty", "created", 0, 0),
        FileChange("gone", "deleted", 0, 1),
        FileChange("new/b", "created", 1, 0),
    )


def test_the_difference_shows_what_a_restore_would_change(project: Project) -> None:
    project.put({"a": "1\n2\n", "bin": b"\0\1"})
    project.edit("a", "1\nzwei")
    project.edit("bin", b"\0\2\3")
    assert project.store.diff(1) == (
        "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 1\n-zwei\n\\ No newline at end of file\n+2\n"
        "--- a/bin\n+++ b/bin\nBinary: 3 bytes become 2.\n"
    )
    assert project.store.diff(2, "bin").startswith("--- a/bin")


def test_an_edit_through_a_link_restores_its_target_and_removing_a_link_the_link(project: Project) -> None:
    project.put({"real": "1\n"})
    project.sh("ln -s real link; ln -s nowhere dangling")
    before = project.tree()
    project.edit("link", "2\n")
    project.edit("dangling", "made\n")
    assert project.read("nowhere") == b"made\n"
    project.edit("link", None)
    assert project.back(1).failed == ()
    assert project.tree() == before


def test_a_file_with_two_names_keeps_both(project: Project) -> None:
    project.put({"a": "1\n"})
    project.sh("ln a b")
    project.edit("a", "2\n")
    project.back(1)
    assert (project.read("a"), project.read("b")) == (b"1\n", b"1\n")
    assert os.stat(project.root / "a").st_nlink == 2


def test_a_path_outside_the_project_is_not_covered_and_never_touched(
    project: Project, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("theirs\n")
    (project.root / "way").symlink_to(tmp_path)
    project.edit("../outside.txt", "agent\n")
    project.edit("way/outside.txt", "agent again\n")
    infos = project.store.list()
    assert [dict(info.not_covered) for info in infos] == [
        {str(project.root / "way/outside.txt"): "outside the project"},
        {str(project.root / "../outside.txt"): "outside the project"},
    ]
    assert project.back(1).saved_as is None
    assert outside.read_text() == "agent again\n"


def test_a_repositorys_own_data_is_not_covered(repository: Project) -> None:
    repository.edit(".git/description", "x\n")
    assert dict(repository.store.list()[0].not_covered) == {".git/description": "a repository's own data"}
    assert repository.back(1).kept == ((".git/description", "not covered: a repository's own data"),)
    assert repository.read(".git/description") == b"x\n"


def test_an_edit_over_the_cap_is_said_and_the_file_is_kept(tmp_path: Path) -> None:
    project = Project(tmp_path, Limits(max_file_bytes=1000))
    project.put({"big": "x" * 2000})
    project.edit("big", "small\n")
    project.edit("new", "y" * 2000)
    assert [dict(info.not_covered) for info in project.store.list()] == [
        {"new": "over the size that is kept"},
        {"big": "2.0 kB, more than the 1.0 kB that are kept"},
    ]
    assert [path for path, _ in project.back(1).kept] == ["big", "new"]
    assert (project.read("big"), len(project.read("new"))) == (b"small\n", 2000)


def test_a_failed_edit_leaves_no_change(project: Project) -> None:
    project.put({"a": "1\n"})
    recording = project.open()
    with pytest.raises(RuntimeError), recording.change(project.root / "a", b"2\n"):
        raise RuntimeError("stale")
    assert recording.close() == 0
    assert project.store.preview(1).empty


def test_a_number_that_there_is_not_is_one_line(project: Project) -> None:
    with pytest.raises(CheckpointError, match=r"^there is no checkpoint #1: there are none yet$"):
        project.store.preview(1)
    project.edit("a", "1\n")
    with pytest.raises(CheckpointError, match=r"^there is no checkpoint #7: the list shows those there are$"):
        project.store.preview(7)
    assert actions(project.store.preview(1)) == {"a": "delete"}
