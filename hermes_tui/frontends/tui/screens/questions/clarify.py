"""The model asks something: up to a few choices, and always a free answer."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from hermes_tui.frontends.tui.screens.questions.base import QuestionDialog, Reply
from hermes_tui.frontends.tui.screens.questions.choices import Choices
from hermes_tui.frontends.tui.widgets.prompt.editor import Editor
from hermes_tui.text import harmless

ONE = "1-9 or Enter answer · type for another answer · Esc no answer · Ctrl-C no answer and stop"
SEVERAL = "Space ticks · Enter answers · type for another answer · Esc no answer · Ctrl-C stop"
FREE = "Enter answer · ^J new line · Esc no answer · Ctrl-C no answer and stop"


class ClarifyDialog(QuestionDialog):
    """A question of the model. Closing it is no answer and no consent."""

    def content(self) -> ComposeResult:
        """The question, its choices, a free answer."""
        question = self.question
        with VerticalScroll(classes="body", can_focus=False):
            yield Static(Content(harmless(question.text)))
            if question.choices:
                yield Choices(question.choices, question.multiple)
        editor = Editor(placeholder="something else" if question.choices else "your answer")
        editor.add_class("-shown")
        yield editor
        hint = (SEVERAL if question.multiple else ONE) if question.choices else FREE
        yield Static(Content(hint), classes="hint")

    def flexible(self) -> Widget:
        """The question with its choices scrolls."""
        return self.query_one(".body")

    def first(self) -> Widget:
        """The choices, or the free answer if there are none."""
        return self.query_one(Choices if self.question.choices else Editor)

    def on_choices_picked(self, event: Choices.Picked) -> None:
        """Answer with the choices, a line each."""
        event.stop()
        if not self.fresh:
            self.dismiss(Reply("answered", "\n".join(self.question.choices[at] for at in event.chosen)))

    def on_choices_left(self, event: Choices.Left) -> None:
        """Go on in the free answer."""
        event.stop()
        editor = self.query_one(Editor)
        editor.focus()
        editor.insert(event.key)

    def written(self, text: str) -> None:
        """Answer freely; an empty answer is none, the dialog stays."""
        if text.strip():
            self.dismiss(Reply("answered", text.strip()))
        elif self.question.choices:
            self.query_one(Choices).focus()
