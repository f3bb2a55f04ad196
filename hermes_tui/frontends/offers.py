"""What the prompt can offer for what is written: pure, knows no widget and asks nobody that is slow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_MENTION = re.compile(r'(?:^|(?<=[\s(\[{,;"\'`]))@(?P<name>"[^"]*"?|[^\s"]*)$')


@dataclass(frozen=True, slots=True)
class Offer:
    """One line of the list, and what taking it writes."""

    text: str
    """What is shown."""
    help: str = ""
    write: str = ""
    """What replaces the part of the line that was looked at."""
    more: bool = False
    """Whether something may follow: the list is asked again."""


def mention(before: str) -> tuple[str, int] | None:
    """Return the name that is begun behind an `@` at the cursor, and how many characters it takes with it.

    `before` is the cursor's line up to the cursor; None where no `@` begins a word.
    """
    match = _MENTION.search(before)
    return (match["name"].strip('"'), len(match[0])) if match else None


def of_files(names: Sequence[str]) -> list[Offer]:
    """Return files and folders as they are mentioned; a name with blanks goes into quotes."""
    return [Offer(name, "", _mentioned(name), name.endswith("/")) for name in names]


def _mentioned(name: str) -> str:
    quoted = f'@"{name}"' if re.search(r"\s", name) else f"@{name}"
    return quoted if name.endswith("/") else f"{quoted} "


def of_commands(commands: Iterable[tuple[str, str]], begun: str) -> list[Offer]:
    """Return the commands (name, help) that `begun` may become."""
    return [Offer(f"/{name}", text, f"/{name}", True) for name, text in commands if name.startswith(begun)]


def of_words(command: str, words: Iterable[tuple[str, str]], begun: str) -> list[Offer]:
    """Return the arguments (word, help) that `begun` may become; those that only hold it come last."""
    known = [(word, text) for word, text in words if word.rstrip() != begun.rstrip()]
    wanted = begun.casefold()
    first = [pair for pair in known if pair[0].casefold().startswith(wanted)]
    others = [pair for pair in known if wanted in pair[0].casefold() and pair not in first]
    return [
        Offer(f"{word}", text, f"/{command} {word}", word.endswith(" ")) for word, text in (*first, *others)
    ]


def of_history(texts: Sequence[str], needle: str, most: int = 200) -> list[Offer]:
    """Return what was sent before and holds every word of `needle`, the newest first, each once."""
    words = needle.casefold().split()
    found: dict[str, None] = {}
    for text in reversed(texts):
        if len(found) < most and all(word in text.casefold() for word in words):
            found.setdefault(text)
    return [Offer(text, "", text) for text in found]
