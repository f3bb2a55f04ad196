"""Untrusted text in every widget that shows any: markup is text, and nothing live reaches the terminal.

Each place gets the same text, with a word of its own before and behind it, so that it can be told that it
was shown; then the characters that the screen would write are looked through.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual import events

from hermes_tui.engine import events as ev
from tests.frontends.scene import Scene, played, scene
from tests.frontends.standin import question

MARKUP = "[/foo] list[int] [@click=app.quit]x[/] [link=http://x]y[/] [/"
LIVE = (
    "\x1b[2J\x1b[1;1H\x1b[?1049h\x1b]0;title\x07"  # ANSI
    "\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\"  # OSC 8
    "\x1b]52;c;bHMK\x07"  # OSC 52
    "\u202eabc\u2066\u200b"  # bidirectional, invisible
    "\x00\x07\x08\x7f"  # NUL, BEL, BS, DEL
    "\x9b2J\x9d52;c;bHMK\x9c\x85"  # C1
)
NEVER = "\x1b\x07\x00\x08\x7f\x9b\x9c\x9d\x85\u202e\u2066\u200b"


def evil(place: str) -> str:
    return f"{place} {MARKUP} {LIVE} end"


def drawn(on: Scene) -> str:
    """Return every character of the screen as it is laid out, dialogs included, before it is coded."""
    rows: list[str] = []
    for screen in on.app.screen_stack:
        for strip in screen._compositor.render_strips():
            rows.append("".join(segment.text for segment in strip))
    return "\n".join(rows)


async def harmless_with(on: Scene, word: str) -> None:
    """Wait until the place's own word is on the screen; then look at all that is drawn."""
    await on.shows(word)
    screen = drawn(on)
    found = sorted({f"U+{ord(character):04X}" for character in screen if character in NEVER})
    assert found == []
    assert "[/foo]" in screen


async def conversation(on: Scene) -> None:
    on.turn.start(evil("prompt"))
    on.turn.put(ev.ThinkingDelta(text=evil("thought")))
    on.turn.text(f"# {evil('heading')}\n\n`{evil('code')}`\n\n```{evil('info')}\n{evil('fence')}\n```\n")
    on.turn.put(
        ev.Notice(level="info", text=evil("notice")), ev.Notice(level=ev.STEERED, text=evil("steered"))
    )
    await harmless_with(on, "steered")


async def batch(on: Scene) -> None:
    diff = f"--- a/{evil('old')}\n+++ b/x\n@@ -1 +1 @@\n-{evil('minus')}\n+{evil('plus')}\n"
    on.turn.start("go")
    on.turn.batch([("a", evil("tool"), {"path": evil("path")})], False, evil("reason"))
    on.turn.began("a")
    on.turn.output("a", evil("output"))
    on.turn.put(ev.CheckpointMade(number=1, label=evil("label"), files=1))
    on.turn.ended("a", "ok", f"{evil('content')}\n{diff}", evil("display"))
    on.turn.end("error", evil("error"))
    await harmless_with(on, "plus")
    await on.press("tab", "down", "enter")
    await harmless_with(on, "content")


async def waiting(on: Scene) -> None:
    on.turn.start("go")
    on.agent.queued.append(evil("queued"))
    on.app.show_settings()
    on.main.waiting.steer(evil("steering"))
    on.main.waiting.show_outputs([(evil("command"), True)])
    await harmless_with(on, "queued")
    assert "steering" in on.text()
    assert "command" in on.text()


async def written(on: Scene) -> None:
    on.app.post_message(events.Paste(evil("pasted")))
    await harmless_with(on, "pasted")
    on.main.prompt.put("")
    on.app.post_message(events.Paste(evil("long") * 200))
    await on.shows("[pasted #")
    await on.press("ctrl+o")
    await harmless_with(on, "long")


async def history(on: Scene) -> None:
    on.hermes.history.texts.append(evil("before"))
    await on.press("ctrl+r")
    await harmless_with(on, "before")


async def files(on: Scene) -> None:
    (on.hermes.folder / "plain [").mkdir()
    (on.hermes.folder / "plain [" / "foo] list[int].txt").write_text("x")
    (on.hermes.folder / "evil\x1b[2J\u202e.txt").write_text("x")
    await on.type("@txt")
    await harmless_with(on, "plain [/foo] list[int].txt")
    assert "evil" not in on.text()


async def search(on: Scene) -> None:
    await conversation(on)
    await on.press("ctrl+f")
    on.app.post_message(events.Paste("[/foo]\x1b[2J\u202e"))
    await on.shows("find [/foo]")
    await harmless_with(on, "nothing found")


async def shell(on: Scene) -> None:
    (on.hermes.folder / "evil.txt").write_text(evil("printed"))
    await on.type("!cat evil.txt; echo '[/foo]'")
    await on.press("enter")
    await harmless_with(on, "printed")


async def clarify(on: Scene) -> None:
    on.turn.start("go")
    on.turn.put(question(1, text=evil("asked"), choices=[evil("choice"), "two"]))
    await harmless_with(on, "choice")


async def permission(on: Scene) -> None:
    on.turn.start("go")
    fields = {
        "text": evil("asked"),
        "preview": evil("preview"),
        "details": [evil("detail")],
        "pattern": evil("rule"),
    }
    on.turn.put(question(1, "permission", **fields))
    await on.shows("preview")
    screen = drawn(on)
    assert [c for c in screen if c in NEVER] == []
    assert "[/foo]" in screen


async def around(on: Scene) -> None:
    on.hermes.provider_label = evil("model")
    on.app.show_settings()
    on.main.topbar.branch = evil("branch")
    on.main.status.message = evil("message")
    await harmless_with(on, "message")


async def commands(on: Scene) -> None:
    on.app.ui.say(evil("said"))
    on.app.ui.warn(evil("warned"))
    await harmless_with(on, "warned")
    picked = on.app.run_worker(on.app.ui.choose(evil("title"), [evil("option")], None))
    await harmless_with(on, "option")
    await on.press("escape")
    await picked.wait()
    on.app.run_worker(on.app.ui.confirm(evil("sure"), evil("body"), evil("yes")))
    await harmless_with(on, "body")


PLACES: list[Callable[[Scene], Awaitable[None]]] = [
    conversation, batch, waiting, written, history, files, search, shell, clarify, permission, around,
    commands,
]  # fmt: skip


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_nothing_live_is_drawn(tmp_path: Path, place: Callable[[Scene], Awaitable[None]]) -> None:
    """Cases g/112, g/113, g/115, g/116, l/184."""

    @played
    async def play() -> None:
        async with scene(tmp_path, size=(160, 50)) as on:
            await place(on)
            assert on.app.is_running

    play()
