"""patch: changes parts of files, by one exact replacement or by a V4A patch over several files."""

from hermes_tui.tools.patch.tool import TOOL

__all__ = ["TOOL"]
