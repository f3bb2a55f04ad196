"""The slash commands about sessions, on the real program."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_tui.assemble import Hermes
from hermes_tui.engine.events import TurnFinished
from hermes_tui.engine.state import Todo
from tests.commands.support import ScriptedUI, program
from tests.sessions.kit import until


@pytest.fixture
def hermes(tmp_path: Path) -> Iterator[Hermes]:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / "a.txt").write_text("alpha\n")
    hermes = program(folder, tmp_path)
    yield hermes
    hermes.close()


def turn(hermes: Hermes, prompt: str) -> None:
    """Run one turn to its end."""
    ended: list[bool] = []

    def look() -> None:
        ended.extend(isinstance(event, TurnFinished) for event in hermes.agent.events.drain())

    hermes.agent.events.listen(look)
    hermes.agent.submit(prompt)
    until(lambda: any(ended))


def run(hermes: Hermes, line: str, ui: ScriptedUI | None = None) -> ScriptedUI:
    """Run one command line."""
    ui = ui or ScriptedUI()
    asyncio.run(hermes.commands.run(hermes, ui, line))
    return ui


def said(hermes: Hermes) -> list[str]:
    """What the model gets now, the prompts."""
    return [m.content for m in hermes.agent.messages if m.role == "user"]


def test_clear_begins_a_new_session_and_resume_goes_back(hermes: Hermes) -> None:
    turn(hermes, "read a.txt")
    first = hermes.agent.session
    run(hermes, "/clear")
    assert said(hermes) == []
    turn(hermes, "read a.txt and search alpha")
    assert hermes.agent.session != first
    assert run(hermes, f"/resume {first[:8]}").said == ["past"]
    assert (hermes.agent.session, said(hermes)) == (first, ["read a.txt"])
    turn(hermes, "read a.txt again")
    assert [s.title for s in hermes.session.store.recent()] == ["read a.txt", "read a.txt and search alpha"]
    assert b"read a.txt again" in hermes.past()


def test_todo_list_and_checkpoints_belong_to_their_session(hermes: Hermes) -> None:
    hermes.permissions.mode = "edits"
    turn(hermes, "write b.txt: one")
    first = hermes.agent.session
    hermes.todos.write([Todo("1", "look", "in_progress")], merge=False)
    run(hermes, "/clear")
    assert hermes.todos.items() == []
    turn(hermes, "write b.txt: two")
    assert [info.session for info in hermes.checkpoints.list()] == [hermes.agent.session, first]
    run(hermes, f"/resume {first}")
    assert hermes.todos.items() == [Todo("1", "look", "in_progress")]


def test_resume_of_what_is_not_there_changes_nothing(hermes: Hermes) -> None:
    turn(hermes, "read a.txt")
    session = hermes.agent.session
    assert run(hermes, "/resume zzz").warned == ["no session 'zzz'; hermes-tui sessions list shows them"]
    assert run(hermes, f"/resume {session}").warned == ["this is the session you are in"]
    assert (hermes.agent.session, said(hermes)) == (session, ["read a.txt"])


def test_a_fork_goes_its_own_way(hermes: Hermes) -> None:
    assert run(hermes, "/fork").warned == ["nothing was said in this session yet: there is nothing to fork"]
    turn(hermes, "read a.txt")
    original = hermes.agent.session
    ui = run(hermes, "/fork second try")
    copy = hermes.agent.session
    assert ui.said == [f"this is a copy now, {copy[:8]}; /resume {original[:8]} goes back to the original"]
    turn(hermes, "search alpha")
    hermes.session.flush()
    assert {s.title: s.parent for s in hermes.session.store.recent()} == {
        "second try": original,
        "read a.txt": None,
    }
    run(hermes, f"/resume {original}")
    assert said(hermes) == ["read a.txt"]


def test_rename(hermes: Hermes) -> None:
    turn(hermes, "read a.txt")
    assert run(hermes, "/rename").warned == ["give a title: /rename TITLE"]
    run(hermes, "/rename the \x1b[31mred one")
    hermes.session.flush()
    assert [s.title for s in hermes.session.store.recent()] == ["the red one"]


def test_export_writes_a_private_file_in_the_format_of_its_name(hermes: Hermes) -> None:
    turn(hermes, "read a.txt")
    run(hermes, "/export talk.md")
    run(hermes, "/export talk.json")
    run(hermes, "/export stream-json")
    name = f"session-{hermes.agent.session[:8]}.jsonl"
    assert (hermes.folder / "talk.md").read_text().startswith("# read a.txt\n")
    assert json.loads((hermes.folder / "talk.json").read_text())["session"]["title"] == "read a.txt"
    last = (hermes.folder / name).read_text().splitlines()[-1]
    assert json.loads(last)["type"] == "turn_finished"
    assert (hermes.folder / "talk.md").stat().st_mode & 0o777 == 0o600
    ui = run(hermes, "/export talk.md", ScriptedUI(answers=[False]))
    assert ui.asked == [("Export", f"{hermes.folder / 'talk.md'} exists already.")]
    run(hermes, "/export my talk.txt json")
    assert json.loads((hermes.folder / "my talk.txt").read_text())["messages"]
    missing = hermes.folder / "no" / "x.md"
    assert run(hermes, "/export no/x.md").warned == [
        f"{missing} cannot be written: there is no such folder; name another file"
    ]


def test_sessions_opens_the_picker_and_tab_offers_the_others(hermes: Hermes) -> None:
    turn(hermes, "read a.txt")
    first = hermes.agent.session
    run(hermes, "/clear")
    turn(hermes, "search alpha")
    hermes.session.flush()
    assert run(hermes, "/sessions alpha").said == ["sessions alpha"]
    assert hermes.commands.words(hermes, None, "resume") == [(first[:8], "read a.txt")]
