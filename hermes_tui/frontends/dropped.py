"""Pictures that come by the clipboard or are dropped onto the terminal, as mentions that a prompt can hold.

Reads no picture: what becomes of `@name.png` is decided where prompts are sent.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from urllib.parse import unquote, urlsplit

from hermes_tui.files.pictures import ENDINGS


def mention(path: Path | str, folder: Path) -> str:
    """Return how a prompt names a file: below `folder` without it, in quotes where it has blanks."""
    try:
        name = str(Path(path).relative_to(folder))
    except ValueError:
        name = str(path)
    return f'@"{name}"' if re.search(r"\s", name) else f"@{name}"


def dropped(text: str, folder: Path) -> str | None:
    """Return a mention for pasted text that is nothing but a picture's path; None for any other text.

    Terminals write a dropped file so: quoted, its blanks escaped, or as a `file://` address.
    """
    name = text.strip()
    if "\n" in name or len(name) > 4_096 or not name.strip("'\"").lower().endswith(ENDINGS):
        return None
    if name.startswith("file://"):
        name = unquote(urlsplit(name).path)
    elif not (folder / name).is_file():
        try:
            words = shlex.split(name)
        except ValueError:
            return None
        name = words[0] if len(words) == 1 else ""
    path = folder / os.path.expanduser(name)
    return mention(path, folder) if name and path.is_file() else None
