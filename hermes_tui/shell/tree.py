"""The second reader: tree-sitter's bash grammar must see the same commands as our own, or nothing is proven.

The only place that knows tree-sitter, which is imported with the first line that our own reader finds
read-only. It only ever takes a proof away.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Parser, Query

_COMMANDS = (
    "(command_name) @command (test_command) @command (declaration_command) @command (unset_command) @command"
)


@cache
def _reader() -> tuple[Parser, Query]:
    """Return the parser and the query for commands; 20 ms the first time. Shared by all threads."""
    import tree_sitter_bash
    from tree_sitter import Language, Parser, Query

    language = Language(tree_sitter_bash.language())
    return Parser(language), Query(language, _COMMANDS)


def agrees(line: str, starts: Collection[int], timed: Collection[int]) -> bool:
    """Whether tree-sitter reads the line without an error and finds commands at exactly these places.

    `starts` and `timed` are characters: where commands begin, and where bash's own `time` stands, which
    tree-sitter takes for the name of the command it measures.
    """
    from tree_sitter import QueryCursor

    parser, query = _reader()
    encoded = line.encode("utf-8", "replace")
    root = parser.parse(encoded).root_node
    if root.has_error:
        return False
    found = {node.start_byte for nodes in QueryCursor(query).captures(root).values() for node in nodes}
    if len(encoded) != len(line):
        found = {len(encoded[:place].decode("utf-8")) for place in found}
    return {start for start in starts if not _measured(line, start, timed)} == found - set(timed)


def _measured(line: str, start: int, timed: Collection[int]) -> bool:
    """Whether the command at `start` is what a `time` in front of it measures."""
    return any(place < start and line[place:start].split() in (["time"], ["time", "-p"]) for place in timed)
