"""Events come out whole, wherever the bytes are cut and however lines end."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.providers.sse import EventReader


def events(*pieces: bytes) -> list[str]:
    reader = EventReader()
    found = [event for piece in pieces for event in reader.feed(piece)]
    return found + list(reader.finish())


ODD = {
    "comments and blank lines first": (b": ping\n\n\n: ping\ndata: 1\n\n", ["1"]),
    "an event without data": (b"event: x\n\ndata: 1\n\n", ["1"]),
    "no blank behind the colon": (b"data:1\n\n", ["1"]),
    "only one blank is taken off": (b"data:  1\n\n", [" 1"]),
    "CRLF": (b"data: 1\r\n\r\ndata: 2\r\n\r\n", ["1", "2"]),
    "lone CR": (b"data: 1\r\rdata: 2\r\r", ["1", "2"]),
    "no blank line at the end": (b"data: 1\n\ndata: 2\n", ["1", "2"]),
    "no line end at the end": (b"data: 1\n\ndata: 2", ["1", "2"]),
    "data over two lines": (b"data: 1\ndata: 2\n\n", ["1\n2"]),
    "bytes that are no UTF-8": (b"data: \xff\n\n", ["\ufffd"]),
    "other fields": (b"id: 7\nretry: 3\ndata: 1\nfoo\n\n", ["1"]),
}


@pytest.mark.parametrize("case", ODD)
def test_odd_streams_are_read(case: str) -> None:
    """Cases i/157."""
    raw, expected = ODD[case]
    assert events(raw) == expected
    assert events(*(raw[i : i + 1] for i in range(len(raw)))) == expected


@given(st.lists(st.text(min_size=1, max_size=20)), st.sampled_from(["\n", "\r\n"]), st.data())
def test_any_cut_gives_the_same_events(texts: list[str], end: str, data: st.DataObject) -> None:
    texts = ["x" + "".join(c for c in text if c not in "\r\n") for text in texts]
    raw = "".join(f": c{end}data: {text}{end}{end}" for text in texts).encode("utf-8", "surrogatepass")
    cuts = sorted(data.draw(st.sets(st.integers(0, len(raw)), max_size=8)))
    bounds = [0, *cuts, len(raw)]
    expected = [text.encode("utf-8", "surrogatepass").decode("utf-8", "replace") for text in texts]
    assert events(*(raw[a:b] for a, b in itertools.pairwise(bounds))) == expected


@given(st.lists(st.binary(max_size=40)))
def test_no_bytes_break_it(pieces: list[bytes]) -> None:
    assert all(isinstance(event, str) for event in events(*pieces))
