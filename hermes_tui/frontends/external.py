"""The user's own editor for a text: $VISUAL or $EDITOR on a private file. Knows no screen.

Whatever becomes of the editor, nothing is lost: the text stays with the caller, and a file that was changed
by an editor that failed is kept and named.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hermes_tui.engine.errors import UsageError

USUAL: Final = ("nano", "vim", "vi", "emacs")
"""Tried in this order when no variable names one."""


def editor(environ: Mapping[str, str]) -> list[str]:
    """Return the words of the editor's command; `UsageError` when there is none."""
    for name in ("VISUAL", "EDITOR"):
        if command := environ.get(name, "").strip():
            try:
                words = shlex.split(command)
            except ValueError:
                raise UsageError(f"{name}={command}: a quote is not closed") from None
            if shutil.which(words[0], path=environ.get("PATH")) is None:
                raise UsageError(f"{name}={command}: there is no program {words[0]}")
            return words
    found = next((word for word in USUAL if shutil.which(word, path=environ.get("PATH"))), None)
    if found is None:
        raise UsageError("no editor: set VISUAL or EDITOR")
    return [found]


def edit(text: str, environ: Mapping[str, str]) -> str:
    """Return the text as the user left it, on the terminal that the program has; waits for the editor.

    Raises `UsageError`, saying where the text is now, when the editor failed or cannot be started.
    """
    words = editor(environ)
    with tempfile.TemporaryDirectory(prefix="hermes-tui-") as place:  # 0700
        file = Path(place, "message.md")
        file.write_text(text, "utf-8", errors="replace", newline="")
        why = _run([*words, str(file)], environ)
        after = _read(file)
        if not why and after is not None:
            return after.removesuffix("\n") if not text.endswith("\n") else after
        why = why or "left no file"
        if after is None or after == text:
            raise UsageError(f"{words[0]} {why}; the text is as it was")
        raise UsageError(f"{words[0]} {why}; the text is as it was, and what you wrote is in {_kept(after)}")


def _run(words: list[str], environ: Mapping[str, str]) -> str:
    """Run the editor; return what went wrong, in words."""
    try:
        code = subprocess.run(words, env=dict(environ), check=False).returncode
    except OSError as error:
        return f"cannot be started: {error.strerror}"
    except KeyboardInterrupt:
        return "was interrupted"
    if code < 0:
        return f"was ended by signal {-code}"
    return f"ended with exit code {code}" if code else ""


def _read(file: Path) -> str | None:
    try:
        return file.read_bytes().decode("utf-8", "replace")
    except OSError:
        return None


def _kept(text: str) -> str:
    descriptor, name = tempfile.mkstemp(prefix="hermes-tui-", suffix=".md")
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as stream:
        stream.write(text)
    return name
