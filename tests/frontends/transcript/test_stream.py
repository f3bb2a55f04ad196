"""Answers that stream into the widget: nothing lost, nothing drawn twice, the place kept."""

from __future__ import annotations

import random

from hermes_tui.frontends.tui.widgets.transcript import AnswerEntry, Entry, NoteEntry, Transcript, UserEntry
from tests.frontends.transcript.stage import SIZE, Stage, until

PARAGRAPH = (
    "Paragraph {n} says **something** about `code` and then it goes on for a while, until it ends.\n\n"
)


def markdown(size: int) -> str:
    parts: list[str] = []
    for n in range(size // 170):
        parts.append(PARAGRAPH.format(n=n))
        parts.append(f"```python\ndef f{n}():\n    return {n}\n```\n\n- one {n}\n- two\n\n")
    return "".join(parts)


async def test_300_kb_in_small_chunks_end_as_the_text_that_was_sent() -> None:
    """Cases g/124."""
    text = markdown(300_000)
    app = Stage()
    async with app.run_test(size=SIZE) as pilot:
        transcript = app.transcript
        await until(pilot, lambda: transcript.body.ready)
        frames = 0
        transcript.open_answer()
        for at in range(0, len(text), 10):
            transcript.answer_delta(text[at : at + 10])
            if at % 3000 == 0:
                await pilot.pause()
                frames += 1
        transcript.close_answer()
        assert transcript.last_answer() == text
        whole = Transcript()
        whole.load([AnswerEntry(text)])
        assert [block.source() for block in transcript.body.blocks] == [
            block.source() for block in whole.body.blocks
        ]
        await until(pilot, lambda: app.rows()[-1] == "• two")
        assert transcript.scroll_offset.y == transcript.max_scroll_y


async def test_random_chunks_are_drawn_like_the_whole() -> None:
    text = markdown(6_000) + "```python\nunclosed = 1"
    app, loaded = Stage(), Stage([AnswerEntry(text), UserEntry("next")])
    async with loaded.run_test(size=SIZE):
        expected = loaded.transcript.text()
    async with app.run_test(size=SIZE) as pilot:
        rest = text
        chance = random.Random(7)
        while rest:
            size = chance.randrange(1, 40)
            app.transcript.answer_delta(rest[:size])
            rest = rest[size:]
            if chance.random() < 0.2:
                await pilot.pause()
                app.transcript.text()
        app.transcript.close_answer()
        app.transcript.user("next")
        assert app.transcript.text() == expected
        assert app.transcript.text().endswith("   unclosed = 1\n\n ❯ next")


async def test_an_unclosed_fence_does_not_swallow_the_next_message() -> None:
    """Cases g/125."""
    app = Stage()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.answer_delta("look:\n```py\nx = 1")
        app.transcript.close_answer()
        app.transcript.user("and **now**?")
        app.transcript.answer_delta("*so*")
        app.transcript.close_answer()
        await until(pilot, lambda: "so" in app.rows())
        assert app.rows()[:7] == ["look:", "", "  x = 1", "", "❯ and **now**?", "", "so"]


async def test_an_idle_transcript_has_no_timer() -> None:
    app = Stage()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.answer_delta("hello")
        await until(pilot, lambda: "hello" in app.rows())
        await until(pilot, lambda: app.transcript._frame is None)
        assert [timer for timer in app.transcript._timers if not timer._task or not timer._task.done()] == []


async def test_a_burst_of_deltas_is_one_frame() -> None:
    app = Stage()
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.transcript.body.ready)
        first = None
        for _ in range(5000):
            app.transcript.answer_delta("word ")
            first = first or app.transcript._frame
            assert app.transcript._frame is first
        assert app.transcript.body.blocks == []
        await until(pilot, lambda: app.transcript.body.blocks)


async def test_what_happens_during_an_answer_stands_before_its_open_paragraph() -> None:
    app = Stage()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.answer_delta("first\n\nsecond\nbegins")
        app.transcript.note("by the way")
        app.transcript.answer_delta(" and ends")
        app.transcript.close_answer()
        await until(pilot, lambda: "begins and ends" in app.rows())
        assert app.rows()[:6] == ["first", "", "  by the way", "", "second", "begins and ends"]


async def test_thinking_is_one_line_until_it_is_unfolded() -> None:
    app = Stage()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.thinking_delta("first I\nlook, ")
        app.transcript.thinking_delta("then [I] leap")
        await until(pilot, lambda: app.rows()[0] == "▸ thinking · 2 lines · look, then [I] leap")
        app.transcript.answer_delta("done")
        await until(pilot, lambda: "done" in app.rows())
        assert app.rows()[:3] == ["▸ thought · 2 lines · look, then [I] leap", "", "done"]
        await pilot.click(Transcript, offset=(5, 0))
        await until(pilot, lambda: app.rows()[0] == "▾ thought · 2 lines")
        assert app.rows()[:5] == ["▾ thought · 2 lines", "  first I", "  look, then [I] leap", "", "done"]


async def test_the_place_is_kept_while_text_streams_and_following_resumes_at_the_end() -> None:
    """Cases g/128."""
    entries: list[Entry] = [NoteEntry(f"note {n}") for n in range(100)]
    app = Stage(entries)
    async with app.run_test(size=SIZE) as pilot:
        transcript = app.transcript
        await until(pilot, lambda: app.rows()[-1] == "  note 99")
        await pilot.press("pageup")
        await until(pilot, lambda: not transcript.following)
        top = app.rows()[0]
        for n in range(40):
            transcript.answer_delta(PARAGRAPH.format(n=n))
            await pilot.pause()
        await until(pilot, lambda: transcript.has_news and len(transcript.body.blocks) > 130)
        assert app.rows()[0] == top
        assert app.news == [True]
        await pilot.press("pageup")
        await pilot.press("end")
        transcript.answer_delta("the end")
        await until(pilot, lambda: app.rows()[-1].strip() == "the end")
        await until(pilot, lambda: app.news == [True, False])


async def test_a_prompt_brings_the_view_back_to_the_end() -> None:
    app = Stage([NoteEntry(f"note {n}") for n in range(100)])
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.rows()[-1] == "  note 99")
        await pilot.press("home")
        await until(pilot, lambda: app.rows()[0] == "  note 0")
        app.transcript.user("here I am")
        await until(pilot, lambda: app.rows()[-1] == "❯ here I am")


async def test_clear_empties_it_and_it_goes_on_from_there() -> None:
    app = Stage([NoteEntry(f"note {n}") for n in range(100)])
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.answer_delta("half an answ")
        app.transcript.clear()
        await until(pilot, lambda: app.transcript.virtual_size.height == 0)
        assert app.rows()[0] == app.transcript.last_answer() == ""
        app.transcript.note("again")
        await until(pilot, lambda: app.rows()[0] == "  again")
