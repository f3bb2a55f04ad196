"""Reads a request: its clauses become actions, in order. The verbs are in verbs_*.py."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from hermes_tui.providers.rehearsal import verbs_ask, verbs_edit, verbs_look, verbs_run
from hermes_tui.providers.rehearsal.actions import Action, Kind
from hermes_tui.providers.rehearsal.split import clauses
from hermes_tui.providers.rehearsal.words import Masked

Verb = Callable[[str, Masked], Action | None]
VERBS: Final[tuple[Verb, ...]] = (
    verbs_run.raw_call,
    verbs_ask.ask,
    verbs_ask.todo,
    verbs_edit.replace,
    verbs_edit.move,
    verbs_edit.delete,
    verbs_edit.write,
    verbs_look.compare,
    verbs_look.search,
    verbs_look.read,
    verbs_run.run,
    verbs_run.plain,
)
"""Tried in this order: the more particular first."""
LONGEST: Final = 1_500
"""Characters of a request, without quoted text; nothing longer is a plain request, and rules backtrack."""
WIDE: Final = re.compile(r"\s{40}")
"""Blanks that no plain request has outside of quotes."""
OPEN_ENDED: Final = frozenset({Kind.WRITE, Kind.ASK, Kind.TODO})
"""What holds free text: a clause behind it counts only if it is surely a request."""


def read_request(text: str) -> list[Action]:
    """Return what a request asks for, in order; empty when no rule knows it."""
    masked = Masked(text)
    if len(masked.text) > LONGEST or WIDE.search(masked.text):
        return []
    pieces = clauses(masked.text)
    actions: list[Action] = []
    while pieces:
        taken, action = _longest_sure(pieces, masked)
        if action is not None:
            actions.append(action)
        pieces = pieces[taken:]
    return actions


def _longest_sure(pieces: list[tuple[str, str]], masked: Masked) -> tuple[int, Action | None]:
    """Return how many pieces make the first clause, and its action.

    A piece that is no request on its own belongs to the one before it.
    """
    clause, taken = pieces[0][1], 1
    action = _parse(clause, masked)
    while taken < len(pieces):
        separator, text = pieces[taken]
        following = _parse(text, masked)
        open_ended = action is not None and action.kind in OPEN_ENDED
        if action is not None and following is not None and (following.sure or not open_ended):
            break
        if action is None and following is not None and _parse(clause + separator + text, masked) is None:
            break
        clause += separator + text
        taken += 1
        action = _parse(clause, masked)
    return taken, action


def _parse(clause: str, masked: Masked) -> Action | None:
    return next((found for verb in VERBS if (found := verb(clause.strip(), masked)) is not None), None)
