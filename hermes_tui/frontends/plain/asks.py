"""What the user is asked in line mode, as numbered text, and what a typed line answers. Pure but for `Pick`'s
future: knows no console and no engine.

Only a line that means it is an answer: the end of input, Ctrl-C and an empty line never are.
"""

from __future__ import annotations

import re
from asyncio import Future
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from hermes_tui.engine.events import QuestionAsked
from hermes_tui.engine.questions import How
from hermes_tui.frontends.plain.paper import Span
from hermes_tui.frontends.reveal import MARKED, command_spans, diff_spans, is_diff
from hermes_tui.text import harmless, one_line

DIFF_LINES: Final = 200
"""Lines of a diff that a question shows before it is asked for the rest."""

Line = list[Span]


@dataclass(frozen=True, slots=True)
class Reply:
    """How a question of the engine ended."""

    how: How
    answer: str = ""
    scope: str | None = None
    """For a permission: once, session or always; None is a no."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a typed line."""

    over: bool
    """It was an answer."""
    say: Sequence[Line] = ()
    """What is written because of it."""


class Ask(Protocol):
    """Something that the user is asked."""

    @property
    def prompt(self) -> str:
        """What stands before the line that answers."""

    def lines(self) -> Sequence[Line]:
        """Return the question."""

    def take(self, line: str) -> Taken:
        """Take what was typed."""

    def cancel(self) -> None:
        """End it without an answer."""


def hint(text: str) -> Taken:
    """Return that a line was no answer, and what would be one."""
    return Taken(False, [[(text, "warning")]])


class Clarify:
    """A question of the model: numbers, or words of one's own."""

    def __init__(self, question: QuestionAsked, head: str, end: Callable[[Reply], None]) -> None:
        """`head` is "Question 1 of 2"; `end` is called once."""
        self.question = question
        self._head = head
        self._end = end

    @property
    def prompt(self) -> str:
        """How to answer."""
        count = len(self.question.choices)
        if not count:
            return "answer> "
        numbers = "1" if count == 1 else f"1-{count}"
        return f"answer ({numbers}{', several with blanks' if self.question.multiple else ''}, or words)> "

    def lines(self) -> Sequence[Line]:
        """Return the question and its numbered choices."""
        return [
            [(f"[{self._head}]", "strong")],
            [(self.question.text, "")],
            *([(f"  {at}  {one_line(text, 400)}", "")] for at, text in enumerate(self.question.choices, 1)),
        ]

    def take(self, line: str) -> Taken:
        """A number is its choice, several where that is allowed, anything else is the answer itself."""
        text, choices = line.strip(), self.question.choices
        if not text:
            return hint("an empty line is no answer; Ctrl-C closes the question without one")
        numbers = [int(word) for word in re.split(r"[\s,]+", text) if word.isascii() and word.isdecimal()]
        if choices and len(numbers) == len(re.split(r"[\s,]+", text)):
            if any(not 0 < number <= len(choices) for number in numbers):
                return hint(f"there are 1 to {len(choices)}")
            if len(numbers) > 1 and not self.question.multiple:
                return hint("one number, please")
            text = "\n".join(choices[number - 1] for number in dict.fromkeys(numbers))
        self._end(Reply("answered", text))
        return Taken(True)

    def cancel(self) -> None:
        """Close it: no answer, no consent."""
        self._end(Reply("cancelled"))


class Permission:
    """May this run? Shows exactly what will; only a letter or a word that means it consents."""

    def __init__(self, question: QuestionAsked, head: str, end: Callable[[Reply], None]) -> None:
        self.question = question
        self._head = head
        self._end = end
        self._reason = False
        self._hidden: Sequence[Line] = ()

    @property
    def prompt(self) -> str:
        """The letters that answer."""
        if self._reason:
            return "no, because> "
        letters = [letter for letter, _ in self._offers()] + ["v"] * bool(self._hidden)
        return f"allow ({'/'.join(letters)})> "

    def lines(self) -> Sequence[Line]:
        """Return what is asked, exactly what will run, why it asks, and the letters."""
        question = self.question
        shown = [[("  | ", "note"), *line] for line in preview(question)]
        if is_diff(question.preview) and len(shown) > DIFF_LINES:
            shown, self._hidden = shown[:DIFF_LINES], shown[DIFF_LINES:]
            shown.append([(f"  | … {len(self._hidden)} more lines; v shows them …", "warning")])
        return [
            [(f"[{self._head}: permission]", "strong")],
            [(question.text, "")],
            *shown,
            *marked(question),
            *([(f"  {harmless(detail)}", "warning")] for detail in question.details),
            *self._letters(),
        ]

    def _offers(self) -> Sequence[tuple[str, str]]:
        longer = {
            "session": ("s", "yes, for this session"),
            "always": ("a", f"yes, always for {one_line(self.question.pattern, 300)}"),
        }
        offered = [offer for scope, offer in longer.items() if scope in self.question.choices]
        return [("y", "yes, once"), *offered, ("n", "no"), ("e", "no, and say why")]

    def _letters(self) -> Sequence[Line]:
        return [[(f"  {letter}  {words}", "")] for letter, words in self._offers()]

    def take(self, line: str) -> Taken:
        """Consent, refuse, or ask again."""
        text = line.strip()
        if self._reason:
            return self._over(Reply("answered", text or "no"))
        letter, _, reason = text.partition(" ")
        scopes = {"y": "once", "yes": "once", "once": "once", "s": "session", "session": "session"}
        scopes |= {"a": "always", "always": "always"}
        scope = scopes.get(text.lower())
        if scope in self.question.choices:
            return self._over(Reply("answered", "yes", scope))
        if text.lower() in ("n", "no"):
            return self._over(Reply("answered", "no"))
        if letter.lower() == "e" and reason.strip():
            return self._over(Reply("answered", reason.strip()))
        if text.lower() == "e":
            self._reason = True
            return Taken(False)
        if text.lower() == "v" and self._hidden:
            rest, self._hidden = self._hidden, ()
            return Taken(False, rest)
        return hint("that is no answer: type one of the letters; Ctrl-C closes the question without consent")

    def _over(self, reply: Reply) -> Taken:
        self._end(reply)
        return Taken(True)

    def cancel(self) -> None:
        """Close it: no answer, no consent."""
        self._end(Reply("cancelled"))


@dataclass(slots=True)
class Pick:
    """A slash command's question: one of some numbered options. With a body the first is no, the next yes."""

    title: str
    options: Sequence[str]
    current: int | None
    """What an empty line keeps; None: nothing is picked then."""
    body: str = ""
    answer: Future[int | None] = field(default_factory=Future)

    @property
    def prompt(self) -> str:
        """How to answer."""
        kept = "nothing" if self.current is None else str(self.current + 1)
        return f"number (Enter: {kept})> "

    def lines(self) -> Sequence[Line]:
        """Return title, body and options."""
        rows: list[Line] = [[(harmless(self.title), "strong")]]
        rows += [[(harmless(self.body), "")]] if self.body else []
        for at, option in enumerate(self.options):
            now = "  (now)" if at == self.current and not self.body else ""
            rows.append([(f"  {at + 1}  {one_line(option, 300)}{now}", "")])
        return rows

    def take(self, line: str) -> Taken:
        """A number, or the beginning of one option."""
        text = line.strip().casefold()
        if not text:
            return self._over(self.current)
        if self.body and text in ("y", "yes", "n", "no"):
            return self._over(int(text in ("y", "yes")))
        if text.isascii() and text.isdecimal():
            if 0 < int(text) <= len(self.options):
                return self._over(int(text) - 1)
            return hint(f"there are 1 to {len(self.options)}")
        begun = [at for at, option in enumerate(self.options) if option.casefold().startswith(text)]
        if len(begun) == 1:
            return self._over(begun[0])
        return hint(f"type a number, 1 to {len(self.options)}")

    def _over(self, picked: int | None) -> Taken:
        if not self.answer.done():
            self.answer.set_result(picked)
        return Taken(True)

    def cancel(self) -> None:
        """Pick nothing."""
        self._over(None)


def preview(question: QuestionAsked) -> list[Line]:
    """Return exactly what will run, a line each: nothing invisible, the telling parts in their style."""
    text = question.preview
    spans = diff_spans(text) if is_diff(text) else command_spans(text, question.marks)
    rows: list[Line] = [[]]
    for piece, style in spans:
        first, *others = piece.split("\n")
        rows[-1].append((first, _style(style)))
        rows += [[(line, _style(style))] for line in others]
    while len(rows) > 1 and not "".join(text for text, _ in rows[-1]):
        rows.pop()
    return rows


def _style(style: str) -> str:
    """Return our name for a style of the screen's."""
    if "underline" in style:
        return "marked"
    names = {"$success": "added", "$error": "removed", "$accent": "strong"}
    return "hidden" if "reverse" in style else names.get(style, "")


def marked(question: QuestionAsked) -> list[Line]:
    """Return which parts made it ask, in words: a colour is no mark for a screen reader."""
    if is_diff(question.preview):
        return []
    found = [text for text, style in command_spans(question.preview, question.marks) if style == MARKED]
    whole = "".join(found).strip() == question.preview.strip()
    return [] if whole else [[(f"  asks because of: {one_line(part, 300)}", "warning")] for part in found]
