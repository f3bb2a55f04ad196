"""Keys: the ones in the table are the ones that are bound; changed ones act, and are shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from textual.binding import Binding
from textual.widget import Widget

from hermes_tui.config.keymap import ACTIONS
from hermes_tui.frontends.tui.actions import Actions
from hermes_tui.frontends.tui.keymap import long, short
from hermes_tui.frontends.tui.screens.help import help_text, question_keys
from hermes_tui.frontends.tui.screens.main import MainScreen
from tests.frontends.scene import played, scene
from tests.frontends.standin import StandIn, Step

READ: Step = ("a", "terminal", {"command": "sleep 9"})


def bindings() -> Iterator[Binding]:
    groups = [("", Actions.BINDINGS), *MainScreen.key_groups(), ("", question_keys())]
    for _, group in groups:
        yield from (binding for binding in group if isinstance(binding, Binding))


def test_the_table_of_keys_is_what_the_widgets_bind() -> None:
    bound = {binding.id: binding.key for binding in bindings() if binding.id}
    assert bound == {name: bound.keys for name, bound in ACTIONS.items()}


def test_every_binding_that_help_shows_can_be_changed_or_is_one_of_the_fixed_keys() -> None:
    fixed = {"tab", "enter", "up", "down", "enter,space", "escape", "ctrl+d", "shift+tab"}
    left = [b.key for b in bindings() if b.description and not b.id and b.key not in fixed]
    assert left == []


def test_keys_are_written_as_people_write_them() -> None:
    assert long("ctrl+j,shift+enter,f1,k,G,slash,pageup") == "Ctrl-J, Shift+Enter, F1, k, G, /, PgUp"
    assert [short({}, name) for name in ("runs", "help", "stop_call")] == ["^T", "F1", "k"]
    assert short({"runs": "alt+r, f5"}, "runs") == "Alt+R"


def test_help_shows_the_changed_key() -> None:
    text = help_text(MainScreen.key_groups(), [], {"runs": "f5"}, 100)
    assert max(map(len, text.splitlines())) <= 100
    assert "F5" in text
    assert "Show or hide the runs  [runs]" in text
    assert "Ctrl-T" not in text
    assert "[keys], then name =" in text


@played
async def test_a_changed_key_acts_and_the_old_one_does_not(tmp_path: Path) -> None:
    hermes = StandIn(tmp_path)
    hermes.settings.keys = {"runs": "f5", "stop_call": "x", "new_line": "ctrl+n", "run_again": "k"}
    async with scene(tmp_path, hermes=hermes) as on:
        on.turn.start()
        on.turn.batch([READ], False, "one call")
        on.turn.began("a")
        await on.shows("Batch 1", "F5 runs")
        await on.press("ctrl+t")
        assert on.main.side.display
        await on.press("f5")
        assert not on.main.side.display
        await on.press("f5", "tab")
        await on.shows("x stop this call · k run again")
        await on.press("k")
        assert on.agent.asked == [], "k is run again now, and it has not ended"
        await on.press("x")
        assert on.agent.asked == [("interrupt", "a", False)]
        await on.press("escape")
        await on.type("a")
        await on.press("ctrl+n")
        await on.type("b")
        assert on.main.prompt.text == "a\nb"


def test_no_widget_of_ours_binds_a_key_twice() -> None:
    for kind in (MainScreen, *Widget.__subclasses__()):
        keys = [
            key
            for b in kind.__dict__.get("BINDINGS", ())
            if isinstance(b, Binding)
            for key in b.key.split(",")
        ]
        if kind.__module__.startswith("hermes_tui"):
            assert len(keys) == len(set(keys)), kind
