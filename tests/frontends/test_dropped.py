"""Pictures on the prompt: dropped onto the terminal, or mentioned by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from hermes_tui.frontends.dropped import dropped, mention
from tests.frontends.scene import played, scene

PNG = b"\x89PNG\r\n\x1a\nrest"


@pytest.mark.parametrize("form", ["{}", "'{}'", '"{}"', "file://{}", "{} ", "\n{}\n"])
def test_a_dropped_picture_is_a_mention_however_the_terminal_writes_it(tmp_path: Path, form: str) -> None:
    (tmp_path / "shot.png").write_bytes(PNG)
    assert dropped(form.format(tmp_path / "shot.png"), tmp_path) == "@shot.png"


def test_a_name_with_blanks_may_come_escaped(tmp_path: Path) -> None:
    (tmp_path / "my shot.PNG").write_bytes(PNG)
    escaped = f"{tmp_path}/my\\ shot.PNG"
    encoded = f"file://{tmp_path}/my%20shot.PNG"
    assert dropped(escaped, tmp_path) == dropped(encoded, tmp_path) == '@"my shot.PNG"'


@pytest.mark.parametrize(
    "text", ["missing.png", "hello", "a\nb.png", "don't.png", "", "see /tmp/a.png", "x" * 9_000]
)
def test_other_text_stays_text(tmp_path: Path, text: str) -> None:
    assert dropped(text, tmp_path) is None


def test_a_picture_elsewhere_keeps_its_whole_path(tmp_path: Path) -> None:
    assert mention("/somewhere/else.png", tmp_path) == "@/somewhere/else.png"


@played
async def test_dropping_a_picture_writes_its_mention(tmp_path: Path) -> None:
    (tmp_path / "my shot.png").write_bytes(PNG)
    async with scene(tmp_path) as on:
        await on.type("what is ")
        on.app.post_message(events.Paste(f"'{tmp_path}/my shot.png'"))
        await on.until(lambda: on.main.prompt.text == 'what is @"my shot.png" ')
