"""The full screen with the stand-in behind it, as a program of its own, for a real pseudo-terminal.

`python -m tests.frontends.run_standin [crash|stuck|imports]`: crash raises in a handler once the screen is
up, stuck blocks its loop, imports prints which modules the first frame has loaded and leaves.
"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

from hermes_tui.frontends.tui import collector

collector.pause()  # as the command line does, before it imports the screen

from hermes_tui.frontends.tui.app import HermesApp  # noqa: E402  # after the pause, on purpose
from tests.frontends.standin import StandIn  # noqa: E402


class Trying(HermesApp):
    """The app, with a fault on demand."""

    fault = ""

    def on_ready(self) -> None:
        self.call_after_refresh(self._go_wrong)

    def _go_wrong(self) -> None:
        secret = "sk-TESTKEY123"
        if self.fault == "crash":
            raise RuntimeError(f"broken after reading {len(secret)} characters")
        if self.fault == "stuck":
            Path(os.environ["MARK"]).write_text("stuck")
            threading.Event().wait()  # for ever
        if self.fault == "imports":
            Path(os.environ["MARK"]).write_text("\n".join(sys.modules))
            self.exit()


if __name__ == "__main__":
    app = Trying(StandIn(Path.cwd()), None)
    app.fault = sys.argv[1] if len(sys.argv) > 1 else ""
    code = app.run_to_exit()
    sys.stdout.flush()
    os._exit(code)
