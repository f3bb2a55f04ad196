"""The first look at a project under git takes over what its repository holds, exactly as it stands."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from hermes_tui.checkpoints import seed
from hermes_tui.checkpoints.gitenv import Shadow
from tests.checkpoints.kit import Project

FILES = 300


@pytest.fixture
def large(tmp_path: Path) -> Project:
    project = Project(tmp_path)
    project.put({f"d{i % 7}/f{i}": f"{i}\n" * 20 for i in range(FILES)})
    project.sh("git init -q -b main && git add . && git commit -qm first")
    return project


def shadow_of(project: Project) -> Shadow:
    return Shadow(project.folder)


def own_objects(project: Project) -> set[str]:
    """The objects that are files in the store and in no other place."""
    folder = project.folder / "objects"
    return {
        file.parent.name + file.name
        for file in folder.glob("[0-9a-f][0-9a-f]/*")
        if file.stat().st_nlink == 1
    }


@pytest.mark.parametrize("packed", [False, True], ids=["loose objects", "packed objects"])
def test_all_comes_back_after_the_projects_repository_is_gone(large: Project, packed: bool) -> None:
    if packed:
        large.sh("git gc -q")
    before = large.tree()
    number = large.command("rm -rf d0 d1 d2; rm -rf .git")
    large.back(number)
    assert large.tree() == before


def test_what_the_repository_holds_is_not_kept_once_more(large: Project) -> None:
    large.command("true")
    kept = list((large.folder / "objects").glob("[0-9a-f][0-9a-f]/*"))
    assert len(kept) == FILES
    assert own_objects(large) == set()


def test_the_repository_is_not_written(large: Project) -> None:
    def state() -> dict[str, tuple[int, int, bytes]]:
        return {
            os.path.join(base, name): (status.st_mtime_ns, status.st_mode, Path(base, name).read_bytes())
            for base, _, names in os.walk(large.root / ".git")
            for name in names
            if (status := os.lstat(os.path.join(base, name))) and stat.S_ISREG(status.st_mode)
        }

    before = state()
    large.command("true")
    large.edit("d0/f0", "new\n")
    large.back(2)
    assert state() == before


TRAPS = {
    "eol": "echo '* text eol=crlf' > .gitattributes; rm -r d*; git checkout -q -- $(git ls-files)",
    "autocrlf": "git config core.autocrlf true; rm -r d*; git checkout -q -- $(git ls-files)",
    "a filter": "echo '* filter=up' > .gitattributes; git config filter.up.clean 'tr 0-9 a-z'; git add .",
    "assume-unchanged": "sed -i 's/$/ edited/' d*/*; git update-index --assume-unchanged d*/*",
    "old time stamps": "for f in d*/*; do touch -r $f r; sed -i s/1/7/g $f; touch -r r $f; done; rm r",
    "no index": "rm .git/index",
    "no objects": "find .git/objects -type f -delete",
    "empty objects": "find .git/objects -type f -exec chmod u+w {} + -exec truncate -s 0 {} +",
    "cut objects": "find .git/objects -type f -exec chmod u+w {} + -exec truncate -s 20 {} +",
    "a damaged pack": "git gc -q; for f in .git/objects/pack/*.pack; do chmod u+w $f; "
    "printf 'XXXXXXXX' | dd of=$f bs=1 seek=$(($(stat -c %s $f) / 2)) conv=notrunc 2>/dev/null; done",
}


@pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS.keys())
def test_a_repository_that_tells_stories_is_not_believed(large: Project, trap: str) -> None:
    large.sh(trap)
    before = large.tree()
    number = large.command("rm -rf d*")
    large.back(number)
    assert large.tree() == before


def test_odd_names_and_other_modes_come_back(large: Project) -> None:
    large.sh("""echo 1 > $'a\\nb'; echo 2 > '"q"'; echo 3 > $'x\\xff'; echo 4 > 'c:d'""")
    large.sh("chmod 751 d0/f0; git add .")
    before = large.tree()
    number = large.command("rm -rf -- *")
    large.back(number)
    assert large.tree() == before


def test_a_file_that_goes_while_it_is_read_leaves_the_others(large: Project) -> None:
    large.command("true")
    paths = [f"d{i % 7}/f{i}" for i in range(FILES)]
    (large.root / "d0/f0").unlink()
    found = seed.taken_over(shadow_of(large), large.root, [*paths[1:], "d0/f0"])
    assert set(found) == set(paths[1:])


def test_a_linked_work_tree_is_taken_over_too(large: Project, tmp_path: Path) -> None:
    large.sh("git gc -q; git worktree add -q ../second/project")
    second = Project(tmp_path / "second")
    before = second.tree()
    number = second.command("rm -rf d*")
    second.back(number)
    assert second.tree() == before
