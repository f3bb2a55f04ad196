"""Holds the root of a search open as it was judged: what an engine found counts only if it stands in there.

Ripgrep walks by names, and a name may be made to lead elsewhere between its look and its read. So each
file and each line that is shown is looked up again through the root's descriptor, following no link.
"""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from hermes_tui.engine.errors import ToolError
from hermes_tui.files.folder import open_below, open_folder
from hermes_tui.files.open import chunks, explain, open_in

_UTF16: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class Inside:
    """One open root. Paths are relative to it; to its folder, if the root is a file."""

    def __init__(self, root: Path) -> None:
        """`root`: canonical. `ToolError` when it cannot be opened, or when a link stands in it by now."""
        self.is_folder = True
        try:
            try:
                self.descriptor = open_folder(root)
            except NotADirectoryError:
                self.descriptor = open_folder(root.parent)
                self.is_folder = False
        except OSError as error:
            raise explain(error, root, "search") from None
        self.refused: set[str] = set()
        """Files that were found, but do not stand in the root, or no longer with that line."""
        self._folder = (".", os.dup(self.descriptor))
        self._file = ("", b"", -1)
        """The path of the file looked at last, its text if that is UTF-16, and its descriptor."""

    def close(self) -> None:
        """Let go of everything."""
        self._shut()
        os.close(self._folder[1])
        os.close(self.descriptor)

    def has_file(self, path: str) -> bool:
        """Whether a regular file of this name stands in the root."""
        with suppress(OSError, ToolError):
            folder, name = self._folder_of(path)
            if stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                return True
        self.refused.add(path)
        return False

    def has_line(self, path: str, offset: int, line: bytes) -> bool:
        """Whether this line stands at this byte of a file's text, behind its byte order mark."""
        with suppress(OSError, ToolError):
            if path not in self.refused and self._read(path, offset, len(line)) == line:
                return True
        self.refused.add(path)
        return False

    def _read(self, path: str, offset: int, size: int) -> bytes:
        if self._file[0] != path:
            self._shut()
            folder, name = self._folder_of(path)
            descriptor = open_in(folder, Path(name))
            self._file = (path, b"", descriptor)
            if encoding := _UTF16.get(os.pread(descriptor, 2, 0)):
                data = b"".join(chunks(descriptor, Path(path)))[2:]
                self._file = (path, data.decode(encoding, "replace").encode("utf-8", "replace"), descriptor)
        _, text, descriptor = self._file
        if text:
            return text[offset : offset + size]
        skipped = len(codecs.BOM_UTF8) if os.pread(descriptor, 3, 0) == codecs.BOM_UTF8 else 0
        return os.pread(descriptor, size, offset + skipped)

    def _folder_of(self, path: str) -> tuple[int, str]:
        """Return the descriptor of a path's folder, and its name in there."""
        above, name = os.path.split(path)
        if self._folder[0] != above:
            descriptor = open_below(self.descriptor, Path(above))
            os.close(self._folder[1])
            self._folder = (above, descriptor)
        return self._folder[1], name

    def _shut(self) -> None:
        if self._file[2] >= 0:
            os.close(self._file[2])
        self._file = ("", b"", -1)


@contextmanager
def inside(root: Path) -> Iterator[Inside]:
    """Hold a canonical root open while the body runs."""
    held = Inside(root)
    try:
        yield held
    finally:
        held.close()
