"""search_files: every test runs on ripgrep and on the fallback, and wants the same from both."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from hermes_tui.engine.errors import BadArguments, Interrupted, ToolError
from hermes_tui.engine.footprint import Level
from hermes_tui.engine.protocols import Result
from hermes_tui.tools.search_files import SearchFiles, ripgrep
from hermes_tui.tools.search_files.fallback import Fallback
from hermes_tui.tools.search_files.ripgrep import Ripgrep
from tests.tools.support import Session

RG = ripgrep.binary() or ""

FILES = {
    "a.py": b"import os\n\n\ndef main():\n    return foo(1) + bar[0]\n",
    "b.txt": b"- [ ] one\n-77\n--flag\n->\n--pre=./p\nfoo|bar\n",
    "crlf.txt": b"foo\r\nbar\r\nfoo bar\r\n",
    "no newline": b"x\nfoo",
    "empty": b"",
    "latin.txt": b"caf\xe9 foo\n\xff\xfe no bom\n",
    "utf16.txt": "\ufefffoo in utf-16\n漢字\n".encode("utf-16-le"),
    "bom.txt": b"\xef\xbb\xbffoo after a mark\n",
    "binary.bin": b"foo\n" * 30_000 + b"\0\nfoo\n",
    "long.txt": b"start " + b"x" * 5000 + b" needle " + b"y" * 5000 + b"\n",
    "uni.txt": "für foo 漢字\n\u2028sep\n".encode(),
    ".github/x.yml": b"on: push foo\n",
    ".hidden": b"foo hidden\n",
    ".git/config": b"foo in git\n",
    "sub/.git/config": b"foo in git\n",
    "sub/deep/c.py": b"foo\nfoo\nfoo\n",
    "sub-x/d.py": b"foo\n",
    "Sub/e.py": b"foo\n",
    "build/out.txt": b"foo ignored\n",
    "keep.log": b"foo kept\n",
    "other.log": b"foo ignored\n",
    "sub/deep/local.tmp": b"foo ignored\n",
    ".gitignore": b"build/\n*.log\n!keep.log\n",
    ".ignore": b"*.tmp\n",
    "p": b"#!/bin/sh\ntouch ran\n",
    ".a.py.hermes-1-0123abcd.tmp": b"foo of ours\n",
}


@pytest.fixture(params=["ripgrep", "fallback"])
def tool(request: pytest.FixtureRequest) -> SearchFiles:
    """Return the tool on one of the engines."""
    return engines()[request.param]


def engines() -> dict[str, SearchFiles]:
    """Return the tool on each engine."""
    return {"ripgrep": SearchFiles(lambda: Ripgrep(RG)), "fallback": SearchFiles(Fallback)}


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Return a session in the fixture's folder."""
    folder = tmp_path / "project"
    write(folder, FILES)
    return Session(folder)


def write(folder: Path, files: dict[str, bytes]) -> None:
    """Write files below a folder."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def both(session: Session, **arguments: object) -> Result:
    """Return the result of ripgrep, after making sure that the fallback's is the same in every letter."""
    found = {name: session.run(tool, **arguments) for name, tool in engines().items()}
    assert found["fallback"] == found["ripgrep"]
    return found["ripgrep"]


@pytest.mark.parametrize(
    "arguments",
    [
        {"pattern": "foo"},
        {"pattern": "foo", "limit": 3},
        {"pattern": "foo", "limit": 4, "offset": 3, "context": 2},
        {"pattern": "foo", "offset": 99},
        {"pattern": "foo", "output_mode": "files_only"},
        {"pattern": "foo", "output_mode": "count", "limit": 5, "offset": 2},
        {"pattern": "foo", "file_glob": "*.py"},
        {"pattern": "foo", "file_glob": "sub/**/*.py"},
        {"pattern": "foo", "file_glob": "!*.{py,txt}"},
        {"pattern": "foo", "file_glob": "*.log"},
        {"pattern": "foo", "path": "sub"},
        {"pattern": "foo", "path": "build"},
        {"pattern": "foo", "path": "other.log"},
        {"pattern": "foo", "path": "binary.bin"},
        {"pattern": "foo", "path": "sub/deep/c.py", "context": 50},
        {"pattern": "foo|bar"},
        {"pattern": r"\d+"},
        {"pattern": r"\bfoo\b", "context": 1},
        {"pattern": "foo$"},
        {"pattern": "^foo"},
        {"pattern": "^$", "context": 1},
        {"pattern": "needle"},
        {"pattern": r"caf. ?foo"},
        {"pattern": "漢字"},
        {"pattern": r"(?i)FOO\s"},
        {"pattern": "nowhere to be found"},
        {"pattern": "*.py", "target": "files"},
        {"pattern": "*", "target": "files", "limit": 4, "offset": 2},
        {"pattern": "sub/**", "target": "files"},
        {"pattern": "**/deep/*.py", "target": "files", "file_glob": "c*"},
        {"pattern": ".github/*", "target": "files"},
    ],
    ids=str,
)
def test_both_engines_give_the_same_answer(session: Session, arguments: dict[str, object]) -> None:
    """Cases j/163."""
    assert both(session, **arguments).content


def test_lines_come_with_path_and_number_sorted_by_path(session: Session) -> None:
    assert both(session, pattern="foo", file_glob="*.py") == Result(
        "Sub/e.py:1:foo\na.py:5:    return foo(1) + bar[0]\nsub/deep/c.py:1:foo\nsub/deep/c.py:2:foo\n"
        "sub/deep/c.py:3:foo\nsub-x/d.py:1:foo",
        display="6 matches",
    )


def test_context_is_shown_around_matches(session: Session) -> None:
    assert both(session, pattern="import|return", path="a.py", context=1).content == (
        "a.py:1:import os\na.py-2-\n--\na.py-4-def main():\na.py:5:    return foo(1) + bar[0]"
    )


def test_a_page_says_how_to_go_on(session: Session) -> None:
    first = both(session, pattern="foo", path="sub/deep/c.py", limit=2)
    assert first.content == (
        "sub/deep/c.py:1:foo\nsub/deep/c.py:2:foo\n[matches 1-2, there are more; go on with offset=2]"
    )
    second = both(session, pattern="foo", path="sub/deep/c.py", limit=2, offset=2)
    assert second.content == "sub/deep/c.py:3:foo\n[matches 3-3, there are no more]"
    past = both(session, pattern="foo", path="sub/deep/c.py", offset=3)
    assert past.content == "[no more matches: offset=3 is past their end]"


def test_all_pages_together_are_the_whole_answer(session: Session) -> None:
    whole = both(session, pattern="foo", limit=1000).content.split("\n")
    paged = []
    for offset in range(0, len(whole), 3):
        page = both(session, pattern="foo", limit=3, offset=offset).content.split("\n")
        paged += [line for line in page if not line.startswith("[matches ")]
    assert paged == whole


@pytest.mark.parametrize("pattern", ["- [ ]", "-77", "--flag", "->", "--pre=./p", "-e", "--", "-f"])
def test_a_pattern_that_looks_like_an_option_is_text(session: Session, pattern: str) -> None:
    """Cases j/160 and j/166: nothing is run, and the text is found."""
    (session.folder / "p").chmod(0o755)
    escaped = re.sub(r"[\[\]]", r"\\\g<0>", pattern)
    found = both(session, pattern=escaped, path="b.txt").content
    expected = [line for line in FILES["b.txt"].decode().split("\n") if pattern in line]
    assert [line.split(":", 2)[2] for line in found.split("\n") if line.startswith("b.txt:")] == expected
    assert not (session.folder / "ran").exists()


@pytest.mark.parametrize("pattern", ["(", "[", "a{", "*a", r"\y", "(?=a)", r"(a)\1", r"a\nb", "a)", r"[z-a]"])
def test_a_pattern_that_does_not_compile_is_an_error_with_a_way_out(
    session: Session, tool: SearchFiles, pattern: str
) -> None:
    """Cases j/161."""
    with pytest.raises(ToolError, match=r"the pattern does not compile: .+ To find the text") as error:
        session.run(tool, pattern=pattern)
    advised = str(error.value).rpartition("send ")[2]
    assert session.run(tool, pattern=eval(advised)).ok


def test_what_only_ripgrep_understands_is_said_and_not_guessed(session: Session) -> None:
    for pattern in (r"\p{Greek}", r"(?x) f o o", r"(?-u:\xff)"):
        assert session.run(engines()["ripgrep"], pattern=pattern).ok
        with pytest.raises(ToolError, match="needs ripgrep, which is not installed"):
            session.run(engines()["fallback"], pattern=pattern)


def test_git_folders_are_never_searched_hidden_ones_are_and_ignored_ones_on_request(session: Session) -> None:
    """Cases j/167."""
    files = both(session, pattern="foo", output_mode="files_only", limit=100).content.split("\n")
    assert {".github/x.yml", ".hidden", "keep.log"} <= set(files)
    assert not [file for file in files if ".git/" in file or file.startswith(("build", "other.log", ".a.py"))]
    assert both(session, pattern="foo", path="build").content == "build/out.txt:1:foo ignored"
    assert "ignored" not in both(session, pattern="foo", file_glob="*.log").content


def test_a_hidden_folder_as_working_folder_is_searched(tmp_path: Path) -> None:
    """Cases j/167."""
    write(tmp_path / ".cfg", {"x": b"foo\n", ".y/z": b"foo\n"})
    assert both(Session(tmp_path / ".cfg"), pattern="foo").content == ".y/z:1:foo\nx:1:foo"


def test_ignore_rules_hold_behind_a_link(tmp_path: Path, session: Session) -> None:
    """Cases j/167."""
    (tmp_path / "link").symlink_to(session.folder)
    found = both(Session(tmp_path), pattern="foo", path="link", output_mode="files_only", limit=100)
    assert "project/keep.log" in found.content
    assert "build" not in found.content


def test_links_are_not_followed(session: Session, tmp_path: Path) -> None:
    write(tmp_path, {"secret": b"foo secret\n"})
    (session.folder / "out").symlink_to(tmp_path / "secret")
    (session.folder / "loop").symlink_to(session.folder)
    assert "secret" not in both(session, pattern="foo", limit=1000).content


def test_ignore_files_above_the_root_count(session: Session) -> None:
    write(session.folder, {"sub-x/out.tmp": b"foo\n", "sub-x/other.log": b"foo\n"})
    assert both(session, pattern="foo", path="sub-x").content == "sub-x/d.py:1:foo"


def test_the_answer_names_paths_as_the_model_does(session: Session, tmp_path: Path) -> None:
    write(tmp_path, {"elsewhere/x": b"foo\n"})
    assert both(session, pattern="foo", path="../elsewhere").content == f"{tmp_path}/elsewhere/x:1:foo"
    assert both(session, pattern="foo", path="./sub/../a.py").content.startswith("a.py:5:")


def test_long_lines_are_clipped_around_the_match(session: Session) -> None:
    line = both(session, pattern="needle", path="long.txt").content
    assert line.startswith("long.txt:1:…xxx")
    assert line.endswith("yyy…")
    assert " needle " in line
    assert len(line) < 450


def test_undecodable_bytes_are_shown_as_replacement_and_never_fail(session: Session) -> None:
    assert both(session, pattern="foo", path="latin.txt").content == "latin.txt:1:caf� foo"
    name = os.fsencode(session.folder) + b"/caf\xe9.txt"
    with open(name, "wb") as file:
        file.write(b"odd name\n")
    assert both(session, pattern="odd name").content == "caf�.txt:1:odd name"
    assert both(session, pattern="caf*", target="files").content == "caf�.txt"


def test_binary_files_are_left_out_wherever_the_nul_stands(session: Session) -> None:
    assert "binary.bin" not in both(session, pattern="foo", output_mode="files_only", limit=100).content
    assert both(session, pattern="foo", path="binary.bin").content.startswith("[no matches in binary.bin;")


def test_settings_of_the_user_do_not_change_the_result(session: Session, tmp_path: Path) -> None:
    (tmp_path / "rc").write_text("--ignore-case\n--max-count=1\n")
    script = (
        "from pathlib import Path; import sys; sys.path[:0] = sys.argv[1:2]\n"
        "from tests.tools.support import Session\nfrom hermes_tui.tools.search_files import TOOL\n"
        "print(Session(Path(sys.argv[2])).run(TOOL, pattern='foo', path='sub/deep/c.py').content)"
    )
    root = str(Path(__file__).parent.parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", script, root, str(session.folder)],
        env={**os.environ, "RIPGREP_CONFIG_PATH": str(tmp_path / "rc")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.count(":foo\n") == 3


def test_the_projects_own_modules_are_not_run(session: Session) -> None:
    write(session.folder, {"json.py": b"open('ran', 'w')\n", "msgspec.py": b"open('ran', 'w')\n"})
    assert session.run(engines()["fallback"], pattern="foo", path="a.py").ok
    assert not list(session.folder.rglob("ran"))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "needed: pattern"),
        ({"pattern": ""}, "the pattern is empty"),
        ({"pattern": "x", "target": "names"}, "target"),
        ({"pattern": "x", "limit": 0}, "limit"),
        ({"pattern": "x", "offset": -1}, "offset"),
        ({"pattern": "x", "context": 51}, "context"),
        ({"pattern": "x", "output_mode": "lines"}, "output_mode"),
        ({"pattern": "x", "file_glob": "[a"}, "file_glob '[a' is no glob: a [ without ]. Example: *.py"),
        ({"pattern": "{a", "target": "files"}, "pattern '{a' is no glob: a { without }"),
        ({"pattern": "x", "path": "sup"}, "no such folder or file: sup. Did you mean"),
        ({"pattern": "x", "path": ""}, "the path is empty"),
        ({"pattern": "x", "path": "fifo"}, "neither a folder nor a regular file"),
        ({"pattern": "x\ud800"}, "surrogate"),
        ({"pattern": "x\0"}, "NUL"),
        ({"pattern": "x", "regex": True}, "unknown argument 'regex'"),
    ],
    ids=str,
)
def test_bad_input_is_told_with_the_way_to_do_it_right(
    session: Session, tool: SearchFiles, arguments: dict[str, object], told: str
) -> None:
    os.mkfifo(session.folder / "fifo")
    assert told in session.refused(tool, **arguments)


def test_it_reads_its_root_and_the_ignore_files_above(session: Session) -> None:
    (session.folder.parent / ".rgignore").touch()
    footprint = engines()["ripgrep"].footprint({"pattern": "x", "path": "sub/deep"}, session.folder)
    project = str(session.folder)
    assert (footprint.level, footprint.writes) == (Level.SAFE, ())
    assert footprint.reads[0] == f"{project}/sub/deep"
    above = set(footprint.reads)
    assert {f"{project}/sub/.git", f"{project}/.ignore", f"{session.folder.parent}/.rgignore"} <= above
    assert f"{project}/.gitignore" not in above, "sub is a repository of its own: git's rules end there"
    missing = engines()["ripgrep"].footprint({"pattern": "x", "path": "sub/none/x"}, session.folder)
    assert missing.reads[0] == f"{project}/sub"


def test_an_interrupt_ends_a_search_at_once(session: Session) -> None:
    write(session.folder, {"slow.txt": b"a" * 60 + b"\n"})
    tool = engines()["fallback"]
    threading.Timer(0.5, session.token.set).start()
    with pytest.raises(Interrupted):
        session.run(tool, pattern="(a|a)*b$", path="slow.txt")


def test_ripgrep_stops_when_the_token_is_set(session: Session) -> None:
    session.token.set()
    with pytest.raises(Interrupted):
        session.run(engines()["ripgrep"], pattern="foo")


AS_NOBODY = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from tests.tools.test_search_files import Session, engines
from hermes_tui.tools.search_files.scan import main
print(Session(Path(sys.argv[2])).run(engines()["ripgrep"], pattern="foo").content, flush=True)
main([sys.argv[2], "0", "foo"])
"""


def test_what_cannot_be_read_is_counted() -> None:
    """As a user who is not root, in a folder that this user can reach."""
    folder = Path(tempfile.mkdtemp(prefix="hermes-search-", dir="/tmp"))
    write(folder, {"open": b"foo\n", "shut": b"foo\n", "closed/x": b"foo\n"})
    folder.chmod(0o755)
    (folder / "shut").chmod(0)
    (folder / "closed").chmod(0)
    command = [sys.executable, "-B", "-c", AS_NOBODY, str(Path(__file__).parent.parent.parent), str(folder)]
    if os.geteuid() == 0:
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
    try:
        environment = {**os.environ, "HOME": "/"}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        answer, events = done.stdout.split("could not be read]\n")
        assert answer == "open:1:foo\n[2 files or folders "
        assert [json.loads(line)["type"] for line in events.splitlines()] == ["begin", "match", "end"]
        assert (
            done.stderr
            == f"cannot open {folder}/shut: permission denied\n{folder}/closed: cannot be listed\n"
        )
    finally:
        (folder / "closed").chmod(0o700)
        shutil.rmtree(folder)


def test_every_bad_argument_is_a_bad_argument_before_it_runs(session: Session, tool: SearchFiles) -> None:
    with pytest.raises(BadArguments):
        tool.footprint({"pattern": "x", "limit": "many"}, session.folder)
