"""The conversation as one virtual widget."""

from hermes_tui.frontends.tui.widgets.transcript.entries import (
    AnswerEntry,
    BatchEntry,
    CallEntry,
    Entry,
    NoteEntry,
    ReceiptEntry,
    ThinkingEntry,
    UserEntry,
)
from hermes_tui.frontends.tui.widgets.transcript.widget import Transcript

__all__ = [
    "AnswerEntry",
    "BatchEntry",
    "CallEntry",
    "Entry",
    "NoteEntry",
    "ReceiptEntry",
    "ThinkingEntry",
    "Transcript",
    "UserEntry",
]
