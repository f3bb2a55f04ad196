"""What the palette offers, and what is done with what was taken from it. Loaded when it is opened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.dom import DOMNode

from hermes_tui.frontends.tui.keymap import long
from hermes_tui.frontends.tui.screens.palette import Entry, PaletteScreen

if TYPE_CHECKING:
    from hermes_tui.frontends.tui.actions import Actions


class Finding:
    """One use of the palette."""

    def __init__(self, app: Actions) -> None:
        self._app = app
        self._holders: dict[str, DOMNode] = {"app": app, "screen": app.main, "prompt": app.main.prompt}
        """Whose bindings act wherever the focus is."""

    async def run(self) -> None:
        """Let the user find something, and do it."""
        taken = await self._app.push_screen_wait(PaletteScreen([*self._commands(), *self._actions()]))
        if taken is None:
            return
        entry = taken.entry
        if entry.action:
            holder, _, action = entry.action.partition(":")
            await self._app.run_action(action, self._holders[holder])
        elif taken.write:
            self._app.main.prompt.put(f"{entry.text} ")
        else:
            self._app.sending.enter(entry.text)

    def _actions(self) -> Iterator[Entry]:
        changed = self._app.changed_keys
        for name, holder in self._holders.items():
            for binding in (
                b for kind in reversed(type(holder).__mro__) for b in kind.__dict__.get("BINDINGS", ())
            ):
                if isinstance(binding, Binding) and binding.id and binding.id != "palette":
                    keys = long(changed.get(binding.id, binding.key)).split(",")[0]
                    yield Entry(binding.description, "", keys, f"{name}:{binding.action}")

    def _commands(self) -> Iterator[Entry]:
        if self._app.connected:
            for name, text in self._app.hermes.commands.names():
                yield Entry(f"/{name}", text)
