"""A read set is complete: what a line does not tell that it reads cannot change what it prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hermes_tui.shell.classify import classify
from tests.shell.sandbox import Sandbox
from tests.shell.table import BUDGET
from tests.shell.test_table import READ_ONLY, SAFE, SHARES

_MEASURED = re.compile(rb"(real|user|sys)\s+\S+s$")


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    return Sandbox(tmp_path_factory.mktemp("reads"))


def disturb(sandbox: Sandbox, reads: tuple[str, ...]) -> None:
    """Change every file and folder of the sandbox that none of `reads` covers."""
    covered = [Path(path).resolve() for path in reads]

    def is_read(path: Path) -> bool:
        return any(path.is_relative_to(read) for read in covered)

    for name in sandbox.fresh:
        path = Path(name)
        if ".git" in path.relative_to(sandbox.folder).parts or is_read(path):
            continue
        if path.is_dir():
            (path / "added.py").write_text("a x added\n")
        else:
            path.write_bytes(b"a x changed\n" + path.read_bytes())
    if not is_read(sandbox.folder):
        (sandbox.folder / "added.txt").write_text("a x added\n")


def printed(sandbox: Sandbox, line: str) -> tuple[int, list[bytes]]:
    """Return exit code and lines; a parallel search prints them in any order, `time` what it measured."""
    code, output = sandbox.run(line, **READ_ONLY)
    return code, sorted(each for each in output.splitlines() if not _MEASURED.match(each))


@pytest.mark.parametrize("share", range(SHARES if BUDGET > 1 else 2))
def test_what_a_line_does_not_read_does_not_change_what_it_prints(sandbox: Sandbox, share: int) -> None:
    incomplete = []
    compared = 0
    for line in SAFE[share::SHARES]:
        reads = classify(sandbox.line(line), str(sandbox.folder), str(sandbox.folder.parent / "home")).reads
        if reads == ("*",):
            continue
        before = printed(sandbox, line)
        disturb(sandbox, reads)
        after = printed(sandbox, line)
        sandbox.reset()
        if before != after and printed(sandbox, line) == before:
            incomplete.append((line, reads))
        compared += 1
    assert incomplete == []
    assert compared > 60
