"""The engine without ripgrep: a Python process of its own that prints what `rg --json` would.

Of its own, because Python's expressions can run for ever without letting go of the interpreter; a
process can be ended.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import hermes_tui
from hermes_tui.engine.errors import ToolError
from hermes_tui.engine.interrupt import Token
from hermes_tui.files.walk import Walk
from hermes_tui.processes.helper import Helper
from hermes_tui.tools.search_files.dialect import PatternError, compiled
from hermes_tui.tools.search_files.events import files
from hermes_tui.tools.search_files.inside import inside
from hermes_tui.tools.search_files.request import BadPattern, FileHits, Request

_START: Final = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from hermes_tui.tools.search_files.scan import main; main(sys.argv[2:])"
)


class Fallback:
    """Implements `Engine`."""

    def __init__(self) -> None:
        self.unreadable = 0

    def content(self, request: Request, keep: int, token: Token) -> Iterator[FileHits]:
        """Yield each file with a match."""
        try:
            compiled(request.pattern)
        except PatternError as error:
            raise BadPattern(str(error)) from None
        package = Path(hermes_tui.__file__).parent.parent
        # isolated: the project's own json.py or re.py shall not run
        argv = [sys.executable, "-I", "-c", _START, str(package)]
        argv += [str(request.root), str(request.context), request.pattern]
        with Helper([os.fsencode(word) for word in argv], Path("/"), dict(os.environ), token) as helper:
            yield from files(helper.lines(), keep)
            if helper.exit_code() != 0:
                raise ToolError(f"the search failed: {' '.join(helper.errors[-1:])}")
            self.unreadable += len(helper.errors)

    def names(self, request: Request, token: Token) -> Iterator[str]:
        """Yield the path of each file."""
        walk = Walk(request.root)
        with inside(request.root) as root:
            for file in walk.files():
                token.raise_if_set()
                path = relative(file, request.root)
                if root.has_file(path):
                    yield path
            self.unreadable += len(walk.unreadable) + len(root.refused)


def relative(file: Path, root: Path) -> str:
    """Return a file's path below the root, its name if it is the root."""
    return os.path.relpath(file, root) if file != root else file.name
