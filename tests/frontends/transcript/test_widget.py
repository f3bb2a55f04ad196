"""Scrolling, wrapping again, selecting, folding and searching in the mounted widget."""

from __future__ import annotations

import pytest
from textual.geometry import Offset
from textual.selection import Selection

from hermes_tui.frontends.tui import themes
from hermes_tui.frontends.tui.widgets.transcript import (
    AnswerEntry,
    BatchEntry,
    CallEntry,
    Entry,
    NoteEntry,
    ReceiptEntry,
    ThinkingEntry,
    Transcript,
    UserEntry,
)
from tests.frontends.transcript.stage import SIZE, Stage, until

LONG = "word " * 40
CALLS = BatchEntry(
    1,
    "2 calls side by side",
    (
        CallEntry("a", "read_file", "a.py", "ok", "2 lines", "needle one\nneedle two"),
        CallEntry("b", "patch", "b.py", "ok", "+1 −1", diff="--- b\n+++ b\n@@ -1 +1 @@\n-a\n+b\n"),
    ),
)


def session(messages: int) -> list[Entry]:
    entries: list[Entry] = []
    for n in range(messages // 2):
        entries += [
            UserEntry(f"question {n}"),
            AnswerEntry(f"Answer {n}:\n\n- {LONG}\n- b\n\n```py\nx = {n}\n```"),
        ]
    return entries


async def test_20_000_messages_open_at_their_end_and_only_what_is_seen_is_drawn() -> None:
    """Cases g/128: no black screen after --continue."""
    app = Stage(session(20_000))
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.rows()[-1] == "  x = 9999")
        body = app.transcript.body
        await until(pilot, lambda: len(body.blocks) == 20_000)
        assert app.rows()[-1] == "  x = 9999"
        assert sum(body.measured(index) for index in range(len(body.blocks))) < 100
        await pilot.press("home")
        await until(pilot, lambda: app.rows()[0] == "❯ question 0")
        assert sum(body.measured(index) for index in range(len(body.blocks))) < 200


async def test_what_comes_behind_the_first_frame_moves_nothing() -> None:
    app = Stage(session(1_000))
    async with app.run_test(size=SIZE) as pilot:
        transcript = app.transcript
        await until(pilot, lambda: len(transcript.body.blocks) == 1_000)
        app.transcript.clear()
        transcript.load(session(1_000))
        transcript.settle()
        transcript.scroll_to(y=0)
        top = app.rows()
        assert top[0] == "❯ question 300"
        assert transcript.search("question 7") == 11
        assert app.rows() == top
        assert len(transcript.body.blocks) == 1_000
        assert [block.index for block in transcript.body.blocks] == list(range(1_000))
        transcript.load([NoteEntry("more")])
        await until(pilot, lambda: app.rows()[-1] == "  more")


async def test_scrolling_up_through_what_was_never_drawn_skips_no_line() -> None:
    app = Stage(session(400))
    async with app.run_test(size=SIZE) as pilot:
        transcript = app.transcript
        await until(pilot, lambda: app.rows()[-1] == "  x = 199")
        before = app.rows()
        for _ in range(12):
            await pilot.press("pageup")
            after = app.rows()
            place = transcript.size.height
            assert after != before
            transcript.scroll_down(animate=False)
            assert app.rows()[:-1] == after[1:]
            transcript.scroll_up(animate=False)
            assert app.rows() == after
            transcript.scroll_to(y=transcript.scroll_y + place, animate=False)
            assert app.rows() == before
            transcript.scroll_to(y=transcript.scroll_y - place, animate=False)
            before = after


async def test_each_line_is_seen_once_on_the_way_up() -> None:
    app = Stage(session(60))
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.rows()[-1] == "  x = 29")
        seen = app.rows()
        while app.transcript.scroll_offset.y:
            app.transcript.scroll_up(animate=False)
            seen.insert(0, app.rows()[0])
        assert [row.rstrip() for row in app.transcript.text().split("\n")] == [
            f" {row}".rstrip() for row in seen
        ]


@pytest.mark.parametrize("following", [True, False])
async def test_a_new_width_wraps_again_and_keeps_the_place(following: bool) -> None:
    app = Stage([*session(40), AnswerEntry("marker " + LONG), *session(40)])
    async with app.run_test(size=SIZE) as pilot:
        transcript = app.transcript
        await until(pilot, lambda: app.rows()[-1] == "  x = 19")
        if not following:
            assert transcript.search("marker") == 1
            transcript.next_match()
            transcript.scroll_to(y=transcript.body.top(40) + 1, animate=False)
            assert app.rows()[0].startswith("marker word")
        await pilot.resize_terminal(50, 30)
        await until(pilot, lambda: transcript.body.ready and max(map(len, app.rows())) <= 50)
        await until(pilot, lambda: transcript.size.width < 51)
        await pilot.pause()
        if following:
            assert app.rows()[-1] == "  x = 19"
        else:
            assert app.rows()[0].startswith("marker word")
        assert transcript.virtual_size.width == transcript.size.width


async def test_resizing_while_an_answer_streams_loses_nothing() -> None:
    app = Stage()
    async with app.run_test(size=SIZE) as pilot:
        for n, width in enumerate([40, 120, 60, 100]):
            app.transcript.answer_delta(f"Paragraph {n}: {LONG}\n\n")
            await pilot.resize_terminal(width, 24)
        app.transcript.close_answer()
        await until(pilot, lambda: app.transcript.size.width > 90)
        words = app.transcript.text().split()
        assert words.count("word") == 160
        assert [word for word in words if word.endswith(":")] == ["0:", "1:", "2:", "3:"]


async def test_dragging_selects_and_copies_the_text_as_it_was_written() -> None:
    """Cases g/128, g/115: wrapped lines are joined, decoration is left out."""
    app = Stage([UserEntry('arr[i] = [1, "3"]'), AnswerEntry(f"- {LONG}end\n\n```py\nx = 1\n  y\n```")])
    async with app.run_test(size=(60, 20)) as pilot:
        await until(pilot, lambda: "  x = 1" in app.rows())
        await pilot.mouse_down(Transcript, offset=(1, 0))
        await pilot.hover(Transcript, offset=(30, 8))
        await pilot.mouse_up(Transcript, offset=(30, 8))
        copied = app.screen.get_selected_text()
        assert copied == f'arr[i] = [1, "3"]\n\n{LONG}end\n\nx = 1\n  y'


async def test_a_selection_stays_where_it_is_while_text_streams_in() -> None:
    app = Stage([NoteEntry("alpha beta"), NoteEntry("gamma")])
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "  gamma" in app.rows())
        await pilot.mouse_down(Transcript, offset=(3, 0))
        await pilot.hover(Transcript, offset=(8, 0))
        await pilot.mouse_up(Transcript, offset=(8, 0))
        assert app.screen.get_selected_text() == "alpha"
        for n in range(60):
            app.transcript.note(f"more {n}")
        await until(pilot, lambda: app.rows()[-1] == "  more 59")
        assert app.screen.get_selected_text() == "alpha"


async def test_a_double_click_selects_one_block_and_select_all_everything() -> None:
    app = Stage([NoteEntry("one\n[two]"), AnswerEntry("**bold** and\nmore"), NoteEntry("three")])
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "  three" in app.rows())
        await pilot.click(Transcript, offset=(4, 3), times=2)
        assert app.screen.get_selected_text() == "bold and\nmore"
        whole = app.transcript.get_selection(Selection(None, None))
        assert whole == ("one\n[two]\n\nbold and\nmore\n\nthree", "\n")
        assert app.transcript.get_selection(Selection(Offset(0, 0), Offset(6, 0))) == ("one", "\n")


async def test_a_click_unfolds_a_row_and_keys_go_from_detail_to_detail() -> None:
    app = Stage([CALLS, NoteEntry("after")])
    async with app.run_test(size=SIZE) as pilot:
        folded = [
            "▾ 2 calls side by side",
            "  ✓ read_file  a.py   2 lines ▸",
            "  ✓ patch      b.py   +1 −1",
            "    │ 1 − a",
            "    │ 1 + b",
            "",
            "  after",
        ]
        await until(pilot, lambda: app.rows()[:7] == folded)
        await pilot.click(Transcript, offset=(6, 1))
        await until(pilot, lambda: app.rows()[2:4] == ["    │ needle one", "    │ needle two"])
        await pilot.press("enter")
        await until(pilot, lambda: app.rows()[:7] == folded)
        await pilot.press("k", "enter")
        await until(pilot, lambda: app.rows()[:3] == ["▸ 2 calls side by side", "", "  after"])
        await pilot.press("enter", "j", "space")
        await until(pilot, lambda: app.rows()[2] == "    │ needle one")
        await pilot.press("o", "o")
        await until(pilot, lambda: app.rows()[:7] == folded)


async def test_search_finds_counts_marks_and_unfolds() -> None:
    entries = [*session(100), CALLS, *session(100)]
    app = Stage(entries)
    async with app.run_test(size=SIZE) as pilot:
        transcript = app.transcript
        await until(pilot, lambda: app.rows()[-1] == "  x = 49")
        assert transcript.search("NEEDLE") == 2
        assert transcript.previous_match() == 2
        await until(pilot, lambda: "    │ needle two" in app.rows())
        assert transcript.next_match() == 1
        assert transcript.search("nowhere") == 0
        assert transcript.next_match() == 0
        assert transcript.search("question 7") == 2
        assert transcript.search("[/foo") == 0
        assert transcript.search("") == 0


async def test_a_match_is_marked_and_the_current_one_stands_out() -> None:
    app = Stage([NoteEntry("find me, and me")])
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "find me" in app.rows()[0])
        assert app.transcript.search("me") == 2
        app.transcript.next_match()
        styles = [
            segment.style.bgcolor
            for segment in app.transcript.render_line(0)
            if segment.text == "me" and segment.style
        ]
        assert len(set(styles)) == 2


@pytest.mark.parametrize("size", [(100, 30), (60, 16)])
@pytest.mark.parametrize("name", themes.names())
async def test_every_kind_of_block_is_drawn_in_every_theme_exactly_as_wide_as_the_widget(
    name: str, size: tuple[int, int]
) -> None:
    answer = (
        "# H\n\n`a` [l](http://x)\n\n```py\nx = 'a'\n```\n\n| a |\n|---|\n| 漢 |\n\n> q 👩‍👩‍👧\n\n"
        + "- " * 30
    )
    notes: list[Entry] = [NoteEntry(text, text) for text in ("info", "warning", "error")]
    kinds: list[Entry] = [
        UserEntry("u"),
        ThinkingEntry("t\nt"),
        CALLS,
        ReceiptEntry(("i", "r")),
        AnswerEntry(answer),
    ]
    app = Stage([*kinds, *notes])
    async with app.run_test(size=size) as pilot:
        app.register_theme(themes.load(name))
        app.theme = name
        await pilot.pause()
        await pilot.press("o")
        transcript = app.transcript
        transcript.text()
        lines = [
            line for index in range(len(transcript.body.blocks)) for line in transcript.body.lines(index)
        ]
        assert {line.strip.cell_length for line in lines} == {transcript.scrollable_content_region.width}
        assert {transcript.render_line(y).cell_length for y in range(size[1])} == {transcript.size.width}
        assert "needle two" in transcript.text()


HOSTILE = (
    "a\x1b[2J\x1b[1;1Hb\x1b[?1049h\x1b]0;t\x07\x1b]8;;http://x\x1b\\y\x1b]52;c;aGk=\x07\x9b1m\x00\u202e"
    "[/] [@click=app.quit]x[/]"
)


async def test_nothing_hostile_is_live_in_what_is_painted() -> None:
    """Cases g/112, g/113, g/116: every way in, all characters, no style that acts."""
    app = Stage()
    async with app.run_test(size=(100, 60)) as pilot:
        transcript = app.transcript
        transcript.user(HOSTILE)
        transcript.thinking_delta(HOSTILE)
        for note in ("info", "warning", "error"):
            transcript.note(HOSTILE, note)
        transcript.begin_batch(1, HOSTILE)
        transcript.call(1, "c", HOSTILE, HOSTILE, HOSTILE, display=HOSTILE, detail=HOSTILE)
        transcript.diff("c", f"--- {HOSTILE}\n+++ {HOSTILE}\n@@ -1 +1 @@\n-{HOSTILE}\n+{HOSTILE}!\n")
        transcript.receipt([HOSTILE, HOSTILE])
        for character in f"{HOSTILE}\n\n```{HOSTILE}\n{HOSTILE}\n":
            transcript.answer_delta(character)
        transcript.close_answer()
        await pilot.press("o")
        await until(pilot, lambda: "⟨U+202E⟩" in "".join(app.rows()))
        painted = transcript.render_lines(transcript.size.region)
        characters = {character for strip in painted for character in strip.text}
        assert [c for c in characters if ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 or c == "\u202e"] == []
        styles = [segment.style for strip in painted for segment in strip if segment.style]
        assert [style for style in styles if style.link or style.meta] == []
        assert transcript.text().count("[@click=app.quit]x[/]") > 8


async def test_a_megabyte_of_output_in_one_note_is_drawn_in_parts() -> None:
    app = Stage()
    async with app.run_test(size=SIZE) as pilot:
        app.transcript.note("\n".join(f"line {n}" for n in range(100_000)))
        app.transcript.user("x" * 1_000_000)
        await until(pilot, lambda: app.rows()[-1].endswith("xxx"))
        body = app.transcript.body
        assert sum(body.measured(index) for index in range(len(body.blocks))) < 30
        app.transcript.scroll_home(animate=False)
        assert app.rows()[:3] == ["  line 0", "  line 1", "  line 2"]
        last = app.transcript.get_selection(Selection(Offset(0, (len(body.blocks) - 240) << 24), None))
        assert last is not None
        assert last[0].count("x") == 240 * 4096 + 1_000_000 % 4096 - 4096 or "x" * 900_000 in last[0]
