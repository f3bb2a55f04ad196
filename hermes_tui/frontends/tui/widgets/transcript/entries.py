"""A conversation as data, for opening a session in one go (`Transcript.load`)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UserEntry:
    """A prompt."""

    text: str


@dataclass(frozen=True, slots=True)
class AnswerEntry:
    """A whole answer, Markdown."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingEntry:
    """What the model thought before an answer."""

    text: str


@dataclass(frozen=True, slots=True)
class NoteEntry:
    """A notice or a command's output; `level` is info, warning or error."""

    text: str
    level: str = "info"


@dataclass(frozen=True, slots=True)
class CallEntry:
    """One call of a batch; the fields are those of `Transcript.call`, `diff` that of `Transcript.diff`."""

    id: str
    name: str
    main: str
    state: str
    display: str = ""
    detail: str = ""
    diff: str = ""


@dataclass(frozen=True, slots=True)
class BatchEntry:
    """A batch with its calls in order."""

    batch: int
    title: str
    calls: tuple[CallEntry, ...]


@dataclass(frozen=True, slots=True)
class ReceiptEntry:
    """What an interrupt left."""

    lines: tuple[str, ...]


Entry = UserEntry | AnswerEntry | ThinkingEntry | NoteEntry | BatchEntry | ReceiptEntry
