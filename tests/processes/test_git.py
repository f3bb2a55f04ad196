"""git's read verbs run no program that a repository's configuration names, and print what they always do."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from hermes_tui.processes.environment import for_commands, hardened
from hermes_tui.processes.git import neutral, overrides

HISTORY = r"""
git init -q -b main . && git config user.name a && git config user.email b@c
printf '*.t diff=conv\n*.c filter=clean diff=ext\n*.p filter=proc\n' > .gitattributes
printf 'one\ntwo\n' > text.t; printf 'x\n' > code.c; printf 'p\n' > proc.p; printf 'one\ntwo\nthree\n' > old.c
echo gone > gone.c; echo mode > mode.c; printf 'bin\0a' > blob.c
git add . && git commit -q -m one
printf 'one\n2\n' > text.t; printf 'y\n' > code.c; git commit -q -a -m two
printf '1\n2\n' > text.t; printf 'z' > code.c; printf 'q\n' > proc.p; printf 'bin\0b' > blob.c
rm gone.c; chmod +x mode.c; git mv old.c 'new name.c'; echo four >> 'new name.c'
echo add > add.c; git add -N add.c; ln -s text.t link.c; git add link.c
"""

PROGRAMS = (
    "diff.conv.textconv diff.ext.command diff.external filter.clean.clean filter.clean.smudge"
    " filter.proc.process core.fsmonitor core.pager core.sshCommand gpg.program"
)

COMMANDS = (
    "git status --short",
    "git diff",
    "git diff HEAD",
    "git diff --cached",
    "git diff -M --stat HEAD",
    "git log -p",
    "git log --show-signature -1",
    "git show HEAD -- text.t",
    "git show HEAD:text.t",
    "git blame HEAD -- text.t",
    "git grep one",
)


def sh(command: str, folder: Path, environment: Mapping[str, str]) -> str:
    """Return what a command prints."""
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return a hardened environment with a home of its own."""
    return {**hardened(for_commands(os.environ)), "HOME": str(tmp_path / "home")}


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """Return the file that appears when the program `tmp_path/program` is run."""
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho ran >> {tmp_path}/marker\ncat\n")
    program.chmod(0o755)
    return tmp_path / "marker"


def configure(folder: Path, marker: Path, environment: Mapping[str, str]) -> None:
    """Name the marking program wherever git takes one."""
    lines = [f"git config {key} {marker.parent}/program" for key in PROGRAMS.split()]
    sh("; ".join([*lines, "git config filter.clean.required true"]), folder, environment)


def test_no_configured_program_runs_and_the_output_is_gits_own(
    tmp_path: Path, environment: dict[str, str], marker: Path
) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    sh(HISTORY, repository, environment)
    expected = {command: sh(command, repository, environment) for command in COMMANDS}
    configure(repository, marker, environment)
    sh("git diff; git status", repository, environment)
    assert marker.exists(), "the fixture must be able to fail"
    marker.unlink()
    quiet = environment | overrides([repository], environment)
    for command in COMMANDS:
        assert sh(command, repository, quiet) == expected[command]
    assert not marker.exists()


def test_a_converter_for_binary_files_gives_one_line(
    tmp_path: Path, environment: dict[str, str], marker: Path
) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    sh(
        "git init -q .; echo '*.b diff=conv' > .gitattributes; printf 'a\\0' > f.b; git add .",
        repository,
        environment,
    )
    sh(f"git config diff.conv.textconv {tmp_path}/program", repository, environment)
    printed = sh("git diff --cached -- f.b", repository, environment | overrides([repository], environment))
    assert "\n+binary: " in printed
    assert not marker.exists()


@pytest.mark.parametrize("listed", [True, False])
def test_programs_of_a_nested_repository_do_not_run_either(
    tmp_path: Path, environment: dict[str, str], marker: Path, listed: bool
) -> None:
    outer = tmp_path / "outer"
    (outer / "sub" / "deep").mkdir(parents=True)
    for folder in (outer / "sub" / "deep", outer / "sub"):
        sh(HISTORY, folder, environment)
        sh("git add -A; git commit -q -m all; touch *.c", folder, environment)
    sh("git init -q .; git add .; git -c user.name=a -c user.email=b commit -q -m sub", outer, environment)
    if listed:
        sh("git config -f .gitmodules submodule.sub.path sub", outer, environment)
    for folder in (outer / "sub" / "deep", outer / "sub"):
        configure(folder, marker, environment)
        (folder / "code.c").write_text("changed\n")
    sh("git status", outer, environment)
    assert marker.exists(), "the fixture must be able to fail"
    marker.unlink()
    quiet = environment | overrides([outer], environment)
    assert " m sub\n" in sh("git status --short; git diff; git diff --submodule=diff", outer, quiet)
    assert not marker.exists()


def test_a_partial_clone_fetches_nothing(tmp_path: Path, environment: dict[str, str], marker: Path) -> None:
    (tmp_path / "origin").mkdir()
    sh(HISTORY + "git config uploadpack.allowFilter true", tmp_path / "origin", environment)
    plain = {key: value for key, value in environment.items() if not key.startswith("GIT_")}
    sh(f"git clone -q -n --filter=blob:none file://{tmp_path}/origin clone", tmp_path, plain)
    clone = tmp_path / "clone"
    sh(f"git config remote.origin.uploadpack {tmp_path}/program", clone, plain)
    printed = sh("git log -p", clone, environment | overrides([clone], environment))
    assert "could not fetch" in printed
    assert not marker.exists()


def test_the_users_own_filters_stay_and_a_repositorys_do_not() -> None:
    entries = [
        ("global", "filter.lfs.clean", "git-lfs clean -- %f"),
        ("local", "filter.mine.clean", "./p"),
        ("worktree", "filter.a.b.smudge", "./p"),
        ("global", "diff.renames", "copies"),
    ]
    assert neutral(entries) == {
        "filter.mine.clean": "",
        "filter.mine.smudge": "",
        "filter.mine.process": "",
        "filter.mine.required": "false",
        "filter.a.b.clean": "",
        "filter.a.b.smudge": "",
        "filter.a.b.process": "",
        "filter.a.b.required": "false",
    }


def test_a_folder_without_repository_or_without_git_is_no_error(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    assert overrides([tmp_path, tmp_path / "nowhere"], environment)["GIT_CONFIG_KEY_0"] == "core.fsmonitor"
    assert overrides([tmp_path], environment | {"PATH": str(tmp_path)})["GIT_CONFIG_COUNT"] == "6"
