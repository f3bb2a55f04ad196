"""clarify: an answer is what the user said; nothing else is one."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from hermes_tui.engine.errors import Interrupted
from hermes_tui.engine.footprint import Footprint, Level
from hermes_tui.engine.protocols import Result
from hermes_tui.engine.state import Asker, Question, Reply
from hermes_tui.tools.clarify import TOOL
from tests.tools.support import Session


@dataclass
class Person:
    """Answers every question in the same way, and remembers them."""

    reply: Reply
    asked: list[Question] = field(default_factory=list)

    def ask(self, question: Question) -> Reply:
        self.asked.append(question)
        return self.reply


def ask(folder: Path, reply: Reply, **arguments: object) -> tuple[Result, list[Question]]:
    """Run the tool before a person; return the result and what the person was asked."""
    session, person = Session(folder), Person(reply)
    session.states[Asker] = person
    return session.run(TOOL, **arguments), person.asked


def test_the_answer_is_what_the_user_said(tmp_path: Path) -> None:
    result, asked = ask(
        tmp_path, Reply("answered", "[/b] MySQL"), question=" Which? ", choices=["A", " B ", "A"]
    )
    assert result == Result("[/b] MySQL", display="answered: [/b] MySQL")
    assert asked == [Question("Which?", ("A", "B"))]


def test_choices_may_be_left_out(tmp_path: Path) -> None:
    assert ask(tmp_path, Reply("answered", "x"), question="Why?")[1] == [Question("Why?")]
    assert ask(tmp_path, Reply("answered", "x"), question="Why?", choices=None)[1] == [Question("Why?")]


def test_several_choices_may_be_taken_where_the_model_allows_it(tmp_path: Path) -> None:
    reply = Reply("answered", "A\nB")
    result, asked = ask(tmp_path, reply, question="Which?", choices=["A", "B"], multiple=True)
    assert result.content == "A\nB"
    assert asked == [Question("Which?", ("A", "B"), multiple=True)]
    assert ask(tmp_path, reply, question="Which?", choices=["A"], multiple=True)[1] == [
        Question("Which?", ("A",))
    ]


def test_a_closed_question_is_no_answer(tmp_path: Path) -> None:
    with pytest.raises(Interrupted, match="interrupted by the user, no answer; this is no consent"):
        ask(tmp_path, Reply("cancelled"), question="Delete it?", choices=["yes", "no"])


def test_nobody_there_is_no_consent(tmp_path: Path) -> None:
    result, _ = ask(tmp_path, Reply("refused"), question="Delete it?")
    assert result == Result("nobody is there to answer; this is no consent", display="nobody there", ok=False)


def test_it_is_interactive_and_touches_nothing(tmp_path: Path) -> None:
    assert TOOL.footprint({"question": "Why?"}, tmp_path) == Footprint(Level.INTERACTIVE)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "needed: question"),
        ({"question": "  "}, "the question is empty; send one full sentence"),
        ({"question": "Which?", "choices": ["a", " "]}, "one of the choices is empty"),
        ({"question": "Which?", "choices": list("abcde")}, "choices: expected 'array' of length <= 4"),
        ({"question": "Which?", "choices": "a or b"}, "choices: expected 'array', got 'str'"),
        ({"question": "Which?", "options": []}, "unknown argument 'options'"),
    ],
    ids=str,
)
def test_bad_input_says_how_to_do_it_right(tmp_path: Path, arguments: dict[str, object], told: str) -> None:
    assert told in Session(tmp_path).refused(TOOL, **arguments)
