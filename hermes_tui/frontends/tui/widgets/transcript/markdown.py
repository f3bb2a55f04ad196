"""Draws one piece of an answer. Raw HTML is text, links are shown with their target and never live."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from rich.segment import Segment

from hermes_tui.frontends.tui.widgets.transcript.canvas import (
    BLANK,
    BOLD,
    Canvas,
    Line,
    indented,
    paragraph,
)
from hermes_tui.frontends.tui.widgets.transcript.code import code_block, find_lexer
from hermes_tui.frontends.tui.widgets.transcript.inline import inline
from hermes_tui.frontends.tui.widgets.transcript.split import Piece

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

_BULLETS = ("•", "◦", "▪")
_TASKS = {"[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ "}


def draw(piece: Piece, canvas: Canvas) -> list[Line]:
    """Return the lines of a piece, without blank lines around them."""
    if piece.info is not None:
        return code_block(piece.text, piece.info, canvas, first=not piece.joined)
    return _blocks(_tree(piece.text).children, canvas, 0)


def warm() -> None:
    """Import what drawing needs: a tenth of a second, spent on a thread rather than at the first answer."""
    _tree("")
    find_lexer("python")


def _tree(text: str) -> SyntaxTreeNode:
    from markdown_it.tree import SyntaxTreeNode

    return SyntaxTreeNode(_parser().parse(text))


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # a definition of a link target would vanish from the answer, and pieces are drawn one by one
    off = ["reference", "html_block", "html_inline"]
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable(off)


def _blocks(nodes: list[SyntaxTreeNode], canvas: Canvas, depth: int) -> list[Line]:
    lines: list[Line] = []
    for number, node in enumerate(nodes):
        if number and not _is_tight(node):
            lines.append(BLANK)
        lines.extend(_DRAW.get(node.type, _other)(node, canvas, depth))
    return lines


def _is_tight(node: SyntaxTreeNode) -> bool:
    """Whether a block follows the one before without a blank line, as inside a tight list."""
    parent = node.parent
    if parent is None or parent.type != "list_item":
        return False
    return any(child.type == "paragraph" and child.hidden for child in parent.children)


def _runs(node: SyntaxTreeNode, canvas: Canvas, role: str = "text", *, bold: bool = False) -> list[Segment]:
    style = canvas.style(role)
    return inline(node.children, canvas, style + BOLD if bold else style)


def _paragraph(node: SyntaxTreeNode, canvas: Canvas, depth: int) -> list[Line]:
    return paragraph(canvas, _runs(node, canvas))


def _heading(node: SyntaxTreeNode, canvas: Canvas, depth: int) -> list[Line]:
    role = "heading" if node.tag in ("h1", "h2") else "text"
    return paragraph(canvas, _runs(node, canvas, role, bold=True))


def _list(node: SyntaxTreeNode, canvas: Canvas, depth: int) -> list[Line]:
    ordered = node.type == "ordered_list"
    number = int(node.attrs.get("start", 1)) if ordered else 0
    width = len(str(number + len(node.children))) + 2
    lines: list[Line] = []
    for index, item in enumerate(node.children):
        if index and any(child.type == "paragraph" and not child.hidden for child in item.children):
            lines.append(BLANK)
        mark = f"{number + index}. ".rjust(width) if ordered else f"{_BULLETS[min(depth, 2)]} "
        lines.extend(_item(item, canvas, depth, mark))
    return lines


def _item(item: SyntaxTreeNode, canvas: Canvas, depth: int, mark: str) -> list[Line]:
    body = _blocks(item.children, canvas.narrower(len(mark)), depth + 1) or [BLANK]
    if task := _TASKS.get(body[0].text[:4]):
        mark = task
        first, *others = body[0].runs
        body[0] = body[0]._replace(runs=[first._replace(text=first.text[4:]), *others])
    return indented(body, [canvas.run(mark, "accent")], [Segment(" " * len(mark))])


def _quote(node: SyntaxTreeNode, canvas: Canvas, depth: int) -> list[Line]:
    bar = [canvas.run("▎ ", "muted")]
    return indented(_blocks(node.children, canvas.narrower(2), depth), bar, bar)


def _code(node: SyntaxTreeNode, canvas: Canvas, depth: int) -> list[Line]:
    return code_block(node.content.removesuffix("\n"), node.info.strip(), canvas)


def _rule(node: SyntaxTreeNode, canvas: Canvas, depth: int) -> list[Line]:
    return [Line([canvas.run("─" * canvas.width, "muted")])]


def _table(node: SyntaxTreeNode, canvas: Canvas, depth: int) -> list[Line]:
    from hermes_tui.frontends.tui.widgets.transcript.table import table

    rows = [row for part in node.children for row in part.children]
    cells = [
        [_runs(cell, canvas, bold=not number) for cell in row.children] for number, row in enumerate(rows)
    ]
    alignments = [str(cell.attrs.get("style", "")).removeprefix("text-align:") for cell in rows[0].children]
    return table(cells, alignments, canvas)


def _other(node: SyntaxTreeNode, canvas: Canvas, depth: int) -> list[Line]:
    """Draw what has no form of its own as the text it is, so that nothing is lost."""
    if node.children:
        return _blocks(node.children, canvas, depth)
    return paragraph(canvas, [canvas.run(node.content)]) if node.content else []


_DRAW: dict[str, Callable[[SyntaxTreeNode, Canvas, int], list[Line]]] = {
    "paragraph": _paragraph,
    "heading": _heading,
    "bullet_list": _list,
    "ordered_list": _list,
    "blockquote": _quote,
    "fence": _code,
    "code_block": _code,
    "hr": _rule,
    "table": _table,
}
