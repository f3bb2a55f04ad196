"""The whole program against a scripted endpoint on a real socket that is as strict as the strictest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.product.support import Done, run
from tests.support.server import Call, ScriptedServer, calls, raw_calls, say


def ask(server: ScriptedServer, folder: Path, environ: dict[str, str], *more: str) -> Done:
    words = ["-p", "go", "--base-url", server.url, "--output", "stream-json", *more]
    return run(words, folder, environ)


def tool_messages(server: ScriptedServer) -> list[dict[str, Any]]:
    return [message for message in server.requests[-1]["messages"] if message["role"] == "tool"]


def test_text_and_calls_arrive_in_fragments(shop: Path, environ: dict[str, str]) -> None:
    pieces = ("Three ", "fi", "les ", "differ", ".")
    with ScriptedServer([calls(Call("read_file", {"path": "README.md"})), say(*pieces)]) as server:
        done = ask(server, shop, environ)
        server.assert_every_call_answered()
    text = "".join(line["text"] for line in done.lines if line["type"] == "text_delta")
    assert (done.code, text) == (0, "Three files differ.")
    assert "Sells things." in tool_messages(server)[0]["content"]


def test_eight_commands_of_half_a_second_take_as_long_as_one(shop: Path, environ: dict[str, str]) -> None:
    eight = [Call("terminal", {"command": "sleep 0.5"}) for _ in range(8)]
    with ScriptedServer([calls(*eight), say("Slept.")]) as server:
        done = ask(server, shop, environ)
        server.assert_every_call_answered()
    batch = done.only("batch_finished")
    assert batch["serial_seconds"] >= 4.0
    assert batch["seconds"] < 0.6, batch


def test_results_go_back_in_call_order_whatever_ended_first(shop: Path, environ: dict[str, str]) -> None:
    commands = ["sleep 0.3; echo slow", "echo fast", "sleep 0.1; echo middle"]
    batch = calls(*(Call("terminal", {"command": c}, id=f"id-{c[-4:]}") for c in commands))
    with ScriptedServer([batch, say("Done.")]) as server:
        done = ask(server, shop, environ)
        server.assert_every_call_answered()
    ended = [line["id"] for line in done.lines if line["type"] == "call_finished"]
    assert ended == ["id-fast", "id-ddle", "id-slow"]
    back = [(message["tool_call_id"], message["content"].split()[0]) for message in tool_messages(server)]
    assert back == [("id-slow", "slow"), ("id-fast", "fast"), ("id-ddle", "middle")]


def test_a_malformed_call_is_one_error_while_its_siblings_run(shop: Path, environ: dict[str, str]) -> None:
    """Cases a/8, a/14, a/16: never run with empty arguments, never sent back broken."""
    batch = calls(
        Call("read_file", {"path": "README.md"}),
        Call("search_files", raw='{"pattern":"\\d+","path":"C:\\tmp"}'),
        Call("read_file", {"path": "CHANGELOG.md"}),
    )
    with ScriptedServer([batch, say("Done.")]) as server:
        done = ask(server, shop, environ)
        server.assert_every_call_answered()
    assert [line["status"] for line in done.lines if line["type"] == "call_finished"] == [
        "ok",
        "failed",
        "ok",
    ]
    first, second, third = [message["content"] for message in tool_messages(server)]
    assert ("Sells things." in first, "JSON" in second, "second" in third) == (True, True, True)


def test_an_unknown_tool_is_a_result_that_names_the_known_ones(shop: Path, environ: dict[str, str]) -> None:
    """Cases a/17."""
    names = ("multi_tool_use.parallel", "", " read_file ")
    batch = calls(*(Call(name, {"path": "README.md"}) for name in names))
    with ScriptedServer([batch, say("Done.")]) as server:
        ask(server, shop, environ)
        server.assert_every_call_answered()
    contents = [message["content"] for message in tool_messages(server)]
    assert ["available:" in content for content in contents] == [True, True, False]
    assert "Sells things." in contents[2]


def test_a_write_and_a_patch_of_one_file_run_in_order(shop: Path, environ: dict[str, str]) -> None:
    """Cases b/19, b/20: two spellings of one path are one file."""
    batch = calls(
        Call("write_file", {"path": "notes.txt", "content": "x=1\n"}),
        Call("patch", {"path": "src/../notes.txt", "old_string": "x=1", "new_string": "x=2"}),
    )
    with ScriptedServer([batch, say("Done.")]) as server:
        done = ask(server, shop, environ, "--permission", "edits")
        server.assert_every_call_answered()
    assert done.only("batch_planned")["plan"]["parallel"] is False
    assert (shop / "notes.txt").read_text() == "x=2\n"


def test_two_edits_of_distant_lines_are_both_there(shop: Path, environ: dict[str, str]) -> None:
    """Cases b/22."""
    (shop / "n.txt").write_text("".join(f"line {n}\n" for n in range(1, 101)))
    edits = [
        Call("patch", {"path": "n.txt", "old_string": f"line {n}\n", "new_string": f"LINE {n}\n"})
        for n in (50, 75)
    ]
    with ScriptedServer([calls(Call("read_file", {"path": "n.txt"})), calls(*edits), say("Done.")]) as server:
        ask(server, shop, environ, "--permission", "edits")
        server.assert_every_call_answered()
    lines = (shop / "n.txt").read_text().splitlines()
    assert (lines[49], lines[74], len(lines)) == ("LINE 50", "LINE 75", 100)


def test_a_read_after_a_write_in_one_batch_sees_it(shop: Path, environ: dict[str, str]) -> None:
    """Cases b/28."""
    batch = calls(
        Call("read_file", {"path": "README.md"}),
        Call("write_file", {"path": "README.md", "content": "new text\n"}),
        Call("read_file", {"path": "README.md"}),
        Call("terminal", {"command": "cat README.md"}),
    )
    with ScriptedServer([batch, say("Done.")]) as server:
        ask(server, shop, environ, "--permission", "edits")
        server.assert_every_call_answered()
    seen = ["new text" in message["content"] for message in tool_messages(server)]
    assert (seen[0], seen[2], seen[3]) == (False, True, True)


def test_every_empty_text_counts_as_no_arguments(shop: Path, environ: dict[str, str]) -> None:
    """Cases a/2."""
    batch = calls(Call("todo", raw=""), Call("todo", raw="  "))
    with ScriptedServer([batch, say("Done.")]) as server:
        done = ask(server, shop, environ)
        server.assert_every_call_answered()
    assert [line["status"] for line in done.lines if line["type"] == "call_finished"] == ["ok", "ok"]


def test_doubled_fragments_never_run_twice(shop: Path, environ: dict[str, str]) -> None:
    """Cases a/1."""
    fragment = {"index": 0, "id": "A", "function": {"name": "read_file", "arguments": '{"path":"README.md"}'}}
    with ScriptedServer([raw_calls([fragment], [fragment], ids=("A",)), say("Done.")]) as server:
        done = ask(server, shop, environ)
    started = [line for line in done.lines if line["type"] == "call_started"]
    finished = [line for line in done.lines if line["type"] == "call_finished"]
    assert len(started) <= 1
    assert len(finished) == 1
