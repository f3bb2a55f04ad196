"""How often the screen may be painted is set before Textual is there, and leaks nowhere."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

CODE = """
import os
from hermes_tui.frontends.tui.frames import set_pace
set_pace()
import textual.constants
print(textual.constants.MAX_FPS, os.environ.get("TEXTUAL_FPS"))
"""


@pytest.mark.parametrize(("given", "printed"), [(None, "120 None"), ("15", "15 15")])
def test_the_users_own_pace_counts_and_no_command_inherits_ours(given: str | None, printed: str) -> None:
    environ = {name: value for name, value in os.environ.items() if name != "TEXTUAL_FPS"}
    environ |= {} if given is None else {"TEXTUAL_FPS": given}
    done = subprocess.run(
        [sys.executable, "-c", CODE], env=environ, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == printed
