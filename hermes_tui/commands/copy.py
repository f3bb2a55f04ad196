"""/copy: the newest answer, or code of it, on the clipboard."""

from __future__ import annotations

import re
from typing import Final

from hermes_tui.assemble import Hermes
from hermes_tui.commands.ui import UI
from hermes_tui.engine.errors import UsageError
from hermes_tui.text import harmless, one_line

FENCE: Final = re.compile(
    r"^(?P<indent> *)(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)\n(?P<code>.*?)(?:^ *(?P=mark)[`~]*[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)


async def copy(hermes: Hermes, ui: UI, argument: str) -> None:
    """Copy the last answer, or a code block of it.

    /copy takes the whole answer; /copy code picks a code block, /copy 2 takes the second one.
    """
    answer = last_answer(hermes)
    if not answer:
        raise UsageError("there is no answer yet that could be copied")
    if not argument:
        _done(ui, answer, "the answer")
        return
    blocks = fences(answer)
    if not blocks:
        raise UsageError("the last answer has no code block; /copy takes the whole of it")
    if argument == "code":
        picked = 0 if len(blocks) == 1 else await ui.choose("Which code?", _lines(blocks), None)
        if picked is None:
            return
    elif argument.isdecimal() and 1 <= int(argument) <= len(blocks):
        picked = int(argument) - 1
    else:
        raise UsageError(f"/copy, /copy code, or /copy N with N from 1 to {len(blocks)}")
    _done(ui, blocks[picked], f"code block {picked + 1}")


def complete_copy(hermes: Hermes) -> list[tuple[str, str]]:
    """The code blocks of the last answer, by number."""
    blocks = fences(last_answer(hermes))
    numbered = [(str(number), line) for number, line in enumerate(_lines(blocks), 1)]
    return [("code", "pick one"), *numbered] if blocks else []


def last_answer(hermes: Hermes) -> str:
    """Return the newest answer that says anything, harmless; empty if there is none."""
    said = (message.content for message in reversed([*hermes.agent.messages]) if message.role == "assistant")
    return harmless(next((text for text in said if text.strip()), ""))


def fences(markdown: str) -> list[str]:
    """Return the code of every fence, without the fence's own indent; one that is not closed counts too."""
    return [_unindented(match["code"], len(match["indent"])) for match in FENCE.finditer(markdown)]


def _unindented(code: str, indent: int) -> str:
    return re.sub(rf"^ {{1,{indent}}}", "", code, flags=re.MULTILINE) if indent else code


def _lines(blocks: list[str]) -> list[str]:
    return [f"{block.count(chr(10))} lines: {one_line(block.strip(), 60)}" for block in blocks]


def _done(ui: UI, text: str, what: str) -> None:
    ui.copy(text)
    lines = text.rstrip("\n").count("\n") + 1
    ui.say(f"copied: {what}, {lines} line{'' if lines == 1 else 's'}")
