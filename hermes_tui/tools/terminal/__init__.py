"""terminal: runs a command line, in the foreground or in the background."""

from hermes_tui.tools.terminal.tool import TOOL, Terminal

__all__ = ["TOOL", "Terminal"]
