"""/help: the commands, and the keys that the front end has."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.commands.support import ScriptedUI, program


def test_help_names_the_keys_of_the_front_end_it_is_asked_in(tmp_path: Path) -> None:
    hermes, ui = program(tmp_path, tmp_path / "home"), ScriptedUI()
    asyncio.run(hermes.commands.run(hermes, ui, "/help"))
    hermes.close()
    said = "\n".join(ui.said)
    assert said.endswith("\n\nF9  a key of this front end")
    assert [key for key in ("F1", "Ctrl", "Tab ") if key in said] == []
