"""skills_list and skill_view: the published SKILL.md format, from several folders; a damaged one is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from hermes_tui.engine.footprint import Level
from hermes_tui.engine.protocols import Result
from hermes_tui.engine.state import Skills
from hermes_tui.tools.skills import SkillsList, SkillView
from hermes_tui.tools.skills.store import SkillStore
from tests.tools.support import Session

LIST, VIEW = SkillsList(), SkillView()

HEAD = "---\nname: {name}\ndescription: {description}\nlicense: MIT\nmetadata:\n  version: '1'\n---\n\n{body}"


def put(folder: Path, name: str, description: str = "what it is for", body: str = "Do this.\n") -> Path:
    folder.mkdir(parents=True)
    text = HEAD.format(name=name, description=description, body=body)
    (folder / "SKILL.md").write_text(text)
    return folder


@pytest.fixture
def session(tmp_path: Path) -> Session:
    session = Session(tmp_path)
    session.states[Skills] = SkillStore(lambda: [tmp_path / "user", tmp_path / "project"])
    return session


def test_skills_of_both_folders_are_listed_and_the_projects_own_wins(
    session: Session, tmp_path: Path
) -> None:
    put(tmp_path / "user" / "notes", "notes", "of the user")
    put(tmp_path / "user" / "writing" / "poems", "poems", "for poems: with a colon in it".replace(":", ","))
    put(tmp_path / "project" / "notes", "notes", "of the project")
    assert session.run(LIST) == Result(
        "notes: of the project\nwriting/poems: for poems, with a colon in it", display="2 skills"
    )
    assert session.run(LIST, category="writing").content == "writing/poems: for poems, with a colon in it"
    assert session.refused(LIST, category="x") == "no skill in the category 'x'; there are: (none), writing"


def test_a_new_skill_is_there_at_once(session: Session, tmp_path: Path) -> None:
    assert session.run(LIST) == Result("there are no skills here", display="none")
    put(tmp_path / "user" / "new", "new")
    assert session.run(LIST).content == "new: what it is for"


def test_its_instructions_and_its_other_files_are_read(session: Session, tmp_path: Path) -> None:
    folder = put(tmp_path / "user" / "a", "a", body="See references/style.md.\n")
    (folder / "references").mkdir()
    (folder / "references" / "style.md").write_text("short words\n")
    text = session.run(VIEW, name="A").content
    assert text.endswith("See references/style.md.\n\nOther files: references/style.md")
    assert session.run(VIEW, name="a", file_path="references/style.md") == Result("short words", "1 lines")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"no head at all\n", "has no description in its head"),
        (b"---\nname: a\n", "its head has no second line of ---"),
        (b"---\nname: [a\n---\nb\n", "its head is no YAML in line 2"),
        (b"---\n- a\n---\nb\n", "its head is no list of name: value"),
        (b"---\nname: a\ndescription: b\n---\n\n", "has a head and nothing below it"),
        (b"---\n" + b"[" * 5000 + b"\n---\nb\n", "its head is"),
        (b"\xff\xfe\x00", "has no description in its head"),
    ],
)
def test_a_damaged_one_is_reported_and_hurts_no_other(
    session: Session, tmp_path: Path, text: bytes, said: str
) -> None:
    put(tmp_path / "user" / "good", "good")
    (tmp_path / "user" / "bad").mkdir()
    (tmp_path / "user" / "bad" / "SKILL.md").write_bytes(text)
    listed = session.run(LIST).content
    assert "good: what it is for" in listed
    assert "damaged: SKILL.md" in listed
    assert said in listed


def test_a_head_runs_no_code(session: Session, tmp_path: Path) -> None:
    (tmp_path / "user" / "bad").mkdir(parents=True)
    canary = tmp_path / "canary"
    head = f"---\nname: !!python/object/apply:os.mkdir ['{canary}']\ndescription: d\n---\nbody\n"
    (tmp_path / "user" / "bad" / "SKILL.md").write_text(head)
    assert "its head is no YAML" in session.run(LIST).content
    assert not canary.exists()


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "link", "../a/../secret", "."])
def test_nothing_outside_the_skill_is_read(session: Session, tmp_path: Path, path: str) -> None:
    folder = put(tmp_path / "user" / "a", "a")
    (tmp_path / "user" / "secret").write_text("SECRET")
    (folder / "link").symlink_to("../secret")
    assert "is not inside the skill; it has SKILL.md" in session.refused(VIEW, name="a", file_path=path)


def test_a_missing_name_or_file_says_what_there_is(session: Session, tmp_path: Path) -> None:
    put(tmp_path / "user" / "a", "a")
    assert session.refused(VIEW, name="b") == "no skill 'b'; there are: a"
    assert (
        session.refused(VIEW, name="a", file_path="x.md") == "the skill a has no file x.md; it has SKILL.md"
    )
    assert "needed: name" in session.refused(VIEW)


def test_both_only_read_and_any_write_beside_them_waits(tmp_path: Path) -> None:
    for footprint in (LIST.footprint({}, tmp_path), VIEW.footprint({"name": "a"}, tmp_path)):
        assert (footprint.level, footprint.reads, footprint.writes) == (Level.SAFE, ("*",), ())
