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
        ('\n\nschedule = "fast"\n', 'line 3: schedule: must be "batch", "graph" or "serial", not "fast"'),
        ("max_parallel = 0\n", "line 1: max_parallel: must be a whole number of at least 1"),
        (
            'model = "x"\n[checkpoints]\nkeep = 3\nmax_files = "many"\n',
            "line 4: checkpoints.max_files: must be a whole number, not text",
        ),
        ("[permissions]\nalow = []\n", "line 2: permissions.alow: unknown key"),
        ('[providers.mine]\nmodel = "m"\n', "line 1: providers"),
        (
            '[providers.a]\nbase_url = "http://a"\n[providers.b]\nbase_url = "b"\n',
            "line 4: providers.b.base_url: must be an http:// or https:// address",
        ),
        (
            "[mcp.x]\nargs = []\n\n[mcp.y]\nargs = 3\n",
            "line 5: mcp.y.args: must be a list, in [brackets], not a number",
        ),
        ('model = "x"\nprovider = "rehersal"\n', "line 2: provider: no provider 'rehersal'"),
        ("vi_keys = 1\n", "line 1: vi_keys: must be true or false, without quotes, not a number"),
        ("model = 3\n", 'line 1: model: must be text, in "quotes", not a number'),
        ("[context]\ncompact_at = 1.5\n", "line 2: context.compact_at: must be a number of at most 1"),
        ("[tools]\ndeadline = 0\n", "line 2: tools.deadline: must be a number of more than 0"),
        ('theme = "x"\npermissions = 3\n', "line 2: permissions: must be a table, not a number"),
        ('[web]\nsearch = "gogle"\n', 'line 2: web.search: must be "", "searxng", "brave"'),
        (
            'theme = "x"\n[keys]\nhelp = "f2"\nstop_cal = "x"\n',
            "line 4: keys.stop_cal: no such action; did you mean 'stop_call'?",
        ),
        ('[keys]\nhelp = "h"\n', "line 2: keys.help: 'h' is needed for writing"),
        ('[keys]\nhelp = "ctrl+c"\n', "line 2: keys.help: 'ctrl+c' always does the same"),
        ('[keys]\nhelp = "ctl+x"\n', "line 2: keys.help: 'ctl+x' is no key; write for example"),
        ('[keys]\nhelp = ""\n', "line 2: keys.help: no key"),
        ("[keys]\nhelp = 1\n", "line 2: keys.help: must be text"),
        ('[keys]\nrun_again = "k"\n', "line 2: keys.run_again: 'k' does stop_call; give that one another"),
        ('[keys]\nstop_call = "ctrl+t"\n', "line 2: keys.stop_call: 'ctrl+t' does runs"),
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


def test_keys_can_change_places(tmp_path: Path) -> None:
    user = tmp_path / "config.toml"
    user.write_text('[keys]\nstop_call = "r"\nrun_again = "k"\nhelp = "f1, ctrl+h"\nroll_back = "R"\n')
    assert load({}, {}, user).settings.keys == {
        "stop_call": "r",
        "run_again": "k",
        "help": "f1, ctrl+h",
        "roll_back": "R",
    }


def test_a_bad_variable_says_what_it_must_be(tmp_path: Path) -> None:
    missing = tmp_path / "none.toml"
    wrong = r"^HERMES_TUI_MAX_PARALLEL: must be a whole number \(got 'many'\)$"
    with pytest.raises(ConfigError, match=wrong):
        load({}, {"HERMES_TUI_MAX_PARALLEL": "many"}, missing)
    with pytest.raises(ConfigError, match=r'must be "batch", "graph" or "serial", not "quick"$'):
        load({}, {"HERMES_TUI_SCHEDULE": "quick"}, missing)
