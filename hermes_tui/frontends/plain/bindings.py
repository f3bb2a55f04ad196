"""The keys of line mode on a terminal: the ladder's go to it, Enter sends, the rest is the editor's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from prompt_toolkit.application import get_app
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import Condition, emacs_mode, has_focus, vi_navigation_mode
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.bindings.named_commands import get_by_name
from prompt_toolkit.keys import Keys

from hermes_tui.frontends.pastes import clean

if TYPE_CHECKING:
    from hermes_tui.frontends.plain.editor import EditorConsole

LADDER: Final[Mapping[str, str]] = MappingProxyType(
    {"c-c": "ctrl+c", "c-d": "ctrl+d", "s-tab": "shift+tab", "escape": "escape"}
)
"""prompt_toolkit's names of the ladder's keys, and ours."""

HELP: Final = (
    ("Enter", "send; while a turn runs: queue, or steer where while_working says so"),
    ("Ctrl-J", "new line"),
    ("Ctrl-C", "stop what runs (again: at once), else clear the line, else leave"),
    ("Esc", "question: no answer; else stop what runs, keep the queue; twice when idle: checkpoints"),
    ("Ctrl-D", "leave, when nothing is written"),
    ("Shift+Tab", "what may run unasked: plan, ask, edits, all"),
    ("Tab", "complete a command, its arguments, an @file"),
    ("Up", "the message that waits, else the history"),
    ("Ctrl-R", "search the history"),
    ("Ctrl-G", "write in your editor"),
    ("Ctrl-Z", "to the background; fg in the shell comes back"),
)
"""What /help says of them."""


def bindings(console: EditorConsole) -> KeyBindings:
    """Return the bindings of one console."""
    does = Doing(console)
    keys = KeyBindings()
    here = has_focus(DEFAULT_BUFFER)
    writes = here & ~vi_navigation_mode
    ladder = here & ~Condition(lambda: console.is_vi_escape)
    for theirs, ours in LADDER.items():
        keys.add(theirs, filter=ladder if theirs == "escape" else here)(does.press(ours))
    keys.add("enter", filter=here)(does.enter)
    keys.add("c-j", filter=here)(does.new_line)
    keys.add("escape", "enter", filter=here & emacs_mode)(does.new_line)
    keys.add("up", filter=here & Condition(lambda: not get_app().current_buffer.text))(does.go_back)
    keys.add("c-g", filter=here)(does.edit_outside)
    keys.add("c-x", "c-e", filter=here)(does.edit_outside)
    keys.add(Keys.BracketedPaste, filter=here)(does.paste)
    keys.add(Keys.Any, filter=writes)(does.write)
    return keys


class Doing:
    """What the keys do."""

    def __init__(self, console: EditorConsole) -> None:
        self._console = console

    def press(self, key: str) -> Callable[[KeyPressEvent], None]:
        """Return what hands a key of the ladder on."""

        def pressed(event: KeyPressEvent) -> None:
            self._console.mode.press(key)

        return pressed

    def enter(self, event: KeyPressEvent) -> None:
        """Send. What follows in the same breath makes it a paste without brackets: a new line then."""
        # answers of the terminal itself (Keys, not characters) are no text that follows
        more = any(not isinstance(press.key, Keys) for press in event.app.key_processor.input_queue)
        pasted = more and bool(event.current_buffer.text.strip())
        if pasted and not self._console.early:
            event.current_buffer.newline(copy_margin=False)
        elif not self._console.mode.settling:
            self._console.send()

    def new_line(self, event: KeyPressEvent) -> None:
        """Begin a new line; what was typed before the prompt stood there has a line feed for Enter."""
        if self._console.early:
            self._console.send()
        else:
            event.current_buffer.newline(copy_margin=False)

    def go_back(self, event: KeyPressEvent) -> None:
        """A message that waits comes back first, then the history."""
        waiting = self._console.mode.unqueue()
        if waiting is None:
            event.current_buffer.auto_up()
        else:
            self._console.put(waiting)

    def edit_outside(self, event: KeyPressEvent) -> None:
        """Go on in the user's own editor."""
        self._console.edit_outside()

    def paste(self, event: KeyPressEvent) -> None:
        """Make it harmless; a long one stands as a placeholder."""
        event.current_buffer.insert_text(self._console.pastes.take(clean(event.data)))

    def write(self, event: KeyPressEvent) -> None:
        """Write a character."""
        self._console.mode.other_key()
        get_by_name("self-insert").call(event)
