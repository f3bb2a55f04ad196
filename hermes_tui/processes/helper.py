"""Runs a helper program of our own, such as ripgrep, and hands out what it prints line by line.

Unlike a command of the model it has no shell and no mark: it starts nothing itself.
"""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Final

from hermes_tui.engine.errors import Interrupted, ToolError
from hermes_tui.engine.interrupt import Token

_BLOCK: Final = 262_144
_ERRORS_KEPT: Final = 64_000
_GO_THERE: Final = "import os, sys; os.fchdir(int(sys.argv[1])); os.execv(sys.argv[2], sys.argv[2:])"


@lru_cache
def find(program: str) -> str | None:
    """Return a program of our own environment, else the one in PATH, else None."""
    beside = Path(sys.executable).parent / program
    return str(beside) if os.access(beside, os.X_OK) else shutil.which(program)


def started_in(
    folder: int, argv: Sequence[str | bytes], descriptors: str = "/proc/self/fd"
) -> tuple[Path, Sequence[str | bytes], tuple[int, ...]]:
    """Return (start folder, words, descriptors to pass on) that start a program in an open folder.

    `descriptors`: where the system shows a process its own; on a system without, Python goes there first.
    """
    if os.path.isdir(descriptors):
        return Path(descriptors, str(folder)), argv, ()
    return Path("/"), [sys.executable, "-I", "-S", "-c", _GO_THERE, str(folder), *argv], (folder,)


class Helper:
    """A running helper; leaving its context ends it, whether or not it was read to the end."""

    def __init__(
        self, argv: Sequence[str | bytes], folder: Path | int, environment: Mapping[str, str], token: Token
    ) -> None:
        """`folder`: where it starts, by its path or by the descriptor of an open one."""
        where, argv, kept = (folder, argv, ()) if isinstance(folder, Path) else started_in(folder, argv)
        try:
            self._process = subprocess.Popen(
                argv,
                cwd=where,
                pass_fds=kept,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            raise ToolError(f"cannot start the search: {error}") from None
        self._token = token
        self._errors = bytearray()

    def __enter__(self) -> Helper:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    @property
    def errors(self) -> list[str]:
        """The lines that it wrote to its standard error so far."""
        return self._errors.decode(errors="replace").splitlines()

    def lines(self, separator: bytes = b"\n") -> Iterator[bytes]:
        """Yield what it prints, cut at `separator`; `Interrupted` when the token is set meanwhile."""
        rest: list[bytes] = []
        for block in self._blocks():
            first, *more = block.split(separator)
            rest.append(first)
            if more:
                yield b"".join(rest)
                yield from more[:-1]
                rest = [more[-1]]
        if last := b"".join(rest):
            yield last

    def exit_code(self) -> int:
        """Wait for its end, once all is read, and return how it ended."""
        return self._process.wait()

    def _blocks(self) -> Iterator[bytes]:
        """Yield what it prints as it comes; keep what it complains about."""
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        out, err = self._process.stdout.fileno(), self._process.stderr.fileno()
        poll = select.poll()
        for descriptor in (out, err):
            poll.register(descriptor, select.POLLIN)
        pipes = {out, err}
        while pipes:
            if self._token.is_set:
                raise Interrupted
            for descriptor, _ in poll.poll(30):
                block = os.read(descriptor, _BLOCK)
                if not block:
                    poll.unregister(descriptor)
                    pipes.discard(descriptor)
                elif descriptor == err:
                    self._errors += block[: max(0, _ERRORS_KEPT - len(self._errors))]
                else:
                    yield block
