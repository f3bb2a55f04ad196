"""Runs a tool as dispatch does: footprint first, then the tool behind the one door to the real disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hermes_tui.engine.door import Door
from hermes_tui.engine.errors import ToolError
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.protocols import Disk, Result, Tool
from hermes_tui.engine.state import Reads
from hermes_tui.files.reads import ReadLedger
from hermes_tui.files.replace import SafeDisk


class Session:
    """A folder, a disk, and what the model has read: enough for a tool to run."""

    def __init__(self, folder: Path, disk: Disk | None = None) -> None:
        self.folder = folder
        self.disk = disk or SafeDisk()
        self.token = Token()
        self.reads = ReadLedger()
        self.shown: list[str] = []
        self.states: dict[type[Any], object] = {Reads: self.reads}

    def run(self, tool: Tool, **arguments: object) -> Result:
        """Run one call; what the tool raises comes out."""
        footprint = tool.footprint(arguments, self.folder)
        door = Door(
            "call-1", self.folder, self.token, footprint, self.disk, None, self.states.get, self.shown.append
        )
        return tool.run(arguments, door)

    def refused(self, tool: Tool, **arguments: object) -> str:
        """Run a call that must fail, and return what the model is told."""
        try:
            result = self.run(tool, **arguments)
        except ToolError as error:
            return str(error)
        assert not result.ok, f"it did not fail: {result.content}"
        return result.content


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder with its content, hidden ones too."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }
