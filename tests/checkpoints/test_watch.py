"""The change watch: a look that goes by it finds what a look at everything finds."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hermes_tui.checkpoints.gitenv import Shadow
from hermes_tui.checkpoints.ignores import Ignores
from hermes_tui.checkpoints.objects import Objects
from hermes_tui.checkpoints.root import Root
from hermes_tui.checkpoints.scan import Scanner
from hermes_tui.checkpoints.snapshot import Snapshot
from hermes_tui.checkpoints.states import Limits, State
from hermes_tui.checkpoints.tree import Tree
from hermes_tui.checkpoints.wal import Wal
from hermes_tui.checkpoints.watch import Watch
from tests.checkpoints.kit import QUIET_GIT

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="the change watch needs inotify, which is Linux's"
)

Looked = tuple[dict[str, State], dict[str, str]]


class Both:
    """A project that two scanners look at: one goes by the watch, the other asks each path."""

    def __init__(self, base: Path) -> None:
        self.root = base / "project"
        self.root.mkdir()
        self.outside = base / "outside"
        self.outside.mkdir()
        self.shadow = Shadow(base / "shadow")
        self.shadow.folder.mkdir()
        self.shadow.ensure()
        self.watch = Watch(self.root)
        self.by_watch = self.scanner(self.watch)
        self.by_asking = self.scanner(Watch(self.root, folders=0))

    def scanner(self, watch: Watch) -> Scanner:
        root = Root(self.root)
        tree = Tree(root, Limits(), "", Ignores(self.root, self.shadow.folder), watch)
        return Scanner(
            root, Objects(self.shadow, Wal(self.shadow.folder, "log")), Limits(), tree, lambda paths: {}
        )

    def sh(self, command: str) -> None:
        subprocess.run(["bash", "-ec", command], cwd=self.root, env={**os.environ, **QUIET_GIT}, check=True)

    def agree(self) -> Looked:
        """Let both look; they find the same."""
        found = looked(self.by_watch.scan((), ()))
        assert found == looked(self.by_asking.scan((), ()))
        return found

    def went_by_the_watch(self) -> bool:
        """Whether the next look need not ask each path."""
        return self.watch.taken() is not None


def looked(snapshot: Snapshot) -> Looked:
    states = {path: entry.state for path, entry in snapshot.entries.items()}
    return states, {path: why for path, (why, _) in snapshot.opaque.items()}


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Both]:
    both = Both(tmp_path)
    yield both
    both.by_watch.end()


@pytest.fixture
def both(empty: Both) -> Both:
    both = empty
    both.sh(
        "git init -q -b main; mkdir -p src/deep docs; echo 1 > src/a; echo 2 > src/deep/b; echo 3 > docs/c"
    )
    both.sh("printf '*.log\\nbuild/\\n' > .gitignore; git add .; git commit -qm first")
    both.agree()
    return both


CHANGES = {
    "a file is written": "echo new > src/a",
    "a file is written without a change of its size": "echo 9 > src/a",
    "a file grows through a handle that stays open": "exec 3>>src/a; echo more >&3; sleep 0 & wait",
    "a file is cut": "truncate -s 0 src/deep/b",
    "a file is replaced, as editors do": "echo x > .tmp1; mv .tmp1 src/a",
    "a file appears": "echo 1 > src/new",
    "a file goes": "rm src/a",
    "a file gets other permissions": "chmod 700 src/a",
    "a folder gets other permissions": "chmod 700 src/deep",
    "a time stamp is put back": "touch -r src/a ref; echo 7 > src/a; touch -r ref src/a; rm ref",
    "folders appear one in another": "mkdir -p n1/n2/n3/n4; echo 1 > n1/n2/n3/n4/f; echo 2 > n1/g",
    "a folder goes with all in it": "rm -r src",
    "a folder moves": "mv src moved; echo after > moved/deep/b",
    "a folder moves and another takes its place": "mv src moved; mkdir src; echo 5 > src/a; echo 6 > moved/a",
    "a folder moves out": "mv src ../outside/; echo 1 > ../outside/src/a",
    "a folder moves in": "mkdir -p ../outside/n/x; echo 1 > ../outside/n/f; mv ../outside/n .; echo > n/x/g",
    "two folders change places": "mv src t; mv docs src; mv t docs; echo 1 > src/one; echo 2 > docs/two",
    "a folder becomes a link": "mv src ../outside/; ln -s ../outside/src src; echo 1 > ../outside/src/a",
    "a folder becomes a file": "rm -r docs; echo 1 > docs",
    "a file becomes a folder": "rm src/a; mkdir src/a; echo 1 > src/a/f",
    "a link changes its target": "ln -s a src/l; ln -sfn b src/l",
    "a pipe appears": "mkfifo src/pipe",
    "an ignored file appears": "echo 1 > src/x.log",
    "an ignored folder fills": "mkdir -p build/x; echo 1 > build/x/o",
    "the rules leave out more": "echo 'docs/' >> .gitignore; git rm -rq --cached docs",
    "the rules leave out less": "echo 1 > y.log; git status > /dev/null; echo 'z' > .gitignore",
    "rules in the repository's own file": "echo 'src/new*' >> .git/info/exclude; echo 1 > src/new1",
    "rules of a folder's own": "echo 'b' > src/deep/.gitignore; git rm -q --cached src/deep/b",
    "an ignored file is tracked": "echo 1 > t.log; git add -f t.log",
    "a repository in the repository": "git init -q docs; echo '*.tmp' > docs/.gitignore; echo 1 > docs/q.tmp",
    "a repository moves in": "git init -q ../outside/r; mv ../outside/r .; echo q > r/.gitignore; echo > r/q",
    "a repository goes": "git init -q ../outside/r; mv ../outside/r .; rm -rf r/.git; echo 1 > r/f",
    "a file gets one more name": "ln src/a src/other; echo more >> src/other",
    "another branch": "git checkout -q -b other; echo 11 > src/a; git commit -qam x; git checkout -q main",
    "names that are no text": "echo 1 > $'src/\\xff\\n'; mkdir $'src/d\\xfe'; echo 2 > $'src/d\\xfe/f'",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_look_by_the_watch_finds_it(both: Both, change: str) -> None:
    before = both.agree()
    both.sh(change)
    assert both.agree() != before or change == CHANGES["another branch"]
    both.sh("echo afterwards >> src/deep/later || echo afterwards > elsewhere")
    both.agree()
    assert both.went_by_the_watch()


def test_a_file_beside_ignored_ones_alone_in_their_folder_is_found(both: Both) -> None:
    # git lists such a folder as ignored although no rule names it
    both.sh("mkdir -p logs/2024; echo 1 > logs/2024/a.log")
    both.agree()
    both.sh("echo 1 > logs/2024/notes.md")
    states, _ = both.agree()
    assert "logs/2024/notes.md" in states


def test_a_file_that_is_changed_by_another_name_outside_is_found(both: Both) -> None:
    both.sh("ln src/a ../outside/other")
    both.sh("touch src/a")
    both.agree()
    both.sh("echo by the other name > ../outside/other")
    states, _ = both.agree()
    assert states["src/a"].content != ""
    assert both.went_by_the_watch()


def test_a_repository_that_moves_or_goes_is_no_reason_to_look_at_nothing(both: Both) -> None:
    both.sh("git init -q docs/r; echo 1 > docs/r/f")
    both.agree()
    both.sh("mv docs/r src/r")
    states, _ = both.agree()
    assert {"src/r/f"} == {path for path in states if path.endswith("/f")}
    both.sh("rm -rf src/r")
    states, _ = both.agree()
    assert set(states) == {".gitignore", "docs", "docs/c", "src", "src/a", "src/deep", "src/deep/b"}


def test_a_repository_whose_data_is_elsewhere_and_gone_counts_as_a_folder(both: Both) -> None:
    both.sh(
        "mkdir docs/r; echo 'gitdir: /nowhere/at/all' > docs/r/.git; echo 1 > docs/r/f; echo 2 > docs/r/x.log"
    )
    states, opaque = both.agree()
    assert "docs/r/f" in states
    assert opaque["docs/r/x.log"] == "ignored"


def test_a_file_that_is_changed_by_a_name_it_got_later_is_found(both: Both) -> None:
    both.sh("ln src/a docs/other")
    both.agree()
    both.sh("echo by the other name > docs/other")
    states, _ = both.agree()
    assert states["src/a"] == states["docs/other"]
    assert both.went_by_the_watch()


def test_another_folder_in_the_projects_place_is_looked_at(both: Both) -> None:
    both.sh("cp -a . ../copy; cd ..; mv project outside/; mv copy project")
    both.sh("echo anew > src/a; rm docs/c")
    states, _ = both.agree()
    assert "docs/c" not in states
    both.sh("echo once more > src/a")
    both.agree()
    assert both.went_by_the_watch()


def test_what_is_mounted_over_a_folder_is_looked_at(both: Both) -> None:
    both.sh("echo 1 > ../outside/mounted")
    bound = ["mount", "--bind", str(both.outside), str(both.root / "docs")]
    if subprocess.run(bound, check=False, capture_output=True).returncode:
        pytest.skip("mounting needs rights that this user has not")
    try:
        states, _ = both.agree()
        assert "docs/mounted" in states
    finally:
        subprocess.run(["umount", str(both.root / "docs")], check=True)
    states, _ = both.agree()
    assert "docs/c" in states


def test_more_than_the_queue_holds_is_found_all_the_same(both: Both) -> None:
    both.sh("for i in $(seq 3); do mkdir m$i; (cd m$i; seq 1 4000 | xargs touch); done")
    states, _ = both.agree()
    assert len([path for path in states if path.startswith("m")]) == 3 * 4001
    both.sh("echo 1 > m2/77")
    both.agree()


def test_without_a_watch_every_path_is_asked(both: Both) -> None:
    both.by_watch.end()
    both.sh("echo x > src/a")
    both.agree()
    assert both.went_by_the_watch()


def test_a_watch_that_may_not_have_so_many_folders_steps_aside(empty: Both) -> None:
    both = empty
    both.by_watch = both.scanner(watch := Watch(both.root, folders=5))
    both.sh("mkdir -p a/b/c d/e/f; echo 1 > d/e/f/g")
    both.agree()
    assert watch.taken() is None
    both.sh("echo 2 > d/e/f/g")
    both.agree()


@pytest.mark.parametrize("seed", range(8))
def test_after_any_changes_both_looks_agree(empty: Both, seed: int) -> None:
    chance = random.Random(seed)
    both = empty
    both.sh("git init -q -b main; printf '*.log\\nbuild/\\n' > .gitignore")
    for _ in range(25):
        for _ in range(chance.randrange(1, 6)):
            change(both, chance)
        both.agree()
    assert both.went_by_the_watch()


def change(both: Both, chance: random.Random) -> None:
    """Make one random change to the tree."""
    folders = [Path(base) for base, _, _ in os.walk(both.root) if ".git" not in Path(base).parts]
    files = [
        entry for folder in folders for entry in folder.iterdir() if entry.is_file() or entry.is_symlink()
    ]
    name = chance.choice(["a", "b", "c.log", "d", "build", "sub", "x y"])
    target = chance.choice(folders) / name
    acts: list[Callable[[], object]] = [
        lambda: target.is_dir() or target.write_text(str(chance.random())),
        lambda: None if target.exists() else os.mkdir(target),
        lambda: os.makedirs(target / "in" / "side"),
        lambda: chance.choice(files).unlink() if files else None,
        lambda: move(chance.choice(folders[1:] or folders), target, both),
        lambda: chance.choice(files).chmod(chance.choice([0o600, 0o755])) if files else None,
        lambda: shutil.rmtree(chance.choice(folders[1:])) if len(folders) > 3 else None,
        lambda: target.symlink_to("a") if not os.path.lexists(target) else None,
        lambda: (both.root / ".gitignore").write_text(
            chance.choice(["*.log\nbuild/\n", "sub/\n", "d\n!a\n", ""])
        ),
        lambda: (chance.choice(folders) / ".gitignore").write_text(chance.choice(["b\n", "*\n", "in/\n"])),
        lambda: both.sh("git add -A . 2>/dev/null || true"),
    ]
    try:
        chance.choice(acts)()
    except OSError:
        return  # such a change is none


def move(source: Path, target: Path, both: Both) -> None:
    if source != both.root and not target.is_relative_to(source) and not target.exists():
        source.rename(target)
