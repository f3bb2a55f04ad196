"""vision_analyze: the picture reaches the model scaled down, its kind told by its content."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import pytest
from PIL import Image

from hermes_tui.engine.footprint import Access, Level
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.protocols import Result
from hermes_tui.engine.state import Sight
from hermes_tui.tools.vision_analyze import TOOL
from tests.tools.support import Session


class Eyes:
    """Keeps what it was shown."""

    def __init__(self) -> None:
        self.seen: list[tuple[tuple[int, int], str]] = []

    def look(self, picture: bytes, question: str, token: Token) -> str:
        with Image.open(io.BytesIO(picture), formats=["PNG"]) as image:
            self.seen.append((image.size, question))
        return "a red square"


@pytest.fixture
def eyes() -> Eyes:
    return Eyes()


@pytest.fixture
def session(tmp_path: Path, eyes: Eyes) -> Session:
    session = Session(tmp_path)
    session.states[Sight] = eyes
    return session


def drawn(width: int, height: int, kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), "red").save(out, kind)
    return out.getvalue()


def test_a_large_picture_is_scaled_down(session: Session, eyes: Eyes, tmp_path: Path) -> None:
    (tmp_path / "shot.txt").write_bytes(drawn(4000, 1000, "JPEG"))
    result = session.run(TOOL, image_url="shot.txt", question=" what? ")
    assert result == Result("a red square", display="4000x1000")
    assert eyes.seen == [((1568, 392), "what?")]


def test_a_data_address_is_looked_at(session: Session, eyes: Eyes) -> None:
    address = "data:image/png;base64," + base64.b64encode(drawn(3, 2)).decode()
    session.run(TOOL, image_url=address, question="what?")
    assert eyes.seen == [((3, 2), "what?")]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"no picture at all", "it is no picture"),
        (b"", "it is no picture"),
        (b"%PDF-1.4 and so on", "it is no picture"),
        (drawn(50, 50)[:80], "the picture is damaged"),
    ],
)
def test_what_is_no_picture_is_refused(session: Session, tmp_path: Path, body: bytes, said: str) -> None:
    (tmp_path / "a.png").write_bytes(body)
    assert said in session.refused(TOOL, image_url="a.png", question="what?")


@pytest.mark.parametrize(
    ("where", "question", "said"),
    [
        ("a.png", " ", "give both image_url and question"),
        ("data:image/png;base64", "what?", "a comma before its data"),
        ("data:image/png;base64,!!!", "what?", "no base64"),
        ("missing.png", "what?", "no such file"),
    ],
)
def test_bad_input_says_how_to_do_it_right(session: Session, where: str, question: str, said: str) -> None:
    assert said in session.refused(TOOL, image_url=where, question=question)


def test_it_only_reads_and_a_web_picture_asks_for_the_network(tmp_path: Path) -> None:
    near = TOOL.footprint({"image_url": "a.png", "question": "q"}, tmp_path)
    assert (near.level, near.writes) == (Level.SAFE, ())
    assert [s.access for s in near.subjects] == [Access.READ]
    far = TOOL.footprint({"image_url": "https://x.example/a.png", "question": "q"}, tmp_path)
    assert [(s.text, s.access) for s in far.subjects] == [("https://x.example/a.png", Access.NETWORK)]
