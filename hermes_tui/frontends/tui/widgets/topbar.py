"""The first line: where we are and who answers how. Draws what it is given."""

from __future__ import annotations

from pathlib import Path

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from hermes_tui.frontends.tui.widgets.fitting import tail
from hermes_tui.text import cells, clip, one_line

NAME = "hermes-tui"


class TopBar(Widget):
    """Name, folder and branch on the left; model, schedule, permission and context on the right."""

    DEFAULT_CSS = """
    TopBar { height: 1; background: $surface; color: $text-muted; padding: 0 1; }
    """

    model: reactive[str] = reactive("")
    schedule: reactive[str] = reactive("")
    permission: reactive[str] = reactive("")
    context: reactive[str] = reactive("")
    branch: reactive[str] = reactive("")

    def __init__(self, folder: Path) -> None:
        super().__init__(id="topbar")
        self._folder = tilde(folder)

    @property
    def details(self) -> list[str]:
        """What stands on the right, the most telling last."""
        parts = [one_line(self.model, 40), self.schedule, self.permission, self.context]
        return [part for part in parts if part]

    def render(self) -> Content:
        """Return the line; the folder gives way first, then the details from the left."""
        width = self.content_size.width
        details = self.details
        while details and cells(" · ".join(details)) > width * 2 // 3:
            details = details[1:]
        right = " · ".join(details)
        branch = f" ({one_line(self.branch, 30)})" if self.branch else ""
        room = width - len(NAME) - 2 - cells(right) - 2
        where = tail(one_line(self._folder, 400), max(8, room - cells(branch)))
        where = clip(where + branch, room) if room > 3 else ""
        gap = " " * max(1, width - len(NAME) - 2 - cells(where) - cells(right))
        name = Content.styled(NAME, "bold $accent")
        return Content.assemble(name, Content("  "), Content(where), Content(gap), Content(right))


def tilde(path: Path) -> str:
    """Return a path as people write it, with `~` for the home folder."""
    home = Path.home()
    return f"~/{path.relative_to(home)}".rstrip("/.") if path.is_relative_to(home) else str(path)


def context_text(tokens: int, limit: int | None, cost: float | None) -> str:
    """Return how full the context is and what it cost: "18 % of 128k · $0.04"."""
    parts = []
    if limit:
        parts.append(f"{round(100 * tokens / limit)} % of {thousands(limit)}")
    elif tokens:
        parts.append(f"{thousands(tokens)} tokens")
    if cost:
        parts.append(f"${cost:.2f}")
    return " · ".join(parts)


def thousands(count: int) -> str:
    """Return a count of tokens: "900", "128k", "1.5M"."""
    if count < 1_000:
        return str(count)
    if count < 1_000_000:
        return f"{count / 1_000:.0f}k"
    return f"{count / 1_000_000:.1f}M".replace(".0M", "M")
