"""A setting written into config.toml: in its place, and everything else stays."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.config.meanings import choices, meanings
from hermes_tui.config.save import changed, save, toml
from hermes_tui.engine.errors import ConfigError

FILE = """\
# My settings.
model = "gpt-5"   # the good one

theme = 'hermes-dark'
vi_keys=true # really

# Where I work.
[providers.mine]
base_url = "http://127.0.0.1:1/v1"
model = "other"
"""


def test_a_value_is_changed_in_its_place_and_comments_stay(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(FILE)
    save(file, "theme", "hermes-light")
    save(file, "vi_keys", False)
    save(file, "model", "x # y")
    assert file.read_text() == FILE.replace("'hermes-dark'", '"hermes-light"').replace(
        "vi_keys=true #", "vi_keys=false #"
    ).replace('"gpt-5"  ', '"x # y"  ')


def test_a_new_value_stands_before_the_first_table_and_its_comment(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(FILE)
    save(file, "schedule", "graph")
    text = file.read_text()
    assert 'vi_keys=true # really\nschedule = "graph"\n\n# Where I work.\n[providers.mine]' in text
    assert tomllib.loads(text)["schedule"] == "graph"


def test_a_file_that_is_not_there_is_made_and_private(tmp_path: Path) -> None:
    file = tmp_path / "new" / "config.toml"
    save(file, "theme", "hermes-light")
    assert file.read_text() == 'theme = "hermes-light"\n'
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_linked_file_stays_linked(tmp_path: Path) -> None:
    real, link = tmp_path / "dotfiles.toml", tmp_path / "config.toml"
    real.write_text('theme = "a"\n')
    link.symlink_to(real)
    save(link, "theme", "hermes-light")
    assert link.is_symlink()
    assert real.read_text() == 'theme = "hermes-light"\n'


@pytest.mark.parametrize(
    "text",
    [
        'theme = """\nhermes-dark"""\n',
        "model = \n",
        '"theme" = "a"\n',
        'a = """\ntheme = "x"\n"""\n',
    ],
)
def test_what_cannot_be_changed_safely_is_left_and_said(tmp_path: Path, text: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match='write theme = "hermes-light" into'):
        save(file, "theme", "hermes-light")
    assert file.read_text() == text


@given(st.text(max_size=30))
def test_any_text_can_be_written(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    assert tomllib.loads(changed(FILE, "model", text))["model"] == text
    assert tomllib.loads(f"x = {toml(text)}")["x"] == text


def test_every_setting_has_a_meaning() -> None:
    found = meanings()
    assert found["reduced_motion"] == "Whether nothing turns or glides on the screen."
    assert all(found.values()), found
    assert choices("schedule") == ("batch", "graph", "serial")
    assert choices("vi_keys") == ("on", "off")
    assert choices("model") == ()
