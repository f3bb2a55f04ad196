"""The pictures that a prompt names: `@shot.png`, or `@"my shot.png"` for a name with blanks.

A copy is put with the session's other files, so that what was sent stays what it was; the conversation holds
its name alone. What is no picture is left to the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from hermes_tui.engine.errors import HermesError, UsageError
from hermes_tui.engine.messages import Image
from hermes_tui.files.kept import KeptTexts
from hermes_tui.files.open import read
from hermes_tui.files.paths import canonical

MENTION: Final = re.compile(r'(?<!\S)@(?:"(?P<quoted>[^"\n]+)"|(?P<plain>\S+))')
ENDINGS: Final = (".png", ".jpg", ".jpeg", ".gif", ".webp")
LARGEST: Final = 5_000_000
"""Bytes of one picture: what the stricter endpoints take."""
MOST: Final = 10
"""Pictures of one prompt."""
PUNCTUATION: Final = ".,;:!?)]}»”"


def pictures(prompt: str, folder: Path, kept: KeptTexts, tell: Callable[[str], None]) -> tuple[Image, ...]:
    """Return the pictures that a prompt names, in order, each once; `tell` of one that cannot be sent."""
    found: dict[Path, Image] = {}
    for name in mentioned(prompt):
        try:
            path = canonical(name, folder)
            if path not in found and len(found) == MOST:
                raise UsageError(f"{MOST} pictures at most in one prompt")
            found[path] = found.get(path) or _picture(name, path, kept)
        except HermesError as error:
            tell(f"no picture is sent for @{name}: {error}")
    return tuple(found.values())


def mentioned(prompt: str) -> Iterator[str]:
    """Yield the names behind an `@` that end like a picture's."""
    for match in MENTION.finditer(prompt):
        name = match["quoted"] or match["plain"].rstrip(PUNCTUATION)
        if name.lower().endswith(ENDINGS):
            yield name


def media_type(body: bytes) -> str:
    """Return what kind of picture this is, by its first bytes; empty for none that models take."""
    if body.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if body.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if body.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    return "image/webp" if body[:4] == b"RIFF" and body[8:12] == b"WEBP" else ""


def _picture(name: str, path: Path, kept: KeptTexts) -> Image:
    body = read(path, LARGEST)
    media = media_type(body)
    if not media:
        raise UsageError("it is no PNG, JPEG, GIF or WebP picture")
    try:
        copy = kept.put(path.stem, path.suffix.lower(), body)
    except OSError as error:
        raise UsageError(f"it could not be kept for the conversation: {error.strerror}") from None
    return Image(name, media, str(copy), len(body))
