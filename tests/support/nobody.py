"""Runs the product as somebody whom file permissions stop: tests often run as root, who reads everything."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache

OTHER_USER = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
NO_OVERRIDE = ("setpriv", "--inh-caps=-all", "--bounding-set=-dac_override,-dac_read_search")
"""For machines where another user cannot reach the interpreter: root without the right to pass over modes."""


@cache
def prefix() -> tuple[str, ...]:
    """Return the words that go before a command so that modes count for it."""
    if os.getuid() != 0:
        return ()
    for words in (OTHER_USER, NO_OVERRIDE):
        probe = [*words, sys.executable, "-c", "import os,sys; sys.exit(os.access('/etc/shadow', os.R_OK))"]
        if subprocess.run(probe, capture_output=True, check=False).returncode == 0:
            return words
    raise AssertionError("setpriv cannot drop root here; run the tests as another user")


def unprivileged(command: Sequence[str]) -> list[str]:
    """Return the command as it is run by somebody who is not root."""
    return [*prefix(), *command]
