"""What the program writes is the user's alone, whatever the umask, and holds no key."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.hostile.traps import KEY
from tests.product.support import git, run
from tests.support.server import Call, ScriptedServer, calls, say


@pytest.mark.parametrize("umask", ["000", "022"])
def test_everything_that_is_written_is_private_and_without_the_key(
    umask: str, shop: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    """Cases l/181, l/182: sessions and their side files, checkpoints, memory, kept texts, a recording."""
    steps = [
        calls(
            Call("write_file", {"path": "new.py", "content": "x = 1\n"}),
            Call("terminal", {"command": "touch made; seq 20000; env"}),
            Call("memory", {"action": "add", "target": "memory", "content": "the shop sells things"}),
        ),
        say("Done."),
    ]
    environ["OPENAI_API_KEY"] = KEY
    record = tmp_path / "record.jsonl"
    shell = ["sh", "-c", f'umask {umask}; exec "$@"', "sh"]
    with ScriptedServer(steps, key=KEY) as server:
        words = [
            "-p",
            "go",
            "--base-url",
            server.url,
            "--permission",
            "all",
            "--trust",
            "--record",
            str(record),
        ]
        done = run(words, shop, environ, before=shell)
    assert done.code == 0, done.err
    home = Path(environ["HERMES_TUI_HOME"])
    written = [home, *home.rglob("*"), record]
    names = {path.name for path in written}
    assert {"sessions.db", "checkpoints", "memory", "texts"} <= names
    open_to_others = [str(path) for path in written if path.lstat().st_mode & 0o077 and not path.is_symlink()]
    assert open_to_others == []
    assert [str(path) for path in written if path.is_file() and KEY.encode() in path.read_bytes()] == []
    assert KEY not in done.out + done.err
    # the user's own commands and files keep the user's umask
    allowed = 0o666 & ~int(umask, 8)
    assert [stat.S_IMODE((shop / name).stat().st_mode) for name in ("new.py", "made")] == [allowed] * 2
    assert "new.py" in git(shop, "status", "--short")
