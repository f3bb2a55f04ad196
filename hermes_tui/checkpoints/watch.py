"""The change watch: which paths of the project were touched since they were last looked at.

The kernel queues an event before the change returns to who made it, so draining the queue tells all
that happened so far: no waiting, no guessing. What cannot be watched without a gap (another system
than Linux, a network's file system, too many folders, a queue that ran over) is not watched at all,
and whoever asks looks at everything. Unseen: a write through a mapping of a file that was closed
long ago, and a link made to a file later, through which it is then changed from elsewhere.
"""

from __future__ import annotations

import os
import re
import select
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from inotify_simple import INotify

_LOCAL: Final = frozenset(
    ("bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "jfs", "overlay", "ramfs", "tmpfs", "xfs", "zfs")
)
"""File systems on which every change is made by this machine, and so is seen."""
_FOLDERS: Final = 20_000
"""Folders that are watched at most: the system's stock of watches is for all programs."""
_PAUSE: Final = 0.05
"""Seconds between two readings while much is going on: the queue holds thousands, and nobody waits for it."""


class Watch:
    """The watch on one project. Thread-safe; one thread, which sleeps while nothing happens."""

    def __init__(self, root: Path, folders: int = _FOLDERS) -> None:
        """`folders`: how many are watched at most."""
        self._root = root
        self._most = folders
        self._lock = threading.Lock()
        self._queue: INotify | None = None
        self._wake = -1
        self._ground: object = None
        """What the watched folders stand on; where that changes, they are not the project's any more."""
        self._places: dict[int, str] = {}
        """Each watch's folder."""
        self._touched: set[str] = set()

    def begin(self) -> None:
        """Start anew, watching nothing yet. Where there can be no watch, `taken` will say so."""
        self.end()
        if sys.platform != "linux":
            return
        ground = _ground(self._root)
        if _file_system(self._root, ground[1]) not in _LOCAL:
            return
        from inotify_simple import INotify

        try:
            queue = INotify(nonblocking=True)
        except OSError:
            return
        asleep, self._wake = os.pipe()
        self._queue, self._ground, self._places, self._touched = queue, ground, {}, set()
        threading.Thread(target=self._follow, args=(queue, asleep), name="change watch", daemon=True).start()

    def folder(self, path: str) -> None:
        """Watch what is in the folder `path`, not what is below it. Call it before looking into it."""
        with self._lock:
            if self._queue is None:
                return
            try:
                place = self._queue.add_watch(os.path.join(self._root, path), _mask())
            except (FileNotFoundError, NotADirectoryError):
                return  # its own folder tells that it went
            except OSError:
                self._stop()
                return
            self._places[place] = path
            if len(self._places) > self._most:
                self._stop()

    def taken(self) -> set[str] | None:
        """Return the paths that were touched since the last time, or None: nobody knows, there was a gap.

        Relative to the project: made, removed, written, renamed, or with other permissions.
        """
        with self._lock:
            self._drain()
            if self._queue is not None and _ground(self._root) != self._ground:
                self._stop()
            if self._queue is None:
                return None
            found, self._touched = self._touched, set()
            return found

    def end(self) -> None:
        """Let go of the watch."""
        with self._lock:
            self._stop()

    def _follow(self, queue: INotify, asleep: int) -> None:
        """Empty the queue whenever something is in it, so that it never runs over."""
        poll = select.poll()
        poll.register(queue.fileno(), select.POLLIN)
        poll.register(asleep, select.POLLIN | select.POLLHUP)
        try:
            while asleep not in dict(poll.poll()):
                with self._lock:
                    if self._queue is not queue:
                        return
                    self._drain()
                select.select([asleep], [], [], _PAUSE)
        finally:
            os.close(asleep)
            queue.close()

    def _stop(self) -> None:
        """End the thread, which closes what it waits on."""
        if self._queue is not None:
            self._queue = None
            os.close(self._wake)
            self._places.clear()

    def _drain(self) -> None:
        from inotify_simple import flags

        lost = flags.Q_OVERFLOW | flags.UNMOUNT
        while self._queue is not None and (events := self._queue.read(0)):
            for place, mask, _, name in events:
                if mask & lost:
                    self._stop()
                    return
                if mask & flags.IGNORED:
                    if self._places.pop(place, None) == "":
                        self._stop()
                        return
                elif name and (folder := self._places.get(place)) is not None:
                    self._touched.add(f"{folder}/{name}" if folder else name)


def _mask() -> int:
    from inotify_simple import flags

    seen = flags.CREATE | flags.DELETE | flags.MOVED_FROM | flags.MOVED_TO
    seen |= flags.MODIFY | flags.CLOSE_WRITE | flags.ATTRIB
    return int(seen | flags.ONLYDIR | flags.DONT_FOLLOW | flags.EXCL_UNLINK)


def _ground(root: Path) -> tuple[object, str]:
    """Return which folder is at `root`, and what is mounted: neither makes an event when it changes."""
    try:
        status = os.stat(root)
        return (status.st_dev, status.st_ino), Path("/proc/self/mounts").read_text(errors="surrogateescape")
    except OSError:
        return None, ""


def _file_system(path: Path, mounts: str) -> str:
    """Return the kind of file system that `path` is on, empty when that is not known."""
    kind, longest = "", -1
    for line in mounts.splitlines():
        _, mounted, found, *_ = line.split(" ")
        mounted = re.sub(r"\\(\d{3})", lambda octal: chr(int(octal[1], 8)), mounted)
        inside = f"{path}/".startswith(f"{mounted.rstrip('/')}/")
        if inside and len(mounted) >= longest:
            kind, longest = found, len(mounted)
    return kind
