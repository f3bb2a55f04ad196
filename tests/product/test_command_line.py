"""The command line to the letter: what stands together, which folder counts, which settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.product.support import run
from tests.product.test_bad_input import one_line

REHEARSAL = ("--provider", "rehearsal")
READ_TWICE = [
    {"name": "read_file", "arguments": {"path": "README.md"}},
    {"name": "read_file", "arguments": {"path": "README.md"}},
]


def config(environ: dict[str, str], text: str) -> Path:
    file = Path(environ["HERMES_TUI_HOME"]) / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-p", "read", "README.md", *REHEARSAL], "in quotes"),
        (["-p", "hi", "plan", "-", *REHEARSAL], "without plan"),
        (["checkpoints"], "Missing command"),
        (["config"], "Missing command"),
        (["plan", "-", "--schedule", "quick"], 'must be "batch", "graph" or "serial"'),
        (["-p", "hi", "--permission", "no", *REHEARSAL], 'must be "plan", "ask", "edits" or "all"'),
        (["-p", "hi", "--base-url", "ftp://x"], "--base-url: must be an http:// or https:// address"),
    ],
)
def test_what_does_not_fit_together_is_one_line_and_exit_2(
    shop: Path, environ: dict[str, str], arguments: list[str], said: str
) -> None:
    done = run(arguments, shop, environ, text="[]")
    assert (done.code, done.out, said in one_line(done.err)) == (2, "", True), done


def test_a_plan_takes_the_schedule_of_the_settings(shop: Path, environ: dict[str, str]) -> None:
    batch = json.dumps(READ_TWICE)
    config(environ, 'schedule = "graph"\n')
    for words, variable, expected in (
        ([], {}, "graph"),
        ([], {"HERMES_TUI_SCHEDULE": "serial"}, "serial"),
        (["--schedule", "batch"], {"HERMES_TUI_SCHEDULE": "serial"}, "batch"),
    ):
        done = run(["plan", "-", *words], shop, {**environ, **variable}, text=batch)
        assert json.loads(done.out)["schedule"] == expected


def test_a_batch_file_is_looked_for_in_the_folder_of_c(
    shop: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    (shop / "batch.json").write_text(json.dumps(READ_TWICE))
    done = run(["-C", "shop", "plan", "batch.json"], tmp_path, environ)
    assert [call["reads"] for call in json.loads(done.out)["calls"]] == [[str(shop / "README.md")]] * 2


def test_a_permission_rule_that_is_none_names_its_line(shop: Path, environ: dict[str, str]) -> None:
    file = config(environ, 'model = "m"\n[permissions]\nallow = ["patch"]\ndeny = ["terminal("]\n')
    for words in (["config", "show"], ["-p", "hi", *REHEARSAL]):
        done = run(words, shop, environ)
        assert done.code == 2
        assert one_line(done.err).startswith(f"hermes-tui: {file}, line 4: permissions.deny")


@pytest.mark.parametrize("variable", ["OPENAI_BASE_URL", "HERMES_TUI_BASE_URL"])
def test_an_address_from_the_environment_is_checked(
    shop: Path, environ: dict[str, str], variable: str
) -> None:
    done = run(["-p", "hi"], shop, {**environ, variable: "localhost:11434"})
    assert (done.code, done.out) == (2, "")
    assert f"{variable}: must be an http:// or https:// address" in one_line(done.err)


def test_a_home_that_cannot_be_made_still_answers(shop: Path, environ: dict[str, str]) -> None:
    """Nothing can be kept there, so rollback is off; that is said, and nothing is called damaged."""
    done = run(
        ["-p", "write NOTES.md: x", *REHEARSAL, "--permission", "edits"],
        shop,
        {**environ, "HERMES_TUI_HOME": "/dev/null/home"},
    )
    assert (done.code, (shop / "NOTES.md").read_text()) == (0, "x")
    assert "rollback is off" in done.err


@pytest.mark.parametrize(
    ("prompt", "flag"),
    [
        ("write NOTES.md: x", "run with --permission edits,"),
        ("run touch x", "run with --permission all,"),
        ("read ../other.txt", "run with --permission all,"),
        ("write .git/hooks/pre-commit: x", "no flag allows it"),
    ],
)
def test_what_is_denied_names_the_flag_that_would_allow_it(
    shop: Path, environ: dict[str, str], prompt: str, flag: str
) -> None:
    done = run(["-p", prompt, *REHEARSAL, "--output", "stream-json"], shop, environ)
    ended = done.only("call_finished")
    assert (ended["status"], flag in ended["content"]) == ("denied", True), ended
