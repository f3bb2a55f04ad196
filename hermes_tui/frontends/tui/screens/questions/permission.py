"""May this run? Shows exactly what will run and why it asks. Enter consents to nothing."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from hermes_tui.frontends.reveal import command_spans, diff_spans, is_diff
from hermes_tui.frontends.tui.screens.questions.base import QuestionDialog, Reply
from hermes_tui.frontends.tui.widgets.prompt.editor import Editor
from hermes_tui.text import harmless


def key_and_words(key: str, words: str) -> Content:
    """Return a key as a cap, and what it does."""
    return Content.assemble((f" {key} ", "bold reverse $accent"), f" {words}")


class PermissionDialog(QuestionDialog):
    """A permission for one call: once, for the session, always for a pattern, or no."""

    DEFAULT_CSS = """
    PermissionDialog {
        & > .box { border: round $warning; border-title-color: $warning; }
        & .what { text-style: bold; }
        & .preview { height: auto; background: $panel; padding: 0 1; margin: 1 0; }
        & .why { color: $warning; height: auto; }
        & .keys { height: auto; margin-top: 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "allow('once')", "Yes, once"),
        Binding("s", "allow('session')", "Yes, this session"),
        Binding("a", "allow('always')", "Yes, always for the pattern"),
        Binding("n", "refuse", "No"),
    ]

    def content(self) -> ComposeResult:
        """What is asked, exactly what will run, why it asks, the keys."""
        question = self.question
        yield Static(Content(harmless(question.text)), classes="what")
        with VerticalScroll(classes="preview"):
            yield Static(self.preview())
        if question.details:
            yield Static(Content(harmless("\n".join(question.details))), classes="why")
        yield self._reason()
        yield Static(self.keys(), classes="keys")

    def _reason(self) -> Editor:
        editor = Editor(placeholder="No, because … (Enter sends)")
        editor.load(self._begun.text)
        editor.set_class(bool(self._begun.text), "-shown")
        return editor

    def preview(self) -> Content:
        """Return what will run: a diff in colours, anything else with the parts that made it ask marked."""
        text = self.question.preview
        spans = diff_spans(text.rstrip("\n")) if is_diff(text) else command_spans(text, self.question.marks)
        return Content.assemble(*((piece, style) if style else piece for piece, style in spans))

    def keys(self) -> Content:
        """Return what each key does; always only where there is a pattern to store."""
        offers = [("y", "once"), ("s", "this session"), ("n", "no"), ("e", "say why not")]
        keys = Content("   ").join(key_and_words(key, words) for key, words in offers)
        if "always" not in self.question.choices:
            return keys
        return Content("\n").join([keys, key_and_words("a", f"always for {harmless(self.question.pattern)}")])

    def flexible(self) -> Widget:
        """The preview scrolls."""
        return self.query_one(".preview")

    def first(self) -> Widget:
        """The preview: arrows scroll it."""
        return self.query_one(".preview")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A scope that the question does not offer is no key; while a reason is written, none is."""
        if not super().check_action(action, parameters):
            return False
        if action == "allow" and parameters[0] not in self.question.choices:
            return False
        return action not in ("allow", "refuse") or not self.explaining

    def action_allow(self, scope: str) -> None:
        """Consent."""
        self.dismiss(Reply("answered", "yes", scope))

    def action_refuse(self) -> None:
        """Say no; the turn goes on."""
        self.dismiss(Reply("answered", "no"))

    @property
    def explaining(self) -> bool:
        """Whether a reason is being written."""
        return self.editor.has_class("-shown")

    def on_key(self, event: events.Key) -> None:
        """`e` opens the line for the reason; what is typed before the focus has moved belongs to it."""
        if self.fresh or not event.is_printable:
            return
        if self.explaining:
            event.stop()
            self.editor.insert(event.character or "")
        elif event.key == "e":
            event.stop()
            self.write()

    async def action_leave(self) -> None:
        """Esc: close the reason first, then the question."""
        if self.explaining:
            self.editor.remove_class("-shown")
            self.first().focus()
        else:
            await super().action_leave()

    def written(self, text: str) -> None:
        """No, with the reason for the model."""
        self.dismiss(Reply("answered", text.strip() or "no"))
