"""search_files: finds lines by a pattern, or files by name; the same with ripgrep and without it."""

from hermes_tui.tools.search_files.tool import TOOL, SearchFiles

__all__ = ["TOOL", "SearchFiles"]
