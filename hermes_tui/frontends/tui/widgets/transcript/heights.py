"""How tall each block is, and from that where each line lies. Numbers only.

A Fenwick tree: appending, correcting a height, and both look-ups take a logarithm of the number of blocks,
so a session of 20 000 messages scrolls as fast as a short one.
"""

from __future__ import annotations

from collections.abc import Iterable


class Heights:
    """Block heights in lines, by index."""

    def __init__(self) -> None:
        self._heights: list[int] = []
        self._tree: list[int] = [0]

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    @property
    def total(self) -> int:
        """All lines together."""
        return self.top(len(self._heights))

    def reset(self, heights: Iterable[int]) -> None:
        """Start again with these heights."""
        self._heights = list(heights)
        tree = [0, *self._heights]
        for index in range(1, len(tree)):
            if (parent := index + (index & -index)) < len(tree):
                tree[parent] += tree[index]
        self._tree = tree

    def append(self, height: int) -> None:
        """Add one block at the end."""
        self._heights.append(height)
        index = len(self._heights)
        below = index - (index & -index)
        self._tree.append(height + self.top(index - 1) - self.top(below))

    def pop(self) -> int:
        """Remove the last block and return its height."""
        self._tree.pop()
        return self._heights.pop()

    def set(self, index: int, height: int) -> int:
        """Correct one block's height; return the difference."""
        difference = height - self._heights[index]
        if difference:
            self._heights[index] = height
            at = index + 1
            while at < len(self._tree):
                self._tree[at] += difference
                at += at & -at
        return difference

    def top(self, index: int) -> int:
        """Return the number of lines above block `index`."""
        total = 0
        while index > 0:
            total += self._tree[index]
            index -= index & -index
        return total

    def find(self, y: int) -> tuple[int, int]:
        """Return the block that holds line `y` and the line's place in it.

        A `y` past the end gives the last line; with no blocks `(0, 0)`.
        """
        index, rest = 0, max(0, y)
        step = 1 << max(0, len(self._heights)).bit_length()
        while step:
            ahead = index + step
            if ahead < len(self._tree) and self._tree[ahead] <= rest:
                index = ahead
                rest -= self._tree[ahead]
            step >>= 1
        if index >= len(self._heights):
            last = max(0, len(self._heights) - 1)
            return last, max(0, self._heights[last] - 1) if self._heights else 0
        return index, rest
