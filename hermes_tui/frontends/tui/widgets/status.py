"""The last line: which keys do something now, and what waits. Draws what it is given."""

from __future__ import annotations

from typing import Final

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from hermes_tui.frontends.tui.keymap import here
from hermes_tui.text import cells, one_line

IDLE: Final = "Enter send · {new_line} new line · / command · @ file · {palette} find anything · {help} help"
WAITING: Final = "Enter send what waits · ↑ take it back · {help} help"
RUNNING: Final = "^C stop · Esc stop, keep the queue · {runs} runs · {help} help"
PANEL: Final = (
    "↑↓ choose · Enter open · {stop_call} stop this call · {run_again} run again · Esc back to the prompt"
)


class StatusLine(Widget):
    """Hints on the left; a message of the moment in their place; what waits on the right."""

    DEFAULT_CSS = "StatusLine { height: 1; background: $background; color: $text-muted; padding: 0 1; }"

    running: reactive[bool] = reactive(False)
    panel: reactive[bool] = reactive(False)
    message: reactive[str] = reactive("")
    """In place of the hints: "press Ctrl-C again to leave"."""
    queued: reactive[int] = reactive(0)
    questions: reactive[int] = reactive(0)
    """Questions that wait for the user to stop typing."""
    awaiting: reactive[bool] = reactive(False)
    """The model was asked and has not begun to answer."""
    news: reactive[bool] = reactive(False)
    """There is something new below what is shown of the conversation."""
    permission: reactive[str] = reactive("")
    context: reactive[str] = reactive("")
    """How full the model's context is, in a word; both are shown where the top bar has no room."""

    def __init__(self) -> None:
        super().__init__(id="status")

    def hints(self) -> str:
        """Return which keys do something now."""
        if self.panel:
            text = PANEL
        elif self.running:
            text = RUNNING
        else:
            text = WAITING if self.queued else IDLE
        return here(self, text)

    def waits(self) -> str:
        """Return what waits, in words."""
        parts = ["waiting for the model"] if self.awaiting else []
        if self.questions:
            count = "1 question" if self.questions == 1 else f"{self.questions} questions"
            parts.append(f"{count} for you: {here(self, '{questions}')}")
        if self.queued:
            parts.append("1 message waiting" if self.queued == 1 else f"{self.queued} messages waiting")
        if self.news:
            parts.append("↓ more below")
        return " · ".join(parts)

    def render(self) -> Content:
        """Return the line; the hints give way to what waits."""
        width = self.content_size.width
        right = self.waits()
        room = width - cells(right) - 2 if right else width
        hints = self.hints()
        if self.screen.has_class("-short") and self.permission:
            hints = " · ".join(filter(None, (self.permission, self.context, hints)))
        if self.message:
            left = Content.styled(one_line(self.message, room), "$warning")
        else:
            left = Content(fitting(hints, room))
        gap = " " * max(0, width - left.cell_length - cells(right))
        return Content.assemble(left, Content(gap), Content.styled(right, "$accent"))


def fitting(hints: str, width: int) -> str:
    """Return as many hints as fit, whole ones only; the last (help) goes last."""
    parts = hints.split(" · ")
    while len(parts) > 1 and cells(" · ".join(parts)) > width:
        parts.pop(-2)
    return one_line(" · ".join(parts), width) if width > 0 else ""
