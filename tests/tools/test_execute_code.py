"""execute_code in real processes: what it can do, and twenty ways out that fail where it is shut in."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import pytest

from hermes_tui.engine.errors import Interrupted
from hermes_tui.engine.footprint import Access, Level
from hermes_tui.engine.protocols import Result
from hermes_tui.engine.state import Calls, Inherited, Private
from hermes_tui.processes import environment
from hermes_tui.processes.sandbox import lacking
from hermes_tui.tools.execute_code import TOOL
from tests.tools.support import Session

shut_in = pytest.mark.skipif(bool(lacking()), reason=lacking() or "-")


class Tools:
    """Answers a program's calls, and keeps them."""

    def __init__(self) -> None:
        self.called: list[tuple[str, dict[str, Any]]] = []

    def call(self, name: str, arguments: Mapping[str, Any]) -> Result:
        self.called.append((name, dict(arguments)))
        return Result(f"text of {arguments.get('path')}", ok=arguments.get("path") != "missing")


@pytest.fixture
def tools() -> Tools:
    return Tools()


@pytest.fixture
def place() -> Iterator[Path]:
    """A project, a home with secrets, and the program's own folder, side by side.

    Not below /tmp, which a program that is shut in has to itself.
    """
    with tempfile.TemporaryDirectory(dir="/var/tmp") as made:
        base = Path(made)
        for name in ("project/.git/hooks", "home/.ssh", "own", "outside"):
            (base / name).mkdir(parents=True)
        (base / "home" / ".ssh" / "id_rsa").write_text("SECRET")
        (base / "own" / "trust.json").write_text("SECRET")
        (base / "outside" / "file").write_text("as it was")
        yield base


@pytest.fixture
def session(place: Path, tools: Tools) -> Session:
    session = Session(place / "project")
    environ = {**os.environ, "OPENAI_API_KEY": "sk-SECRET", "HOME": str(place / "home")}
    session.states[Calls] = tools
    session.states[Inherited] = environment.Inherited(environment.for_commands(environ))
    session.states[Private] = Private(place / "project", place / "home", (place / "own",))
    return session


def test_what_it_prints_comes_back(session: Session) -> None:
    assert session.run(TOOL, code="print(6 * 7)\nprint('Zoë')") == Result("42\nZoë", display="2 lines")
    assert session.run(TOOL, code="x = 1") == Result("(it printed nothing)", display="0 lines")


def test_an_error_is_a_failed_result_with_its_traceback(session: Session) -> None:
    result = session.run(TOOL, code="print('before')\n1 / 0")
    assert not result.ok
    assert result.content.startswith("before\nTraceback")
    assert 'File "code.py", line 2' in result.content
    assert result.content.endswith("ZeroDivisionError: division by zero\n[exit 1]")


def test_it_calls_the_file_tools(session: Session, tools: Tools) -> None:
    code = """
import tools
print(tools.read_file(path="a.py", limit=3))
try:
    tools.read_file(path="missing")
except tools.ToolFailed as error:
    print("failed:", error)
print(hasattr(tools, "terminal"))
"""
    assert session.run(TOOL, code=code).content == "text of a.py\nfailed: text of missing\nFalse"
    assert tools.called == [("read_file", {"path": "a.py", "limit": 3}), ("read_file", {"path": "missing"})]


def test_a_request_by_hand_for_another_tool_is_refused(session: Session, tools: Tools) -> None:
    code = """
import json, socket, sys, glob, os
path = os.path.join(os.environ["TMPDIR"], "rpc")
import tools
stream = tools.read_file.__closure__
for cell in stream:
    if hasattr(cell.cell_contents, "readline"):
        pipe = cell.cell_contents
for line in (b'{"name": "terminal", "arguments": {"command": "id"}}', b"nonsense", b'{"name": 3}', b"[]"):
    pipe.write(line + b"\\n"); pipe.flush(); print(json.loads(pipe.readline()))
"""
    lines = session.run(TOOL, code=code).content.splitlines()
    refused = "code may call read_file, search_files, write_file, patch, not terminal"
    assert (
        lines
        == [str({"ok": False, "content": refused})] + [str({"ok": False, "content": "no such request"})] * 3
    )
    assert tools.called == []


def test_an_interrupt_ends_it_with_the_output_so_far(session: Session) -> None:
    def stop_when_it_prints(text: str) -> None:
        if "here" in text:
            session.token.set()

    session.shown = Watched(stop_when_it_prints)
    with pytest.raises(Interrupted) as stopped:
        session.run(TOOL, code="import signal\nprint('here', flush=True)\nsignal.pause()")
    assert "here" in stopped.value.content


class Watched(list[str]):
    """Live output that somebody listens to."""

    def __init__(self, heard: Any) -> None:
        super().__init__()
        self._heard = heard

    def append(self, text: str) -> None:
        super().append(text)
        self._heard(text)


def test_memory_is_capped(session: Session) -> None:
    result = session.run(TOOL, code="x = bytearray(8_000_000_000)\nprint(len(x))")
    assert not result.ok
    assert "MemoryError" in result.content


def test_the_programs_keys_are_not_in_its_environment(session: Session) -> None:
    assert "SECRET" not in session.run(TOOL, code="import os\nprint(dict(os.environ))").content


def test_it_is_alone_asks_and_shows_the_code(session: Session, tmp_path: Path) -> None:
    footprint = TOOL.footprint({"code": "print(1)"}, tmp_path)
    assert (footprint.level, footprint.writes) == (Level.UNDECLARED, ("*",))
    assert [(s.kind, s.text, s.access) for s in footprint.subjects] == [("code", "print(1)", Access.RUN)]
    assert TOOL.preview({"code": "print(1)\n"}, tmp_path) == "print(1)\n"
    assert "code is empty" in session.refused(TOOL, code="  ")


@shut_in
def test_the_project_can_be_changed(session: Session, place: Path) -> None:
    session.run(TOOL, code="open('new.txt', 'w').write('made')")
    assert (place / "project" / "new.txt").read_text() == "made"


WAYS_OUT = {
    "write beside the project": "open('{out}/new', 'w')",
    "write a file outside": "open('{out}/file', 'a').write('x')",
    "remove a file outside": "import os; os.remove('{out}/file')",
    "through a link": "import os; os.symlink('{out}', 'ln'); open('ln/new', 'w')",
    "through ..": "open('../outside/new', 'w')",
    "through /proc": "import os; open(f'/proc/{{os.getppid()}}/root{out}/new', 'w')",
    "read an ssh key": "assert 'SECRET' in open('{home}/.ssh/id_rsa').read()",
    "read the program's own state": "assert 'SECRET' in open('{own}/trust.json').read()",
    "a git hook": "open('.git/hooks/pre-commit', 'w')",
    "the home folder": "open('{home}/.bashrc', 'w')",
    "the network, tcp": "import socket; socket.create_connection(('1.1.1.1', 53), 3)",
    "the network, udp": "import socket; s = socket.socket(2, 2); s.connect(('8.8.8.8', 53))",
    "a server of this machine": "import socket; socket.create_connection(('127.0.0.1', {port}), 3)",
    "another process": "import os; assert '{pid}' in os.listdir('/proc')",
    "a signal to the program": "import os; os.kill({pid}, 0); assert open('/proc/{pid}/comm')",
    "mount something": "import subprocess as s; s.run(['mount', '-t', 'tmpfs', 'x', '{out}'], check=True)",
    "become root by a file": "import os; os.chown('.', 1, 1)",
    "device": "import os; os.mknod('dev', 0o600 | 0o060000, os.makedev(8, 0))",
    "leave by chroot": "import os; os.chroot('{out}')",
    "ptrace": "import ctypes; assert ctypes.CDLL(None, use_errno=True).ptrace(16, {pid}, 0, 0) == 0",
    "write to a system folder": "open('/etc/canary', 'w')",
    "the user's temporary files": "assert 'SECRET' in open('{tmp}').read()",
}


@shut_in
@pytest.mark.parametrize("way", WAYS_OUT)
def test_there_is_no_way_out(session: Session, place: Path, way: str) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server, NamedTemporaryFile("w", dir="/tmp") as file:
        print("SECRET", file=file, flush=True)
        code = WAYS_OUT[way].format(
            out=place / "outside",
            home=place / "home",
            own=place / "own",
            pid=os.getpid(),
            port=server.getsockname()[1],
            tmp=file.name,
        )
        result = session.run(TOOL, code=f"{code}\nprint('OUT')")
    assert "OUT" not in result.content, result.content
    assert not result.ok
    assert [p.name for p in (place / "outside").iterdir()] == ["file"]
    assert (place / "outside" / "file").read_text() == "as it was"
    assert not (place / "home" / ".bashrc").exists()
    assert not Path("/etc/canary").exists()
    assert list((place / "project" / ".git" / "hooks").iterdir()) == []
