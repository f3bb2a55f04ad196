import pytest

from hermes_tui.engine.errors import HermesError
from hermes_tui.engine.protocols import Tool, ToolBox
from hermes_tui.tools.read_file import ReadFile
from hermes_tui.tools.registry import Registry, discover


class Hidden(ReadFile):
    """A tool that cannot work here."""

    name = "hidden"

    def missing(self) -> str | None:
        return "no such program"


def test_every_tool_declares_itself_and_no_name_is_there_twice() -> None:
    tools = discover()
    names = [tool.schema.name for tool in tools]
    assert {"read_file", "write_file", "patch"} <= set(names)
    assert len(names) == len(set(names))
    assert names == [tool.schema.name for tool in discover()]
    for tool in tools:
        assert tool.schema.description
        assert tool.schema.parameters["type"] == "object"


def test_outer_blanks_of_a_name_do_not_count() -> None:
    """cases a/17."""
    tool: Tool = ReadFile()
    box: ToolBox = Registry([tool])
    assert box.get(" read_file\n") is tool
    assert box.get("multi_tool_use.parallel") is None
    assert box.get("") is None


def test_a_tool_that_cannot_work_is_hidden_from_the_model_and_still_found() -> None:
    box = Registry([ReadFile(), Hidden()])
    assert [schema.name for schema in box.schemas()] == ["read_file"]
    assert box.get("hidden") is not None


def test_two_tools_of_one_name_are_refused() -> None:
    """cases k/172."""
    with pytest.raises(HermesError, match="read_file"):
        Registry([ReadFile(), ReadFile()])
