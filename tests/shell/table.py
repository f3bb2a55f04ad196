"""What a row of the table of lines says."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

BUDGET: Final = int(os.environ.get("CLASSIFIER_BUDGET", "1"))
"""How many times more examples the properties are tried on; 1 in CI."""


@dataclass(frozen=True)
class Unsafe:
    """A line that must not come out read-only."""

    line: str
    """`SANDBOX` in it stands for the folder it runs in, without its first slash."""
    rule: str
    """The rule that decides."""
    effect: bool = False
    """Whether bash was seen to change a file with it: the sandbox test proves it again."""
