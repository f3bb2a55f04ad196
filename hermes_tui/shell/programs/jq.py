"""Reads a jq filter and says whether it stays with its input. jq itself cannot write or run anything."""

from __future__ import annotations

import re
from typing import Final

_MODULES: Final = re.compile(r"\b(?:import|include|input_filename|modulemeta|get_search_list)\b")


def trouble_of(program: str) -> str:
    """Return why nobody knows what the filter reads, in words that follow "the filter"; else empty."""
    return "reads files of its own" if _MODULES.search(program) else ""
