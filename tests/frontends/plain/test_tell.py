"""What is told of a turn, line by line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hermes_tui.engine import events as ev
from hermes_tui.frontends.plain.paper import Paper
from hermes_tui.frontends.plain.tell import Teller
from hermes_tui.frontends.runs import Runs
from tests.frontends.standin import StandInAgent, Turn, question

READS = [("c1", "read_file", {"path": "a.py"}), ("c2", "read_file", {"path": "b.py"})]


class Page:
    """A teller that writes into a list, and a turn that feeds it."""

    def __init__(self, folder: Path, colour: bool = False) -> None:
        self.text = ""
        self.later: list[tuple[float, Callable[[], None]]] = []
        self._agent = StandInAgent()
        self.turn = Turn(self._agent)
        paper = Paper(self._write, lambda: None, colour)
        self.teller = Teller(paper, Runs(folder), lambda s, act: self.later.append((s, act)))

    def _write(self, text: str) -> None:
        self.text += text

    @property
    def lines(self) -> list[str]:
        """What has been written since the last time, a line each."""
        for event in self._agent.events.drain():
            self.teller.take(event)
        text, self.text = self.text, ""
        return text.splitlines()


def test_a_batch_is_told_as_it_was_planned_and_as_it_ended(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.turn.start()
    page.turn.batch(READS, True, "parallel: all only read, no path shared")
    page.turn.began("c1", "c2")
    assert page.lines == ["[batch 1: 2 side by side; all only read, no path shared]"]
    page.turn.ended("c1", display="184 lines")
    page.turn.ended("c2", "failed", "no such file\nlook elsewhere")
    page.turn.batch_ended(0.1, 0.2)
    assert page.lines == [
        "  read_file a.py ... ok 0.1 s, 184 lines",
        "  read_file b.py ... failed 0.1 s: no such file",
        "[batch 1: done in 0.1 s instead of 0.2 s]",
    ]


def test_why_a_call_waits_is_told(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.turn.batch(READS, False, "serial: both touch a.py", {1: "waits for #1: both touch a.py"})
    page.turn.put(ev.CallWaiting(batch=1, id="c1", why="waits for a free slot"))
    page.turn.put(ev.CallWaiting(batch=1, id="c1", why="waits for your answer"))
    assert page.lines == [
        "[batch 1: 2 one after another; both touch a.py]",
        "  #2 read_file b.py: waits for #1: both touch a.py",
        "  read_file a.py ... waits for a free slot",
    ]


def test_a_call_that_runs_on_is_told_once_and_again_only_when_it_says_something(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.turn.batch([("c1", "terminal", {"command": "make"})], False, "one call")
    page.turn.began("c1")
    assert page.lines == ["[batch 1: 1 call]"]
    page.later[-1][1]()
    assert page.lines == ["  terminal make ... running"]
    page.turn.put(ev.Heartbeat(running=["c1"]))
    assert page.lines == []
    page.turn.output("c1", "compiling one\ncompiling two\n")
    assert page.lines == []
    page.turn.put(ev.Heartbeat(running=["c1"]))
    assert [line.rpartition(": ")[2] for line in page.lines] == ["compiling two"]
    page.turn.put(ev.Heartbeat(running=["c1"]))
    assert page.lines == []


def test_of_a_flood_only_the_last_lines_are_told(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.turn.batch([("c1", "terminal", {"command": "yes"})], False, "one call")
    page.turn.began("c1")
    for start in range(0, 100_000, 1_000):
        page.turn.output("c1", "".join(f"line {n}\n" for n in range(start, start + 1_000)))
    page.turn.ended("c1", content="".join(f"line {n}\n" for n in range(100_000)), display="100000 lines")
    lines = page.lines
    assert len(lines) == 8
    assert lines[-1] == "    | line 99999"
    assert "lines before" in lines[2]


def test_the_diff_of_an_edit_is_shown_unless_a_question_showed_it(tmp_path: Path) -> None:
    diff = "--- a.py\n+++ a.py\n@@ -1 +1 @@\n-one\n+two\n"
    for asked in (False, True):
        page = Page(tmp_path)
        page.turn.start()
        page.turn.batch([("c1", "patch", {"path": "a.py"})], False, "one call")
        if asked:
            page.turn.put(question(1, "permission", preview=diff))
        page.turn.began("c1")
        page.turn.ended("c1", content=f"updated\n{diff}", display="+1 −1")
        assert ("    +two" in page.lines) is not asked


def test_a_silent_model_is_said_to_be_waited_for_once(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.turn.start()
    assert page.lines == []
    page.later[0][1]()
    assert page.lines == ["[waiting for the model; Ctrl-C stops]"]
    page.turn.text("Here.\n")
    assert page.lines == ["Here."]
    page.later[0][1]()
    assert page.lines == []


def test_notices_checkpoints_and_errors_are_lines_of_their_own(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.turn.put(ev.Notice(level="warning", text="the server is slow"))
    page.turn.put(ev.CheckpointMade(number=3, label="before patch a.py", files=1, not_covered=["big.log"]))
    page.turn.end("error", "the model cannot be asked: set OPENAI_API_KEY")
    assert page.lines == [
        "[warning: the server is slow]",
        "[checkpoint #3: before patch a.py]",
        "[not covered by it: big.log]",
        "[error: the model cannot be asked: set OPENAI_API_KEY]",
    ]


def test_colour_is_the_only_thing_that_a_terminal_gets_more(tmp_path: Path) -> None:
    plain, coloured = Page(tmp_path), Page(tmp_path, colour=True)
    for page in (plain, coloured):
        page.turn.start()
        page.turn.text("# Title\nwith [/x] [red]markup[/red] and `code`\n")
        page.turn.end()
    (text, colours) = plain.lines, coloured.lines
    assert text == ["# Title", "with [/x] [red]markup[/red] and `code`"]
    assert "\x1b[1m# Title\x1b[0m" in colours[0]
    assert "\x1b[36m`code`\x1b[0m" in colours[1]
    assert "[red]markup[/red]" in colours[1]
