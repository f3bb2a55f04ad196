"""What commands change, rolled back: tracked, untracked and ignored files, modes, links, empty folders."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from hermes_tui.checkpoints.states import Limits
from tests.checkpoints.kit import Project, edit, footprint


@pytest.mark.parametrize("name", ["tracked.txt", "src/untracked.txt", "ignored.log", "build/deep/ignored.o"])
@pytest.mark.parametrize(
    "command",
    [
        "rm {}",
        "mv {} moved",
        "mv {} src/b.py",
        "sed -i s/one/two/ {}",
        "git reset -q --hard",
        "git reset -q --hard HEAD~1; rm -f {}",
        "git reset -q --hard; git clean -qfdx",
        "git stash -q -u",
    ],
)
def test_a_command_on_any_kind_of_file_is_undone(repository: Project, name: str, command: str) -> None:
    repository.put({"tracked.txt": "one\n"})
    repository.sh("git add . && git commit -qm second")
    repository.put(
        {
            "tracked.txt": "one, edited\n",
            "src/untracked.txt": "one\n",
            "ignored.log": "one\n",
            "build/deep/ignored.o": "one\n",
        }
    )
    before = repository.tree()
    number = repository.runs(command.format(name))
    assert repository.tree() != before
    assert repository.back(number).failed == ()
    assert repository.tree() == before


def test_everything_that_a_tree_can_hold_comes_back(project: Project) -> None:
    project.put({"a": "1", "d/x": "2", "ro": "3", "ünï\ncode": "4", " lead": "5", 'q"x': "6", "-n": "7"})
    project.sh("ln -s d/x link; ln -s /nowhere dangling; mkdir -p empty/deep; chmod 500 empty; chmod 400 ro")
    (project.root / os.fsdecode(b"bad-\xff\xfe")).write_bytes(b"8")
    before = project.tree()
    number = project.command(
        "chmod 700 empty; rm -rf ./* ' lead'; mkdir a; echo x >a/d; ln -s a d; mkdir -m 700 empty"
    )
    assert project.back(number).kept == ()
    assert project.tree() == before
    project.store.undo()
    assert sorted(project.tree()) == ["a", "a/d", "d", "empty"]


def test_odd_names_come_back(project: Project) -> None:
    """cases e/79"""
    names = ["é.txt", " lead", 'q"x', "new\nline", "tab\t", "back\\slash", ":(glob)*", "--x"]
    project.put(dict.fromkeys(names, "1\n"))
    before = project.tree()
    project.command("for f in * ' lead'; do echo changed >./\"$f\"; done")
    assert sorted(project.back(1).restored) == sorted(names)
    assert project.tree() == before


def test_nested_repositories_files_come_back_and_their_git_folders_are_left_alone(
    repository: Project,
) -> None:
    """cases e/67, e/68"""
    repository.put({"sub/q": "1\n", "sub/.gitignore": "*.o\n"})
    repository.sh("cd sub && git init -q && git add . && git commit -qm sub")
    repository.put({"sub/x.o": "ignored there\n"})
    repository.sh("git submodule add -q ./sub ./sub 2>/dev/null || true")
    inner = {p: p.read_bytes() for p in (repository.root / "sub/.git").rglob("*") if p.is_file()}
    before = repository.tree()
    repository.command("echo 2 >sub/q; echo more >>sub/x.o; rm sub/.gitignore")
    repository.edit("sub/q", "3\n")
    outcome = repository.back(1)
    assert outcome.restored == ("sub/.gitignore", "sub/q")
    assert repository.read("sub/q") == b"1\n"
    assert {p: p.read_bytes() for p in (repository.root / "sub/.git").rglob("*") if p.is_file()} == inner
    before["sub/x.o"] = ("file", 0o644, b"ignored there\nmore\n")
    assert repository.tree() == before


def test_the_users_repository_is_never_written(repository: Project) -> None:
    """cases e/67, e/71"""
    repository.put({"staged": "1\n", "untracked": "1\n"})
    repository.sh("git add staged; git stash list")
    git = {
        p: (p.read_bytes(), p.stat().st_mtime_ns)
        for p in (repository.root / ".git").rglob("*")
        if p.is_file()
    }
    repository.edit("a.txt", "agent\n")
    repository.command("echo x >>untracked; rm src/b.py")
    repository.back(1)
    repository.store.undo()
    repository.store.close(10)
    assert {
        p: (p.read_bytes(), p.stat().st_mtime_ns)
        for p in (repository.root / ".git").rglob("*")
        if p.is_file()
    } == git


def test_a_reset_brings_files_back_and_says_that_head_does_not(repository: Project) -> None:
    repository.put({"a.txt": "two\n"})
    repository.sh("git commit -qam second")
    repository.command("git reset -q --hard HEAD~1")
    preview = repository.store.preview(1)
    assert preview.notes == (
        "the repository's HEAD moved in #1: files come back, HEAD, branches and index do not",
    )
    repository.store.restore(preview)
    assert repository.read("a.txt") == b"two\n"
    assert repository.sh("git log --oneline | wc -l").strip() == "1"


@pytest.mark.parametrize("command", ["git checkout -q other", "git checkout -q -b new", "git commit -qam 2"])
def test_after_whatever_moves_head_the_preview_says_that_it_does_not_come_back(
    repository: Project, command: str
) -> None:
    repository.sh("git checkout -q -b other; echo other >a.txt; git commit -qam other; git checkout -q main")
    repository.put({"src/b.py": "mine\n"})
    repository.runs(command)
    assert repository.store.preview(1).notes == (
        "the repository's HEAD moved in #1: files come back, HEAD, branches and index do not",
    )


def test_a_file_removed_by_a_command_and_written_again_by_an_edit_meanwhile_comes_back(
    project: Project,
) -> None:
    """As a program does that removes a file and has a tool write the same: both steps are known, in order."""
    project.put({"a": "of the user\n"})
    for _ in range(2):
        recording = project.open()
        with recording.scanned("call", footprint("rm")):
            project.sh("rm a")
            edit(recording, project.root / "a", "of the user\n")
        recording.close()
    for number in (2, 1):
        assert project.back(number).kept == ()
        assert project.read("a") == b"of the user\n"


def test_an_edit_while_a_command_runs_is_recorded_once(project: Project) -> None:
    project.put({"a": "1\n", "b": "1\n"})
    recording = project.open()
    with recording.scanned("outer", footprint("delegate")):
        edit(recording, project.root / "a", "2\n")
        with recording.scanned("inner", footprint("sed")):
            project.sh("echo 2 >b")
        edit(recording, project.root / "a", "3\n")
    assert recording.close() == 2
    (_, a, b) = sorted([("", 0, ""), *((i.path, i.added, i.reason) for i in project.store.preview(1).items)])
    assert (a, b) == (("a", 1, ""), ("b", 1, "by `sed`, or by you while it ran"))
    project.back(1)
    assert (project.read("a"), project.read("b")) == (b"1\n", b"1\n")


def test_what_a_command_did_around_an_edit_of_the_same_file_is_in_one_chain(project: Project) -> None:
    project.put({"a": "1\n"})
    recording = project.open()
    with recording.scanned("call", footprint()):
        project.sh("echo 2 >a")
        edit(recording, project.root / "a", "3\n")
        project.sh("echo 4 >a")
    recording.close()
    assert project.back(1).restored == ("a",)
    assert project.read("a") == b"1\n"


def test_a_users_save_before_a_command_is_the_state_before_it(project: Project) -> None:
    project.put({"a": "1\n"})
    recording = project.open()
    edit(recording, project.root / "a", "2\n")
    project.put({"a": "mine\n"})
    with recording.scanned("call", footprint()):
        project.sh("rm a")
    recording.close()
    assert project.edit("b", "x\n") == 2
    (reason,) = [item.reason for item in project.store.preview(1).items if item.path == "a"]
    assert reason == "you edited it between #1 and #1; /rollback 1 gives your version"


def test_a_same_size_change_with_its_time_stamp_put_back_is_seen(project: Project) -> None:
    project.put({"a": "111\n"})
    project.sh("touch -d 2020-01-01 a")
    project.command("true")
    number = project.command("printf '222\\n' >a; touch -d 2020-01-01 a")
    assert project.back(number).restored == ("a",)
    assert project.read("a") == b"111\n"


def test_ignored_files_that_nobody_names_are_unknown_and_never_deleted(repository: Project) -> None:
    repository.put({"build/old.o": "1\n", "x.log": "1\n"})
    number = repository.command("rm -r build; echo 2 >>x.log; echo 1 >new.log; echo b >a.txt")
    (info,) = repository.store.list()
    assert dict(info.not_covered) == {
        "build": "ignored, and removed meanwhile",
        "x.log": "ignored, and changed meanwhile",
    }
    outcome = repository.back(number)
    assert outcome.restored == ("a.txt",)
    assert [path for path, _ in outcome.kept] == ["build", "x.log"]
    assert (repository.read("x.log"), repository.read("new.log")) == (b"1\n2\n", b"1\n")


def test_ignored_files_that_a_command_names_are_covered_and_not_said_to_be_lost(repository: Project) -> None:
    """cases e/77"""
    repository.put({".env": "KEY=1\n", "x.log": "1\n", "build/x.o": "1\n"})
    before = repository.tree()
    repository.command("rm -r .env build; echo 2 >x.log", [".env", "x.log", "build"])
    (info,) = repository.store.list()
    assert (dict(info.not_covered), repository.notices) == ({}, [])
    assert repository.back(1).kept == ()
    assert repository.tree() == before


def test_an_ignored_file_the_agent_once_edited_stays_covered(repository: Project) -> None:
    """cases e/77"""
    repository.put({".env": "KEY=1\n"})
    repository.edit(".env", "KEY=2\n")
    repository.command("echo KEY=3 >.env")
    assert repository.back(2).restored == (".env",)
    assert repository.read(".env") == b"KEY=2\n"
    repository.back(1)
    assert repository.read(".env") == b"KEY=1\n"


def test_a_file_that_becomes_ignored_or_no_longer_ignored_is_not_lost(repository: Project) -> None:
    repository.put({"keep.txt": "1\n", "old.log": "1\n"})
    repository.command("echo keep.txt >.gitignore; rm keep.txt; echo 2 >old.log")
    outcome = repository.back(1)
    assert (repository.read("keep.txt"), repository.read("old.log")) == (b"1\n", b"2\n")
    assert "old.log" not in outcome.restored


def test_when_git_cannot_say_what_is_ignored_nothing_is_guessed(repository: Project) -> None:
    """cases e/77"""
    repository.put({"archive/x": "1\n", ".gitignore": "archive/\n"})
    repository.edit("a.txt", "agent\n")
    (repository.root / ".git" / "config").write_text("[core\n")
    repository.command("echo 2 >archive/x; echo 2 >src/b.py; echo 2 >a.txt")
    (info, _) = repository.store.list()
    assert [file.path for file in info.files] == ["a.txt"]
    assert dict(info.not_covered).keys() == {"."}
    assert "bad config" in dict(info.not_covered)["."]
    assert repository.back(1).restored == ("a.txt",)
    assert (repository.read("archive/x"), repository.read("src/b.py")) == (b"2\n", b"2\n")


def test_a_file_over_the_cap_is_kept_and_said(tmp_path: Path) -> None:
    """cases e/76"""
    project = Project(tmp_path, Limits(max_file_bytes=1_000_000))
    project.put({"big.log": "x" * 2_000_000, "a": "1\n"})
    number = project.command("echo more >>big.log; echo 2 >a")
    outcome = project.back(number)
    why = "2.0 MB, more than the 1.0 MB that are kept"
    assert outcome.restored == ("a",)
    assert outcome.kept == (("big.log", f"not covered: {why}"),)
    assert len(project.read("big.log")) == 2_000_005
    assert dict(project.store.list()[-1].not_covered) == {"big.log": why}
    assert project.notices == [("info", f"checkpoint #1 does not cover big.log ({why})")]


def test_what_is_over_a_cap_but_untouched_is_listed_and_no_reason_to_fail(tmp_path: Path) -> None:
    project = Project(tmp_path, Limits(max_file_bytes=1000))
    project.put({"big": "x" * 2000, "a": "1\n"})
    number = project.command("echo 2 >a")
    assert [path for path, _ in project.store.list()[0].not_covered] == ["big"]
    assert project.back(number).kept == ()


def test_of_a_tree_too_large_in_all_the_largest_files_are_left_out(tmp_path: Path) -> None:
    project = Project(tmp_path, Limits(max_total_bytes=3000))
    project.put({"big": "x" * 2500, "a": "1" * 400, "b": "2" * 400})
    project.command("rm big a b")
    assert project.back(1).restored == ("a", "b")
    assert dict(project.store.list()[-1].not_covered) == {"big": "over the total size that is kept"}


def test_a_tree_with_too_many_files_is_not_walked_but_edits_stay_covered(tmp_path: Path) -> None:
    """cases e/82"""
    project = Project(tmp_path, Limits(max_files=50))
    project.put({f"many/{i}": "1\n" for i in range(60)})
    project.edit("many/1", "agent\n")
    project.command("echo 2 >many/1; echo 2 >many/2; echo 2 >many/3", ["many/3"])
    assert dict(project.store.list()[0].not_covered) == {".": "more than 50 files"}
    assert project.back(1).restored == ("many/1", "many/3")
    assert project.read("many/2") == b"2\n"


def test_an_ignored_folder_too_large_to_be_kept_is_named_before_it_goes(tmp_path: Path) -> None:
    project = Project(tmp_path, Limits(max_total_bytes=10_000))
    project.put({".gitignore": "build/\n", "build/a": "x" * 900, "build/b": "x" * 900})
    project.command("rm -rf build", ["build"])
    assert project.notices[0] == ("info", "checkpoint #1 does not cover build (1.8 kB that are ignored)")
    assert "build" in dict(project.back(1).kept)


def test_special_files_are_neither_opened_nor_removed(project: Project) -> None:
    os.mkfifo(project.root / "pipe")
    listener = socket.socket(socket.AF_UNIX)
    folder = os.open(project.root, os.O_RDONLY)
    listener.bind(f"/proc/self/fd/{folder}/socket")
    os.close(folder)
    project.put({"a": "1\n"})
    project.command("rm a; mkfifo other")
    assert project.back(1).restored == ("a",)
    assert sorted(project.tree()) == ["a", "other", "pipe", "socket"]
    assert dict(project.store.list()[-1].not_covered).keys() == {"other", "pipe", "socket"}
    listener.close()


def test_a_folder_replaced_by_a_link_to_elsewhere_leads_nothing_outside(
    project: Project, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x").write_text("theirs\n")
    project.put({"d/x": "1\n"})
    project.edit("d/x", "2\n")
    project.sh(f"rm -r d; ln -s {outside} d")
    outcome = project.back(1, [str(project.root / "d/x")], force=True)
    assert outcome.kept == (("d/x", "d is no folder now"),)
    assert (outside / "x").read_text() == "theirs\n"


def test_a_file_and_a_folder_that_took_each_others_place_go_back(project: Project) -> None:
    project.put({"f": "1\n", "d/x": "1\n"})
    before = project.tree()
    project.command("rm -r f d; mkdir -p f/deep; echo 2 >f/deep/y; echo 2 >d")
    after = project.tree()
    assert project.back(1).failed == ()
    assert project.tree() == before
    project.store.undo()
    assert project.tree() == after


def test_line_ends_survive_attributes_and_settings(repository: Project) -> None:
    """cases e/80"""
    repository.put({".gitattributes": "* text eol=crlf\n*.bin filter=evil\n", "lf": "a\nb\n", "x.bin": "a\n"})
    repository.sh("git config core.autocrlf true; git config filter.evil.clean 'touch ran; cat'")
    before = repository.tree()
    repository.command("rm lf x.bin; printf 'a\\r\\n' >src/b.py")
    repository.back(1)
    assert repository.tree() == before


def test_hundreds_of_new_files_are_kept_as_one_pack(project: Project) -> None:
    project.put({f"d{i % 7}/{i}": f"{i}\n" for i in range(300)})
    before = project.tree()
    project.command("rm -rf d*")
    assert len(list((project.folder / "objects" / "pack").glob("*.pack"))) == 1
    assert len(project.back(1).restored) == 307
    assert project.tree() == before


def test_a_first_look_that_takes_a_while_says_how_far_it_is(project: Project) -> None:
    for folder in range(21):
        (project.root / f"d{folder}").mkdir()
        for name in range(1_000):
            (project.root / f"d{folder}" / str(name)).touch()
    project.command("true")
    said = [text for _, text in project.notices]
    assert said[0].startswith("keeping the project's files for /rollback")
    assert [text.split()[1] for text in said if text.endswith(" of 21000 files")] == [
        "6000",
        "11000",
        "16000",
        "21000",
    ]


def test_an_ignored_file_whose_folder_counts_as_ignored_since_is_not_said_to_be_gone(
    repository: Project,
) -> None:
    repository.put({"logs/a.log": "1\n", "logs/notes": "2\n"})
    repository.command("true")
    repository.notices.clear()
    repository.command("rm logs/notes")
    assert [text for _, text in repository.notices if "removed meanwhile" in text] == []
