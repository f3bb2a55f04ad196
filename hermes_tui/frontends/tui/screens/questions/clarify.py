"""The model asks something: up to a few choices, and always a free answer."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from hermes_tui.frontends.tui.keymap import here
from hermes_tui.frontends.tui.screens.questions.base import Draft, QuestionDialog, Reply
from hermes_tui.frontends.tui.screens.questions.choices import Choices
from hermes_tui.frontends.tui.widgets.prompt.editor import Editor
from hermes_tui.text import harmless

ONE = "Enter or 1-{count} answer · type for another answer"
SEVERAL = "Space ticks · Enter answer · type for another answer"
FREE = "Enter answer · {new_line} new line · {editor} your editor"
ELSE = "something else ({editor}: in your editor)"


class ClarifyDialog(QuestionDialog):
    """A question of the model. Closing it is no answer and no consent."""

    def content(self) -> ComposeResult:
        """The question, its choices, a free answer."""
        question = self.question
        with VerticalScroll(classes="body", can_focus=False):
            yield Static(Content(harmless(question.text)))
            if question.choices:
                yield Choices(question.choices, question.multiple, self._begun.at, self._begun.ticked)
        editor = Editor(placeholder=here(self, ELSE) if question.choices else "your answer")
        editor.add_class("-shown")
        editor.load(self._begun.text)
        yield editor
        hint = (SEVERAL if question.multiple else ONE) if question.choices else here(self, FREE)
        yield Static(Content(hint.replace("{count}", str(len(question.choices)))), classes="hint")

    def draft(self) -> Draft:
        """Return what was begun, the choices too."""
        begun = super().draft()
        at, ticked = self.query_one(Choices).begun if self.question.choices else (0, frozenset())
        return Draft(begun.text, begun.writing, at, ticked)

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
        self.write()
        self.editor.insert(event.key)

    def written(self, text: str) -> None:
        """Answer freely; an empty answer is none, the dialog stays."""
        if text.strip():
            self.dismiss(Reply("answered", text.strip()))
        elif self.question.choices:
            self.query_one(Choices).focus()
