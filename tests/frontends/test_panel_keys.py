"""The Runs panel by its keys: a call run again, its output searched and followed, the todo list beside it."""

from __future__ import annotations

from pathlib import Path

from hermes_tui.engine import events as ev
from hermes_tui.engine.state import Todo
from hermes_tui.frontends.tui.screens.call import CallScreen
from hermes_tui.frontends.tui.screens.lines import Lines
from tests.frontends.scene import Scene, played, scene
from tests.frontends.standin import Step

READ: Step = ("a", "read_file", {"path": "csv.py"})
LONG = "\n".join(f"line {n}" + (" needle" if n % 100 == 7 else "") for n in range(1_000))


async def ended(on: Scene, step: Step = READ, content: str = "it", **item: object) -> None:
    """A batch of one call that has ended; `item`: what its plan says besides."""
    on.turn.start()
    on.turn.batch([step], False, "one call", item=item)
    on.turn.began(step[0])
    on.turn.ended(step[0], content=content, display="1 line")
    on.turn.batch_ended()
    on.turn.end()
    await on.shows("Batch 1", "✓")
    await on.press("tab", "down")


@played
async def test_r_runs_a_call_that_only_reads_once_more(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await ended(on)
        await on.shows("r run again")
        await on.press("r")
        await on.until(lambda: on.agent.asked == [("again", "read_file", '{"path": "csv.py"}')])


@played
async def test_r_does_not_run_what_may_change_something(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await ended(on, ("a", "write_file", {"path": "x"}), level="scoped", writes=["/x"])
        await on.press("r")
        await on.shows("not run again: it may change something")
        assert on.agent.asked == []


@played
async def test_r_is_a_letter_in_the_prompt(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await ended(on)
        await on.press("escape")
        await on.type("rk")
        assert on.main.prompt.text == "rk"
        assert on.agent.asked == []


@played
async def test_the_whole_output_can_be_searched(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await ended(on, content=LONG)
        await on.press("enter")
        await on.shows("line 0", "/ search")
        await on.press("slash")
        await on.type("NEEDLE")
        await on.shows("line 7 needle", "1 of 10")
        await on.press("enter")
        await on.shows("line 107 needle", "2 of 10")
        await on.press("up", "up")
        await on.shows("line 907 needle", "10 of 10")
        await on.press("escape")
        await on.shows("n next")
        assert isinstance(on.app.screen, CallScreen), "Esc ended the search alone"
        await on.press("n")
        await on.shows("line 7 needle", "1 of 10")
        await on.press("N")
        await on.shows("line 907 needle")
        await on.press("slash")
        await on.type("nowhere")
        await on.shows("nothing found")
        await on.press("escape", "escape")
        await on.until(lambda: on.main.panel.has_focus)


@played
async def test_a_call_that_runs_is_followed_to_its_end(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        on.turn.batch([("a", "terminal", {"command": "make"})], False, "one call")
        on.turn.began("a")
        on.turn.output("a", "".join(f"step {n}\n" for n in range(60)))
        await on.shows("step 59")
        await on.press("tab", "enter")
        await on.shows("step 0", "terminal make")
        await on.press("G")
        await on.shows("step 59")
        on.turn.output("a", "".join(f"step {n}\n" for n in range(60, 70)))
        await on.shows("step 69")
        await on.press("g")
        await on.shows("step 0")
        on.turn.output("a", "step 70\n")
        await on.until(lambda: "step 70" in "\n".join(on.app.screen.query_one(Lines)._lines))
        assert "step 0" in on.text(), "who reads the start is left there"


@played
async def test_a_stopped_call_says_who_stopped_it(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        on.turn.batch([("a", "terminal", {"command": "make"})], False, "one call")
        on.turn.began("a")
        on.turn.ended("a", "cancelled", "x\n[stopped by the user]", "stopped by the user")
        await on.shows("cancelled: stopped by the user")


@played
async def test_a_rollback_is_marked_where_it_happened(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.app.ui.rolled_back(1, 2)
        await ended(on)
        on.app.ui.rolled_back(3, 4)
        await on.shows("↶ back to #3 · saved as #4")
        assert "#1" not in on.text(), "before the first batch it has no place"
        on.turn.start()
        on.turn.batch([READ], False, "one call")
        await on.shows("Batch 1 · 1 call · 0.1 s · ↶ #3")


TODOS = [
    Todo("1", "read the [/x] loaders", "completed"),
    Todo("2", "fix the leak", "in_progress"),
    Todo("3", "run the tests"),
    Todo("4", "tell Ann", "cancelled"),
]


def tick(on: Scene) -> None:
    """Something happens, as when the todo tool has written the list."""
    on.turn.put(ev.Heartbeat(running=[]))


@played
async def test_the_todo_list_stands_beside_the_runs_and_is_ticked(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await on.until(lambda: not on.main.todo.display)
        on.hermes.todos.load(TODOS)
        tick(on)
        await on.shows("Todo · 1 of 4 done", "✓ read the [/x] loaders", "◐ fix the leak", "○ run the tests")
        on.hermes.todos.load([Todo(t.id, t.content, "completed") for t in TODOS])
        tick(on)
        await on.shows("4 of 4 done")
        assert "fix the leak" not in on.text(), "done: one line is enough"
        on.hermes.todos.load([])
        tick(on)
        await on.until(lambda: not on.main.todo.display)


@played
async def test_a_long_todo_list_shows_where_the_work_is(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        many = [Todo(str(n), f"step {n}", "completed" if n < 30 else "pending") for n in range(60)]
        on.hermes.todos.load(many)
        tick(on)
        text = await on.shows("Todo · 30 of 60 done", "✓ 30 before", "○ step 30", "more: /todo")
        assert "step 29" not in text
        assert on.main.todo.region.height <= 13


@played
async def test_on_a_narrow_screen_the_todo_list_is_one_line(tmp_path: Path) -> None:
    async with scene(tmp_path, size=(80, 24)) as on:
        on.hermes.todos.load(TODOS)
        tick(on)
        await on.shows("1 of 4 done · fix the leak")
        assert on.main.todo.region.height == 1
        await on.press("ctrl+t")
        await on.until(lambda: "fix the leak" not in on.text())
