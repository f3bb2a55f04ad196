"""What line mode loads: through a pipe neither Textual nor prompt_toolkit, and no Textual ever."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.product.support import environment

ROOT = Path(__file__).resolve().parents[3]


def loaded(code: str, home: Path, text: str = "") -> set[str]:
    script = f"import sys\n{code}\nprint('modules:', *sorted(sys.modules), flush=True)"
    words = [sys.executable, "-c", script]
    done = subprocess.run(
        words, input=text, capture_output=True, text=True, check=True, cwd=ROOT, env=environment(home)
    )
    return {name.partition(".")[0] for name in done.stdout.rpartition("modules:")[2].split()}


def test_a_pipe_needs_neither_textual_nor_prompt_toolkit(tmp_path: Path) -> None:
    words = ["--plain", "--provider", "rehearsal", "-C", str(tmp_path)]
    code = f"from hermes_tui.cli import run\nassert run({words!r}) == 0"
    assert (
        loaded(code, tmp_path, "read missing.txt\n/help\n") & {"textual", "prompt_toolkit", "openai"} == set()
    )


def test_the_editor_needs_no_textual(tmp_path: Path) -> None:
    code = "import hermes_tui.frontends.plain.editor, hermes_tui.frontends.plain.completer"
    names = loaded(code, tmp_path)
    assert "prompt_toolkit" in names
    assert "textual" not in names
