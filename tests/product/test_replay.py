"""`--record` and `replay`: what was recorded is played again, and nothing is run."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from tests.product.support import run
from tests.support.terminal import COMMAND, Terminal

LINES = "read README.md\nreplace things with bytes in README.md\nn\nrun touch made\ny\n"


@pytest.fixture
def recording(shop: Path, environ: dict[str, str]) -> Path:
    """A session of three turns: a batch, a refused edit, a command."""
    file = shop / "session.jsonl"
    words = ["--plain", "--provider", "rehearsal", "--record", file.name]
    assert run(words, shop, environ, text=LINES).code == 0
    (shop / "made").unlink()
    return file


def test_a_recording_is_stream_json_for_its_user_alone(recording: Path) -> None:
    assert stat.S_IMODE(recording.stat().st_mode) == 0o600
    events = [json.loads(line) for line in recording.read_text().splitlines()]
    prompts = [event["prompt"] for event in events if event["type"] == "turn_started"]
    assert prompts == ["read README.md", "replace things with bytes in README.md", "run touch made"]
    assert events[-1]["type"] == "turn_finished"
    times = [event["time"] for event in events]
    assert times == sorted(times)


def test_every_front_end_records(shop: Path, environ: dict[str, str]) -> None:
    words = ["--provider", "rehearsal", "--record", "headless.jsonl", "-p", "read README.md"]
    assert run([*words, "--output", "stream-json"], shop, environ).code == 0
    assert "turn_finished" in (shop / "headless.jsonl").read_text()
    words = [str(COMMAND), "--provider", "rehearsal", "--record", "screen.jsonl", "read README.md"]
    screen = shop / "screen.jsonl"
    with Terminal(words, shop, environ=environ) as terminal:
        terminal.wait(lambda _: screen.exists() and "turn_finished" in screen.read_text())
        terminal.press("ctrl+d")
        assert terminal.ended() == 0


def test_a_file_that_holds_something_is_never_overwritten(shop: Path, environ: dict[str, str]) -> None:
    done = run(["--provider", "rehearsal", "--record", "README.md", "-p", "read x"], shop, environ)
    assert done.code == 2
    assert "README.md holds something already: name a new file" in done.err
    assert (shop / "README.md").read_text() == "# shop\n\nSells things.\n"
    done = run(["--record", "nowhere/x.jsonl", "-p", "read x", "--provider", "rehearsal"], shop, environ)
    assert (done.code, done.err.count("\n")) == (2, 1)


def test_without_a_terminal_it_is_told_as_text(recording: Path, shop: Path, environ: dict[str, str]) -> None:
    done = run(["replay", recording.name], shop, environ)
    assert (done.code, done.err) == (0, "")
    assert "you> read README.md\n" in done.out
    assert "  read_file README.md ... ok" in done.out
    assert "  | 3 +Sells bytes.\n" in done.out
    assert "answered: no" in done.out
    assert "\x1b" not in done.out
    assert not (shop / "made").exists()


def test_stream_json_of_a_headless_run_is_a_recording(shop: Path, environ: dict[str, str]) -> None:
    words = ["--provider", "rehearsal", "-p", "read README.md", "--output", "stream-json"]
    (shop / "f").write_text(run(words, shop, environ).out)
    assert "  read_file README.md ... ok" in run(["replay", "f"], shop, environ).out


def test_a_damaged_line_is_named_and_costs_only_itself(
    recording: Path, shop: Path, environ: dict[str, str]
) -> None:
    lines = recording.read_text().splitlines()
    lines[2:2] = [
        "{broken",
        '{"type": "batch_planned", "batch": 1, "plan": {"calls": 3}}',
        '{"type": "new_one"}',
    ]
    recording.write_text("\n".join(lines))
    done = run(["replay", recording.name], shop, environ)
    assert done.code == 0
    for number in (3, 4, 5):
        assert f"line {number} is left out: " in done.out
    assert "  read_file README.md ... ok" in done.out


def test_what_is_no_recording_is_said(shop: Path, environ: dict[str, str]) -> None:
    for name, says in (
        ("README.md", "is no recording"),
        ("missing", "cannot be read"),
        ("src", "cannot be read"),
    ):
        done = run(["replay", name], shop, environ)
        assert (done.code, done.out) == (2, "")
        assert says in done.err


def test_it_plays_into_the_full_screen_which_stays_open(
    recording: Path, shop: Path, environ: dict[str, str]
) -> None:
    words = [str(COMMAND), "replay", recording.name, "--speed", "0"]
    with Terminal(words, shop, environ=environ) as terminal:
        screen = terminal.wait("the replay is over")
        assert "run touch made" in screen
        terminal.line("hello?")
        terminal.wait("nothing is sent")
        terminal.line("!touch made")
        terminal.wait(lambda text: text.count("nothing is sent") == 2)
        terminal.press("ctrl+c", "ctrl+c")
        assert terminal.ended() == 0
    assert not (shop / "made").exists()


def test_a_question_is_shown_until_it_was_answered(shop: Path, environ: dict[str, str]) -> None:
    lines = [
        {"type": "turn_started", "time": 1.0, "prompt": "go", "session": "s", "model": "m"},
        {"type": "question_asked", "time": 1.2, "id": "q1", "kind": "clarify", "call": "c1", "position": 1,
         "text": "Which one?", "choices": ["red", "blue"], "multiple": False, "preview": "", "total": 1},
        {"type": "question_answered", "time": 5.0, "id": "q1", "how": "answered", "answer": "red",
         "scope": None},
        {"type": "turn_finished", "time": 5.1, "reason": "done", "error": None},
    ]  # fmt: skip
    (shop / "q.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with Terminal([str(COMMAND), "replay", "q.jsonl"], shop, environ=environ) as terminal:
        terminal.wait(lambda text: "Question" in text and "blue" in text)
        terminal.wait("Which one? — answered: red")
        assert "blue" not in terminal.text()


def test_ctrl_c_shows_the_rest_at_once(shop: Path, environ: dict[str, str]) -> None:
    lines = [
        {"type": "turn_started", "time": 1.0, "prompt": "go", "session": "s", "model": "m"},
        {"type": "text_delta", "time": 1.1, "text": "A beginning. "},
        {"type": "text_delta", "time": 900.0, "text": "An end."},
    ]
    (shop / "long.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with Terminal([str(COMMAND), "replay", "long.jsonl"], shop, environ=environ) as terminal:
        terminal.wait("A beginning.")
        terminal.press("ctrl+c")
        terminal.wait("An end.")
        terminal.wait("the recording ends before the turn does")
        terminal.press("ctrl+d")
        assert terminal.ended() == 0
