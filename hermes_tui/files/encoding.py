"""From bytes to text and back without losing one: what a file's bytes are, and how to keep them.

Never guesses a legacy encoding: bytes that are no UTF-8 go through as they are (surrogateescape).
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Final

_SNIFF: Final = 8192

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8", "surrogateescape"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "surrogatepass"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "surrogatepass"),
)

_MAGIC: Final = (
    (0, b"\x89PNG\r\n", "a PNG image"),
    (0, b"\xff\xd8\xff", "a JPEG image"),
    (0, b"GIF8", "a GIF image"),
    (8, b"WEBP", "a WebP image"),
    (0, b"%PDF-", "a PDF document"),
    (0, b"PK\x03\x04", "a ZIP archive (or jar, docx, xlsx, wheel)"),
    (0, b"\x1f\x8b", "a gzip archive"),
    (0, b"BZh", "a bzip2 archive"),
    (0, b"\xfd7zXZ\0", "an xz archive"),
    (0, b"7z\xbc\xaf", "a 7z archive"),
    (0, b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"\x7fELF", "an ELF program or library"),
    (0, b"\xcf\xfa\xed\xfe", "a Mach-O program or library"),
    (0, b"\xca\xfe\xba\xbe", "a Java class or Mach-O file"),
    (0, b"\0asm", "a WebAssembly module"),
    (0, b"SQLite format 3\0", "an SQLite database"),
    (4, b"ftyp", "an MP4 video or HEIF image"),
    (0, b"OggS", "an Ogg file"),
    (8, b"WAVE", "a WAV sound"),
)


@dataclass(frozen=True, slots=True)
class Text:
    """A file's text, and what is needed to make exactly its bytes again."""

    text: str
    """The whole text without its byte order mark; undecodable bytes as U+DC80…U+DCFF."""
    bom: bytes = b""
    codec: str = "utf-8"
    errors: str = "surrogateescape"

    def encoded(self, text: str) -> bytes:
        """Return `text` as bytes of this file; `UnicodeEncodeError` for what no file can hold."""
        return self.bom + text.encode(self.codec, self.errors)


def decoded(data: bytes) -> Text:
    """Return the text in `data`; encoding it again gives `data`, byte for byte."""
    for bom, codec, errors in _BOMS:
        if data.startswith(bom):
            try:
                made = Text(data[len(bom) :].decode(codec, errors), bom, codec, errors)
                if made.encoded(made.text) == data:
                    return made
            except UnicodeError:
                pass  # half a code unit: no text of this encoding
    return Text(data.decode("utf-8", "surrogateescape"))


def readable(data: bytes) -> str:
    """Return the text in `data` for a reader: what cannot be decoded becomes U+FFFD."""
    made = decoded(data)
    return data[len(made.bom) :].decode(made.codec, "replace")


def is_utf16(head: bytes) -> bool:
    """Whether a file that starts with `head` says that it is UTF-16."""
    return head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not head.startswith(
        b"\xff\xfe\0\0"
    )


def binary_kind(head: bytes) -> str | None:
    """Return what a file that starts with `head` is, in words, if it is no text; None if it is."""
    for offset, magic, kind in _MAGIC:
        if head.startswith(magic, offset):
            return kind
    if b"\0" in head[:_SNIFF] and not is_utf16(head):
        return "binary data"
    return None
