import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hermes_tui.files.walk import Walk, ignore_files_above, in_repository

RG = shutil.which("rg", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")

NAMES = [
    "a", "b", "foo", "build", "x.py", "y.pyc", "z.d.ts", ".hid", "a b", "[x]", "foo.log", "lib",
    "dist", ".github", "#c", "!d", "t ",
]  # fmt: skip
PATTERNS = [
    "a", "/a", "a/", "foo/bar", "*.py", "*.pyc", "!x.py", "build/", "**/foo", "foo/**", "a/**/b",
    "*.d.ts", "[ab]", "[!a]*", "[^ab]", "\\#c", "\\!d", "t\\ ", "#c", "!d", "x.?y", "*", "!*/",
    "lib/*", "!lib/x.py", "/*", "!/foo", "**", "**/", "/**/a", "a*b", "[[:alpha:]]", "[z-a]", "[",
    "a\\", "***", "foo**bar", "/", "  ", "a//b", "[a", "[]]", "[\\]]", "[]a]", "\\a", "*/x.py", "a/b/",
    "[a-c]oo", "a**", "foo/*/", ".*", "!.github",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home/.config"))


def made(folder: Path, *files: str, **contents: str) -> Path:
    """Make files below a folder."""
    for name, content in [*((name, "") for name in files), *contents.items()]:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder


def names(walk: Walk) -> list[str]:
    return [str(path.relative_to(walk.root)) for path in walk.files()]


def test_git_is_never_entered_github_is_and_ignored_only_on_request(tmp_path: Path) -> None:
    """cases j/167."""
    top = made(
        tmp_path / "p", ".git/config", ".github/x.yml", "build/out", "src/a", **{".gitignore": "build/\n"}
    )
    assert names(Walk(top)) == [".github/x.yml", ".gitignore", "src/a"]
    assert names(Walk(top, ignored=True)) == [".github/x.yml", ".gitignore", "build/out", "src/a"]
    assert names(Walk(top, hidden=False)) == ["src/a"]


def test_a_hidden_or_ignored_folder_can_be_walked_itself(tmp_path: Path) -> None:
    """cases j/167."""
    top = made(tmp_path / "p", ".cfg/a", "build/b", **{".gitignore": "build/\n*.log\n"})
    made(top, ".cfg/x.log")
    assert names(Walk(top / ".cfg")) == ["a"]
    assert names(Walk(top / "build")) == ["b"]
    assert top / ".gitignore" in ignore_files_above(top / "build")


def test_links_and_our_temporary_files_are_not_listed(tmp_path: Path) -> None:
    top = made(tmp_path / "p", "a", ".a.hermes-1-0123abcd.tmp", "sub/b")
    (top / "loop").symlink_to(".")
    (top / "file").symlink_to("a")
    assert names(Walk(top)) == ["a", "sub/b"]


def test_rules_of_a_repository_end_at_its_top_and_its_excludes_count(tmp_path: Path) -> None:
    top = made(tmp_path / "p", "in/outer", "in/mine", "outer", "excluded", **{".gitignore": "outer\n"})
    subprocess.run(["git", "init", "-q", top / "in"], check=True)
    subprocess.run(["git", "init", "-q", top], check=True)
    (top / ".git/info/exclude").write_text("excluded\n")
    (top / "in/.git/info/exclude").write_text("mine\n")
    assert names(Walk(top)) == [".gitignore", "in/outer"]
    assert in_repository(top / "in")


def test_a_linked_work_tree_has_the_excludes_of_its_repository(tmp_path: Path) -> None:
    top = tmp_path / "p"
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(top)]
    subprocess.run(["git", "init", "-q", top], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "w")], check=True)
    (top / ".git/info/exclude").write_text("hidden\n")
    assert names(Walk(made(tmp_path / "w", "hidden", "shown"))) == ["shown"]


def test_the_users_own_excludes_count(tmp_path: Path) -> None:
    made(
        tmp_path / "home",
        ".gitconfig",
        **{".gitconfig": "[core]\n\texcludesFile = ~/mine\n", "mine": "*.swp\n"},
    )
    assert names(Walk(made(tmp_path / "p", "a", "a.swp"))) == ["a"]


def test_a_folder_that_cannot_be_listed_is_said(tmp_path: Path) -> None:
    walk = Walk(made(tmp_path / "p", "a", "b/c", "d"))
    files = walk.files()
    assert next(files).name == "a"
    shutil.rmtree(tmp_path / "p/b")
    assert [path.name for path in files] == ["d"]
    assert walk.unreadable == [tmp_path / "p/b"]


def test_a_very_deep_tree_is_walked(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(1050):  # over the interpreter's limit of nested calls
        folder = folder / "d"
        if len(str(folder)) > 3900:
            break
        folder.mkdir()
    (folder.parent / "x").touch()
    try:
        assert [path.name for path in Walk(tmp_path).files()] == ["x"]
    finally:
        subprocess.run(["rm", "-r", tmp_path / "d"], check=True)  # pytest's own cleaning recurses too deep


@pytest.mark.skipif(RG is None, reason="ripgrep is not installed")
@pytest.mark.parametrize("seed", range(60))
def test_the_walk_lists_what_ripgrep_lists(tmp_path: Path, seed: int) -> None:
    """cases j/163."""
    chance = random.Random(seed)
    folders = [tmp_path / "p"]
    folders[0].mkdir()
    for _ in range(chance.randrange(1, 7)):
        path = chance.choice(folders) / chance.choice(NAMES)
        if not path.exists():
            path.mkdir()
            folders.append(path)
    for _ in range(chance.randrange(1, 14)):
        path = chance.choice(folders) / chance.choice(NAMES)
        if not path.exists():
            path.touch()
    for _ in range(chance.randrange(1, 4)):
        file = chance.choice(folders) / chance.choice([".gitignore", ".gitignore", ".ignore", ".rgignore"])
        file.write_text("\n".join(chance.sample(PATTERNS, chance.randrange(1, 5))) + "\n")
    if chance.random() < 0.3:
        (chance.choice(folders) / ".git").mkdir()
    root = chance.choice(folders)
    flags = ["--files", "--hidden", "-g", "!.git"] + ([] if in_repository(root) else ["--no-require-git"])
    done = subprocess.run([str(RG), *flags, root], capture_output=True, text=True, check=False)
    assert sorted(map(str, Walk(root).files())) == sorted(done.stdout.splitlines())
