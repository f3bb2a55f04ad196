"""The prompt's history as one walks through it: nothing that was typed is lost. Knows no widget."""

from __future__ import annotations

from collections.abc import Callable


class Drafts:
    """What was sent before, and below it the draft that is being written.

    `read` returns the history, oldest first; it is called on the first step up, not at the start.
    """

    def __init__(self, read: Callable[[], list[str]]) -> None:
        self._read = read
        self._items: list[str] | None = None
        self._at = 0
        self._edited: dict[int, str] = {}

    def move(self, step: int, current: str) -> str | None:
        """Go `step` entries down (up if negative) and return what stands there; None at an end.

        `current` is kept where one was, also when it is an old entry that was changed.
        """
        if self._items is None:
            self._items = self._read()
            self._at = len(self._items)
        target = self._at + step
        if not 0 <= target <= len(self._items):
            return None
        self._edited[self._at] = current
        self._at = target
        below = "" if target == len(self._items) else self._items[target]
        return self._edited.get(target, below)

    def sent(self) -> None:
        """Start again at the end: the entry was sent or put away, and the history has grown."""
        self._items = None
        self._edited.clear()
