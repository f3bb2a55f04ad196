"""/settings: every setting with its value and where it comes from; some can be changed while it runs.

A change lasts as long as the program; only when asked it is written into the user's config.toml.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from hermes_tui.assemble import Hermes
from hermes_tui.commands.ui import UI
from hermes_tui.config.load import Loaded, check_one, rows
from hermes_tui.config.meanings import choices, meanings
from hermes_tui.config.save import save
from hermes_tui.engine.errors import UsageError
from hermes_tui.text import one_line

HERE: Final = "changed here"
"""The origin of a value that was set while the program ran."""
SWITCH: Final = {"on": "true", "off": "false", "yes": "true", "no": "false"}


def _theme(hermes: Hermes, ui: UI, value: Any) -> None:
    ui.set_theme(value)
    hermes.theme = value


def _schedule(hermes: Hermes, ui: UI, value: Any) -> None:
    hermes.agent.schedule = value


def _permission(hermes: Hermes, ui: UI, value: Any) -> None:
    hermes.permissions.mode = value


def _nothing(hermes: Hermes, ui: UI, value: Any) -> None:
    """Who needs it looks at the settings each time."""


LIVE: Final[Mapping[str, Callable[[Hermes, UI, Any], None]]] = {
    "schedule": _schedule,
    "permission": _permission,
    "while_working": _nothing,
    "theme": _theme,
    "vi_keys": _nothing,
    "reduced_motion": _nothing,
    "notify": _nothing,
    "window_title": _nothing,
}
"""What can be changed while the program runs, and what else has to be told."""


@dataclass(frozen=True, slots=True)
class Row:
    """One setting."""

    key: str
    value: str
    origin: str
    """A file, a variable, a flag, `default`, or `changed here`."""
    meaning: str
    choices: Sequence[str]
    """What it can be changed to, right now; empty: not while the program runs."""


class Sheet:
    """All settings of the running program."""

    def __init__(self, hermes: Hermes, ui: UI) -> None:
        self._hermes, self._ui = hermes, ui
        self._meanings = meanings()

    def rows(self) -> list[Row]:
        """Return every setting, those that can be changed first."""
        hermes = self._hermes
        now = {
            "schedule": hermes.agent.schedule,
            "permission": hermes.permissions.mode,
            "theme": hermes.theme,
        }
        found = []
        for row in rows(Loaded(hermes.settings, hermes.origins)):
            key = str(row["key"])
            value = now.get(key, row["value"])
            origin = HERE if value != row["value"] else row["origin"]
            found.append(Row(key, shown(value), str(origin), self._meanings.get(key, ""), self._choices(key)))
        return sorted(found, key=lambda row: not row.choices)

    def _choices(self, key: str) -> Sequence[str]:
        if key == "theme":
            return self._ui.themes()
        return choices(key) if key in LIVE else ()

    def change(self, key: str, text: str) -> None:
        """Set a value from now on; `UsageError` when it cannot be that."""
        if key not in LIVE:
            raise UsageError(f"{key} cannot be changed while the program runs; set it in config.toml")
        value = check_one(key, SWITCH.get(text, text), key, UsageError)
        LIVE[key](self._hermes, self._ui, value)
        self._hermes.settings = msgspec.structs.replace(self._hermes.settings, **{key: value})
        self._hermes.origins[key] = HERE

    def save(self, key: str) -> str:
        """Write the value in force into the user's config.toml; return what to say."""
        row = next((row for row in self.rows() if row.key == key and key in LIVE), None)
        if row is None:
            raise UsageError(f"{key} cannot be saved from here; there are {', '.join(LIVE)}")
        value = check_one(key, SWITCH.get(row.value, row.value), key, UsageError)
        file = self._hermes.start.places.config_file
        save(file, key, value)
        self._hermes.settings = msgspec.structs.replace(self._hermes.settings, **{key: value})
        self._hermes.origins[key] = str(file)
        return f"{key} = {row.value} stands in {file} now"

    def text(self) -> str:
        """Return all of it as lines."""
        found = self.rows()
        width = max(len(row.key) for row in found)
        return "\n".join(f"{row.key:<{width}}  {row.value}  ({row.origin})" for row in found)


def shown(value: Any) -> str:
    """Return a value as people read it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, str):
        return one_line(value, 200) if value else "(empty)"
    if value is None:
        return "(not set)"
    return one_line(msgspec.json.encode(value).decode(), 200)


async def settings(hermes: Hermes, ui: UI, argument: str) -> None:
    """Show the settings; change those that can be changed now.

    /settings shows every setting with its value and where it comes from. /settings KEY VALUE sets one until
    the program ends; /settings save KEY writes it into your config.toml.
    """
    sheet = Sheet(hermes, ui)
    match argument.split():
        case []:
            await ui.browse_settings(sheet)
        case ["save", key]:
            ui.say(await ui.run(lambda: sheet.save(key)))
        case [key, value]:
            sheet.change(key, value)
            ui.say(f"{key}: {value}, until the program ends; /settings save {key} keeps it")
        case [key]:
            row = next((row for row in sheet.rows() if row.key == key), None)
            if row is None:
                raise UsageError(f"no setting {key}; /settings shows them")
            ui.say(f"{key}: {row.value} ({row.origin})\n{row.meaning}")
        case _:
            raise UsageError("there are /settings, /settings KEY VALUE and /settings save KEY")


def complete_settings(hermes: Hermes, ui: UI) -> Sequence[tuple[str, str]]:
    """The keys that can be changed, each with its values, and what saves them."""
    sheet = Sheet(hermes, ui)
    live = [row for row in sheet.rows() if row.choices]
    values = [(f"{row.key} {choice}", row.meaning) for row in live for choice in row.choices]
    return [*values, *((f"save {row.key}", "into your config.toml") for row in live)]
