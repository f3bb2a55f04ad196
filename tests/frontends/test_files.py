"""`@` names files: found by a few letters, in the background, in folders of any size."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from pathlib import Path

from hermes_tui.frontends import offers
from hermes_tui.frontends.fileindex import FileIndex
from hermes_tui.frontends.fuzzy import best
from tests.frontends.scene import played, scene


def made(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    return folder


def index(folder: Path, project: Path | None) -> FileIndex:
    files = FileIndex(folder, project)
    files.start()
    assert files.ready.wait(20)
    return files


def test_the_files_own_name_beats_its_path_and_letters_need_not_touch() -> None:
    names = [(name, name.casefold()) for name in (
        "app/models/user.py", "src/app.py", "tests/test_app.py", "src/apple.py", "docs/a/p/p.md", "Makefile",
    )]  # fmt: skip
    assert best("app", names, 3) == ["src/app.py", "src/apple.py", "tests/test_app.py"]
    assert best("amu", names, 3) == ["app/models/user.py"]
    assert best("MAKE", names, 3) == ["Makefile"]
    assert best("src/ap", names, 2) == ["src/app.py", "src/apple.py"]
    assert best("zz", names, 3) == []


def test_git_says_which_files_there_are(tmp_path: Path) -> None:
    made(tmp_path, "a.py", "new file.txt", "build/out.o", "src/deep/b.py", ".github/ci.yml")
    (tmp_path / ".gitignore").write_text("build/\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "a.py"], cwd=tmp_path, check=True)
    files = index(tmp_path, tmp_path)
    assert files.search("out.o") == []
    assert files.search("b.py") == ["src/deep/b.py"]
    assert files.search("new") == ["new file.txt"]
    assert files.search("ci") == [".github/ci.yml"]
    assert files.search("")[:3] == ["a.py", "new file.txt", "src/"]


def test_a_file_that_has_gone_is_not_offered(tmp_path: Path) -> None:
    files = index(made(tmp_path, "here.py", "gone.py"), tmp_path)
    (tmp_path / "gone.py").unlink()
    assert files.search("py") == ["here.py"]


def test_a_repository_names_no_program_that_completing_runs(tmp_path: Path) -> None:
    made(tmp_path, "a.py")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    mark = tmp_path / "ran"
    config = ["git", "config", "core.fsmonitor", f"touch {mark}"]
    subprocess.run(config, cwd=tmp_path, check=True)
    assert index(tmp_path, tmp_path).search("a") == ["a.py"]
    assert not mark.exists()


def test_names_that_no_prompt_can_hold_are_left_out(tmp_path: Path) -> None:
    made(tmp_path, "plain.txt", "two\nlines.txt", "esc\x1b[31m.txt", "rtl\u202e.txt")
    assert index(tmp_path, tmp_path).search("txt") == ["plain.txt"]


def test_outside_a_project_only_its_own_names_are_listed_and_paths_are_followed(tmp_path: Path) -> None:
    made(tmp_path, "Documents/letter.txt", "notes.md")
    files = index(tmp_path, None)
    assert files.search("") == ["Documents/", "notes.md"]
    assert files.search("Documents/le") == ["Documents/letter.txt"]
    assert files.search(f"{tmp_path}/not") == [f"{tmp_path}/notes.md"]
    assert files.search("/no/such/place/x") == []


def test_a_new_file_is_found_once_the_list_is_old(tmp_path: Path) -> None:
    files = index(made(tmp_path, "old.py"), tmp_path)
    made(tmp_path, "young.py")
    assert files.search("young") == []
    files.outdate()
    deadline = time.monotonic() + 10
    while files.search("young") != ["young.py"]:
        assert time.monotonic() < deadline


def test_a_later_search_ends_an_earlier_one(tmp_path: Path) -> None:
    files = index(made(tmp_path, *(f"f{n}.py" for n in range(50))), tmp_path)
    results: list[list[str]] = []
    threads = [threading.Thread(target=lambda: results.append(files.search("f", 5))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(len(found) in (0, 5) for found in results)
    assert len(files.search("f", 5)) == 5


def test_a_mention_begins_a_word_and_may_be_in_quotes() -> None:
    assert offers.mention("look at @src/a") == ("src/a", 6)
    assert offers.mention('see (@"my fi') == ("my fi", 7)
    assert offers.mention("@") == ("", 1)
    assert offers.mention("me@example.org") is None
    assert offers.mention("@done now") is None


@played
async def test_an_at_sign_offers_files_and_tab_takes_one(tmp_path: Path) -> None:
    made(tmp_path, "src/app.py", "src/my file.txt", "README.md")
    async with scene(tmp_path) as on:
        prompt = on.main.prompt
        await on.type("compare @app")
        await on.shows("❯ src/app.py")
        await on.press("tab")
        assert prompt.text == "compare @src/app.py "
        await on.type("and @my")
        await on.shows("❯ src/my file.txt")
        await on.press("enter")
        assert prompt.text == 'compare @src/app.py and @"src/my file.txt" '
        assert on.agent.asked == []
        await on.press("enter")
        await on.until(lambda: on.agent.asked == [("submit", 'compare @src/app.py and @"src/my file.txt"')])


@played
async def test_a_folder_leads_on_to_what_is_in_it(tmp_path: Path) -> None:
    made(tmp_path, "src/deep/one.py", "src/two.py")
    async with scene(tmp_path) as on:
        await on.type("@src")
        await on.shows("❯ src/")
        await on.press("tab")
        assert on.main.prompt.text == "@src/"
        await on.shows("src/two.py", "src/deep/")


@played
async def test_sixty_thousand_files_leave_typing_fluid(tmp_path: Path) -> None:
    """Cases j/164: listed in the background, capped, never on the screen's thread."""
    for number in range(60_000):
        folder = tmp_path / f"pkg{number % 300}"
        if number < 300:
            folder.mkdir()
        os.close(os.open(f"{folder}/module_{number}.py", os.O_CREAT | os.O_WRONLY))
    async with scene(tmp_path) as on:
        late = 0.0
        await on.press("@")
        for key in "mod59999":
            begun = time.monotonic()
            await on.type(key)
            late = max(late, time.monotonic() - begun)
        await on.until(lambda: "pkg299/module_59999.py" in on.text(), 30)
        assert on.main.prompt.text == "@mod59999"
        assert late < 1.5  # a freeze is many seconds; the figures are in tests/bench/ui.py
