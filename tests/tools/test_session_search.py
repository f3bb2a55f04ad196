"""session_search: what the model finds of what was said, and how it is told to go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hermes_tui.engine.errors import BadArguments, ToolError
from hermes_tui.engine.footprint import Footprint, Level
from hermes_tui.engine.state import SessionSearch
from hermes_tui.sessions.tool import ToolSearch
from hermes_tui.tools.session_search import EARLIER, STATE, TOOL
from tests.sessions.kit import Desk, call, rows


class Here:
    """A call with the sessions behind it."""

    id = "1"
    token: Any = None

    def __init__(self, desk: Desk) -> None:
        self.folder = desk.project
        self._search = ToolSearch(desk.current)

    def output(self, text: str) -> None:
        raise AssertionError("it shows nothing while it runs")

    def state(self, protocol: type[Any]) -> Any:
        assert protocol is SessionSearch
        return self._search

    def declared(self, path: Path) -> Path:
        raise AssertionError("it opens no file")

    def replace(self, path: Path, data: bytes | None, expected: str | None, mode: int | None = None) -> None:
        raise AssertionError("it writes nothing")

    def run(self, **arguments: Any) -> str:
        return TOOL.run(arguments, self).content


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    desk.talk("where is the csv loader", "in loaders/csv.py")
    desk.current.new()
    desk.begin("and the 数据库 loader")
    desk.answer("looking", call("1", query="loader"))
    desk.current.flush()
    return desk


def test_it_reads_the_sessions_and_no_file(tmp_path: Path) -> None:
    assert TOOL.footprint({"query": "x"}, tmp_path) == Footprint(Level.SAFE, (STATE,), subjects=(EARLIER,))


def test_a_match_comes_with_what_it_takes_to_read_on(desk: Desk) -> None:
    here = Here(desk)
    text = here.run(query="csv loader", role_filter=["user"])
    (key, session), *_ = rows(desk.path, "SELECT key, session FROM messages ORDER BY key")
    head, body = text.split("\n")
    assert head.startswith(f"[session_id {session[:8]}, message_id {key}] 20")
    assert head.endswith(" user in “where is the csv loader”")
    assert body == "  where is the csv loader"
    window = here.run(session_id=session[:8], around_message_id=key)
    assert [part.split("\n")[1] for part in window.split("\n\n")] == [
        "where is the csv loader",
        "in loaders/csv.py",
    ]
    desk.close()


def test_its_own_batch_is_not_found(desk: Desk) -> None:
    here = Here(desk)
    assert "looking" not in here.run(query="loader", limit=50)
    assert "数据库" in here.run(query="数据库")
    desk.close()


def test_nothing_found_says_what_to_do(desk: Desk) -> None:
    assert Here(desk).run(query="zebra") == "no message holds 'zebra'; try fewer or other words"
    desk.close()


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({}, BadArguments, "give a query, or the session_id of a session to read"),
        ({"session_id": "zz"}, ToolError, "session_search: no session 'zz'"),
        ({"query": "x", "limit": 0}, BadArguments, "limit: expected `int` >= 1"),
        ({"query": "x", "role_filter": ["cat"]}, BadArguments, "role_filter"),
    ],
)
def test_bad_arguments_say_how_to_do_it(
    desk: Desk, arguments: dict[str, Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error) as raised:
        Here(desk).run(**arguments)
    assert text.replace("`", "'") in str(raised.value)
    desk.close()
