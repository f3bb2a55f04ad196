from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest

from hermes_tui.engine.errors import BadArguments
from hermes_tui.engine.footprint import Access, Footprint, Hazard, Level, Subject
from hermes_tui.engine.protocols import Call, Result, Tool
from hermes_tui.tools.base import TypedTool, footprint_of, read_path, write_path


class Item(msgspec.Struct):
    id: str
    state: Literal["open", "done"] = "open"


class SampleArguments(msgspec.Struct):
    path: Annotated[str, msgspec.Meta(description="The file.", examples=["src/app.py"])]
    limit: Annotated[int, msgspec.Meta(description="Lines.")] = 5
    deep: bool = False
    note: str | None = None
    items: list[Item] | None = None


class Sample(TypedTool[SampleArguments]):
    """A tool of this test."""

    name = "sample"
    description = "Does nothing."
    Arguments = SampleArguments

    def declare(self, args: SampleArguments, folder: Path) -> Footprint:
        return footprint_of(Level.SCOPED, [read_path(args.path, folder)])

    def act(self, args: SampleArguments, call: Call) -> Result:
        return Result(args.path)


TOOL: Tool = Sample()


def test_the_schema_is_one_plain_object() -> None:
    assert TOOL.schema.parameters == {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "The file.", "examples": ["src/app.py"]},
            "limit": {"type": "integer", "description": "Lines.", "default": 5},
            "deep": {"type": "boolean", "default": False},
            "note": {"type": "string"},
            "items": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "id": {"type": "string"},
                        "state": {"type": "string", "enum": ["done", "open"], "default": "open"},
                    },
                    "required": ["id"],
                },
            },
        },
        "required": ["path"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("sent", "taken"),
    [
        ({"path": "a"}, SampleArguments("a")),
        ({"path": "a", "limit": "7", "deep": "true"}, SampleArguments("a", 7, True)),
        ({"path": "a", "limit": 7.0}, SampleArguments("a", 7)),
        ({"path": "a", "items": "[]"}, SampleArguments("a", items=[])),
        ({"path": "a", "limit": None, "note": None, "unknown": None}, SampleArguments("a")),
        (
            {"path": "a", "items": [{"id": "1", "state": "done"}]},
            SampleArguments("a", items=[Item("1", "done")]),
        ),
    ],
)
def test_arguments_are_taken_as_models_send_them(sent: dict[str, Any], taken: SampleArguments) -> None:
    assert Sample().parse(sent) == taken


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({}, "missing required field 'path'"),
        ({"path": None}, "path: expected 'str', got 'null'"),
        ({"path": ["a"]}, "path: expected 'str', got 'array'"),
        ({"path": "a", "limit": "many"}, "limit: expected 'int', got 'str'"),
        ({"path": "a", "limit": 1.5}, "limit: expected 'int', got 'float'"),
        ({"path": "a", "limit": True}, "limit: expected 'int', got 'bool'"),
        ({"path": "a", "file": "b"}, "unknown argument 'file'. Arguments: path, limit, deep, note, items"),
        ({"path": "a", "items": [{"id": 1}]}, "items[0].id: expected 'str', got 'int'"),
        ({"path": "a", "items": [{"id": "1", "state": "x"}]}, "items[0].state: invalid enum value 'x'"),
    ],
)
def test_a_wrong_argument_is_named_with_an_example(sent: dict[str, Any], said: str) -> None:
    with pytest.raises(BadArguments) as caught:
        TOOL.footprint(sent, Path("/"))
    assert said in str(caught.value)
    assert 'Example: {"path":"src/app.py"' in str(caught.value)


def test_a_footprint_is_made_of_its_paths(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    subjects = [
        read_path("a", tmp_path),
        read_path("missing/deep", tmp_path),
        write_path("b", tmp_path, Hazard.DELETES, "deletes b"),
        write_path("./b", tmp_path, Hazard.OVERWRITES),
    ]
    assert footprint_of(Level.SCOPED, subjects) == Footprint(
        Level.SCOPED,
        (f"{tmp_path}/a", f"{tmp_path}"),
        (f"{tmp_path}/b",),
        Hazard.DELETES,
        tuple(subjects),
    )
    assert subjects[2] == Subject(
        "path", f"{tmp_path}/b", Access.WRITE, Hazard.DELETES, None, f"{tmp_path}/b", "deletes b"
    )
