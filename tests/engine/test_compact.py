"""The conversation is kept within what the model holds, whatever the model makes of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_tui.engine.compact import Compactor, Job
from hermes_tui.engine.context import Meter, weight
from hermes_tui.engine.digest import BEGIN, DROPPED, SYSTEM
from hermes_tui.engine.errors import ContextTooLong, Interrupted, ProviderError, ToolError
from hermes_tui.engine.events import ContextChanged, Notice, TextDelta, TurnFinished
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.messages import Message, ToolCall
from hermes_tui.engine.protocols import Answer, Call, Request, Result, Sink
from tests.engine.around import Say, Script, calls
from tests.engine.kit import World, history_of, until, world
from tests.engine.tools import Plain, touches_nothing
from tests.providers.kit import Recorder

LONG = "one two three four five six seven eight nine ten\n" * 100
"""About 1 200 tokens."""
MIDDLE = LONG[:1600]
"""About 400."""


def many(arguments: Mapping[str, Any], call: Call) -> Result:
    return Result(LONG * int(arguments["times"]))


def fails(arguments: Mapping[str, Any], call: Call) -> Result:
    raise ToolError(LONG * int(arguments["times"]))


def talk(folder: Path, *lines: Say, **more: Any) -> World:
    tools = [Plain("many", touches_nothing, many), Plain("fails", touches_nothing, fails)]
    return world(folder, *lines, tools=tools, **more)


def refuses(limit: int, told: int | None = None) -> Callable[[Request, Sink, Token], Answer]:
    """A model that takes no request of more than `limit` estimated tokens."""

    def answer(request: Request, sink: Sink, token: Token) -> Answer:
        if weight(request.messages) > limit:
            raise ContextTooLong("the conversation is too long", told)
        if request.system == SYSTEM:
            return Answer(Message("assistant", "what was said, in short"))
        return Answer(Message("assistant", "ok"))

    return answer


def notices(here: World) -> list[str]:
    return [event.text for event in here.of(Notice)]


def summaries(model: Script) -> int:
    return sum(request.system == SYSTEM for request in model.requests)


def test_near_the_limit_the_older_part_becomes_a_summary_and_it_is_said(tmp_path: Path) -> None:
    """Cases h/142. The event says compacted; the last turns stay as they were."""
    here = talk(tmp_path, LONG, MIDDLE, "they spoke of numbers", "fine", context=3_500)
    here.turn(LONG)
    here.turn("second")
    here.turn("third")
    assert summaries(here.model) == 1
    sent = history_of(here.model)
    assert sent[0].kind == "summary"
    assert sent[0].content.startswith(f"{BEGIN}\n\nthey spoke of numbers")
    assert [m.content for m in sent[1:]] == ["second", MIDDLE, "third"]
    assert [event.compacted for event in here.of(ContextChanged)] == [False, False, True, False]
    assert any(text.startswith("compacted: 2 messages became a summary") for text in notices(here))


def test_a_summary_is_asked_for_without_tools_and_in_one_user_message(tmp_path: Path) -> None:
    """A strict server takes no calls in a request that offers no tools."""
    here = talk(tmp_path, calls(("noop", {})), LONG, "a summary", "fine", context=3_000)
    here.turn(LONG)
    here.turn("next")
    (request,) = [request for request in here.model.requests if request.system == SYSTEM]
    assert list(request.tools) == []
    assert [(m.role, m.calls) for m in request.messages] == [("user", ())]
    assert "CALL c1: noop {}" in request.messages[0].content


def test_old_results_are_shortened_first_and_no_model_is_asked(tmp_path: Path) -> None:
    big = [calls(("many", {"times": 2})) for _ in range(4)]
    here = talk(tmp_path, *big, "done", "fine", context=12_000, result_cap=100_000)
    here.turn("go")
    assert here.turn("next").reason == "done"
    assert summaries(here.model) == 0
    assert any(text.startswith("compacted: old results were shortened") for text in notices(here))
    results = [m for m in history_of(here.model) if m.role == "tool"]
    assert len(results) == 4
    assert "characters left out" in results[0].content
    assert "characters left out" not in results[-1].content


def test_the_whole_text_of_a_long_result_is_kept_and_its_place_is_told(tmp_path: Path) -> None:
    """Cases h/142: capped before it enters the history."""
    kept: list[tuple[str, str]] = []

    def keep(name: str, text: str) -> str:
        kept.append((name, text))
        return "/kept/c1.txt (read it)"

    here = talk(tmp_path, calls(("many", {"times": 1})), "x", result_cap=1_000, keep_text=keep)
    here.turn()
    (result,) = [m.content for m in history_of(here.model) if m.role == "tool"]
    assert len(result) < 1_200
    assert "full text: /kept/c1.txt (read it) …]" in result
    ((name, text),) = kept
    assert (name, LONG in text) == ("c1", True)


def test_an_error_is_capped_like_any_result(tmp_path: Path) -> None:
    here = talk(tmp_path, calls(("fails", {"times": 1})), "x", result_cap=1_000)
    here.turn()
    (result,) = [m.content for m in history_of(here.model) if m.role == "tool"]
    assert "characters left out" in result
    assert len(result) < 1_200


def test_one_result_never_fills_a_known_context(tmp_path: Path) -> None:
    """Cases h/142: a quarter of it at most, whatever the cap in the settings."""
    here = talk(tmp_path, calls(("many", {"times": 20})), "x", context=10_000)
    here.turn()
    (result,) = [m.content for m in history_of(here.model) if m.role == "tool"]
    assert len(result) < 10_200


def test_a_conversation_that_is_refused_as_too_long_is_compacted_once_and_sent_once_more(
    tmp_path: Path,
) -> None:
    """Cases h/142, h/145: nothing is known of the model's context before it refuses."""
    here = talk(tmp_path, LONG, LONG, *[refuses(2_000)] * 3)
    here.turn("one")
    here.turn("two")
    assert here.turn("three").reason == "done"
    assert summaries(here.model) == 1
    assert len(here.model.requests) == 2 + 3


def test_a_limit_that_the_refusal_names_is_remembered(tmp_path: Path) -> None:
    here = talk(tmp_path, LONG, LONG, *[refuses(2_000, told=4_000)] * 3)
    here.turn("one")
    here.turn("two")
    here.turn("three")
    assert here.of(ContextChanged)[-1].limit == 4_000


def test_a_conversation_that_stays_too_long_ends_with_one_line_that_says_what_to_do(tmp_path: Path) -> None:
    """Cases h/142, h/145: no third try."""
    here = talk(tmp_path, LONG, *[refuses(0)] * 9)
    here.turn("one")
    finished = here.turn("two")
    assert finished.reason == "error"
    assert finished.error is not None
    assert "/clear starts a new conversation" in finished.error
    assert "\n" not in finished.error
    asked = [request for request in here.model.requests if request.system != SYSTEM]
    assert len(asked) == 1 + 2


@pytest.mark.parametrize("answer", ["", "  \n", ContextTooLong("too long")])
def test_a_summary_that_does_not_come_is_asked_for_twice_and_the_turn_goes_on_without(
    answer: Say, tmp_path: Path
) -> None:
    """Cases h/143."""
    here = talk(tmp_path, LONG, MIDDLE, answer, answer, "fine", context=3_500)
    here.turn(LONG)
    here.turn("second")
    assert here.turn("third").reason == "done"
    assert summaries(here.model) == 2
    assert any(event.level == "warning" and "no summary" in event.text for event in here.of(Notice))
    assert history_of(here.model)[0].content.startswith(DROPPED)
    assert "second" in [m.content for m in history_of(here.model)]


def test_a_summary_that_the_endpoint_refuses_is_not_asked_for_again(tmp_path: Path) -> None:
    """Cases h/143: a 400 would be one again."""
    here = talk(tmp_path, LONG, MIDDLE, ProviderError("refused (400)"), "fine", context=3_500)
    here.turn(LONG)
    here.turn("second")
    assert here.turn("third").reason == "done"
    assert summaries(here.model) == 1
    assert "no summary could be made: refused (400)" in notices(here)


def test_a_conversation_that_cannot_get_smaller_is_not_compacted_at_every_request(tmp_path: Path) -> None:
    """Cases h/143: not hundreds of times."""
    here = talk(tmp_path, *[calls(("noop", {}))] * 6, "done", context=100)
    here.turn("x" * 900)
    assert sum(text.startswith("compacting") for text in notices(here)) < 4


def test_the_summary_carries_the_todo_list_and_the_files(tmp_path: Path) -> None:
    here = talk(
        tmp_path, LONG, MIDDLE, "a summary", "fine", context=3_500, carry=lambda: "The todo list:\n- paint"
    )
    here.turn(LONG)
    here.turn("second")
    here.turn("third")
    assert history_of(here.model)[0].content == f"{BEGIN}\n\na summary\n\nThe todo list:\n- paint"


def test_a_turn_that_alone_is_too_long_is_cut_between_batches_and_keeps_its_prompt(tmp_path: Path) -> None:
    """Cases h/136."""
    batches = [calls(("many", {"times": 2})) for _ in range(8)]
    here = talk(tmp_path, *batches, *[refuses(10_000)] * 9, context=16_000)
    assert here.turn("paint it black").reason == "done"
    sent = history_of(here.model)
    assert "paint it black" in sent[0].content
    open_calls = [call.id for message in sent for call in message.calls]
    assert [message.call_id for message in sent if message.role == "tool"] == open_calls


# -- by hand -------------------------------------------------------------------------------------------


def test_compacting_by_hand_is_a_turn_of_its_own_that_keeps_what_the_user_wishes(tmp_path: Path) -> None:
    here = talk(tmp_path, "one", "a summary", "two")
    here.turn("first")
    here.agent.compact("the names of functions")
    assert here.wait(TurnFinished, 2).reason == "done"
    assert "above all: the names of functions" in here.model.requests[1].messages[0].content
    assert here.of(TextDelta)[-1].text == "one"
    here.turn("second")
    assert [m.content for m in history_of(here.model)] == [f"{BEGIN}\n\na summary", "second"]


def test_compacting_nothing_says_so(tmp_path: Path) -> None:
    here = talk(tmp_path)
    here.agent.compact()
    assert here.wait(TurnFinished).error == "there is nothing to compact yet"
    assert here.model.requests == []


def test_compacting_straight_after_a_call_without_result_leaves_a_valid_conversation(tmp_path: Path) -> None:
    """Cases h/137."""
    old = [Message("user", "go"), Message("assistant", "", (ToolCall("a", "noop", "{}"),))]
    here = talk(tmp_path, "a summary", "fine", messages=old)
    here.agent.compact()
    here.wait(TurnFinished)
    here.turn("on")
    assert [m.role for m in history_of(here.model)] == ["user", "user"]


def test_an_interrupt_while_it_is_summed_up_changes_nothing(tmp_path: Path) -> None:
    asked = threading.Event()

    def slow(request: Request, sink: Sink, token: Token) -> Answer:
        sink.text("half a summ")
        asked.set()
        token.future.result(10)
        raise Interrupted("half a summ")

    here = talk(tmp_path, "one", slow, "two")
    here.turn("first")
    here.agent.compact()
    asked.wait(10)
    assert here.agent.interrupt()
    assert here.wait(TurnFinished, 2).reason == "interrupted"
    here.turn("second")
    assert [m.content for m in history_of(here.model)] == ["first", "one", "second"]
    assert "half a summ" not in [event.text for event in here.of(TextDelta)]


def test_a_compaction_waits_for_the_turn_that_runs(tmp_path: Path) -> None:
    go = threading.Event()

    def slow(request: Request, sink: Sink, token: Token) -> Answer:
        go.wait(10)
        return Answer(Message("assistant", "one"))

    here = talk(tmp_path, slow, "a summary")
    here.agent.submit("first")
    until(lambda: here.model.requests)
    here.agent.compact()
    assert here.agent.queued == ["/compact"]
    go.set()
    here.wait(TurnFinished, 2)
    assert summaries(here.model) == 1


# -- always below the limit ----------------------------------------------------------------------------

a_text = st.sampled_from(["", "short", LONG, LONG * 10])
a_turn = st.tuples(a_text, st.lists(st.tuples(a_text, a_text), max_size=4), a_text)


def conversation(turns: list[tuple[str, list[tuple[str, str]], str]]) -> list[Message]:
    messages: list[Message] = []
    for number, (prompt, batches, answer) in enumerate(turns):
        messages.append(Message("user", prompt or "go"))
        for batch, (sent, got) in enumerate(batches):
            call = ToolCall(
                f"{number}-{batch}", "write", f'{{"text": "{sent[:4000].strip()}"}}'.replace("\n", " ")
            )
            messages += [Message("assistant", "", (call,)), Message("tool", got or "ok", call_id=call.id)]
        if answer:
            messages.append(Message("assistant", answer))
    return messages


@settings(deadline=None, max_examples=60)
@given(
    st.lists(a_turn, min_size=1, max_size=6),
    st.sampled_from(["fine", "", LONG * 30]),
    st.integers(1_000, 9_000),
)
def test_it_always_gets_below_the_limit(
    turns: list[tuple[str, list[tuple[str, str]], str]], summary: str, goal: int
) -> None:
    messages = conversation(turns)
    job = Job(messages, 100, goal, 2 * goal, "- carry this")
    result = Compactor(Script(summary, summary), Meter(), lambda name, text: "").run(job, Recorder(), Token())
    assert 100 + weight(result.messages) <= goal
