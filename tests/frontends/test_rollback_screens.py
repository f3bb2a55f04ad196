"""The browser of checkpoints on a real store, and /rollback on the real program."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from hermes_tui.assemble import Hermes
from hermes_tui.frontends.history import History
from hermes_tui.frontends.tui.app import HermesApp
from hermes_tui.frontends.tui.screens.checkpoints import CheckpointsScreen
from hermes_tui.frontends.tui.screens.ticks import Picked, Ticks
from tests.checkpoints.kit import Project
from tests.commands.support import program
from tests.frontends.scene import Scene, played, scene
from tests.frontends.standin import Turn


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Five checkpoints; the user edited a since."""
    project = Project(tmp_path / "p")
    project.put({"a": "1\n", "src/b [/x].py": "1\n", "gone": "1\n"})
    project.edit("a", "2\n")
    project.edit("src/b [/x].py", "2\n3\n")
    project.edit("new/c", "1\n")
    project.command("rm gone")
    project.open("before sleep").close()
    project.put({"a": "mine\n"})
    return project


def ticks(project: Project, number: int = 1) -> Ticks:
    return Ticks(project.store.preview(number))


def test_all_that_would_be_restored_is_ticked_and_folders_go_with_their_files(project: Project) -> None:
    found = ticks(project)
    assert [(item.path, found.ticked(item)) for item in found.items] == [
        ("a", False),
        ("gone", True),
        ("new/c", True),
        ("src/b [/x].py", True),
    ]
    assert (found.picked(), found.summary()) == (Picked(1), "2 restored, 1 deleted, 1 kept")


def test_what_the_user_edited_is_taken_when_it_is_ticked(project: Project) -> None:
    found = ticks(project)
    found.toggle(found.items[0])
    found.toggle(found.items[1])
    assert found.picked() == Picked(1, frozenset({"a", "new/c", "src/b [/x].py"}), frozenset({"a"}))
    assert found.summary() == "2 restored, 1 deleted, 1 kept"


def test_nothing_ticked_is_no_choice_unless_there_is_nothing_to_tick(project: Project) -> None:
    found = ticks(project)
    found.toggle_all()
    assert (found.picked(), found.summary()) == (None, "4 kept")
    found.toggle_all()
    assert found.picked() == Picked(1)
    assert ticks(project, 5).picked() == Picked(5)


def test_what_cannot_be_restored_cannot_be_ticked(project: Project) -> None:
    preview = project.store.preview(1)
    lost = replace(preview.items[0], action="cannot", edited=False)
    found = Ticks(replace(preview, items=(lost,)))
    found.toggle(found.items[0])
    assert (found.ticked(found.items[0]), found.picked()) == (False, Picked(1))


@asynccontextmanager
async def browser(
    project: Project, size: tuple[int, int]
) -> AsyncIterator[tuple[Scene, list[Picked | None]]]:
    picked: list[Picked | None] = []
    infos = [info for info in project.store.list() if info.files]
    async with scene(project.root, size=size) as on:
        on.app.push_screen(CheckpointsScreen(project.store, project.root, infos), picked.append)
        await on.shows("#4", "rm gone")
        yield on, picked


@pytest.mark.parametrize("size", [(100, 30), (80, 24)])
def test_files_are_looked_at_left_out_and_taken(project: Project, size: tuple[int, int]) -> None:
    @played
    async def play() -> None:
        async with browser(project, size) as (on, picked):
            assert "sleep" not in on.text(), "nothing changed after it"
            await on.shows("now → #4: 1 restored", "☑ gone  restore", "+1", "by `rm gone`", "+++ b/gone")
            await on.press("end")
            await on.shows("now → #1: 2 restored, 1 deleted, 1 kept", "☐ a", "you edited it since", "-mine")
            await on.press("right")
            await on.shows("Space take or leave")
            await on.press("space", "down", "space")
            await on.shows("☑ a", "☐ gone", "now → #1: 2 restored, 1 deleted, 1 kept")
            await on.press("down", "down")
            await on.shows("-2", "-3", "☑ src/b [/x].py")
            await on.press("enter")
            await on.until(lambda: picked)
        chosen = frozenset({"a", "new/c", "src/b [/x].py"})
        assert picked == [Picked(1, chosen, frozenset({"a"}))]

    play()


@played
async def test_enter_in_the_list_takes_all_of_one(tmp_path: Path) -> None:
    project = Project(tmp_path / "p")
    project.edit("a", "1\n")
    project.edit("a", "2\n")
    infos = project.store.list()
    picked: list[Picked | None] = []
    async with scene(tmp_path) as on:
        on.app.push_screen(CheckpointsScreen(project.store, project.root, infos), picked.append)
        await on.shows("now → #2")
        await on.press("down")
        await on.shows("now → #1: 1 deleted")
        await on.press("enter")
        await on.until(lambda: picked)
    assert picked == [Picked(1)]


@played
async def test_nothing_ticked_restores_nothing_and_says_how_to_go_on(tmp_path: Path) -> None:
    project = Project(tmp_path / "p")
    project.edit("a", "1\n")
    picked: list[Picked | None] = []
    async with scene(tmp_path) as on:
        on.app.push_screen(
            CheckpointsScreen(project.store, project.root, project.store.list()), picked.append
        )
        await on.shows("now → #1")
        await on.press("right", "a", "enter")
        await on.shows("nothing is ticked: Space takes a file")
        await on.press("escape")
        await on.until(lambda: picked)
    assert (picked, project.read("a")) == ([None], b"1\n")


@played
async def test_a_store_that_cannot_tell_is_said(tmp_path: Path) -> None:
    project = Project(tmp_path / "p")
    project.edit("a", "1\n")
    infos = project.store.list()
    project.store.prune(keep=0)
    async with scene(tmp_path) as on:
        on.app.push_screen(CheckpointsScreen(project.store, project.root, infos))
        await on.shows("there is no checkpoint #1: it was pruned")
        await on.press("right", "enter")
        assert len(on.app.screen_stack) == 2


@asynccontextmanager
async def real(tmp_path: Path) -> AsyncIterator[tuple[Hermes, HermesApp, Scene]]:
    """The whole program on the rehearsal, which may do everything."""
    folder, home = tmp_path / "shop", tmp_path / "home"
    (folder / ".git").mkdir(parents=True)
    home.mkdir()
    hermes = program(folder, home, permission="all")
    hermes.history = History(hermes.start.places.history_file)
    app = HermesApp(hermes, None, (0.0, 0.0))
    async with app.run_test(size=(100, 30)) as pilot:
        on = Scene(app, pilot, hermes, Turn(hermes.agent))  # type: ignore[arg-type]  # the real ones
        await on.until(lambda: app.connected)
        yield hermes, app, on
    hermes.close()


@played
async def test_files_and_conversation_go_back_and_the_prompt_is_written_again(tmp_path: Path) -> None:
    async with real(tmp_path) as (hermes, app, on):
        for prompt in ("write a.txt: hello", "replace hello with bye in a.txt"):
            app.enter(prompt)
            await on.until(lambda: hermes.agent.busy)
            await on.until(lambda: not hermes.agent.busy)
        app.enter("/rollback")
        await on.shows("now → #2: 1 restored", "☑ a.txt")
        await on.press("enter")
        await on.shows(
            "Go back to #2?", "1  files only", "2  files and conversation", "cancel, changes nothing"
        )
        await on.press("enter")
        await on.shows("Nothing was changed.")
        app.enter("/rollback 2")
        await on.shows("files and conversation", "to before “replace hello with bye in a.txt”")
        await on.press("2")
        await on.shows("Back to #2: 1 restored", "The conversation is back to before")
        assert app.main.prompt.text == "replace hello with bye in a.txt"
        messages = await app.ui.run(lambda: hermes.agent.do(lambda: [*hermes.agent.messages]).result())
    assert [message.content for message in messages if message.role == "user"] == ["write a.txt: hello"]
    assert (tmp_path / "shop/a.txt").read_text() == "hello"
