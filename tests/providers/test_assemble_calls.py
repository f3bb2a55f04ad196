"""Streamed calls come out whole, however a server cuts and labels them."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.engine.messages import ToolCall
from hermes_tui.providers.assemble_calls import CallAssembler

A = '{"path":"a"}'
B = '{"path":"b"}'


def part(
    arguments: Any = None, *, index: Any = None, id: str | None = None, name: str | None = None
) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    entry: dict[str, Any] = {"function": {k: v for k, v in function.items() if v is not None}}
    return entry | {k: v for k, v in {"index": index, "id": id}.items() if v is not None}


def assembled(*entries: dict[str, Any]) -> list[tuple[str, str]]:
    assembler = CallAssembler()
    for entry in entries:
        assembler.add(entry)
    return [(call.name, call.arguments) for call in assembler.calls()]


TWO = [("read_file", A), ("read_file", B)]
CASES: dict[str, tuple[list[dict[str, Any]], list[tuple[str, str]]]] = {
    "a/1: the name and the arguments are repeated in every delta": (
        [part(A, index=0, id="A", name="read_file")] * 2,
        [("read_file", A + A)],
    ),
    "a/1: the name is repeated, the arguments are fragments": (
        [part(piece, index=0, id="A", name="read_file") for piece in ('{"pa', 'th":', '"a"}')],
        [("read_file", A)],
    ),
    "a/4: two calls share the index 0": (
        [part(A, index=0, id="A", name="read_file"), part(B, index=0, id="B", name="read_file")],
        TWO,
    ),
    "a/4: and go on in turns": (
        [
            part('{"path"', index=0, id="A", name="read_file"),
            part('{"path"', index=0, id="B", name="read_file"),
            part(':"a"}', index=0, id="A"),
            part(':"b"}', index=0, id="B"),
        ],
        TWO,
    ),
    "a/4: two whole calls share the index 0 and have no ids": (
        [part(A, index=0, name="f"), part(B, index=0, name="g")],
        [("f", A), ("g", B)],
    ),
    "a/5: no index; a fragment without id follows the second call": (
        [part(A, id="A", name="read_file"), part('{"path":', id="B", name="read_file"), part('"b"}')],
        TWO,
    ),
    "a/5: neither index nor id, two whole calls": (
        [part(A, name="f"), part(B, name="f")],
        [("f", A), ("f", B)],
    ),
    "a/5: neither index nor id, the name repeated with each fragment": (
        [part('{"path"', name="f"), part(':"a"}', name="f")],
        [("f", A)],
    ),
    "a/7: name and first fragment in one list": (
        [part(index=0, id="A", name="f"), part('{"a"', index=0), part(":1}", index=0)],
        [("f", '{"a":1}')],
    ),
    "a/16: two calls of one tool": (
        [part(A, index=0, id="A", name="read_file"), part(B, index=1, id="B", name="read_file")],
        TWO,
    ),
    "a/17: a call without a name is kept, so that it can be answered": (
        [part(A, index=0, id="A", name="")],
        [("", A)],
    ),
    "an entry that says nothing is dropped": ([{"index": 0}, part(A, index=1, name="f")], [("f", A)]),
    "the id comes late": (
        [part('{"pa', index=0, name="f"), part('th":"a"}', index=0, id="A")],
        [("f", A)],
    ),
    "the index changes within one call": (
        [part('{"pa', index=0, id="A", name="f"), part('th":"a"}', index=1, id="A")],
        [("f", A)],
    ),
    "the name arrives in pieces": (
        [part(index=0, id="A", name="read_"), part(index=0, name="file"), part(A, index=0)],
        [("read_file", A)],
    ),
    "the name grows": (
        [part(index=0, id="A", name="read"), part(A, index=0, name="read_file")],
        [("read_file", A)],
    ),
    "the arguments are an object": ([part({"path": "a"}, index=0, name="f")], [("f", '{"path": "a"}')]),
    "indexes out of order": (
        [part(B, index=1, id="B", name="read_file"), part(A, index=0, id="A", name="read_file")],
        TWO,
    ),
    "nonsense is survived": (
        [{"index": [], "id": 7, "function": "f"}, part(A, index=0, id="A", name="f")],
        [("f", A)],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_calls_come_out_as_meant(case: str) -> None:
    """Cases a/1, a/4, a/5, a/7, a/16, a/17."""
    entries, expected = CASES[case]
    assert assembled(*entries) == expected


def test_ids_are_kept_when_they_are_new_and_replaced_when_they_are_not() -> None:
    assembler = CallAssembler()
    for number, call_id in enumerate(["A", "", "old", "A"]):
        assembler.add(part("{}", index=number, id=call_id, name=f"f{number}"))
    calls = assembler.calls(taken={"old"})
    assert calls[0] == ToolCall("A", "f0", "{}")
    assert [call.name for call in calls] == ["f0", "f1", "f2", "f3"]
    ids = [call.id for call in calls]
    assert len({*ids, "old"}) == 5
    assert all(len(call_id) == 9 and call_id.isalnum() for call_id in ids[1:])


values = st.dictionaries(st.text(max_size=5), st.text(max_size=12) | st.integers(), max_size=3)
wanted = st.lists(st.tuples(st.from_regex(r"[a-z]{3,8}", fullmatch=True), values), min_size=1, max_size=5)


@given(wanted, st.sampled_from(["index", "id", "both", "neither"]), st.data())
def test_any_fragmentation_is_put_together_again(
    calls: list[tuple[str, dict[str, Any]]], labels: str, data: st.DataObject
) -> None:
    """Cases a/1 to a/7 as a whole kind: fragments cut anywhere, in turns where labels allow it."""
    streams = [
        list(_fragments(number, name, json.dumps(value), labels, data))
        for number, (name, value) in enumerate(calls)
    ]
    entries: list[dict[str, Any]] = []
    while any(streams):
        ready = [stream for stream in streams if stream]
        in_turns = labels == "both" and len(ready) > 1
        stream = data.draw(st.sampled_from(ready)) if in_turns else ready[0]
        entries.append(stream.pop(0))
    assert assembled(*entries) == [(name, json.dumps(value)) for name, value in calls]


def _fragments(number: int, name: str, raw: str, labels: str, data: st.DataObject) -> list[dict[str, Any]]:
    cuts = sorted(data.draw(st.sets(st.integers(1, max(1, len(raw) - 1)), max_size=4)))
    bounds = [0, *cuts, len(raw)]
    pieces = [raw[a:b] for a, b in itertools.pairwise(bounds)]
    index = number if labels in ("index", "both") else None
    call_id = f"id{number}" if labels in ("id", "both") else None
    first = part(pieces[0], index=index, id=call_id, name=name)
    rest_id = call_id if labels == "both" else None
    return [first, *(part(piece, index=index, id=rest_id) for piece in pieces[1:])]
