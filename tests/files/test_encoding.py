import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.files.encoding import binary_kind, decoded, readable


@given(
    st.binary()
    | st.text().map(str.encode)
    | st.text().map(lambda text: text.encode("utf-16"))
    | st.binary().map(lambda data: b"\xff\xfe" + data)
    | st.binary().map(lambda data: b"\xef\xbb\xbf" + data)
)
def test_decoding_and_encoding_again_gives_the_same_bytes(data: bytes) -> None:
    """cases d/50, d/52."""
    text = decoded(data)
    assert text.encoded(text.text) == data
    readable(data).encode()  # is text that can be sent


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"caf\xe9", "caf\ufffd"),
        (b"\xef\xbb\xbfa", "a"),
        ("漢字".encode("utf-16"), "漢字"),
        (b"\xfe\xff\x00a", "a"),
        (b"a\r\nb", "a\r\nb"),
        (b"\xed\xa0\x80", "\ufffd\ufffd\ufffd"),
    ],
)
def test_a_reader_sees_the_text(data: bytes, shown: str) -> None:
    assert readable(data) == shown


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n", "a PNG image"),
        (b"%PDF-1.7\n", "a PDF document"),
        (b"\x7fELF\x02", "an ELF program or library"),
        (b"a\0b", "binary data"),
        (b"plain", None),
        (b"", None),
        ("text".encode("utf-16"), None),
        (b"caf\xe9", None),
    ],
)
def test_what_is_no_text_is_named(head: bytes, kind: str | None) -> None:
    assert binary_kind(head) == kind
