"""The slash commands, on the real program."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_tui.assemble import Hermes
from tests.commands.support import ScriptedUI, program


@pytest.fixture
def hermes(tmp_path: Path) -> Iterator[Hermes]:
    project = tmp_path / "shop"
    (project / ".git").mkdir(parents=True)
    hermes = program(project, tmp_path / "home")
    yield hermes
    hermes.close()


def run(hermes: Hermes, line: str, **ui: object) -> ScriptedUI:
    front = ScriptedUI(**ui)  # type: ignore[arg-type]  # names and values of its own fields
    asyncio.run(hermes.commands.run(hermes, front, line))
    return front


def test_help_lists_every_command_and_says_that_the_rehearsal_is_no_model(hermes: Hermes) -> None:
    text = run(hermes, "/help").said[0]
    assert "no language model" in text
    for name in ("help", "rollback", "schedule", "permission", "model", "theme", "clear", "quit"):
        assert f"/{name} " in text
    assert "batch, graph or serial" in run(hermes, "/help schedule").said[0]


def test_an_unknown_command_names_the_nearest(hermes: Hermes) -> None:
    assert run(hermes, "/rolback 3").warned == ["no command /rolback; did you mean /rollback?"]
    assert run(hermes, "/xyzzy").warned == ["no command /xyzzy; /help lists them"]


def test_schedule_is_set_by_word_or_by_picking(hermes: Hermes) -> None:
    run(hermes, "/schedule graph")
    assert hermes.agent.schedule == "graph"
    run(hermes, "/schedule", picks=[2])
    assert hermes.agent.schedule == "serial"
    assert run(hermes, "/schedule fast").warned == ["no schedule 'fast'; there are batch, graph, serial"]
    run(hermes, "/schedule", picks=[None])
    assert hermes.agent.schedule == "serial"


def test_permission_is_set_by_word_or_by_picking(hermes: Hermes) -> None:
    run(hermes, "/permission edits")
    assert hermes.permissions.mode == "edits"
    run(hermes, "/permission", picks=[0])
    assert hermes.permissions.mode == "plan"
    assert run(hermes, "/permission yes").warned == [
        "no permission mode 'yes'; there are plan, ask, edits, all"
    ]


def test_the_rehearsal_has_no_models(hermes: Hermes) -> None:
    assert run(hermes, "/model").said == ["rehearsal (no model) answers; it lists no other models"]
    assert run(hermes, "/model gpt").warned == [
        "the rehearsal has no models; set OPENAI_API_KEY or start with --base-url"
    ]


def test_theme_quit_and_clear(hermes: Hermes) -> None:
    assert run(hermes, "/theme two").theme == "two"
    assert run(hermes, "/theme", picks=[0]).theme == "one"
    assert run(hermes, "/quit").left
    assert run(hermes, "/clear").cleared


def test_trust_is_asked_and_bound_to_what_the_files_say(hermes: Hermes) -> None:
    assert hermes.project is not None
    (hermes.project / "AGENTS.md").write_text("be kind")
    assert not hermes.trusted
    front = run(hermes, "/trust", answers=[False])
    assert (hermes.trusted, len(front.asked)) == (False, 1)
    run(hermes, "/trust", answers=[True])
    assert hermes.trusted
    assert run(hermes, "/trust").said == [f"{hermes.project} is trusted"]


def test_completion_offers_names_then_arguments(hermes: Hermes) -> None:
    commands = hermes.commands
    assert commands.complete(hermes, "/sch") == ["/schedule"]
    assert commands.complete(hermes, "/schedule g") == ["/schedule graph"]
    assert commands.complete(hermes, "/permission ") == [
        f"/permission {m}" for m in ("plan", "ask", "edits", "all")
    ]
    assert commands.complete(hermes, "plain text") == []
    assert (commands.is_complete("/help"), commands.is_complete("/hel"), commands.is_complete("/")) == (
        True,
        False,
        False,
    )
