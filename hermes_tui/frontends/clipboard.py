"""The clipboard of whoever sits at the terminal: which way leads there, from here. Knows no screen.

Over ssh only the terminal itself can reach it (OSC 52); in tmux, tmux passes it on; on a desktop the
desktop's own program does it, which works in every terminal.
"""

from __future__ import annotations

import base64
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from typing import Final

REMOTE: Final = ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY")
PROGRAM_TIME: Final = 3.0
"""Seconds that a clipboard program gets."""
OSC_LIMIT: Final = 1_000_000
"""Bytes of a text that terminals may take by OSC 52; most take less of it than this."""
SCREEN_PIECE: Final = 700
"""Bytes that GNU screen passes on at once."""
PICTURE_LIMIT: Final = 20_000_000


def is_remote(environ: Mapping[str, str]) -> bool:
    """Whether the terminal stands on another machine."""
    return any(environ.get(name) for name in REMOTE)


def program(environ: Mapping[str, str]) -> list[str] | None:
    """Return the words of a command that takes the text on its standard input; None: use `osc52`."""
    if environ.get("TMUX") and shutil.which("tmux", path=environ.get("PATH")):
        return ["tmux", "load-buffer", "-w", "-"]
    if is_remote(environ):
        return None
    return _first(environ, _COPY)


def put(words: Sequence[str], text: str, environ: Mapping[str, str]) -> bool:
    """Run such a command; False when it failed. Takes a while: for a thread."""
    try:
        done = subprocess.run(
            words,
            input=text.encode("utf-8", "replace"),
            env=dict(environ),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PROGRAM_TIME,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def osc52(text: str, environ: Mapping[str, str]) -> str:
    """Return what tells the terminal to copy; empty when the text is too long for that."""
    body = text.encode("utf-8", "replace")
    if len(body) > OSC_LIMIT:
        return ""
    sequence = f"\x1b]52;c;{base64.b64encode(body).decode('ascii')}\x07"
    if environ.get("TMUX"):  # there is no tmux program here to ask: it may let a sequence through
        return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    if environ.get("STY"):
        pieces = (sequence[at : at + SCREEN_PIECE] for at in range(0, len(sequence), SCREEN_PIECE))
        return "".join(f"\x1bP{piece}\x1b\\" for piece in pieces)
    return sequence


def picture(environ: Mapping[str, str]) -> bytes:
    """Return the PNG picture that lies in the clipboard; empty if none, or if it lies on another machine."""
    words = None if is_remote(environ) else _first(environ, _PICTURE)
    if words is None:
        return b""
    try:
        done = subprocess.run(
            words, env=dict(environ), stdin=subprocess.DEVNULL, capture_output=True, timeout=5.0, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return b""
    body = done.stdout
    return body if body.startswith(b"\x89PNG") and len(body) <= PICTURE_LIMIT else b""


Choice = tuple[str, tuple[str, ...]]
"""A variable that has to be set (empty: none), and the command's words."""

_COPY: Final[tuple[Choice, ...]] = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard", "-in")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
    ("", ("pbcopy",)),
    ("", ("clip.exe",)),
)
_PICTURE: Final[tuple[Choice, ...]] = (
    ("WAYLAND_DISPLAY", ("wl-paste", "--type", "image/png")),
    ("DISPLAY", ("xclip", "-selection", "clipboard", "-target", "image/png", "-out")),
    ("", ("pngpaste", "-")),
)


def _first(environ: Mapping[str, str], choices: Sequence[Choice]) -> list[str] | None:
    for variable, words in choices:
        if (not variable or environ.get(variable)) and shutil.which(words[0], path=environ.get("PATH")):
            return list(words)
    return None
