"""Questions as numbered text: what is shown, what answers, and what never does."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any

import pytest

from hermes_tui.frontends.plain.asks import Ask, Clarify, Permission, Pick, Reply
from tests.frontends.standin import question

REPLIES = list[Reply]


def clarify(**fields: Any) -> tuple[Clarify, REPLIES]:
    replies: REPLIES = []
    return Clarify(question(1, **fields), "Question 1 of 2", replies.append), replies


def permission(**fields: Any) -> tuple[Permission, REPLIES]:
    replies: REPLIES = []
    event = question(1, "permission", **{"pattern": "terminal(git commit *)", **fields})
    return Permission(event, "Question", replies.append), replies


def shown(ask: Ask) -> list[str]:
    return ["".join(text for text, _ in line) for line in ask.lines()]


def test_a_clarifying_question_is_numbered() -> None:
    ask, _ = clarify(text="Which one?", choices=["red", "blue"])
    assert shown(ask) == ["[Question 1 of 2]", "Which one?", "  1  red", "  2  blue"]
    assert ask.prompt == "answer (1-2, or words)> "


@pytest.mark.parametrize(
    ("line", "answer"), [("2", "blue"), (" 1 ", "red"), ("green, please", "green, please"), ("2nd", "2nd")]
)
def test_a_number_or_words_answer(line: str, answer: str) -> None:
    ask, replies = clarify(choices=["red", "blue"])
    assert ask.take(line).over
    assert replies == [Reply("answered", answer)]


def test_several_numbers_answer_where_several_are_allowed() -> None:
    ask, replies = clarify(choices=["a", "b", "c"], multiple=True)
    assert ask.take("1 3").over
    assert replies == [Reply("answered", "a\nc")]


@pytest.mark.parametrize("line", ["", "   ", "3", "0", "1 2"])
def test_what_is_no_answer_is_said_and_asked_again(line: str) -> None:
    ask, replies = clarify(choices=["red", "blue"])
    taken = ask.take(line)
    assert not taken.over
    assert taken.say
    assert replies == []


def test_a_number_is_an_answer_where_there_are_no_choices() -> None:
    ask, replies = clarify(choices=[])
    assert ask.take("8080").over
    assert replies == [Reply("answered", "8080")]


def test_a_permission_shows_the_command_its_marks_and_the_letters() -> None:
    ask, _ = permission(
        text="Allow terminal?", preview="git add . && rm -rf build", marks=[(13, 25)], details=["deletes"]
    )
    assert shown(ask) == [
        "[Question: permission]",
        "Allow terminal?",
        "  | git add . && rm -rf build",
        "  asks because of: rm -rf build",
        "  deletes",
        "  y  yes, once",
        "  s  yes, for this session",
        "  a  yes, always for terminal(git commit *)",
        "  n  no",
        "  e  no, and say why",
    ]
    assert ask.prompt == "allow (y/s/a/n/e)> "


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("y", Reply("answered", "yes", "once")),
        ("YES", Reply("answered", "yes", "once")),
        ("s", Reply("answered", "yes", "session")),
        ("a", Reply("answered", "yes", "always")),
        ("n", Reply("answered", "no")),
        ("e use git rm", Reply("answered", "use git rm")),
    ],
)
def test_letters_answer_a_permission(line: str, reply: Reply) -> None:
    ask, replies = permission()
    assert ask.take(line).over
    assert replies == [reply]


@pytest.mark.parametrize("line", ["", "ok", "yes please", "1", "/quit", "read a.txt", "yy", "v"])
def test_nothing_else_consents(line: str) -> None:
    """Cases c/41: only what means it is consent."""
    ask, replies = permission()
    assert not ask.take(line).over
    assert replies == []


def test_what_would_not_be_remembered_is_not_offered() -> None:
    """A protected place: a yes counts for this one call."""
    ask, replies = permission(choices=["once", "no"], pattern="")
    for line in ("a", "always", "s", "session"):
        assert not ask.take(line).over
    assert not {"always", "session"} & set(re.findall(r"\w+", "\n".join(shown(ask))))
    assert ask.prompt == "allow (y/n/e)> "
    assert replies == []


def test_e_asks_for_the_reason_first() -> None:
    ask, replies = permission()
    assert not ask.take("e").over
    assert ask.prompt == "no, because> "
    assert ask.take("not on a Friday").over
    assert replies == [Reply("answered", "not on a Friday")]


def test_what_cannot_be_seen_in_a_command_is_marked() -> None:
    """Cases g/113: a consent covers what is shown, and all of it is."""
    ask, _ = permission(preview="ls" + " " * 60 + "; rm -rf ~\u202e\x1b[2K\u200b")
    line = shown(ask)[2]
    assert "⟨60 blanks⟩" in line
    assert "⟨U+202E⟩" in line
    assert "⟨U+200B⟩" in line
    assert "\x1b" not in line


def test_a_long_diff_is_shown_in_two_parts_and_nothing_of_it_is_lost() -> None:
    diff = "--- a\n+++ a\n@@ -0,0 +1,500 @@\n" + "".join(f"+line {n}\n" for n in range(500))
    ask, replies = permission(preview=diff)
    first = shown(ask)
    assert ask.prompt == "allow (y/s/a/n/e/v)> "
    rest = ["".join(text for text, _ in line) for line in ask.take("v").say]
    lines = [line for line in [*first, *rest] if " +line" in line]
    assert lines == [f"  | {n + 1:>3} +line {n}" for n in range(500)]
    assert replies == []


def test_closing_a_question_is_no_answer() -> None:
    for make in (clarify, permission):
        ask, replies = make()
        ask.cancel()
        assert replies == [Reply("cancelled")]


def picking(test: Callable[[], None]) -> None:
    async def run() -> None:
        test()

    asyncio.run(run())


def test_a_decision_says_no_unless_it_is_told_yes() -> None:
    def run() -> None:
        for line, picked in (("", 0), ("yes", 1), ("2", 1), ("n", 0), ("no", 0), ("y", 1)):
            pick = Pick("Go back to #1?", ["no: nothing changes", "yes: restore"], 0, "restore  a.txt")
            assert pick.take(line).over, line
            assert pick.answer.result() == picked, line

    picking(run)


def test_an_option_is_picked_by_its_number_or_its_beginning() -> None:
    def run() -> None:
        options = ["graph: what conflicts waits", "batch: all at once", "serial: in order"]
        for line, picked in (("3", 2), ("ser", 2), ("", 1), ("BATCH", 1)):
            pick = Pick("How?", options, 1)
            assert pick.take(line).over
            assert pick.answer.result() == picked
        for line in ("4", "0", "x"):
            assert not Pick("How?", options, 1).take(line).over

    picking(run)
