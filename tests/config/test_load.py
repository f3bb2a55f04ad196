"""Settings: each layer, and errors that name file, key and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_tui.config.load import load, rows
from hermes_tui.config.paths import places, private_write
from hermes_tui.engine.errors import ConfigError, UsageError


def test_later_layers_win_and_each_origin_is_known(tmp_path: Path) -> None:
    user, project = tmp_path / "config.toml", tmp_path / "project.toml"
    user.write_text('model = "a"\nschedule = "graph"\ntheme = "hermes-light"\nmax_parallel = 2\n')
    project.write_text('schedule = "serial"\nmodel = "b"\n')
    loaded = load({"max_parallel": 5}, {"HERMES_TUI_MODEL": "c"}, user, project)
    chosen = {
        key: (getattr(loaded.settings, key), loaded.origins[key]) for key in ("model", "schedule", "theme")
    }
    assert chosen == {
        "model": ("c", "HERMES_TUI_MODEL"),
        "schedule": ("serial", str(project)),
        "theme": ("hermes-light", str(user)),
    }
    assert (loaded.settings.max_parallel, loaded.origins["max_parallel"]) == (5, "--max-parallel")
    assert loaded.origins["permission"] == "default"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('model = "x"\nshedule = "graph"\n', "line 2: unknown key 'shedule'; did you mean 'schedule'?"),
        ('\n\nschedule = "fast"\n', "line 3: schedule: invalid enum value 'fast'"),
        ("max_parallel = 0\n", "line 1: max_parallel: expected 'int' >= 1"),
        (
            'model = "x"\n[checkpoints]\nkeep = 3\nmax_files = "many"\n',
            "line 4: checkpoints.max_files: expected 'int', got 'str'",
        ),
        ("[permissions]\nalow = []\n", "line 2: permissions.alow: unknown key"),
        ('[providers.mine]\nmodel = "m"\n', "line 1: providers"),
        (
            '[providers.a]\nbase_url = "http://a"\n[providers.b]\nbase_url = "b"\n',
            "line 4: providers.b.base_url: expected an http:// or https:// address",
        ),
        ("[mcp.x]\nargs = []\n\n[mcp.y]\nargs = 3\n", "line 5: mcp.y.args: expected"),
        ('model = "x"\nprovider = "rehersal"\n', "line 2: provider: no provider 'rehersal'"),
        ("model = \n", "not TOML"),
        ('api_key = "sk-1"\n', "line 1: api_key: read from the environment only"),
    ],
)
def test_a_bad_config_names_file_key_and_line(tmp_path: Path, text: str, expected: str) -> None:
    user = tmp_path / "config.toml"
    user.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load({}, {}, user)
    message = str(caught.value)
    assert message.startswith(str(user))
    assert expected in message
    assert "\n" not in message


def test_a_config_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    user = tmp_path / "config.toml"
    user.write_bytes(b'\xef\xbb\xbfschedule = "graph"\n')
    assert load({}, {}, user).settings.schedule == "graph"


def test_a_config_that_is_no_text_is_one_line(tmp_path: Path) -> None:
    user = tmp_path / "config.toml"
    user.write_bytes(b'model = "\xff"\n')
    with pytest.raises(ConfigError, match="not UTF-8"):
        load({}, {}, user)
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    with pytest.raises(ConfigError, match="cannot be read"):
        load({}, {}, folder)


def test_the_environment_is_checked_by_name(tmp_path: Path) -> None:
    missing = tmp_path / "none.toml"
    with pytest.raises(ConfigError, match="HERMES_TUI_SCHEDULE"):
        load({}, {"HERMES_TUI_SCHEDULE": "quick"}, missing)
    with pytest.raises(ConfigError, match="HERMES_TUI_MODLE: no such setting; did you mean 'model'"):
        load({}, {"HERMES_TUI_MODLE": "x"}, missing)
    assert load({}, {"HERMES_TUI_MAX_PARALLEL": "3"}, missing).settings.max_parallel == 3


def test_a_number_from_the_command_line_is_a_number(tmp_path: Path) -> None:
    assert load({"max_parallel": "4"}, {}, tmp_path / "none.toml").settings.max_parallel == 4


def test_a_bad_flag_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--max-parallel"):
        load({"max_parallel": 0}, {}, tmp_path / "none.toml")


def test_a_project_can_never_set_where_keys_go_or_allow_everything(tmp_path: Path) -> None:
    """Cases l/187."""
    project = tmp_path / "config.toml"
    project.write_text('base_url = "http://127.0.0.1:9"\npermission = "all"\ntheme = "hermes-light"\n')
    loaded = load({}, {}, tmp_path / "none.toml", project)
    assert (loaded.settings.base_url, loaded.settings.permission) == ("", "ask")
    assert loaded.settings.theme == "hermes-light"
    assert [line.split(": ")[1] for line in loaded.notices] == [
        "base_url is ignored",
        "permission is ignored",
    ]


def test_an_unknown_provider_says_which_there_are(tmp_path: Path) -> None:
    user = tmp_path / "config.toml"
    user.write_text('[providers.mine]\nbase_url = "http://127.0.0.1:1/v1"\n')
    assert load({"provider": "mine"}, {}, user).settings.provider == "mine"
    with pytest.raises(UsageError, match=r"no provider 'other'; there are openai, rehearsal, mine"):
        load({"provider": "other"}, {}, user)


def test_the_key_is_never_shown(tmp_path: Path) -> None:
    """Cases l/181."""
    loaded = load({}, {"OPENAI_API_KEY": "sk-TESTKEY123"}, tmp_path / "none.toml")
    assert loaded.settings.api_key == "sk-TESTKEY123"
    assert "sk-TESTKEY123" not in str(rows(loaded))


def test_our_own_folders_and_files_are_private(tmp_path: Path) -> None:
    """Cases l/182."""
    home = places({"HERMES_TUI_HOME": str(tmp_path / "home")})
    assert home.config_file == tmp_path / "home" / "config.toml"
    private_write(home.trust_file, "{}")
    assert home.trust_file.read_text() == "{}"
    assert home.trust_file.stat().st_mode & 0o777 == 0o600
    assert [p.stat().st_mode & 0o777 for p in (home.data, home.data.parent)] == [0o700, 0o700]
    assert list(home.data.iterdir()) == [home.trust_file]
