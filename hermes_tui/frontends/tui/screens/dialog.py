"""What every dialog shares: a box over the conversation, and the keys that always work.

A modal screen cuts the app's bindings off, so each one binds Ctrl-C and Esc itself.
"""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widget import Widget

T = TypeVar("T")


class Dialog(ModalScreen[T]):
    """A modal screen whose Ctrl-C and Esc go through the key ladder; Esc gives `None` as its result."""

    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    Dialog {
        align: center middle; background: $background 45%;
        & > .box {
            width: 90%; max-width: 110; height: auto; max-height: 90%; padding: 0 1;
            border: round $accent; background: $surface; color: $foreground;
            border-title-color: $accent; border-title-style: bold; border-subtitle-color: $text-muted;
        }
        & .body { height: auto; max-height: 100%; scrollbar-size-vertical: 1; }
        & OptionList {
            border: none; background: $surface; padding: 0;
            & > .option-list--option-highlighted { background: $panel; color: $foreground; text-style: bold; }
            &:focus {
                border: none; background: $surface; background-tint: transparent;
                & > .option-list--option-highlighted {
                    background: $panel; color: $foreground; text-style: bold;
                }
            }
            &:focus:ansi > .option-list--option-highlighted { color: ansi_black; background: ansi_cyan; }
        }
        & Input > .input--placeholder { color: $text-muted; }
        & .hint { color: $text-muted; height: auto; margin-top: 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "app.ladder('ctrl+c')", show=False),
        Binding("escape", "app.ladder('escape')", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.box = Vertical(classes="box")

    def compose(self) -> ComposeResult:
        """Put the content into the box."""
        with self.box:
            yield from self.content()

    def content(self) -> ComposeResult:
        """What is inside the box."""
        yield from ()

    def flexible(self) -> Widget | None:
        """Return the part that gives way, and scrolls, where the screen is too low; None if all parts fit."""
        return None

    def on_resize(self) -> None:
        """Keep the other parts in sight."""
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        if (part := self.flexible()) is None:
            return
        others = [child for child in self.box.children if child is not part and child.display]
        taken = sum(child.outer_size.height + child.styles.margin.height for child in others)
        room = self.size.height * 9 // 10 - self.box.gutter.height - part.styles.margin.height - taken
        part.styles.max_height = max(3, room)

    def close(self) -> None:
        """Close without a result."""
        self.dismiss(None)
