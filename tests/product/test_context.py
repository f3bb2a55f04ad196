"""The whole program over a real socket: what is too long for the model, who answers, and what it costs."""

from __future__ import annotations

import base64
import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermes_tui.engine.digest import SYSTEM
from tests.product.support import Done, git, run
from tests.support.server import Call, Reply, ScriptedServer, calls, error, say

KEY = "sk-TESTKEY1234567890"


def configure(environ: dict[str, str], server: ScriptedServer, more: str = "", entry: str = "") -> None:
    home = Path(environ["HERMES_TUI_HOME"])
    home.mkdir(exist_ok=True)
    table = f'[providers.here]\nbase_url = "{server.url}"\nmodel = "scripted-1"\n{entry}\n'
    (home / "config.toml").write_text(f'provider = "here"\n{more}\n{table}')


def ask(prompt: str, folder: Path, environ: dict[str, str], *more: str) -> Done:
    return run(["-p", prompt, "--output", "stream-json", *more], folder, environ)


def results(server: ScriptedServer) -> list[str]:
    return [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]


def of(done: Done, kind: str) -> list[dict[str, Any]]:
    return [line for line in done.lines if line["type"] == kind]


def size(body: dict[str, Any]) -> int:
    """About how many tokens a request is."""
    return len(json.dumps(body)) // 4


def within(limit: int, answer: Reply) -> Callable[[dict[str, Any]], Reply]:
    """A server whose model holds so many tokens."""

    def reply(body: dict[str, Any]) -> Reply:
        if size(body) > limit:
            text = f"This model's maximum context length is {limit} tokens."
            return error(400, text, code="context_length_exceeded")
        is_summary = body["messages"][0]["content"] == SYSTEM
        return say("what was said, in short") if is_summary else answer

    return reply


def is_summary(body: dict[str, Any]) -> bool:
    return bool(body["messages"][0]["content"] == SYSTEM)


# -- too long ------------------------------------------------------------------------------------------


def test_a_huge_result_is_capped_and_all_of_it_can_be_read_back_unasked(
    shop: Path, environ: dict[str, str]
) -> None:
    """Cases h/142. Nobody is there to be asked, and nothing needs to be."""
    (shop / "big.txt").write_text("".join(f"line {n} of many\n" for n in range(3_000)))

    def read_back(body: dict[str, Any]) -> Reply:
        (result,) = [m["content"] for m in body["messages"] if m["role"] == "tool"]
        path = result.partition("full text: ")[2].partition(" (")[0]
        return calls(Call("read_file", {"path": path, "offset": 1_400, "limit": 1}))

    with ScriptedServer(
        [calls(Call("read_file", {"path": "big.txt", "limit": 2_000})), read_back, say("Done.")]
    ) as server:
        configure(environ, server, entry="context = 12_000")
        done = ask("go", shop, environ)
        first, second = results(server)
    assert done.code == 0
    assert len(first) < 12_500
    assert [line["status"] for line in of(done, "call_finished")] == ["ok", "ok"]
    assert "line 1399 of many" in second


def test_all_of_a_long_command_can_be_read_back_unasked(shop: Path, environ: dict[str, str]) -> None:
    """Cases h/142."""

    def read_back(body: dict[str, Any]) -> Reply:
        (result,) = [m["content"] for m in body["messages"] if m["role"] == "tool"]
        path = result.partition("full text: ")[2].partition(" (")[0]
        return calls(Call("read_file", {"path": path, "offset": 15_000, "limit": 1}))

    with ScriptedServer(
        [calls(Call("terminal", {"command": "seq 1 40000"})), read_back, say("Done.")]
    ) as server:
        configure(environ, server)
        done = ask("go", shop, environ)
        assert "15000|15000" in results(server)[1]
    assert [line["status"] for line in of(done, "call_finished")] == ["ok", "ok"]


def test_other_files_of_the_program_still_ask(shop: Path, environ: dict[str, str]) -> None:
    with ScriptedServer([]) as server:
        configure(environ, server)
        config = str(Path(environ["HERMES_TUI_HOME"]) / "config.toml")
        server.add(calls(Call("read_file", {"path": config})), say("Done."))
        done = ask("go", shop, environ)
    assert [line["status"] for line in of(done, "call_finished")] == ["denied"]


def test_a_conversation_that_grows_over_the_limit_is_compacted_and_goes_on(
    shop: Path, environ: dict[str, str]
) -> None:
    """Cases h/142: the server refuses what is too long, and none of it comes."""
    for number in range(8):
        (shop / f"{number}.txt").write_text("word and word\n" * 1_400)
    reads = [calls(Call("read_file", {"path": f"{number}.txt", "limit": 2_000})) for number in range(8)]
    with ScriptedServer([within(20_000, reply) for reply in [*reads, say("Done.")]]) as server:
        configure(environ, server, entry="context = 20_000")
        done = ask("go", shop, environ)
        assert all(size(body) < 20_000 for body in server.requests)
    assert (done.code, done.only("turn_finished")["reason"]) == (0, "done")
    assert any(line["compacted"] for line in of(done, "context_changed"))
    assert any(line["text"].startswith("compacted: ") for line in of(done, "notice"))


def test_a_refusal_as_too_long_is_answered_by_one_compaction_and_one_more_try(
    shop: Path, environ: dict[str, str]
) -> None:
    """Cases h/142, h/145: nothing was known of the model before."""
    (shop / "big.txt").write_text("word and word, word and word\n" * 2_000)
    batch = calls(*(Call("read_file", {"path": "big.txt", "limit": 2_000}, id=f"c{n}") for n in range(3)))
    with ScriptedServer([batch, *[within(16_000, say("Done."))] * 4]) as server:
        configure(environ, server)
        done = ask("go", shop, environ)
        refused = [body for body in server.requests if size(body) > 16_000 and not is_summary(body)]
        assert len(refused) == 1
    assert (done.code, done.only("turn_finished")["reason"]) == (0, "done")
    assert of(done, "context_changed")[-1]["limit"] == 16_000


def test_a_server_that_always_says_too_long_is_not_asked_again_and_again(
    shop: Path, environ: dict[str, str]
) -> None:
    """Cases h/145."""
    always = error(400, "too long", code="context_length_exceeded")
    with ScriptedServer([always] * 9) as server:
        configure(environ, server)
        done = ask("go", shop, environ)
        assert len([body for body in server.requests if not is_summary(body)]) <= 2
        assert len([body for body in server.requests if is_summary(body)]) <= 2
    finished = done.only("turn_finished")
    assert (done.code, finished["reason"]) == (1, "error")
    assert "/clear starts a new conversation" in finished["error"]


@pytest.mark.parametrize("bad", [say(""), error(400, "no summaries here")], ids=["empty", "refused"])
def test_a_summary_that_fails_is_told_and_the_turn_goes_on(
    bad: Reply, shop: Path, environ: dict[str, str]
) -> None:
    """Cases h/143: at most two tries, and never again for the same conversation."""
    for number in range(8):
        (shop / f"{number}.txt").write_text("word and word\n" * 1_400)
    reads = [calls(Call("read_file", {"path": f"{number}.txt", "limit": 2_000})) for number in range(8)]
    left = [*reads, say("Done.")]

    def reply(body: dict[str, Any]) -> Reply:
        return bad if is_summary(body) else left.pop(0)

    with ScriptedServer([reply] * 40) as server:
        configure(environ, server, entry="context = 14_000")
        done = ask("go", shop, environ)
        tries = sum(is_summary(body) for body in server.requests)
    compactions = sum(line["compacted"] for line in of(done, "context_changed"))
    assert done.only("turn_finished")["reason"] == "done"
    assert 0 < compactions <= 4
    # an empty answer is asked for again by the provider itself: four requests are one try
    assert tries <= compactions * (2 if bad.status == 400 else 4)
    if tries:
        assert any("no summary could be made" in line["text"] for line in of(done, "notice"))


# -- calls written as text -----------------------------------------------------------------------------

WRITTEN = '<tool_call>\n{"name": "read_file", "arguments": {"path": "README.md"}}\n</tool_call>'


def test_a_call_that_was_written_as_text_runs_only_where_everything_may(
    shop: Path, environ: dict[str, str]
) -> None:
    with ScriptedServer([say(WRITTEN), say("Done."), say(WRITTEN), say("Done.")]) as server:
        configure(environ, server)
        asked = ask("go", shop, environ)
        run_all = ask("go", shop, environ, "--permission", "all")
    assert [line["status"] for line in of(asked, "call_finished")] == ["denied"]
    assert "--permission all" in of(asked, "call_finished")[0]["content"]
    assert [line["status"] for line in of(run_all, "call_finished")] == ["ok"]
    assert of(run_all, "message_done")[0]["message"]["calls"][0]["written"] is True


# -- who answers, and what it costs --------------------------------------------------------------------


def test_the_price_of_a_provider_gives_the_cost_and_without_one_it_is_not_known(
    shop: Path, environ: dict[str, str]
) -> None:
    with ScriptedServer([say("a", usage=(1_000, 100)), say("b", usage=(1_000, 100))]) as server:
        configure(environ, server, entry="price = { input = 2.0, output = 10.0 }")
        priced = ask("go", shop, environ)
        configure(environ, server)
        free = ask("go", shop, environ)
    assert [line["cost"] for line in of(priced, "context_changed")] == [0.003]
    assert [line["cost"] for line in of(free, "context_changed")] == [None]


def test_a_fallback_answers_only_where_the_user_asked_for_one(shop: Path, environ: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nobody = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
    with ScriptedServer([say("spare")]) as server:
        configure(
            environ, server, 'fallback = "here"', f'[providers.main]\nbase_url = "{nobody}"\nmodel = "m"'
        )
        answered = ask("go", shop, environ, "--provider", "main")
        configure(environ, server, "", f'[providers.main]\nbase_url = "{nobody}"\nmodel = "m"')
        failed = ask("go", shop, environ, "--provider", "main")
    assert answered.only("message_done")["message"]["content"] == "spare"
    assert any("the fallback here answers this one" in line["text"] for line in of(answered, "notice"))
    assert failed.code == 1


def test_a_fallback_that_is_no_table_is_one_line(shop: Path, environ: dict[str, str]) -> None:
    with ScriptedServer() as server:
        configure(environ, server, 'fallback = "elsewhere"')
        done = run(["-p", "go"], shop, environ)
    assert done.code == 2
    assert "line 2: fallback: no [providers.elsewhere] table; there are: here" in done.err


def test_a_picture_of_the_prompt_is_sent(shop: Path, environ: dict[str, str]) -> None:
    png = b"\x89PNG\r\n\x1a\n picture"
    (shop / "shot.png").write_bytes(png)
    with ScriptedServer([say("a cat")]) as server:
        configure(environ, server)
        done = ask("what is @shot.png?", shop, environ)
        parts = server.requests[0]["messages"][-1]["content"]
    assert done.code == 0
    assert parts[0] == {"type": "text", "text": "what is @shot.png?"}
    assert parts[1]["image_url"]["url"] == f"data:image/png;base64,{base64.b64encode(png).decode()}"


def test_the_start_of_every_request_of_a_session_is_the_same_and_a_new_branch_is_told_behind_it(
    shop: Path, environ: dict[str, str]
) -> None:
    """So that the server's cache stays warm."""
    git(shop, "branch", "other")
    switch = calls(Call("terminal", {"command": "git checkout -q other"}))
    with ScriptedServer([switch, say("Done.")]) as server:
        configure(environ, server)
        ask("go", shop, environ, "--permission", "all")
        first, second = server.requests
    assert first["messages"] == second["messages"][: len(first["messages"])]
    assert "Git: on main" in first["messages"][0]["content"]
    assert second["messages"][-1]["content"].endswith("git is now on other]")


def test_a_key_is_never_on_the_disk_or_on_the_screen(shop: Path, environ: dict[str, str]) -> None:
    """Cases l/181; here for everything that a session writes."""
    batch = calls(Call("terminal", {"command": "env; echo $OPENAI_API_KEY"}))
    wrong = error(401, f"Incorrect API key provided: {KEY}.", code="invalid_api_key")
    environ["OPENAI_API_KEY"] = KEY
    with ScriptedServer([batch, wrong], key=KEY) as server:
        done = ask("go", shop, environ, "--base-url", server.url, "--permission", "all")
        assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert done.code == 1
    written = [done.out.encode(), done.err.encode()]
    written += [path.read_bytes() for path in Path(environ["HOME"]).rglob("*") if path.is_file()]
    assert [text for text in written if KEY.encode() in text] == []
