"""Questions: one dialog at a time, never under the fingers, cancel is no consent."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_tui.engine import events as ev
from tests.frontends.scene import Scene, played, scene
from tests.frontends.standin import question

DIFF = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n-old [/b]\n+new list[int]\n"


async def asked(on: Scene, *questions: ev.QuestionAsked) -> None:
    """Ask during a turn, and wait for the first dialog."""
    on.turn.start()
    on.turn.put(*questions)
    await on.shows("Question")
    await on.until(lambda: on.app.screen.focused is not None)


@played
async def test_two_questions_show_one_dialog_after_the_other(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await asked(on, question(1), question(2))
        text = await on.shows("Question 1 of 2", "Question 1?")
        assert "Question 2?" not in text
        await on.press("2")
        await on.shows("Question 2 of 2", "Question 2?")
        await on.until(lambda: on.app.screen.focused is not None)
        await on.press("down", "enter")
        await on.until(lambda: len(on.app.screen_stack) == 1)
        assert on.agent.asked == [
            ("answer", "q1", "answered", "two", None),
            ("answer", "q2", "answered", "two", None),
        ]
        assert on.app.focused is on.main.prompt


@played
async def test_a_question_that_comes_later_is_counted_in_the_open_dialog(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await asked(on, question(1))
        on.turn.put(question(2), question(3))
        await on.shows("Question 1 of 3")


@played
async def test_no_dialog_opens_while_the_user_types(tmp_path: Path) -> None:
    async with scene(tmp_path, guards=(0.6, 0.0)) as on:
        on.turn.start()
        await on.type("writing")
        on.turn.put(question(1))
        await on.shows("1 question for you")
        assert len(on.app.screen_stack) == 1
        await on.type(" on")
        assert on.main.prompt.text == "writing on"
        await on.shows("Question 1?")
        assert on.agent.asked == []
        assert "question for you" not in on.text()


@played
async def test_no_dialog_opens_while_the_user_types_elsewhere(tmp_path: Path) -> None:
    async with scene(tmp_path, guards=(2.0, 0.0)) as on:
        on.turn.start()
        await on.press("ctrl+p")
        await on.shows("what do you want to do?")
        await on.press("s")
        on.turn.put(question(1))
        await on.shows("1 question for you")
        assert len(on.app.screen_stack) == 2, "the palette is open, no dialog over it yet"
        await on.press("a")
        await on.shows("Question 1?")
        await on.press("1")
        on.turn.put(question(2))
        await on.shows("Question 2?")
        assert on.agent.asked == [("answer", "q1", "answered", "one", None)]


@played
async def test_a_new_dialog_takes_no_key_at_first_but_ctrl_c(tmp_path: Path) -> None:
    async with scene(tmp_path, guards=(0.0, 60.0)) as on:
        on.turn.start()
        on.turn.put(question(1, "permission"))
        await on.shows("Question 1?")
        await on.press("y", "a", "n", "1", "enter", "escape", "tab")
        assert on.agent.asked == []
        await on.shows("Question 1?")
        await on.press("ctrl+c")
        await on.until(lambda: on.agent.asked)
        assert on.agent.asked == [("interrupt", None, False), ("answer", "q1", "cancelled", "", None)]


@played
async def test_ctrl_c_closes_the_question_interrupts_and_is_no_answer(tmp_path: Path) -> None:
    """Cases c/37: never an answer, never a refusal."""
    async with scene(tmp_path) as on:
        await asked(on, question(1))
        await on.press("ctrl+c")
        await on.until(lambda: len(on.app.screen_stack) == 1)
        assert on.agent.asked == [("interrupt", None, False), ("answer", "q1", "cancelled", "", None)]


@played
async def test_an_open_dialog_does_not_hold_ctrl_c(tmp_path: Path) -> None:
    """Cases c/38: three presses always leave."""
    async with scene(tmp_path) as on:
        await asked(on, question(1), question(2))
        await on.press("ctrl+c", "ctrl+c", "ctrl+c")
        await on.until(lambda: not on.app.is_running)


@played
async def test_escape_ends_the_question_and_the_turn_goes_on(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await asked(on, question(1))
        await on.press("escape")
        await on.until(lambda: len(on.app.screen_stack) == 1)
        assert on.agent.asked == [("answer", "q1", "cancelled", "", None)]


@played
async def test_a_question_that_ends_elsewhere_closes_its_dialog(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await asked(on, question(1), question(2))
        on.turn.put(ev.QuestionAnswered(id="q2", how="answered", answer="one", scope=None))
        on.turn.put(ev.QuestionAnswered(id="q1", how="cancelled", answer="", scope=None))
        await on.until(lambda: len(on.app.screen_stack) == 1)
        assert on.agent.asked == []


@played
async def test_the_batch_goes_on_visibly_behind_the_dialog(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        on.turn.start()
        on.turn.batch([("a", "terminal", {"command": "make"})], False, "one call")
        on.turn.began("a")
        on.turn.put(question(1))
        await on.shows("Question 1?", "Batch 1 · 1 call")
        on.turn.output("a", "compiling x.c\n")
        await on.shows("compiling x.c", "Question 1?")


@played
async def test_a_free_answer_may_have_several_lines(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await asked(on, question(1))
        await on.type("no")
        await on.press("ctrl+j")
        await on.type("neither")
        await on.press("enter")
        await on.until(lambda: on.agent.asked)
        assert on.agent.asked == [("answer", "q1", "answered", "no\nneither", None)]


@played
async def test_a_question_without_choices_takes_a_free_answer_and_no_empty_one(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await asked(on, question(1, choices=[]))
        await on.press("enter")
        await on.pilot.pause()
        assert on.agent.asked == []
        await on.type("7")
        await on.press("enter")
        await on.until(lambda: on.agent.asked == [("answer", "q1", "answered", "7", None)])


@played
async def test_several_choices_can_be_ticked(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await asked(on, question(1, choices=["one", "two", "three"], multiple=True))
        await on.press("3", "up", "up", "space")
        await on.shows("1  ☑ one", "2  ☐ two", "3  ☑ three")
        await on.press("enter")
        await on.until(lambda: on.agent.asked == [("answer", "q1", "answered", "one\nthree", None)])


PERMISSIONS = [
    ("y", ("answer", "q1", "answered", "yes", "once")),
    ("s", ("answer", "q1", "answered", "yes", "session")),
    ("a", ("answer", "q1", "answered", "yes", "always")),
    ("n", ("answer", "q1", "answered", "no", None)),
]


@pytest.mark.parametrize(("key", "answer"), PERMISSIONS)
def test_a_permission_is_given_by_its_key(tmp_path: Path, key: str, answer: tuple[object, ...]) -> None:
    @played
    async def play() -> None:
        async with scene(tmp_path) as on:
            await asked(on, question(1, "permission", pattern="terminal(git commit *)"))
            await on.shows("always for terminal(git commit *)")
            await on.press("enter", "space")
            assert on.agent.asked == [], "Enter consents to nothing"
            await on.press(key)
            await on.until(lambda: on.agent.asked == [answer])

    play()


@played
async def test_what_would_not_be_remembered_is_not_offered(tmp_path: Path) -> None:
    """A protected place: a yes counts for this one call."""
    async with scene(tmp_path) as on:
        await asked(on, question(1, "permission", choices=["once", "no"]))
        assert "always for" not in on.text()
        assert "this session" not in on.text()
        await on.press("a", "s")
        await on.pilot.pause()
        assert on.agent.asked == []


@played
async def test_a_no_can_say_why(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await asked(on, question(1, "permission"))
        await on.press("e")
        await on.type("yes y s a use tabs")
        assert on.agent.asked == []
        await on.press("enter")
        await on.until(lambda: on.agent.asked)
        assert on.agent.asked == [("answer", "q1", "answered", "yes y s a use tabs", None)]


@played
async def test_escape_closes_the_reason_before_the_question(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await asked(on, question(1, "permission"))
        await on.press("e", "escape")
        await on.shows("Question 1?")
        assert on.agent.asked == []
        await on.press("y")
        await on.until(lambda: on.agent.asked)
        assert on.agent.asked == [("answer", "q1", "answered", "yes", "once")]


@played
async def test_the_whole_of_a_padded_command_and_its_reasons_are_seen(tmp_path: Path) -> None:
    """Cases l/188: blanks are counted, what is invisible is named, the dangerous part is in sight."""
    command = "ls" + " " * 300 + "; rm -rf x \u202e\u200b# \x1b[8mhidden"
    async with scene(tmp_path) as on:
        await asked(
            on, question(1, "permission", preview=command, marks=[(304, 312)], details=["`rm` deletes"])
        )
        await on.shows("ls⟨300 blanks⟩; rm -rf x ⟨U+202E⟩⟨U+200B⟩#", "[8mhidden", "`rm` deletes")


@pytest.mark.parametrize("size", [(120, 32), (80, 24), (60, 16)])
def test_the_keys_stay_in_sight_below_a_long_preview(tmp_path: Path, size: tuple[int, int]) -> None:
    @played
    async def play() -> None:
        async with scene(tmp_path, size=size) as on:
            preview = "\n".join(f"echo line {n}" for n in range(200))
            await asked(on, question(1, "permission", preview=preview, details=["writes", "network"]))
            await on.shows("once", "say why not", "echo line 0")
            await on.press(*["pagedown"] * 3)
            await on.until(lambda: "echo line 0" not in on.text().split())
            await on.press("end")
            await on.shows("echo line 199", "once")

    play()


@played
async def test_an_edit_is_asked_with_its_diff(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await asked(on, question(1, "permission", preview=DIFF))
        await on.shows("-old [/b]", "+new list[int]")


@played
async def test_markup_in_a_question_is_text(tmp_path: Path) -> None:
    """Cases g/112 for the dialogs."""
    nasty = "[/foo] list[int] [@click=app.quit]x[/] [/"
    async with scene(tmp_path) as on:
        await asked(on, question(1, text=nasty, choices=[nasty, f"b {nasty}"]))
        await on.shows(nasty, f"2  b {nasty}")
        await on.press("escape")
        fields = {"text": nasty, "preview": nasty, "details": [nasty], "pattern": nasty}
        on.turn.put(question(2, "permission", **fields))
        await on.until(lambda: on.text().count(nasty) == 4)


@played
async def test_an_answer_that_comes_too_late_is_said(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await asked(on, question(1))
        on.agent.late = True
        await on.press("1")
        await on.shows("the answer came too late")


@played
async def test_tab_puts_a_question_off_and_its_draft_stands_there_again(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await asked(on, question(1), question(2, "permission"))
        await on.shows("Question 1 of 2")
        await on.type("half an ans")
        await on.press("tab")
        await on.shows("Question 2 of 2", "git commit -m wip")
        await on.until(lambda: on.app.screen.focused is not None)
        await on.press("tab")
        await on.shows("2 questions for you: ^Q")
        assert on.main.prompt.has_focus
        assert on.agent.asked == [], "put off is not answered"
        await on.press("ctrl+q")
        await on.shows("Question 1 of 2", "half an ans")
        await on.type("wer")
        await on.press("enter")
        await on.shows("Question 2 of 2")
        await on.until(lambda: on.app.screen.focused is not None)
        await on.press("y")
        await on.until(lambda: len(on.app.screen_stack) == 1)
        assert on.agent.asked == [
            ("answer", "q1", "answered", "half an answer", None),
            ("answer", "q2", "answered", "yes", "once"),
        ]
        assert "for you" not in on.text()


@played
async def test_what_was_ticked_is_ticked_when_the_question_comes_back(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await asked(on, question(1, choices=["one", "two", "three"], multiple=True))
        await on.press("3", "1", "tab")
        await on.shows("1 question for you: ^Q")
        await on.press("ctrl+q")
        await on.shows("1  ☑ one", "2  ☐ two", "3  ☑ three")
        await on.press("down", "space", "enter")
        await on.until(lambda: on.agent.asked == [("answer", "q1", "answered", "one\ntwo\nthree", None)])


@played
async def test_a_question_that_ends_while_it_is_put_off_is_gone(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await asked(on, question(1))
        await on.press("tab")
        await on.shows("1 question for you")
        on.turn.put(ev.QuestionAnswered(id="q1", how="cancelled", answer="", scope=None))
        await on.until(lambda: "for you" not in on.text())
        await on.press("ctrl+q")
        assert len(on.app.screen_stack) == 1
        on.turn.put(question(2, position=1, total=1))
        await on.shows("Question 2?")
        assert "2 of" not in on.text(), "a new series counts from one"


@played
async def test_a_new_question_opens_while_an_older_one_is_put_off(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await asked(on, question(1))
        await on.press("tab")
        await on.shows("1 question for you")
        on.turn.put(question(2))
        await on.shows("Question 2 of 2", "Question 2?")
        await on.until(lambda: on.app.screen.focused is not None)
        await on.press("escape")
        await on.shows("1 question for you")
        assert on.agent.asked == [("answer", "q2", "cancelled", "", None)]


@played
async def test_a_reason_for_a_no_survives_being_put_off(tmp_path: Path) -> None:
    async with scene(tmp_path) as on:
        await asked(on, question(1, "permission"))
        await on.press("e")
        await on.type("use tabs")
        await on.press("tab")
        await on.shows("1 question for you")
        await on.press("ctrl+q")
        await on.shows("use tabs")
        await on.type("!")
        await on.press("enter")
        await on.until(lambda: on.agent.asked == [("answer", "q1", "answered", "use tabs!", None)])


@played
async def test_an_edit_is_asked_with_the_numbers_of_its_lines(tmp_path: Path) -> None:
    hunk = "@@ -97,3 +97,3 @@ class A\n def load(path):\n-    f = open(path)\n+    with it:\n     pass\n"
    diff = f"--- a.py\n+++ a.py\n{hunk}--- b.py\n+++ b.py\n@@ -5 +5 @@\n--- x\n+y\n"
    async with scene(tmp_path) as on:
        await asked(on, question(1, "permission", preview=diff))
        await on.shows("97  def load(path):", "98 -    f = open(path)", "98 +    with it:", "99      pass")
        await on.shows("--- b.py", "5 --- x", "5 +y")
