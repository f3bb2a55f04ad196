"""A path that is made to lead elsewhere after it was judged is not read: not at once, not in a race."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hermes_tui.engine.door import Door
from hermes_tui.engine.errors import ToolError
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.protocols import Tool
from hermes_tui.engine.state import Reads
from hermes_tui.files.folder import Moved
from hermes_tui.files.names import listing
from hermes_tui.files.open import hash_file, read
from hermes_tui.files.reads import ReadLedger
from hermes_tui.files.replace import SafeDisk
from hermes_tui.processes.helper import Helper, started_in
from hermes_tui.tools import patch, read_file, vision_analyze, write_file
from hermes_tui.tools.search_files import SearchFiles
from hermes_tui.tools.search_files.fallback import Fallback
from hermes_tui.tools.search_files.inside import inside
from hermes_tui.tools.search_files.request import Request
from hermes_tui.tools.search_files.ripgrep import Ripgrep, binary

SECRET = "canary-9f1c-must-not-be-read"
ENGINES: dict[str, Tool] = {
    "ripgrep": SearchFiles(lambda: Ripgrep(binary() or "")),
    "fallback": SearchFiles(Fallback),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a file, and beside it a folder like its own, which holds the secret."""
    for folder, text in ((tmp_path / "shop" / "src", "mine"), (tmp_path / "canary", SECRET)):
        folder.mkdir(parents=True)
        (folder / "a.txt").write_text(f"line {text}\n")
        (folder / f"{text}.txt").write_text("line\n")
    Image.new("RGB", (4, 4)).save(tmp_path / "canary" / "a.png")
    Image.new("RGB", (2, 2)).save(tmp_path / "shop" / "src" / "a.png")
    return tmp_path / "shop"


def swapped(project: Path) -> None:
    """Put a link out where the judged folder was."""
    (project / "src").rename(project / "away")
    (project / "src").symlink_to(project.parent / "canary")


def told(tool: Tool, project: Path, between: Callable[[], None], **arguments: Any) -> str:
    """Run a call as dispatch does, with something between its judgement and its start."""
    reads = ReadLedger()
    for place in (project / "src", project.parent / "canary"):
        reads.note(place / "a.txt", "another hash", b"")  # a stale file is told with what is in it
    try:
        footprint = tool.footprint(arguments, project)
        if not all(subject.text.startswith(f"{project}/") for subject in footprint.subjects):
            return "this would ask: it was judged while the link stood there"
        between()
        state = {Reads: reads}.get
        door = Door("c", project, Token(), footprint, SafeDisk(), None, state, lambda text: None)
        return tool.run(arguments, door).content
    except ToolError as error:
        return str(error)


CALLS: dict[str, tuple[Tool, dict[str, Any]]] = {
    "read": (read_file.TOOL, {"path": "src/a.txt"}),
    "read-folder": (read_file.TOOL, {"path": "src"}),
    "read-missing": (read_file.TOOL, {"path": "src/canary.txt"}),
    "write": (write_file.TOOL, {"path": "src/a.txt", "content": "x"}),
    "replace": (patch.TOOL, {"path": "src/a.txt", "old_string": "line canary-x", "new_string": "y"}),
    "update": (patch.TOOL, {"patch": "*** Begin Patch\n*** Update File: src/a.txt\n@@\n-line canary\n+x\n"
                                     "*** End Patch"}),
    "vision": (vision_analyze.TOOL, {"image_url": "src/a.png", "question": "what?"}),
    **{f"{name}-content": (tool, {"path": "src", "pattern": "line"}) for name, tool in ENGINES.items()},
    **{f"{name}-names": (tool, {"path": "src", "pattern": "*", "target": "files"})
       for name, tool in ENGINES.items()},
    **{f"{name}-file": (tool, {"path": "src/a.txt", "pattern": "line"}) for name, tool in ENGINES.items()},
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_a_folder_swapped_for_a_link_after_the_judgement_is_not_opened(name: str, project: Path) -> None:
    """Cases l/179: what is read is what was judged."""
    tool, arguments = CALLS[name]
    said = told(tool, project, lambda: swapped(project), **arguments)
    assert SECRET not in said
    assert "is not what was asked for" in said
    assert (project.parent / "canary" / "a.txt").read_text() == f"line {SECRET}\n"


SWAP = """
import ctypes, os, sys
folder = os.open(sys.argv[1], os.O_RDONLY)
exchange = getattr(ctypes.CDLL(None), "renameat2", None)
print("ready", flush=True)
while True:
    if exchange:
        exchange(folder, b"src", folder, b"link", 2)  # both change their names at once
    else:
        for old, new in (("src", "away"), ("link", "src"), ("src", "link"), ("away", "src")):
            os.rename(old, new, src_dir_fd=folder, dst_dir_fd=folder)
"""


@contextmanager
def swapping(project: Path) -> Iterator[None]:
    """Swap the folder for a link and back, as fast as another process can."""
    (project / "link").symlink_to(project.parent / "canary")
    argv = [sys.executable, "-I", "-S", "-c", SWAP, str(project)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        try:
            yield
        finally:
            process.kill()


@pytest.mark.parametrize("name", [n for n in CALLS if n not in ("vision", "write")])
def test_a_folder_that_is_swapped_all_the_time_never_shows_what_is_outside(name: str, project: Path) -> None:
    """Whatever the moment: nothing of the folder outside, no content and no name."""
    tool, arguments = CALLS[name]
    with swapping(project):
        said = [told(tool, project, lambda: None, **arguments) for _ in range(40 if "back" in name else 150)]
    assert [text for text in said if SECRET in text] == []


def test_an_opened_path_follows_no_link(project: Path) -> None:
    """The race, step by step: the link comes when everything has been looked at but is not open yet."""
    file = project / "src" / "a.txt"
    swapped(project)
    for look in (read, hash_file):
        with pytest.raises(Moved, match="is a link now"):
            look(file)
    assert listing(project / "src") == []
    with pytest.raises(Moved, match="is a link now"), inside(project / "src"):
        pass
    for engine in (Ripgrep(binary() or ""), Fallback()):
        for found in (engine.content(Request(file.parent, "line"), 9, Token()),
                      engine.names(Request(file.parent), Token())):  # fmt: skip
            with suppress(ToolError):
                assert [*found] == []


def test_a_line_or_a_name_that_does_not_stand_in_the_root_is_refused(project: Path) -> None:
    """What ripgrep would report if a folder was a link while it walked, and is none any more."""
    with inside(project) as root:
        assert root.has_line("src/a.txt", 0, b"line mine\n")
        assert root.has_file("src/mine.txt")
        assert not root.has_line("src/a.txt", 0, f"line {SECRET}\n".encode())
        assert not root.has_file(f"src/{SECRET}.txt")
        assert root.refused == {"src/a.txt", f"src/{SECRET}.txt"}
    swapped(project)
    with inside(project) as root:
        assert not root.has_line("src/a.txt", 0, f"line {SECRET}\n".encode())
        assert not root.has_file(f"src/{SECRET}.txt")


def test_a_search_that_has_begun_stays_in_the_folder_that_was_opened(project: Path) -> None:
    """The path may lead anywhere by then; also where a process has no list of its descriptors."""
    with inside(project / "src") as root:
        swapped(project)
        with Helper([b"/bin/ls"], root.descriptor, dict(os.environ), Token()) as helper:
            assert set(helper.lines()) == {b"a.png", b"a.txt", b"mine.txt"}
        where, words, kept = started_in(root.descriptor, ["/bin/ls"], descriptors="/nowhere")
        listed = subprocess.run(words, cwd=where, pass_fds=kept, capture_output=True, check=True)
    assert listed.stdout.split() == [b"a.png", b"a.txt", b"mine.txt"]
