"""The files of one preview, and which of them are wanted back. Knows no widget.

All that would be restored is ticked from the start. What is kept because the user, or another session, came
in between can be ticked as well; what cannot be restored can not.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hermes_tui.checkpoints.plan_restore import Action, Item, Preview

WORDS: Final[Mapping[Action, str]] = {
    "restore": "restored",
    "delete": "deleted",
    "keep": "kept",
    "cannot": "not covered",
}


@dataclass(frozen=True, slots=True)
class Picked:
    """What the user wants to go back to."""

    number: int
    paths: Collection[str] | None = None
    """Exactly these; None: all that a restore would touch."""
    anyway: Collection[str] = ()
    """Those of them that the user edited since."""


class Ticks:
    """The choice among the files of a preview."""

    def __init__(self, preview: Preview) -> None:
        self.preview = preview
        paths = [item.path for item in preview.items]
        self.items: Sequence[Item] = [item for item in preview.items if not _is_on_the_way(item, paths)]
        """Those that can be chosen: a folder goes and comes with what is in it."""
        self._all = {item.path for item in self.items if item.acts}
        self._ticked = set(self._all)

    def ticked(self, item: Item) -> bool:
        """Whether an item is wanted."""
        return item.path in self._ticked

    def toggle(self, item: Item) -> None:
        """Want an item, or no longer; nothing happens to one that cannot be restored."""
        if item.can_be_taken:
            self._ticked ^= {item.path}

    def toggle_all(self) -> None:
        """Want all that would be restored, or nothing when all of it is wanted."""
        self._ticked = set() if self._ticked >= self._all else self._ticked | self._all

    def picked(self) -> Picked | None:
        """Return the choice; None when there is something to choose and nothing is."""
        number = self.preview.number
        if self._ticked == self._all:
            return None if not self._ticked and self._choosable() else Picked(number)
        if not self._ticked:
            return None
        anyway = {item.path for item in self.items if item.edited and self.ticked(item)}
        return Picked(number, frozenset(self._ticked), frozenset(anyway))

    def alone(self, item: Item) -> tuple[Collection[str], Collection[str]]:
        """Return paths and `anyway` of one item: what it would give, whether it is ticked or not."""
        return [item.path], [item.path] if item.edited else []

    def summary(self) -> str:
        """Return how many are what: "2 restored, 1 deleted, 1 kept"."""
        actions = [shown_as(item, self.ticked(item)).action for item in self.items]
        return ", ".join(f"{count} {WORDS[action]}" for action in WORDS if (count := actions.count(action)))

    def _choosable(self) -> bool:
        return any(item.acts for item in self.items)


def shown_as(item: Item, ticked: bool) -> Item:
    """Return an item as it would end, ticked or not."""
    if item.acts and not ticked:
        return replace(item, action="keep", reason="")
    if ticked and not item.acts:
        return replace(item, action="delete" if item.target.kind == "absent" else "restore")
    return item


def _is_on_the_way(item: Item, paths: Sequence[str]) -> bool:
    """Whether an item is a folder that only goes or comes with others of the list."""
    return any(path.startswith(f"{item.path}/") for path in paths)
