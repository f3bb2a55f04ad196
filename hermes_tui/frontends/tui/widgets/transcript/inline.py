"""Inline Markdown (emphasis, code, links) as styled runs. Links are shown, never live."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style

from hermes_tui.frontends.tui.widgets.transcript.canvas import BOLD, ITALIC, STRIKE, Canvas
from hermes_tui.text import harmless

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

_EMPHASIS = {"strong": BOLD, "em": ITALIC, "s": STRIKE}


def inline(nodes: Sequence[SyntaxTreeNode], canvas: Canvas, style: Style) -> list[Segment]:
    """Return the runs of inline nodes; `style` is that of plain text around them."""
    return [run for node in nodes for run in _node(node, canvas, style)]


def _node(node: SyntaxTreeNode, canvas: Canvas, style: Style) -> Iterator[Segment]:
    if node.type in ("softbreak", "hardbreak"):
        yield Segment("\n", style)
    elif node.type == "code_inline":
        yield Segment(harmless(node.content), style + canvas.style("code"))
    elif node.type in ("link", "image"):
        yield from _link(node, canvas, style)
    elif node.type in _EMPHASIS:
        yield from inline(node.children, canvas, style + _EMPHASIS[node.type])
    elif node.children:
        yield from inline(node.children, canvas, style)
    else:
        yield Segment(harmless(node.content), style)


def _link(node: SyntaxTreeNode, canvas: Canvas, style: Style) -> Iterator[Segment]:
    target = harmless(str(node.attrs.get("href") or node.attrs.get("src") or ""))
    label = inline(node.children, canvas, style + canvas.style("link"))
    if not label and node.content:
        label = [Segment(harmless(node.content), style + canvas.style("link"))]
    yield from label
    text = "".join(run.text for run in label)
    if target and text not in (target, target.removeprefix("mailto:")):
        yield Segment(f" ({target})" if text else target, style + canvas.style("muted"))
