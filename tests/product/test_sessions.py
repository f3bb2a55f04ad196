"""Sessions as the user meets them: from the shell, and on the screen."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.product.support import run
from tests.support.terminal import COMMAND, Terminal

REHEARSAL = ["--provider", "rehearsal"]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    (folder / ".git").mkdir(parents=True)
    (folder / "a.txt").write_text("alpha\n")
    (folder / "b.txt").write_text("beta\n")
    return folder


def talk(prompt: str, folder: Path, environ: dict[str, str], *more: str) -> str:
    """Run one prompt; return the session's id."""
    done = run(["-p", prompt, *REHEARSAL, "--output", "json", *more], folder, environ)
    assert done.code == 0, done.err
    return str(json.loads(done.out)["session"])


def test_a_headless_run_is_continued_by_its_id_and_as_the_newest(
    place: Path, environ: dict[str, str]
) -> None:
    first = talk("compare a.txt b.txt", place, environ)
    second = talk("read a.txt", place, environ)
    assert first != second
    assert talk("read b.txt", place, environ, "--resume", first[:7]) == first
    assert talk("read b.txt", place, environ, "--continue") == first
    done = run(["sessions", "list", "--json"], place, environ)
    rows = [(row["id"], row["title"], row["messages"]) for row in json.loads(done.out)]
    assert rows == [(first, "compare a.txt b.txt", 13), (second, "read a.txt", 4)]


def test_flags_of_the_new_run_win(place: Path, environ: dict[str, str]) -> None:
    session = talk("read a.txt", place, environ)
    words = ["-p", "write c.txt: x", *REHEARSAL, "--permission", "edits", "--resume", session]
    assert run(words, place, environ).code == 0
    assert (place / "c.txt").read_text() == "x"


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (["-p", "hi", *REHEARSAL, "--continue"], 1, "no session of this project yet"),
        (["-p", "hi", *REHEARSAL, "--resume", "nope"], 1, "no session 'nope'"),
        (["-p", "hi", *REHEARSAL, "--resume", "a", "--continue"], 2, "give one of them"),
        (["sessions", "show", "nope"], 1, "no session 'nope'"),
        (["sessions", "export", "nope"], 1, "no session 'nope'"),
        (["sessions", "delete", "nope", "--yes"], 1, "no session 'nope'"),
        (["sessions", "search"], 2, "Missing argument"),
    ],
)
def test_what_is_not_there_is_one_line(
    place: Path, environ: dict[str, str], words: list[str], code: int, error: str
) -> None:
    done = run(words, place, environ)
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    assert error in done.err


def test_show_search_export_and_delete(place: Path, environ: dict[str, str]) -> None:
    session = talk("compare a.txt b.txt", place, environ)
    talk("read a.txt", place, environ)
    assert run(["sessions", "show", session[:8]], place, environ).out.startswith("# compare a.txt b.txt\n")
    shown = json.loads(run(["sessions", "show", session, "--json"], place, environ).out)
    assert [message["role"] for message in shown["messages"]].count("tool") == 2
    found = run(["sessions", "search", "differ:", "--json"], place, environ)
    assert [(hit["session"], hit["role"]) for hit in json.loads(found.out)] == [(session, "assistant")]
    assert run(["sessions", "search", "no", "such", "text"], place, environ).code == 1
    played = run(["sessions", "export", session, "--format", "stream-json"], place, environ)
    assert [played.lines[0]["type"], played.lines[-1]["type"]] == ["turn_started", "turn_finished"]
    wrong = run(["sessions", "export", session, "--format", "pdf"], place, environ)
    assert (wrong.code, wrong.err) == (
        2,
        "hermes-tui: no export format 'pdf'; there are markdown, json, stream-json\n",
    )
    kept = run(["sessions", "delete", session], place, environ)
    assert (kept.code, kept.out) == (2, "")
    gone = run(["sessions", "delete", session, "--yes", "--json"], place, environ)
    assert json.loads(gone.out) == {"deleted": session}
    assert run(["sessions", "show", session], place, environ).code == 1


def test_an_exported_session_can_be_replayed(place: Path, environ: dict[str, str]) -> None:
    session = talk("compare a.txt b.txt", place, environ)
    text = run(["sessions", "export", session, "--format", "stream-json"], place, environ).out
    (place / "talk.jsonl").write_text(text)
    done = run(["replay", "talk.jsonl"], place, environ)
    assert done.code == 0, done.err
    assert "differ" in done.out


def test_a_locked_store_is_told_and_the_session_is_saved_once_it_is_free(
    place: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    """Cases h/133: another process holds the lock while the program starts."""
    first = talk("read a.txt", place, environ)
    code = (
        "import sqlite3, sys; file = sqlite3.connect(sys.argv[1]); file.execute('BEGIN IMMEDIATE')\n"
        "print(flush=True); sys.stdin.read()"
    )
    path = tmp_path / "home" / "hermes" / "data" / "sessions.db"
    words = [str(COMMAND.with_name("python")), "-c", code, str(path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        holder.stdout.readline()
        program = subprocess.Popen(
            [str(COMMAND), "-p", "read b.txt", *REHEARSAL],
            cwd=place,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert program.stdout is not None
        assert "beta" in program.stdout.readline()  # the turn did not wait
        holder.stdin.close()
        _, said = program.communicate(timeout=30)
    assert said.count("this session is not being saved: another program holds the lock") == 1
    rows = json.loads(run(["sessions", "list", "--json"], place, environ).out)
    assert [row["title"] for row in rows] == ["read b.txt", "read a.txt"]
    assert rows[1]["id"] == first


def test_the_key_is_nowhere_on_the_disk(place: Path, environ: dict[str, str], tmp_path: Path) -> None:
    from tests.support.server import ScriptedServer, say

    with ScriptedServer([say("Hello.")], key="sk-secret-12345") as server:
        words = ["-p", "hi", "--base-url", server.url]
        assert run(words, place, {**environ, "OPENAI_API_KEY": "sk-secret-12345"}).code == 0
    files = [path for path in (tmp_path / "home").rglob("*") if path.is_file()]
    assert [path.name for path in files if b"sk-secret" in path.read_bytes()] == []
    assert "sessions.db" in [path.name for path in files]


def test_a_resumed_session_is_on_the_screen_at_once(place: Path, environ: dict[str, str]) -> None:
    talk("compare a.txt b.txt", place, environ)
    with Terminal([str(COMMAND), *REHEARSAL, "--continue"], place, environ=environ) as terminal:
        screen = terminal.wait("The first difference")
        assert "❯ compare a.txt b.txt" in screen
        assert "read_file  a.txt   1 line ▸" in screen
        terminal.press("up")
        terminal.wait(lambda text: text.count("❯ compare a.txt b.txt") == 2)
        terminal.press("ctrl+c")
        terminal.line("read b.txt")
        terminal.wait(lambda text: "b.txt: " in text and "beta" in text)
        terminal.line("/quit")
        assert terminal.ended() == 0
    shown = json.loads(run(["sessions", "list", "--json"], place, environ).out)
    assert [(row["title"], row["messages"]) for row in shown] == [("compare a.txt b.txt", 9)]


def test_a_session_that_is_not_there_ends_the_screen_with_one_line(
    place: Path, environ: dict[str, str]
) -> None:
    with Terminal([str(COMMAND), *REHEARSAL, "--resume", "nope"], place, environ=environ) as terminal:
        assert terminal.ended() == 1
        assert "no session 'nope'" in terminal.text()


def test_the_picker_finds_takes_up_renames_and_deletes(place: Path, environ: dict[str, str]) -> None:
    first = talk("compare a.txt b.txt", place, environ)
    talk("search nothing-here", place, environ)
    with Terminal([str(COMMAND), *REHEARSAL], place, environ=environ) as terminal:
        terminal.wait("/ for commands")
        terminal.line("/sessions")
        terminal.wait(lambda text: "compare a.txt b.txt" in text and "search nothing-here" in text)
        terminal.press("\x12")  # Ctrl-R
        terminal.wait("Rename: Enter takes the title")
        terminal.press("\x15")  # Ctrl-U
        terminal.send("the empty one")
        terminal.press("enter")
        terminal.wait(lambda text: "the empty one" in text and "search what was said" in text)
        terminal.press("\x04")  # Ctrl-D
        terminal.wait("Delete for good?")
        terminal.press("y")
        terminal.wait(lambda text: "Delete for good?" not in text and "the empty one" not in text)
        terminal.send("alpha")
        terminal.wait(lambda text: "tool " in text and "1|alpha" in text)
        terminal.press("enter")
        terminal.wait("The first difference")
        terminal.line("/quit")
        assert terminal.ended() == 0
    rows = json.loads(run(["sessions", "list", "--json"], place, environ).out)
    assert [row["id"] for row in rows] == [first]


def test_the_first_frame_does_not_wait_for_the_store(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "import hermes_tui.cli, hermes_tui.frontends.tui.app, hermes_tui.frontends.host\n"
        "print([name for name in sys.modules if 'sqlite3' in name or 'hermes_tui.sessions' in name])"
    )
    words = [str(COMMAND.with_name("python")), "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.strip() == "[]"
