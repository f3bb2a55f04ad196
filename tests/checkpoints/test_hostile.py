"""A hostile world: the user's git settings, a damaged store, missing rights, no git, a full disk."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_tui.checkpoints.states import Limits
from hermes_tui.checkpoints.store import CheckpointStore
from hermes_tui.engine.errors import CheckpointError
from tests.checkpoints.kit import Project, tree
from tests.support.nobody import unprivileged

REPOSITORY = Path(__file__).resolve().parents[2]

SCRIPT = """
import sys
from pathlib import Path
from tests.checkpoints.kit import Project
project = Project(Path(sys.argv[1]))
"""


def run(script: str, base: Path, env: dict[str, str], prefix: list[str] | None = None) -> str:
    """Run a script in another process with this environment; return what it prints."""
    done = subprocess.run(
        [*(prefix or []), sys.executable, "-c", SCRIPT + script, str(base)],
        cwd=REPOSITORY,
        env={"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", **env},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def anyones() -> Iterator[Path]:
    """A folder that another user can reach; pytest's own are closed to others."""
    with tempfile.TemporaryDirectory(prefix="anyones-") as folder:
        os.chmod(folder, 0o777)
        yield Path(folder)


LIFE = """
project.put({"a": "1\\n", "crlf": b"x\\r\\ny\\n"})
project.edit("a", "2\\n")
project.command("rm crlf; echo 3 >a")
project.store.close(10)
project.reopened()
assert project.back(1).failed == ()
assert (project.read("a"), project.read("crlf")) == (b"1\\n", b"x\\r\\ny\\n")
project.store.close(10)
assert project.notices == [], project.notices
"""


def test_git_variables_in_the_environment_do_not_count(tmp_path: Path) -> None:
    """cases e/71"""
    victim = tmp_path / "victim"
    subprocess.run(["git", "init", "-q", str(victim)], check=True)
    before = {p: p.stat().st_mtime_ns for p in victim.rglob("*")}
    git = str(victim / ".git")
    env = {
        "GIT_DIR": git,
        "GIT_WORK_TREE": str(victim),
        "GIT_INDEX_FILE": f"{git}/index",
        "GIT_OBJECT_DIRECTORY": f"{git}/objects",
        "GIT_COMMON_DIR": git,
        "GIT_NAMESPACE": "x",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.hooksPath",
        "GIT_CONFIG_VALUE_0": str(tmp_path),
    }
    run(LIFE, tmp_path / "p", env)
    assert {p: p.stat().st_mtime_ns for p in victim.rglob("*")} == before


def test_the_users_global_settings_do_not_count_and_no_identity_is_needed(tmp_path: Path) -> None:
    """cases e/73, e/74, e/80"""
    home, hooks = tmp_path / "home", tmp_path / "hooks"
    hooks.mkdir()
    home.mkdir()
    for hook in ("pre-commit", "reference-transaction", "post-index-change"):
        (hooks / hook).write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
        (hooks / hook).chmod(0o755)
    (home / ".gitconfig").write_text(
        f"[core]\n\thooksPath = {hooks}\n\tautocrlf = true\n\tfsmonitor = {hooks}/pre-commit\n"
        f"[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = {hooks}/pre-commit\n"
        f"[init]\n\ttemplateDir = {hooks}\n"
    )
    run(LIFE, tmp_path / "p", {"HOME": str(home)})
    assert not (tmp_path / "ran").exists()


def test_without_a_home_folder_it_works(tmp_path: Path) -> None:
    """cases e/74"""
    run(LIFE, tmp_path / "p", {"HOME": str(tmp_path / "nowhere")})


def test_the_users_own_ignore_file_counts(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(f"[core]\n\texcludesFile = {home}/ignore\n")
    (home / "ignore").write_text("*.swp\n")
    script = """
project.put({"a": "1\\n", "a.swp": "1\\n"})
project.command("rm a a.swp")
print([item.path for item in project.store.preview(1).items if item.acts])
"""
    assert run(script, tmp_path / "p", {"HOME": str(home)}) == "['a']\n"


def test_an_unreadable_file_and_folder_are_said_and_the_others_are_covered(anyones: Path) -> None:
    """cases e/70"""
    script = """
project.put({"a.txt": "1\\n", "secret": "1\\n", "locked/in": "1\\n", "nox/in": "1\\n", "ro": "1\\n"})
project.sh("chmod 000 secret locked; chmod 600 nox; chmod 400 ro")
number = project.command("echo 2 >a.txt; chmod 600 ro; echo 2 >ro")
print(dict(project.store.list()[0].not_covered))
print(project.back(number))
project.sh("chmod 700 locked secret nox")
print(project.tree()["ro"], project.tree()["secret"], project.tree()["locked/in"])
"""
    printed = run(script, anyones / "p", {"HOME": str(anyones)}, unprivileged([]))
    assert printed.splitlines() == [
        "{'locked': 'unreadable', 'nox/in': 'unreadable', 'secret': 'unreadable'}",
        "Outcome(number=1, saved_as=2, restored=('a.txt', 'ro'), deleted=(), kept=(), failed=(), "
        "undid=False, edited=())",
        r"('file', 256, b'1\n') ('file', 448, b'1\n') ('file', 420, b'1\n')",
    ]


def test_what_cannot_be_read_is_said_before_a_command_runs(anyones: Path) -> None:
    """cases e/70"""
    script = """
project.put({"a.txt": "1\\n", "secret": "1\\n", "locked/in": "1\\n"})
project.sh("chmod 000 secret locked")
from tests.checkpoints.kit import footprint
names = [str(project.root / name) for name in ("a.txt", "secret", "locked")]
print(*project.store.uncovered(footprint("rm", names)), sep="\\n")
project.sh("chmod 700 locked secret")
"""
    printed = run(script, anyones / "p", {"HOME": str(anyones)}, unprivileged([]))
    assert printed.splitlines() == [
        "locked is unreadable: /rollback will not bring it back",
        "secret is unreadable: /rollback will not bring it back",
    ]


def test_a_path_that_cannot_be_restored_is_told_and_the_others_are(anyones: Path) -> None:
    script = """
project.put({"locked/a": "1\\n", "b": "1\\n"})
project.edit("locked/a", "2\\n")
project.edit("b", "2\\n")
project.sh("chmod 500 locked")
print(project.back(1))
print(project.tree()["locked/a"], project.tree()["b"])
"""
    printed = run(script, anyones / "p", {"HOME": str(anyones)}, unprivileged([]))
    assert printed.splitlines() == [
        "Outcome(number=1, saved_as=3, restored=('b',), deleted=(), kept=(), "
        "failed=(('locked/a', 'permission denied'),), undid=False, edited=())",
        r"('file', 420, b'2\n') ('file', 420, b'1\n')",
    ]


def test_without_git_it_says_so_once_and_steps_aside(tmp_path: Path) -> None:
    script = """
print(project.store.open("x"), project.store.open("y"), project.notices)
try:
    project.store.list()
except Exception as error:
    print(type(error).__name__, error)
"""
    reason = "rollback is off: git is not installed; install git to have it"
    printed = run(script, tmp_path / "p", {"PATH": str(tmp_path)})
    assert printed.splitlines() == [f"None None [('warning', '{reason}')]", f"CheckpointError {reason}"]


def test_git_that_cannot_be_run_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "git").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "git").chmod(0o755)
    script = "print(project.store.open('x'), project.notices)"
    printed = run(script, tmp_path / "p", {"PATH": f"{tmp_path}:/bin"})
    assert printed.startswith("None [('warning', 'rollback is off: git cannot be run")


def test_the_home_folder_and_the_root_are_refused(tmp_path: Path, project: Project) -> None:
    """cases e/82"""
    said: list[tuple[str, str]] = []
    for folder in (Path("/"), Path.home(), Path.home().parent, None):
        store = CheckpointStore(folder, project.home, "s", Limits(), lambda *notice: said.append(notice))
        assert store.open("x") is None
        assert store.open("y") is None
    why = "rollback is off: this is no project's folder; start in one to have it"
    assert said == [("warning", why)] * 4
    assert not project.home.exists()


def test_missing_refs_and_settings_are_put_back_with_a_notice(project: Project) -> None:
    """cases e/85"""
    project.put({"a": "1\n"})
    project.edit("a", "2\n")
    project.store.close(10)
    store = project.folder
    (store / "refs" / "heads").rmdir()
    (store / "HEAD").unlink()
    (store / "config").write_text("[core\n")
    project.reopened()
    assert project.edit("a", "3\n") == 2
    assert project.notices == [
        ("warning", "the checkpoint store was damaged and is repaired (missing: HEAD, refs/heads, config)")
    ]
    project.back(1)
    assert project.read("a") == b"1\n"
    project.store.close(10)
    git = ["git", f"--git-dir={store}"]
    listed = subprocess.run([*git, "show", "refs/checkpoints/1:before/a"], capture_output=True, check=True)
    assert listed.stdout == b"1\n"


def test_lost_contents_are_told_and_nothing_is_restored_or_deleted_for_them(project: Project) -> None:
    project.put({"a": "1\n", "b": "b\n"})
    project.command("echo 2 >a")
    project.store.close(10)
    shutil.rmtree(project.folder / "objects")
    project.reopened()
    project.command("rm b")
    outcome = project.back(1)
    assert outcome.kept == (("a", "its content is missing in the store"),)
    assert (project.read("a"), project.read("b")) == (b"2\n", b"b\n")


def test_left_over_lock_files_are_cleared(project: Project) -> None:
    """cases e/86"""
    project.edit("a", "1\n")
    project.store.close(10)
    locks = [project.folder / name for name in ("index.lock", "packed-refs.lock", "refs/checkpoints/2.lock")]
    for lock in locks:
        lock.touch()
    project.reopened()
    project.edit("a", "2\n")
    project.store.close(10)
    assert [lock for lock in locks if lock.exists()] == []
    assert (project.folder / "refs" / "checkpoints" / "2").exists()


def test_a_damaged_journal_line_costs_that_line_only(project: Project) -> None:
    project.put({"a": "1\n"})
    project.edit("a", "2\n")
    project.store.close(10)
    journal = project.folder / "hermes" / "journal"
    journal.write_bytes(b"\0\0garbage\n[1]\n" + journal.read_bytes() + b'{"do":"done","id"')
    project.reopened()
    assert project.edit("a", "3\n") == 2
    assert project.notices == [
        ("warning", "2 lines of the checkpoint journal cannot be read; the others count")
    ]
    project.back(1)
    assert project.read("a") == b"1\n"
    assert all(json.loads(line) for line in journal.read_text().splitlines()[2:])


def test_numbers_are_not_used_again_when_the_journal_is_gone(project: Project) -> None:
    project.edit("a", "1\n")
    project.edit("a", "2\n")
    project.store.close(10)
    (project.folder / "hermes" / "journal").unlink()
    project.reopened()
    assert project.edit("a", "3\n") == 3


def test_nobody_else_can_read_the_store(project: Project) -> None:
    """cases l/182"""
    project.put({f"f{i}": f"{i}\n" for i in range(100)})
    project.edit("a", "1\n")
    project.command("rm f*")
    project.store.close(10)
    open_to_others = [p for p in project.home.rglob("*") if p.stat().st_mode & 0o077]
    assert (open_to_others, project.home.stat().st_mode & 0o077) == ([], 0)


def test_our_own_data_in_the_project_is_never_recorded(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.base = project.root
    project.home = project.root / "data" / "checkpoints"
    project.put({"data/sessions.db": "1\n", "a": "1\n"})
    project.reopened()
    project.command("echo 2 >data/sessions.db; echo 2 >a")
    assert project.back(1).restored == ("a",)
    assert project.read("data/sessions.db") == b"2\n"


def test_a_full_disk_refuses_the_edit_and_changes_nothing(tmp_path: Path) -> None:
    script = """
import resource, signal
project.put({"a": "1\\n"})
project.edit("a", "2\\n")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
recording = None
try:
    recording = project.open()
except Exception as error:
    print(type(error).__name__, error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
"""
    (tmp_path / "p").mkdir()
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            SCRIPT + script.replace("RLIM_INFINITY, resource.RLIM_INFINITY", "RLIM_INFINITY, -1"),
            str(tmp_path / "p"),
        ],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "CheckpointError the checkpoint could not be saved: File too large" in done.stdout, done
    assert tree(tmp_path / "p" / "project") == {"a": ("file", 0o644, b"2\n")}
    project = Project(tmp_path / "p")
    assert project.edit("a", "3\n") == 2
    assert project.notices == []


def test_a_restore_that_cannot_save_the_present_state_changes_nothing(project: Project) -> None:
    project.put({"a": "1\n"})
    project.edit("a", "2\n")
    preview = project.store.preview(1)
    shutil.rmtree(project.folder / "objects")
    (project.folder / "objects").write_text("")
    with pytest.raises(CheckpointError, match="the checkpoint could not be saved"):
        project.store.restore(preview)
    assert project.read("a") == b"2\n"
