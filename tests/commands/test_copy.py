"""/copy: the last answer, or code of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from hermes_tui.assemble import Hermes
from hermes_tui.commands.copy import fences
from hermes_tui.engine.messages import Message
from tests.commands.support import ScriptedUI, program

ANSWER = "Two ways:\n\n```python\nprint('one')\n```\n\n1. or\n   ~~~\n   two\n     deeper\n   ~~~\n\ndone"


@pytest.fixture
def hermes(tmp_path: Path) -> Hermes:
    (tmp_path / "home").mkdir()
    return program(tmp_path, tmp_path / "home")


def answered(hermes: Hermes, *texts: str) -> None:
    messages = [Message("user", "go"), *(Message("assistant", text) for text in texts)]
    hermes.agent.do(lambda: setattr(hermes.agent, "messages", messages)).result(5)


def run(hermes: Hermes, line: str, ui: ScriptedUI | None = None) -> ScriptedUI:
    ui = ui or ScriptedUI()
    asyncio.run(hermes.commands.run(hermes, ui, line))
    return ui


def test_the_last_answer_is_copied(hermes: Hermes) -> None:
    answered(hermes, "old", ANSWER)
    ui = run(hermes, "/copy")
    assert (ui.copied, ui.said) == ([ANSWER], ["copied: the answer, 13 lines"])


def test_a_code_block_is_picked_or_named(hermes: Hermes) -> None:
    answered(hermes, ANSWER)
    assert run(hermes, "/copy 2").copied == ["two\n  deeper\n"]
    ui = run(hermes, "/copy code", ScriptedUI(picks=[0]))
    assert ui.copied == ["print('one')\n"]
    assert run(hermes, "/copy code", ScriptedUI(picks=[None])).copied == []
    assert hermes.commands.words(hermes, None, "copy") == [
        ("code", "pick one"),
        ("1", "1 lines: print('one')"),
        ("2", "2 lines: two⏎  deeper"),
    ]


def test_what_cannot_be_copied_is_said(hermes: Hermes) -> None:
    assert run(hermes, "/copy").warned == ["there is no answer yet that could be copied"]
    answered(hermes, "no code here")
    assert "no code block" in run(hermes, "/copy code").warned[0]
    answered(hermes, ANSWER)
    assert "from 1 to 2" in run(hermes, "/copy 3").warned[0]


def test_control_sequences_are_not_copied(hermes: Hermes) -> None:
    answered(hermes, "a\x1b]52;c;eA==\x07b\u202ec")
    assert run(hermes, "/copy").copied == ["ab⟨U+202E⟩c"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("```\na\n```", ["a\n"]),
        ("````md\n```\ninner\n```\n````", ["```\ninner\n```\n"]),
        ("```py\ncut off", ["cut off"]),
        ("`` ` `` and ``` inline", []),
        ("", []),
    ],
)
def test_fences(text: str, found: list[str]) -> None:
    assert fences(text) == found
