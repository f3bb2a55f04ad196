"""May this run? Shows exactly what will run and why it asks. Enter consents to nothing."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from hermes_tui.frontends.reveal import command_spans, diff_spans, is_diff
from hermes_tui.frontends.tui.keymap import here, keys_here
from hermes_tui.frontends.tui.screens.questions.base import QuestionDialog, Reply
from hermes_tui.frontends.tui.widgets.prompt.editor import Editor
from hermes_tui.text import harmless

OFFERS: Final = (
    ("{allow_once}", "once"),
    ("{allow_session}", "this session"),
    ("{refuse}", "no"),
    ("{explain}", "say why not"),
)
"""What can be answered, with the action of its key."""


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
        Binding("y", "allow('once')", "Yes, once", id="allow_once"),
        Binding("s", "allow('session')", "Yes, this session", id="allow_session"),
        Binding("a", "allow('always')", "Yes, always for the pattern", id="allow_always"),
        Binding("n", "refuse", "No", id="refuse"),
        Binding("e", "explain", "No, and say why", id="explain"),
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
        """Return what each key does; the longer scopes only where the question offers them."""
        longer = "session" in self.question.choices
        offers = [(key, words) for key, words in OFFERS if longer or words != "this session"]
        keys = Content("   ").join(key_and_words(here(self, key), words) for key, words in offers)
        if "always" not in self.question.choices:
            return keys
        always = f"always for {harmless(self.question.pattern)}"
        return Content("\n").join([keys, key_and_words(here(self, "{allow_always}"), always)])

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
        return action not in ("allow", "refuse", "explain") or not self.explaining

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
        """Open the reason at once: what is typed before the focus has moved to it belongs to it."""
        if self.fresh:
            return
        if self.explaining and event.is_printable:
            event.stop()
            self.editor.insert(event.character or "")
        elif not self.explaining and event.key in keys_here(self, "explain"):
            event.stop()
            self.write()

    def action_explain(self) -> None:
        """Open the line for the reason."""
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
