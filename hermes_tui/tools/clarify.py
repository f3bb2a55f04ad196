"""clarify: asks the user, and waits. Whatever is no answer is never taken for one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import msgspec

from hermes_tui.engine.errors import BadArguments, Interrupted
from hermes_tui.engine.footprint import Footprint, Level
from hermes_tui.engine.protocols import Call, Result
from hermes_tui.engine.state import Asker, Question
from hermes_tui.tools.base import TypedTool

MOST_CHOICES: Final = 4


class ClarifyArguments(msgspec.Struct):
    """What clarify takes."""

    question: Annotated[
        str,
        msgspec.Meta(description="One question, in full.", examples=["Which database shall it use?"]),
    ]
    choices: Annotated[
        list[str],
        msgspec.Meta(
            description="Up to 4 answers to choose from; the user can always type another. None: free text.",
            examples=[["SQLite", "PostgreSQL"]],
            max_length=MOST_CHOICES,
        ),
    ] = msgspec.field(default_factory=list)
    multiple: Annotated[
        bool, msgspec.Meta(description="Whether several of the choices may be taken; a line each comes back.")
    ] = False


class Clarify(TypedTool[ClarifyArguments]):
    """Puts one question to the person at the terminal."""

    name = "clarify"
    description = (
        "Ask the user a question and wait for the answer. Give up to 4 choices, or none for free text. Use "
        "it when the answer changes what you do next and cannot be found by looking. Do not ask for "
        "permission with it: that is asked for by itself."
    )
    Arguments = ClarifyArguments
    for_agents = False

    def declare(self, args: ClarifyArguments, folder: Path) -> Footprint:
        """Return that it talks to the user: never beside another question."""
        _question(args)
        return Footprint(Level.INTERACTIVE)

    def act(self, args: ClarifyArguments, call: Call) -> Result:
        """Return the user's words."""
        reply = call.state(Asker).ask(_question(args))
        if reply.how == "answered":
            return Result(reply.answer, display=f"answered: {reply.answer}")
        if reply.how == "refused":
            return Result("nobody is there to answer; this is no consent", display="nobody there", ok=False)
        raise Interrupted("interrupted by the user, no answer; this is no consent")


def _question(args: ClarifyArguments) -> Question:
    """Return the question as it is shown; `BadArguments` when it cannot be."""
    text = args.question.strip()
    choices = tuple(dict.fromkeys(choice.strip() for choice in args.choices))
    if not text:
        raise BadArguments("clarify: the question is empty; send one full sentence as question")
    if "" in choices:
        raise BadArguments("clarify: one of the choices is empty; leave it out")
    return Question(text, choices, args.multiple and len(choices) > 1)


TOOL = Clarify()
