"""Questions: one end for each, only an answer is an answer, and what an end means for the batch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hermes_tui.engine.events import CallStarted, QuestionAnswered, QuestionAsked, TurnFinished
from hermes_tui.engine.footprint import Access, Footprint, Level, Subject
from hermes_tui.engine.protocols import Pending, Result, Verdict
from tests.engine.around import Person, calls
from tests.engine.kit import World, history_of, until, world
from tests.engine.tools import Plain, looks, sleep_body, touches_nothing

GATED = Plain("gated", looks, lambda arguments, call: Result("ran"))
TWO_GATES = calls(("gated", {"path": "a"}), ("gated", {"path": "b"}), ("noop", {}))


def answers(here: World) -> list[tuple[str, str, str, str | None]]:
    return [(event.id, event.how, event.answer, event.scope) for event in here.of(QuestionAnswered)]


def asking(tmp_path: Path, *batches: Any, **more: Any) -> World:
    here = world(tmp_path, *batches, tools=[GATED], permissions=Person(ask=["gated"]), **more)
    here.agent.submit("go")
    return here


def test_a_permission_question_shows_what_will_run_and_why_it_asks(tmp_path: Path) -> None:
    class Strict(Person):
        def judge(self, call: Pending) -> Verdict:
            return Verdict(
                "ask", ("`rm` deletes", "outside the project"), call.footprint.subjects, "run(rm *)"
            )

    def touch(arguments: Any, folder: Path) -> Footprint:
        subjects = (
            Subject("command", "rm x", Access.RUN, span=(7, 11)),
            Subject("path", f"{tmp_path}/src/a.py", Access.WRITE),
        )
        return Footprint(Level.SAFE, subjects=subjects)

    tool = Plain("run", touch, lambda arguments, call: Result("ran"))
    here = world(tmp_path, calls(("run", {"path": "ls && rm x"})), tools=[tool], permissions=Strict())
    here.agent.submit("go")
    question = here.question()
    assert question.as_dict() == {
        "type": "question_asked",
        "time": question.time,
        "agent": None,
        "id": "q1",
        "kind": "permission",
        "call": "c1",
        "text": "Allow run rm x?",
        "choices": ["once", "session", "always", "no"],
        "multiple": False,
        "preview": "run ls && rm x",
        "position": 1,
        "total": 1,
        "marks": [(7, 11)],
        "details": ["`rm` deletes", "outside the project"],
        "pattern": "run(rm *)",
    }
    here.agent.close()


def test_a_question_offers_no_longer_yes_than_will_be_remembered(tmp_path: Path) -> None:
    """A protected place asks each time."""

    class Protecting(Person):
        def judge(self, call: Pending) -> Verdict:
            return Verdict("ask", ("a protected place",))

    tool = Plain("gated", looks, lambda arguments, call: Result("ran"))
    here = world(tmp_path, calls(("gated", {"path": "a"})), tools=[tool], permissions=Protecting())
    here.agent.submit("go")
    assert here.question().choices == ["once", "no"]
    here.agent.close()


def test_without_a_preview_the_arguments_are_shown(tmp_path: Path) -> None:
    """Nobody consents to what they cannot see; also when the tool's preview breaks."""

    class Blind(Plain):
        def preview(self, arguments: Any, folder: Path) -> str:
            raise RuntimeError("no diff")

    tool = Blind("gated", looks, lambda arguments, call: Result("ran"))
    here = world(tmp_path, calls(("gated", {"path": "a"})), tools=[tool], permissions=Person(ask=["gated"]))
    here.agent.submit("go")
    assert here.question().preview == '[no preview: RuntimeError: no diff]\n{\n  "path": "a"\n}'
    here.agent.close()


@pytest.mark.parametrize(
    ("scope", "learned"),
    [("once", []), ("session", [("gated", "session")]), ("always", [("gated", "always")])],
)
def test_yes_is_given_by_its_scope(scope: str, learned: list[tuple[str, str]], tmp_path: Path) -> None:
    person = Person(ask=["gated"])
    here = world(tmp_path, calls(("gated", {"path": "a"})), tools=[GATED], permissions=person)
    here.agent.submit("go")
    assert here.agent.answer(here.question().id, "answered", scope=scope)
    here.wait(TurnFinished)
    assert here.statuses() == {"c1": "ok"}
    assert person.learned == learned
    assert answers(here) == [("q1", "answered", "", scope)]


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("no", "denied: the user said no"),
        ("", "denied: the user said no"),
        ("session", "denied: the user said no: session"),  # words are no scope
        ("use git mv instead", "denied: the user said no: use git mv instead"),
    ],
)
def test_no_denies_with_the_users_words_and_the_batch_goes_on(
    said: str, content: str, tmp_path: Path
) -> None:
    here = asking(tmp_path, calls(("gated", {"path": "a"}), ("noop", {})), schedule="serial")
    here.agent.answer(here.question().id, "answered", said)
    assert here.wait(TurnFinished).reason == "done"
    assert here.statuses() == {"c1": "denied", "c2": "ok"}
    assert here.result("c1").content == content
    assert [event.id for event in here.of(CallStarted)] == ["c2"]


def test_a_yes_for_the_session_closes_the_other_questions_it_covers(tmp_path: Path) -> None:
    """One learned answer, no further dialogs, exactly one end for each question."""
    person = Person(ask=["gated"])
    here = world(tmp_path, TWO_GATES, tools=[GATED], permissions=person)
    here.agent.submit("go")
    first, second = here.question(1), here.question(2)
    assert (first.position, second.position) == (1, 2)
    assert here.agent.answer(first.id, "answered", scope="session")
    here.wait(TurnFinished)
    # nothing is remembered but what the user was shown and said yes to
    assert person.learned == [("gated", "session")]
    assert here.statuses() == {"c1": "ok", "c2": "ok", "c3": "ok"}
    assert answers(here) == [(first.id, "answered", "", "session"), (second.id, "answered", "", "session")]
    assert not here.agent.answer(second.id, "answered", scope="once")


def test_a_yes_for_once_leaves_the_others_open(tmp_path: Path) -> None:
    here = asking(tmp_path, TWO_GATES)
    first, second = here.question(1), here.question(2)
    here.agent.answer(first.id, "answered", scope="once")
    until(lambda: len(here.statuses()) == 2)
    assert here.agent.answer(second.id, "answered", scope="once")
    here.wait(TurnFinished)
    assert set(here.statuses().values()) == {"ok"}


def test_an_answer_that_is_none_of_the_choices_or_comes_twice_is_not_taken(tmp_path: Path) -> None:
    here = asking(tmp_path, calls(("gated", {"path": "a"})))
    question = here.question()
    assert not here.agent.answer(question.id, "answered", scope="for ever")
    assert not here.agent.answer("q99", "answered", scope="once")
    assert here.agent.answer(question.id, "answered", scope="once")
    assert not here.agent.answer(question.id, "answered", scope="once")
    here.wait(TurnFinished)
    assert len(answers(here)) == 1


# -- no answer -----------------------------------------------------------------------------------------


def test_closing_a_question_cancels_its_call_and_what_comes_later_but_not_what_runs(tmp_path: Path) -> None:
    """Esc on a question: the turn goes on with what was answered; it is never consent."""
    sleeper = Plain("nap", touches_nothing, sleep_body)
    here = world(
        tmp_path,
        calls(("nap", {"seconds": 0.3}), ("gated", {"path": "a"}), ("noop", {}), ("noop", {})),
        tools=[GATED, sleeper],
        permissions=Person(ask=["gated"]),
        max_parallel=1,
    )
    here.agent.submit("go")
    here.wait(CallStarted)
    question = here.question()
    assert here.agent.answer(question.id, "cancelled")
    assert here.wait(TurnFinished).reason == "done"
    assert here.statuses()["c2"] == "cancelled"
    assert here.result("c2").content.startswith("the question was closed without an answer")
    assert here.statuses()["c1"] == "ok"
    assert {here.statuses()["c3"], here.statuses()["c4"]} <= {"ok", "not_started"}
    assert answers(here) == [(question.id, "cancelled", "", None)]


def test_a_question_without_an_answer_leaves_every_later_call_not_started(tmp_path: Path) -> None:
    here = asking(
        tmp_path,
        calls(("noop", {}), ("gated", {"path": "a"}), ("write", {"path": "x", "text": "x"}), ("noop", {})),
        schedule="serial",
    )
    here.agent.answer(here.question().id, "cancelled")
    assert here.wait(TurnFinished).reason == "done"
    assert here.statuses() == {"c1": "ok", "c2": "cancelled", "c3": "not_started", "c4": "not_started"}
    assert here.result("c3").content == "not started: a question before it ended without an answer"
    assert not (tmp_path / "x").exists()


def test_later_questions_of_the_batch_close_with_it(tmp_path: Path) -> None:
    here = asking(tmp_path, TWO_GATES)
    first, second = here.question(1), here.question(2)
    here.agent.answer(first.id, "cancelled")
    assert here.wait(TurnFinished).reason == "done"
    assert here.statuses()["c1"] == "cancelled"
    assert here.statuses()["c2"] == "not_started"
    assert sorted(answers(here)) == [(first.id, "cancelled", "", None), (second.id, "cancelled", "", None)]


def test_earlier_questions_of_the_batch_stay_open(tmp_path: Path) -> None:
    here = asking(tmp_path, TWO_GATES)
    first, second = here.question(1), here.question(2)
    here.agent.answer(second.id, "cancelled")
    until(lambda: here.statuses().get("c2"))
    assert here.agent.answer(first.id, "answered", scope="once")
    here.wait(TurnFinished)
    assert here.statuses()["c1"] == "ok"


def test_questions_come_in_call_order(tmp_path: Path) -> None:
    for _ in range(20):
        here = asking(tmp_path, calls(*[("gated", {"path": name}) for name in "abcdefgh"]))
        assert [here.question(number).call for number in range(1, 9)] == [f"c{n}" for n in range(1, 9)]
        here.agent.close()


def test_an_interrupt_with_an_open_permission_question_is_no_answer(tmp_path: Path) -> None:
    """Cases c/37: never a declined, never a consent."""
    here = asking(tmp_path, TWO_GATES, schedule="serial")
    question = here.question()
    here.agent.interrupt()
    assert here.wait(TurnFinished).reason == "interrupted"
    assert here.statuses() == {"c1": "cancelled", "c2": "not_started", "c3": "not_started"}
    assert here.result("c1").content == "interrupted by the user, no answer"
    assert answers(here) == [(question.id, "cancelled", "", None)]
    assert not here.agent.answer(question.id, "answered", scope="always")
    # the conversation goes on
    here.turn("hi")
    assert [m.role for m in history_of(here.model)] == ["user", "assistant", "tool", "tool", "tool", "user"]


def test_stopping_the_call_closes_its_question(tmp_path: Path) -> None:
    here = asking(tmp_path, calls(("gated", {"path": "a"})))
    here.question()
    here.agent.interrupt("c1")
    assert here.wait(TurnFinished).reason == "done"
    assert here.statuses() == {"c1": "cancelled"}
    assert here.result("c1").content == "stopped by the user, no answer"


# -- clarify -------------------------------------------------------------------------------------------


def test_a_tool_gets_the_users_words(tmp_path: Path) -> None:
    here = world(tmp_path, calls(("ask", {"question": "Which?"})))
    here.agent.submit("go")
    question = here.question()
    assert (question.kind, question.text, question.choices) == ("clarify", "Which?", ["a", "b"])
    assert here.agent.answer(question.id, "answered", "something else")
    here.wait(TurnFinished)
    assert here.result("c1").content == "answered: something else"
    assert answers(here) == [(question.id, "answered", "something else", None)]


def test_a_tools_question_that_is_closed_cancels_the_call_whatever_the_tool_makes_of_it(
    tmp_path: Path,
) -> None:
    here = world(tmp_path, calls(("ask", {}), ("write", {"path": "x", "text": "x"})))
    here.agent.submit("go")
    here.agent.answer(here.question().id, "cancelled")
    assert here.wait(TurnFinished).reason == "done"
    assert here.statuses() == {"c1": "cancelled", "c2": "not_started"}


def test_two_questions_of_a_batch_are_counted_from_the_start(tmp_path: Path) -> None:
    here = world(tmp_path, calls(("ask", {}), ("noop", {}), ("ask", {})))
    here.agent.submit("go")
    here.agent.answer(here.question().id, "answered", "a")
    here.agent.answer(here.question(2).id, "answered", "b")
    here.wait(TurnFinished)
    assert [(event.position, event.total) for event in here.of(QuestionAsked)] == [(1, 2), (2, 2)]


# -- nobody is there -----------------------------------------------------------------------------------

HINT = "would ask; run with --permission all or add an allow rule to allow it"


def test_with_nobody_there_what_would_ask_is_denied_and_names_the_flag(tmp_path: Path) -> None:
    here = world(
        tmp_path,
        calls(("gated", {"path": "a"}), ("noop", {})),
        tools=[GATED],
        permissions=Person(ask=["gated"]),
        unattended=lambda mode: HINT,
    )
    assert here.turn().reason == "done"
    assert here.statuses() == {"c1": "denied", "c2": "ok"}
    assert here.result("c1").content == f"denied: gated has an effect; {HINT}"
    assert here.of(QuestionAsked) == []


def test_with_nobody_there_a_question_is_refused_and_that_is_no_consent(tmp_path: Path) -> None:
    here = world(
        tmp_path, calls(("ask", {}), ("write", {"path": "x", "text": "x"})), unattended=lambda mode: HINT
    )
    assert here.turn().reason == "done"
    assert here.statuses() == {"c1": "denied", "c2": "not_started"}
    words = "nobody is there to answer; this is no consent"
    assert here.result("c1").content == f"refused: {words}"
    assert answers(here) == [("q1", "refused", words, None)]
    assert not (tmp_path / "x").exists()
