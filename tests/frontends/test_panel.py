"""The Runs panel on the screen: live rows, its keys, its one timer, the strip that opens."""

from __future__ import annotations

from pathlib import Path

from hermes_tui.engine import events as ev
from tests.frontends.scene import Scene, played, scene
from tests.frontends.standin import Step, question

STEPS: list[Step] = [
    ("a", "read_file", {"path": "csv.py"}),
    ("b", "terminal", {"command": "sleep 60"}),
    ("c", "search_files", {"pattern": "open", "path": "."}),
]


async def running(on: Scene) -> None:
    """A batch of three side by side, one of them over."""
    on.turn.start()
    on.turn.batch(STEPS, True, "parallel: all only read, no path shared")
    on.turn.began("a", "b", "c")
    on.turn.ended("a", content="line 1\nline 2\n" + "x" * 300, display="184 lines")
    on.turn.output("b", "still there\n")
    await on.shows("Batch 1 · 3 side by side", "✓ 1 read_file", "still there")


@played
async def test_a_batch_is_shown_live_with_its_reason(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await running(on)
        text = on.text()
        assert "all only read, no path shared" in text
        assert "━" in text
        on.turn.put(ev.CallWaiting(batch=1, id="c", why="waits for your answer"))
        on.turn.ended("b", display="exit 0")
        on.turn.ended("c", display="12 matches")
        on.turn.batch_ended(1.1, 2.6)
        await on.shows("1.1 s instead of 2.6 s")
        on.turn.batch([("d", "patch", {"path": "a.py"})], False, "one call")
        await on.shows("Batch 2 · 1 call", "Batch 1 · 3 calls · 1.1 s instead of 2.6 s")


@played
async def test_a_call_that_waits_says_for_whom(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        on.turn.batch(
            STEPS[:2], False, "serial: both touch src/a.py", {1: "waits for #1: both touch src/a.py"}
        )
        on.turn.began("a")
        await on.shows("2 one after another", "waits for #1: both touch")


@played
async def test_the_one_timer_runs_only_while_a_batch_is_open(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        timer = on.main.panel.timer
        assert timer is not None
        assert not timer._active.is_set()
        await running(on)
        assert timer._active.is_set()
        for call_id in ("b", "c"):
            on.turn.ended(call_id)
        on.turn.batch_ended()
        await on.until(lambda: not timer._active.is_set())


@played
async def test_k_stops_the_chosen_call_alone_and_only_with_the_focus(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await running(on)
        await on.type("k")
        assert on.main.prompt.text == "k"
        await on.press("tab", "k")
        assert on.agent.asked == [("interrupt", "b", False)]
        await on.press("up", "k")
        assert len(on.agent.asked) == 1, "a call that is over cannot be stopped"


@played
async def test_enter_opens_the_whole_output_and_escape_goes_back_in_steps(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await running(on)
        await on.press("tab", "up", "enter")
        await on.shows("read_file csv.py", "line 2")
        await on.press("escape")
        assert on.main.panel.has_focus
        await on.press("escape")
        assert on.main.prompt.has_focus
        assert on.agent.asked == []


@played
async def test_an_old_batch_unfolds_on_enter(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await running(on)
        for call_id in ("b", "c"):
            on.turn.ended(call_id)
        on.turn.batch_ended()
        on.turn.batch([("d", "patch", {"path": "a.py"})], False, "one call")
        await on.shows("Batch 1 · 3 calls")
        await on.press("tab", "down", "down", "down", "enter")
        await on.shows("Batch 1 · 3 side by side")
        await on.press("enter")
        await on.shows("Batch 1 · 3 calls")


@played
async def test_a_click_chooses_a_call_and_a_double_click_opens_it(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await running(on)
        await on.pilot.click("RunsPanel", offset=(6, 2), times=2)
        await on.shows("line 2")


@played
async def test_the_strip_of_a_narrow_screen_opens_with_the_focus(tmp_path: Path) -> None:
    async with scene(tmp_path, size=(80, 24)) as on:
        assert not on.main.panel.display
        on.turn.start()
        on.turn.batch(STEPS, True, "parallel: all only read")
        on.turn.began("a", "b", "c")
        await on.shows("0 of 3 ·", "side by side", "csv.py")
        assert "Batch 1" not in on.text()
        await on.press("tab")
        await on.shows("Batch 1 · 3 side by side", "sleep 60")
        await on.press("escape")
        await on.shows("0 of 3 ·")


@played
async def test_checkpoints_stand_where_they_were_taken(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await running(on)
        on.turn.put(ev.CheckpointMade(number=12, label="before terminal", files=1, seconds=0.001))
        await on.shows("⚑ checkpoint #12 · before · 1 file · 1 ms")


@played
async def test_a_checkpoint_stands_before_the_call_it_was_made_for(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        edits: list[Step] = [(c, "patch", {"path": f"{c}.py"}) for c in "ab"]
        on.turn.batch(edits, False, "serial: x", item={"writes": [str(tmp_path / "x.py")]})
        on.turn.began("a")
        on.turn.put(ev.CheckpointMade(number=12, label="before patch", files=1, seconds=0.001))
        on.turn.ended("a")
        on.turn.began("b")
        on.turn.put(ev.CheckpointMade(number=13, label="before patch", files=1, seconds=0.001))
        text = await on.shows("#13", "2 patch")
        order = [text.index(part) for part in ("checkpoint #12", "1 patch", "checkpoint #13", "2 patch")]
        assert order == sorted(order)


@played
async def test_an_interrupt_leaves_a_receipt(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await running(on)
        on.turn.ended("b", "cancelled", "still there\n[interrupted]")
        on.turn.ended("c", "cancelled")
        on.turn.batch_ended()
        on.turn.end("interrupted")
        await on.shows(
            "Interrupted by you after",
            "1 finished · 2 cancelled (output kept) · 0 never started",
            "no file has changed",
        )


@played
async def test_the_receipt_keeps_no_output_of_a_question(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        on.turn.batch([("q", "clarify", {"question": "Which?"})], False, "one call")
        on.turn.began("q")
        on.turn.ended("q", "cancelled", "interrupted by the user, no answer; this is no consent")
        on.turn.batch_ended()
        on.turn.end("interrupted")
        await on.shows("0 finished · 1 cancelled · 0 never started")


@played
async def test_a_sub_agents_batch_is_shown_as_one(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await running(on)
        plan = {"parallel": False, "reason": "one call", "calls": []}
        on.turn.put(
            ev.BatchPlanned(batch=7, plan=plan, agent="b"), ev.TextDelta(text="inner talk", agent="b")
        )
        await on.shows("Sub-agent b · batch 7")
        assert "inner talk" not in on.text()


@played
async def test_an_edit_is_shown_as_a_diff_once_it_is_done(tmp_path: Path) -> None:
    diff = "--- a.py\n+++ a.py\n@@ -1 +1 @@\n-old words\n+new words\n"
    async with scene(tmp_path) as on:
        on.turn.start()
        on.turn.batch([("c1", "patch", {"path": "a.py"})], False, "one call")
        on.turn.put(question(1, "permission", preview=diff))
        await on.shows("Question 1?")
        on.turn.put(ev.QuestionAnswered(id="q1", how="answered", answer="yes", scope="once"))
        on.turn.began("c1")
        on.turn.ended("c1", "ok", "updated a.py", "+1 −1")
        await on.until(lambda: "new words" in on.main.transcript.text())
