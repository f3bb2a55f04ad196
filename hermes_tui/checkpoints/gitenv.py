"""Git as the store runs it: its own repository, and nothing of the user's settings or environment.

The one module that imports GitPython, so it is itself imported only when git is first needed. Never
writes to a repository of the user.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from subprocess import PIPE
from typing import Final

import git

from hermes_tui.engine.errors import CheckpointError

_SETTINGS: Final = """\
[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
	logallrefupdates = false
	sharedRepository = 0600
	hooksPath = /dev/null
	attributesFile = /dev/null
	excludesFile = /dev/null
	autocrlf = false
	safecrlf = false
	fsmonitor = false
	precomposeUnicode = false
[gc]
	auto = 0
[maintenance]
	auto = false
[commit]
	gpgSign = false
[tag]
	gpgSign = false
[fastimport]
	unpackLimit = 1
[pack]
	compression = 1
	threads = 1
	writeReverseIndex = false
"""

_ATTRIBUTES: Final = "* -text -filter -ident -eol -working-tree-encoding -diff -merge -export-subst\n"

_OWN: Final = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
}

_QUIET: Final = (
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.untrackedCache=false",
)

_AT_ONCE: Final = 500
"""Paths on one command line."""

_PARTS: Final = ("HEAD", "objects/info", "objects/pack", "refs/heads", "refs/checkpoints", "info/attributes")


class Shadow:
    """One shadow repository: `folder` is its git directory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *arguments: str) -> bytes:
        """Run one git command on the shadow repository; return its output, `CheckpointError` if it fails."""
        return _run(self.folder, (f"--git-dir={self.folder}", *arguments))

    def start(self, *arguments: str) -> git.Git.AutoInterrupt:
        """Start one with its input and output as pipes; `stop` ends it."""
        command = _command((f"--git-dir={self.folder}", *arguments))
        return git.Git(str(self.folder)).execute(
            command, istream=PIPE, as_process=True, env=_environment(self.folder), start_new_session=True
        )

    def stream(self, parts: Iterable[bytes], *arguments: str) -> None:
        """Run one that reads `parts` and prints nothing; `CheckpointError` if it fails."""
        process = self.start(*arguments)
        assert process.proc is not None
        assert process.proc.stdin is not None
        try:
            with process.proc.stdin as pipe:
                for part in parts:
                    pipe.write(part)
            process.wait()
        except (OSError, git.GitCommandError) as error:
            self.stop(process)
            raise CheckpointError(f"the checkpoint could not be saved: {_first_line(error)}") from None

    def ask(
        self, data: bytes, *arguments: str, folder: Path | None = None, more: Path | None = None
    ) -> bytes:
        """Run one that reads `data`, in `folder`; return what it printed, also when it failed half-way.

        `more` is another repository's objects, to be read as if they were here. `CheckpointError` when
        it fails before it printed anything.
        """
        objects = {"GIT_ALTERNATE_OBJECT_DIRECTORIES": str(more)} if more else {}
        process = git.Git(str(folder or self.folder)).execute(
            _command((f"--git-dir={self.folder}", *arguments)),
            istream=PIPE,
            as_process=True,
            env=_environment(self.folder) | objects,
            start_new_session=True,
        )
        assert process.proc is not None
        output, errors = process.proc.communicate(data)
        if process.proc.returncode and not output:
            raise CheckpointError(f"git failed: {os.fsdecode(errors).strip()}")
        return bytes(output)

    @staticmethod
    def stop(process: git.Git.AutoInterrupt) -> None:
        """End a process that `start` gave: without input it has nothing more to do."""
        assert process.proc is not None
        for pipe in (process.proc.stdin, process.proc.stdout, process.proc.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        process.proc.wait()

    def ensure(self) -> str:
        """Make the repository whole; return what was missing, in words ("" if nothing)."""
        settings = self.folder / "config"
        missing = [part for part in _PARTS if not (self.folder / part).exists()]
        if not settings.is_file() or settings.read_text(errors="replace") != _SETTINGS:
            missing.append("config")
        self.unlock()
        if missing:
            (self.folder / "info").mkdir(mode=0o700, exist_ok=True)
            self._init()
        try:
            git.Repo(self.folder, expand_vars=False).close()
        except git.InvalidGitRepositoryError:
            raise CheckpointError(
                f"{self.folder} is no git repository and cannot be made one: move it away"
            ) from None
        return ", ".join(missing)

    def _init(self) -> None:
        """Create what is missing: `git init` keeps what is there; the settings are always ours."""
        settings = self.folder / "config"
        settings.write_text(_SETTINGS)
        self.run("init", "--quiet", "--bare", "--template=", str(self.folder))
        settings.write_text(_SETTINGS)
        settings.chmod(0o600)
        for part in ("objects/info", "objects/pack", "refs/heads", "refs/checkpoints"):
            (self.folder / part).mkdir(mode=0o700, parents=True, exist_ok=True)
        attributes = self.folder / "info" / "attributes"
        attributes.write_text(_ATTRIBUTES)
        attributes.chmod(0o600)

    def unlock(self) -> None:
        """Clear what a killed git left. The caller holds the lock that every git of ours runs under."""
        for folder in (self.folder, *self.folder.glob("refs/**/")):
            for left in folder.glob("*.lock"):
                with suppress(OSError):
                    left.unlink()


def installed() -> bool:
    """Whether git itself can be run (importing this module says whether GitPython found it)."""
    return bool(git.Git().version_info)


def ignored(top: Path, repository: Path, below: str = "") -> set[str]:
    """Return what the ignore rules of the work tree `top` leave out: paths below it, folders ending in `/`.

    `repository` is the git directory whose index says what is tracked; with `below` only that path and what
    is in it is looked at. Raises `CheckpointError` when git fails: then nobody knows what is ignored.
    """
    arguments = (
        f"--git-dir={repository}",
        f"--work-tree={top}",
        *_QUIET,
        *("-c", f"core.excludesFile={excludes()}"),
        *("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"),
        *(("--", below) if below else ()),
    )
    listing = _run(top, arguments)
    return {os.fsdecode(name) for name in listing.split(b"\0") if name}


def tracked(top: Path, repository: Path) -> dict[str, str]:
    """Return path → blob id of all files in the index of `top`; `CheckpointError` if git fails."""
    arguments = (f"--git-dir={repository}", f"--work-tree={top}", *_QUIET, "ls-files", "-s", "-z")
    found = {}
    for line in _run(top, arguments).split(b"\0"):
        head, _, path = line.partition(b"\t")
        if head.startswith(b"100") and head.endswith(b" 0"):
            found[os.fsdecode(path)] = head.split(b" ")[1].decode()
    return found


def ruled(top: Path, repository: Path, folders: Sequence[str]) -> set[str]:
    """Return those of the `folders` of the work tree `top` that an ignore rule leaves out with all in them.

    `repository` is its git directory. Raises `CheckpointError` when git fails.
    """
    found: set[str] = set()
    for start in range(0, len(folders), _AT_ONCE):
        arguments = (
            f"--git-dir={repository}",
            f"--work-tree={top}",
            *_QUIET,
            *("-c", f"core.excludesFile={excludes()}"),
            *("check-ignore", "-z", "--", *folders[start : start + _AT_ONCE]),
        )
        found.update(os.fsdecode(name) for name in _run(top, arguments, none=1).split(b"\0") if name)
    return found


def _run(folder: Path, arguments: Sequence[str], none: int = 0) -> bytes:
    """Run git in `folder`; return its output. The exit code `none` means that there is nothing to print."""
    try:
        output = git.Git(str(folder)).execute(
            _command(arguments),
            stdout_as_string=False,
            strip_newline_in_stdout=False,
            env=_environment(folder),
            start_new_session=True,
        )
    except git.GitCommandError as error:
        if none and error.status == none:
            return b""
        raise CheckpointError(f"git failed: {_first_line(error)}") from None
    return output


def _first_line(error: OSError | git.GitCommandError) -> str:
    """Return what went wrong, in one line."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    text = str(error.stderr).strip().removeprefix("stderr:").strip("'\n ")
    return text.splitlines()[0] if text else f"exit {error.status}"


def _command(arguments: Sequence[str]) -> list[str]:
    """Return the whole command. A variable cannot be unset through GitPython, so `env` does it."""
    program = str(git.Git.GIT_PYTHON_GIT_EXECUTABLE or "git")
    inherited = sorted(name for name in os.environ if name.startswith("GIT_") and name not in _OWN)
    unset = [word for name in inherited for word in ("-u", name)]
    return [*(("env", *unset) if unset else ()), program, *arguments]


def _environment(home: Path) -> dict[str, str]:
    """Return what git shall see besides the rest of the environment; no file of the home folder counts."""
    return _OWN | {"HOME": str(home), "XDG_CONFIG_HOME": str(home)}


@lru_cache(1)
def excludes() -> str:
    """Return the user's own file of ignore rules: the only one of their settings that counts here."""
    named = git.Git().execute(
        ["git", "config", "--global", "--type=path", "--get", "core.excludesFile"], with_exceptions=False
    )
    if isinstance(named, str) and named:
        return named
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return os.path.join(base, "git", "ignore")
