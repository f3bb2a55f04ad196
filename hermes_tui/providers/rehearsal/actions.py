"""What a request asks for, as data: actions, and the calls that carry them out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """What an action is about; decides how its results are told."""

    COMPARE = "compare"
    READ = "read"
    SEARCH = "search"
    WRITE = "write"
    REPLACE = "replace"
    DELETE = "delete"
    MOVE = "move"
    RUN = "run"
    ASK = "ask"
    TODO = "todo"
    CALL = "call"


@dataclass(frozen=True, slots=True)
class Wanted:
    """One call of an action."""

    name: str
    arguments: Mapping[str, Any]
    label: str
    """What it is about, in a word: the path, the command, the pattern."""
    raw: str | None = None
    """Arguments exactly as the user wrote them, which may be no JSON at all."""

    @property
    def text(self) -> str:
        """The arguments as a model would send them."""
        return self.raw if self.raw is not None else json.dumps(dict(self.arguments), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that a request asks for."""

    kind: Kind
    calls: tuple[Wanted, ...]
    sure: bool = True
    """False: the words may as well be part of a longer text before them."""
