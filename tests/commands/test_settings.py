"""/settings: seen with their origin, changed while the program runs, saved only when asked."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from hermes_tui.assemble import Hermes
from hermes_tui.commands.settings import Sheet
from tests.commands.support import ScriptedUI, program


def typed(hermes: Hermes, line: str) -> ScriptedUI:
    ui = ScriptedUI()
    asyncio.run(hermes.commands.run(hermes, ui, line))
    return ui


@pytest.fixture
def hermes(tmp_path: Path) -> Hermes:
    (tmp_path / "work").mkdir()
    home = tmp_path / "hermes"
    home.mkdir()
    (home / "config.toml").write_text('# mine\ntheme = "hermes-light"\n')
    return program(tmp_path / "work", tmp_path, schedule="graph")


def test_every_setting_is_shown_with_its_value_and_origin(hermes: Hermes) -> None:
    (text,) = typed(hermes, "/settings").said
    file = hermes.start.places.config_file
    lines = {line.split()[0]: " ".join(line.split()[1:]) for line in text.splitlines()}
    assert lines["theme"] == f"hermes-light ({file})"
    assert lines["schedule"] == "graph (--schedule)"
    assert lines["vi_keys"] == "off (default)"
    assert lines["api_key"] == "not set (default)"


def test_a_change_counts_at_once_and_is_not_written(hermes: Hermes) -> None:
    file = hermes.start.places.config_file
    before = file.read_text()
    for line in ("schedule serial", "permission edits", "vi_keys on", "theme two", "notify osc9"):
        ui = typed(hermes, f"/settings {line}")
        assert ui.warned == []
    assert hermes.agent.schedule == "serial"
    assert hermes.permissions.mode == "edits"
    assert hermes.settings.vi_keys is True
    assert hermes.settings.notify == "osc9"
    assert (ui.theme or hermes.theme) == "two"
    assert file.read_text() == before
    (text,) = typed(hermes, "/settings vi_keys").said
    assert text.startswith("vi_keys: on (changed here)\nWhether the prompt has vi's keys")


def test_what_was_changed_elsewhere_is_shown_as_it_is_now(hermes: Hermes) -> None:
    hermes.agent.schedule = "batch"
    hermes.permissions.mode = "all"
    rows = {row.key: row for row in Sheet(hermes, ScriptedUI()).rows()}
    assert (rows["schedule"].value, rows["schedule"].origin) == ("batch", "changed here")
    assert (rows["permission"].value, rows["permission"].origin) == ("all", "changed here")


def test_a_value_is_saved_only_when_asked_and_comments_stay(hermes: Hermes) -> None:
    typed(hermes, "/settings schedule serial")
    file = hermes.start.places.config_file
    assert typed(hermes, "/settings save schedule").said == [f"schedule = serial stands in {file} now"]
    assert file.read_text() == '# mine\ntheme = "hermes-light"\nschedule = "serial"\n'
    typed(hermes, "/settings reduced_motion on")
    typed(hermes, "/settings save reduced_motion")
    assert file.read_text().endswith("reduced_motion = true\n")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("schedule fast", 'schedule: must be "batch", "graph" or "serial", not "fast"'),
        ("max_parallel 3", "max_parallel cannot be changed while the program runs; set it in config.toml"),
        ("save model", "model cannot be saved from here; there are schedule, permission"),
        ("nope", "no setting nope; /settings shows them"),
        ("a b c", "there are /settings, /settings KEY VALUE and /settings save KEY"),
        ("vi_keys perhaps", "vi_keys: must be true or false"),
    ],
)
def test_what_cannot_be_is_said(hermes: Hermes, line: str, told: str) -> None:
    (warned,) = typed(hermes, f"/settings {line}").warned
    assert warned.startswith(told)


def test_tab_offers_what_can_be_changed(hermes: Hermes) -> None:
    words = dict(hermes.commands.words(hermes, ScriptedUI(), "settings"))
    assert {"schedule serial", "vi_keys on", "theme two", "save theme"} <= set(words)
    assert "max_parallel" not in " ".join(words)


def test_the_todo_list_is_told(hermes: Hermes) -> None:
    from hermes_tui.engine.state import Todo

    assert typed(hermes, "/todo").said == ["no todo list: the model makes one for a longer task"]
    hermes.todos.load([Todo("1", "read\nit", "completed"), Todo("2", "fix it", "in_progress")])
    assert typed(hermes, "/todo").said == ["1 of 2 done\n  ☑ read⏎it\n  ▸ fix it"]
