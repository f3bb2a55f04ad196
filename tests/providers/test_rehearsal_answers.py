"""The rehearsal sums up what really came back: comparisons from the text read, errors as errors."""

from __future__ import annotations

import threading

import pytest

from hermes_tui.engine.errors import Interrupted
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.messages import Message, ToolCall
from hermes_tui.engine.protocols import Answer
from hermes_tui.providers.rehearsal import RehearsalProvider
from tests.providers.kit import TOOLS, Recorder, request, results, user


def answer(*messages: Message, sink: Recorder | None = None, token: Token | None = None) -> Answer:
    asked = request(*messages, tools=TOOLS)
    return RehearsalProvider().answer(asked, sink or Recorder(), token or Token())


def summary(text: str, *contents: str) -> str:
    """What is said at the end of a request whose calls gave back `contents`."""
    first = answer(user(text))
    last = answer(user(text), *results(first, *contents))
    assert last.message.calls == ()
    return last.message.content


def numbered(*lines: str) -> str:
    return "\n".join(f"{number:6}|{line}" for number, line in enumerate(lines, 1))


def test_three_files_are_compared_from_what_was_read() -> None:
    told = summary(
        "compare one.py two.py three.py",
        numbered("import os", "x = 1", "y = 2"),
        numbered("import os", "x = 2", "y = 2", "z = 3"),
        numbered("import os", "x = 1", "y = 2"),
    )
    assert told == "\n".join(
        [
            "- `one.py`: 3 lines, 22 characters",
            "- `two.py`: 4 lines, 28 characters",
            "- `three.py`: 3 lines, 22 characters",
            "- `one.py` and `two.py` differ: 2 lines in common, 1 only in `one.py`, 2 only in `two.py`.",
            "  The first difference is in line 2: `x = 1` against `x = 2`.",
            "- `one.py` and `three.py` are identical.",
            "- `two.py` and `three.py` differ: 2 lines in common, 2 only in `two.py`, 1 only in `three.py`.",
            "  The first difference is in line 2: `x = 2` against `x = 1`.",
        ]
    )


def test_a_comparison_in_chinese_is_told_in_chinese() -> None:
    told = summary("比较 甲.txt 乙.txt", numbered("一", ""), numbered("一"))
    assert told == "\n".join(
        [
            "- `甲.txt`：2 行，3 个字符",
            "- `乙.txt`：1 行，2 个字符",
            "- `甲.txt` 和 `乙.txt` 不同：相同的有 1 行，只在 `甲.txt` 中有 1 行，只在 `乙.txt` 中有 0 行。",
            "  第一处不同在第 2 行：空行 与 文件结尾。",
        ]
    )


def test_a_file_that_could_not_be_read_is_told_and_the_rest_compared() -> None:
    told = summary(
        "compare a.py b.py c.py",
        numbered("x"),
        "no such file: b.py. Search for it by name.",
        "c.py: file is empty",
    )
    assert told.split("\n")[0] == "- `b.py`: `no such file: b.py. Search for it by name.`"
    assert "- `c.py`: 0 lines, 0 characters" in told
    assert "against the end of the file" in told


def test_a_comparison_of_files_that_nobody_could_read_compares_nothing() -> None:
    told = summary("compare a.py b.py", "not started: interrupted", "denied: the user said no")
    assert told == "\n".join(
        [
            "- `a.py`: `not started: interrupted`",
            "- `b.py`: `denied: the user said no`",
            "- A comparison needs two files that could be read.",
        ]
    )


def test_a_file_read_in_part_is_compared_in_part_and_says_so() -> None:
    part = numbered("x", "y") + "\n[lines 1-2 of 700; go on with offset=3]"
    told = summary("compare a.py b.py", part, numbered("x"))
    assert "- `a.py`: 700 lines, 4 characters (only the first 2 lines read and compared)" in told


def test_results_of_a_joined_request_are_told_in_order() -> None:
    told = summary(
        "read a.py and write d.txt: hi and run pwd", numbered("x"), "wrote d.txt", "/home\nexit code 0"
    )
    assert told == "\n".join(
        [
            "- `a.py`: `     1|x`",
            "- `d.txt`: `wrote d.txt`",
            "- `pwd`:",
            "",
            "```",
            "/home",
            "exit code 0",
            "```",
            "",
        ]
    )


def test_a_long_result_is_cut_and_says_by_how_much() -> None:
    output = "\n".join(f"line {n}" for n in range(100))
    assert "… 88 more lines\nline 88\n" in summary("run seq 100", output)
    assert "line 11\n… 88 more lines" in summary("search line", output)


def test_text_that_looks_like_markdown_or_a_control_sequence_stays_text() -> None:
    told = summary("run x", "```\n# no heading\n\x1b[2J``` `")
    assert "````\n```\n# no heading\n``` `\n````" in told
    assert "\x1b" not in told
    assert summary("read a.py", "``").startswith("- `a.py`: ``` `` ```")


def test_a_silent_command_is_told_as_silent() -> None:
    assert summary("run true", "") == "- `true`: (no output)"
    assert summary("运行 true", "\n") == "- `true`: （无输出）"


def test_before_the_calls_it_says_what_it_does() -> None:
    first = answer(user("compare a b c and write d: hello"))
    assert first.message.content == "Reading `a`, `b`, `c` to compare them; writing `d`."
    assert [call.name for call in first.message.calls] == ["read_file"] * 3 + ["write_file"]


def test_many_calls_are_not_all_named() -> None:
    first = answer(user("run `sleep 1` 8 times"))
    assert first.message.content == "Running `sleep 1`, `sleep 1`, `sleep 1`, `sleep 1`, `sleep 1` (+3)."
    assert len({call.id for call in first.message.calls}) == 8


def test_ids_are_new_in_the_whole_conversation() -> None:
    old = Message("assistant", "", (ToolCall("call_2", "todo", "{}"),))
    history = [user("hi"), old, Message("tool", "x", call_id="call_2"), Message("assistant", "ok")]
    ids = [call.id for call in answer(*history, user("read a.py and b.py")).message.calls]
    assert ids == ["call_3", "call_4"]


@pytest.mark.parametrize(
    ("text", "said"), [("sing me a song", "not a language model"), ("唱首歌", "不是语言模型")]
)
def test_it_says_what_it_is_when_it_does_not_understand(text: str, said: str) -> None:
    told = answer(user(text)).message
    assert (said in told.content, told.calls) == (True, ())


def test_every_example_that_it_gives_is_one_it_understands() -> None:
    for text in ("?", "？？你"):
        told = answer(user(text)).message.content
        for example in told.split("`")[1:-2:2]:
            assert answer(user(example)).message.calls, example


def test_a_tool_that_is_not_offered_is_not_called() -> None:
    asked = request(user("read a.py and run ls"), tools=[tool for tool in TOOLS if tool.name != "terminal"])
    told = RehearsalProvider().answer(asked, Recorder(), Token()).message
    assert told.content == "The tool terminal is not available here.\nReading `a.py`."
    assert [call.name for call in told.calls] == ["read_file"]


def test_calls_of_another_model_are_summed_up_by_name() -> None:
    call = Message("assistant", "", (ToolCall("A", "web_search", "{}"),))
    told = answer(user("look it up"), call, Message("tool", "found", call_id="A")).message.content
    assert told == "- `web_search`: `found`"


def test_a_new_message_during_a_turn_is_a_new_request() -> None:
    first = answer(user("read a.py"))
    second = answer(user("read a.py"), *results(first), user("run pwd"))
    assert [call.name for call in second.message.calls] == ["terminal"]


def test_its_text_streams_and_stops_with_the_interrupt() -> None:
    sink = Recorder()
    told = answer(user("hello"), sink=sink).message.content
    assert (sink.said, len(sink.pieces) > 20) == (told, True)

    class Stopping(Recorder):
        def text(self, piece: str) -> None:
            super().text(piece)
            if len(self.pieces) == 3:
                token.set()

    token, stopping = Token(), Stopping()
    with pytest.raises(Interrupted) as caught:
        answer(user("hello"), sink=stopping, token=token)
    assert caught.value.content == stopping.said == "".join(sink.pieces[:3])


def test_it_needs_no_network_and_no_sdk() -> None:
    assert RehearsalProvider().model == "rehearsal"
    before = threading.active_count()
    RehearsalProvider().close()
    assert threading.active_count() == before
