"""/permissions lists the rules, explains a call without running it, and takes answers back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_tui.assemble import Hermes
from hermes_tui.commands.permissions import pending
from tests.commands.support import program
from tests.commands.test_commands import run


@pytest.fixture
def hermes(tmp_path: Path) -> Iterator[Hermes]:
    project = tmp_path / "shop"
    (project / ".git").mkdir(parents=True)
    home = tmp_path / "home" / "hermes"
    home.mkdir(parents=True)
    (home / "config.toml").write_text(
        '[permissions]\nallow = ["terminal(git commit *)"]\ndeny = ["ha_call_service"]\n'
    )
    hermes = program(project, tmp_path / "home")
    yield hermes
    hermes.close()


def always(hermes: Hermes, text: str) -> str:
    call = pending(hermes, text)
    verdict = hermes.permissions.judge(call)
    hermes.permissions.learn(call, verdict, "always")
    return verdict.pattern


def test_the_rules_in_force_are_listed_with_the_mode(hermes: Hermes) -> None:
    always(hermes, "terminal(make)")
    assert run(hermes, "/permissions").said == [
        "mode: ask\ndeny: ha_call_service\nallow: terminal(git commit *)\n"
        "session: terminal(make)\nalways: terminal(make)"
    ]


def test_a_rule_never_covers_what_stands_behind_the_command(hermes: Hermes) -> None:
    """The issue's own example: parsed commands, not strings."""
    lines = run(hermes, "/permissions why terminal(git commit -m x; rm y)").said[0].split("\n")
    assert lines[0] == "terminal(git commit -m x; rm y) asks in the mode ask"
    assert any("rm" in line and line.startswith("·") for line in lines)
    assert not any("git commit" in line for line in lines[1:])
    for more in ("$(touch x)", "> x", "`touch x`", "&& touch x", "\ntouch x"):
        assert (
            hermes.permissions.judge(pending(hermes, f"terminal(git commit -m x {more})")).decision == "ask"
        )
    allowed = run(hermes, "/permissions why terminal(git commit -m x)").said[0]
    assert "runs without a question" in allowed
    assert "settled by terminal(git commit *)" in allowed


def test_what_is_asked_names_the_mode_and_what_always_would_store(hermes: Hermes) -> None:
    said = run(hermes, "/permissions why write_file(a.py)").said
    assert said == []
    assert run(hermes, "/permissions why write_file(a.py)").warned  # it needs its content, too
    text = run(hermes, '/permissions why write_file({"path": "a.py", "content": ""})').said[0]
    assert text.endswith("“always” would store write_file(a.py)\nthe mode edits would not ask")
    protected = run(hermes, '/permissions why write_file({"path": ".git/hooks/x", "content": ""})').said[0]
    assert protected.endswith("every mode asks")
    assert (
        "is refused" in run(hermes, '/permissions why ha_call_service({"domain":"a","service":"b"})').said[0]
    )


def test_an_answer_is_taken_back_here_and_for_later_sessions(hermes: Hermes, tmp_path: Path) -> None:
    rule = always(hermes, "terminal(make)")
    assert hermes.permissions.judge(pending(hermes, "terminal(make)")).decision == "allow"
    assert run(hermes, f"/permissions revoke {rule}").said == [f"taken back: {rule}; it asks again"]
    assert hermes.permissions.judge(pending(hermes, "terminal(make)")).decision == "ask"
    again = program(tmp_path / "shop", tmp_path / "home")
    assert again.permissions.learned() == []
    again.close()
    assert run(hermes, f"/permissions revoke {rule}").warned == [f"no rule {rule}"]
    assert run(hermes, "/permissions revoke ha_call_service").warned == [
        "that rule stands in config.toml; remove it there"
    ]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("/permissions nonsense", "write /permissions, /permissions why"),
        ("/permissions why", "write /permissions, /permissions why"),
        ("/permissions why )(", "is no rule"),
        ("/permissions why nothing(x)", "no tool nothing"),
        ("/permissions why terminal({)", "no JSON"),
    ],
)
def test_what_is_no_call_is_one_line(line: str, words: str, hermes: Hermes) -> None:
    front = run(hermes, line)
    assert (front.said, len(front.warned), words in front.warned[0]) == ([], 1, True)
