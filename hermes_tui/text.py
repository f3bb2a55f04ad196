"""Makes untrusted text harmless for a terminal: the one place that knows what is dangerous.

Whatever a model, a tool, a file or a file name brings goes through here before it is drawn. Knows no
markup: text that looks like markup is text. Imports the standard library only.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from typing import Final

_INVISIBLE: Final = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""No picture of their own, yet they hide or reorder what stands beside them, or break the line."""

_LIVE: Final = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff{_INVISIBLE}]")
"""Every character that must not reach a terminal as it is. Only \\n and \\t are left of the controls."""

_BODY: Final = r"(?:[^\x07\x18\x1a\x1b\x90\x98\x9b-\x9f]*+(?:\x07|\x1b\\|\x9c)|[^\n\x18\x1a\x1b]*+)"
"""What follows the start of a string (DCS, OSC, SOS, PM, APC): up to its end, else the rest of the line."""

_PARAMETERS: Final = r"[0-?]*[ -/]*[@-~]?"

_TOKEN: Final = re.compile(
    f"{_LIVE.pattern}(?P<rest>"
    rf"(?<=\x1b)(?:[P\]X^_]{_BODY}|\[{_PARAMETERS}|[ -/]*[0-~]?)"
    rf"|(?<=[\x90\x98\x9d-\x9f]){_BODY}"
    rf"|(?<=\x9b){_PARAMETERS}"
    r")?"
)
"""One live character, with all that it opens; it starts with a set, so that the search for it is fast."""

_LINK: Final = re.compile(
    r"(?:\x1b\]|\x9d)8;[^;\n\x07\x1b\x9c\x9d]*;(?P<target>[^\n\x07\x1b\x9c\x9d]+)(?:\x07|\x1b\\|\x9c)"
    r"(?P<label>.*?)(?=(?:\x1b\]|\x9d)8;|$)",
    re.MULTILINE,
)
"""A link of a terminal (OSC 8), up to what ends it or the end of the line."""

_JOINED: Final = re.compile(
    "[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]\u200d[\u2190-\u2bff\U0001f000-\U0001faff]"
    "|[\u0600-\u06ff\u0900-\u0dff][\u200c\u200d][\u0600-\u06ff\u0900-\u0dff]"
)
"""Where a joiner belongs to the spelling: emoji families, Arabic and Indic scripts."""

_PLAIN: Final = bytes([*b"\t\n", *range(0x20, 0x7F)])


def harmless(text: str) -> str:
    """Return `text` as a terminal may show it.

    Control sequences are removed whole, one that is not ended up to the end of its line. Other control
    characters, bidirectional and zero-width ones become visible (`␀`, `⟨U+202E⟩`), half surrogate
    pairs the replacement character. `\\r\\n` is a line end; a lone `\\r` starts the line again, as in a
    progress display, so what it wrote over is gone, and so is what a backspace took back. A link (OSC 8)
    is not live, and where its target is not what it says, that stands behind it.
    """
    if _is_plain(text):
        return text
    if "]8;" in text or "\x9d8;" in text:
        text = _LINK.sub(_with_target, text)
    text = _TOKEN.sub(_replacement, text)
    if "\r" in text or "\b" in text:
        text = "\n".join(_last_state(line) for line in text.split("\n"))
    return text


def exact(text: str) -> str:
    """Return `text` with every dangerous character made visible and none removed.

    For what a person consents to: a sequence that a terminal would swallow may hide half a command.
    """
    return text if _is_plain(text) else _LIVE.sub(lambda match: _visible(match[0]), text)


def escaped(json_text: str) -> str:
    """Return JSON that means the same, with every dangerous character as an escape: `\\u009b`."""
    if _is_plain(json_text):
        return json_text
    return _LIVE.sub(lambda match: json.dumps(match[0])[1:-1].replace("\x7f", "\\u007f"), json_text)


def one_line(text: str, width: int) -> str:
    """Return `text` harmless on one line of at most `width` cells, clipped with `…`; newlines are `⏎`."""
    text = harmless(text[: 16 * width + 256]).replace("\n", "⏎").replace("\t", " ")
    return clip(text, width)


def clip(text: str, width: int) -> str:
    """Return the start of a harmless `text` that fits into `width` cells, with `…` where it was cut."""
    if len(text) <= width and (text.isascii() or cells(text) <= width):
        return text
    room = width - 1
    for index, character in enumerate(text):
        room -= _cells(character)
        if room < 0:
            return text[:index] + "…" if width > 0 else ""
    return text


def cells(text: str) -> int:
    """Return how many terminal cells a harmless line takes."""
    return len(text) if text.isascii() else sum(map(_cells, text))


@lru_cache(4096)
def _cells(character: str) -> int:
    """Return the cells of one character: none for what combines, two for the wide ones."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _is_plain(text: str) -> bool:
    """Whether nothing in it needs a look; deleting what is allowed is the fastest test there is."""
    rest = text.encode(errors="surrogatepass").translate(None, _PLAIN)
    return not rest or _LIVE.search(rest.decode(errors="surrogatepass")) is None


def _last_state(line: str) -> str:
    """Return what a line shows in the end, when returns and backspaces wrote over parts of it."""
    line = line.rstrip("\r").rpartition("\r")[2]
    if "\b" not in line:
        return line
    shown: list[str] = []
    for character in line:
        if character != "\b":
            shown.append(character)
        elif shown:
            shown.pop()
    return "".join(shown)


def _replacement(match: re.Match[str]) -> str:
    """Return what stands for one match of `_TOKEN`."""
    if match["rest"] is not None:
        return ""
    if match[0] in "\r\b":
        return match[0]
    start = match.start()
    if match[0] in "\u200c\u200d" and start and _JOINED.match(match.string, start - 1):
        return match[0]
    return _visible(match[0])


def _with_target(match: re.Match[str]) -> str:
    """Return the words of a link, with its target where they do not tell it."""
    target, label = match["target"], match["label"]
    said = harmless(label).strip()
    if said and (said in (target, target.removeprefix("mailto:")) or _names(target, said)):
        return label
    return f"{label} ({target})" if said else target


def _names(target: str, said: str) -> bool:
    """Whether it is the address of a file of this name, as `ls --hyperlink` writes it."""
    return target.startswith("file:") and target.endswith(f"/{said}")


def _visible(character: str) -> str:
    """Return a picture of one dangerous character."""
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return f"⟨U+{code:04X}⟩"
