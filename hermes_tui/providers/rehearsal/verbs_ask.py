"""Verbs about the user: questions, and the todo list."""

from __future__ import annotations

import re
from typing import Any, Final

from hermes_tui.providers.rehearsal.actions import Action, Kind, Wanted
from hermes_tui.providers.rehearsal.words import MASK, Masked

FREE: Final = re.IGNORECASE | re.DOTALL
ASK: Final = (
    re.compile(
        rf"ask\s+(?:me|us|the\s+user)(?:\s+a\s+question)?(?:\s*[:：,，]\s*|\s+|(?=[{MASK}]))(?P<question>.+)",
        FREE,
    ),
    re.compile(
        r"(?:询问我|问一下我|问我|向我提问|让我选择|让我选|请我选择|请我确认)\s*(?:一下)?\s*[:：,，]?\s*(?P<question>.+)",
        FREE,
    ),
)
OPTIONS: Final = re.compile(
    r"(?P<question>.+?)[\s,，;；]*(?:(?:\s|(?<=\W))with\s+(?:the\s+)?(?:choices|options)\s*[:：]?"
    r"|(?<=[,，;；?？.。])\s*(?:choices|options|选项)(?:\s+are|为|是|有)?\s*[:：])\s*(?P<choices>.+)",
    FREE,
)
"""A question with its choices behind it, said to be some."""
MOST_CHOICES: Final = 4
OR: Final = re.compile(r"(?<!\s)(?:\s*,?\s+or\s+(?:else\s+)?|\s*[,，]?\s*(?:还是|或者|或)\s*)", FREE)
COMMAS: Final = re.compile(r"(?<!\s)\s*[,，、]\s*")

TODO: Final = (
    re.compile(
        r"(?:(?:make|create|write|add|set|plan)\s+)?(?:(?:a|an|the|my|to\s+the)\s+)?(?:new\s+)?"
        r"(?:to-?dos?|tasks?)(?:[\s-]+list)?(?:\s+items?)?\s*[:：]\s*(?P<items>.+)",
        FREE,
    ),
    re.compile(
        r"(?:add|put)\s+(?P<more>.+)\s+(?:to|on)\s+(?:the\s+|my\s+)?(?:to-?do|task)s?(?:\s+list)?", FREE
    ),
    re.compile(
        r"(?:添加|新增|创建|新建|列一个|列)?(?:一个)?(?:待办|任务)(?:事项|清单|列表)?\s*[:：]\s*(?P<items>.+)",
        FREE,
    ),
    re.compile(
        r"(?:把|将)\s*(?P<more>.+?)\s*(?:加入|添加到|加到)(?:待办|任务)(?:事项|清单|列表)?(?:中|里)?", FREE
    ),
)
SHOW_TODO: Final = (
    re.compile(
        r"(?:(?:show|list|read|see|view)\s+)?(?:me\s+)?(?:the\s+|my\s+)?(?:to-?dos?|tasks?)(?:\s+list)?[.?!]?",
        FREE,
    ),
    re.compile(r"(?:显示|查看|列出|看看)?(?:我的)?(?:待办|任务)(?:事项|清单|列表)?[。？！]?", FREE),
)
ITEMS: Final = re.compile(r"\s*[;；,，、\n]\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)


def ask(clause: str, masked: Masked) -> Action | None:
    """Ask the user; what stands as "A, B or C" becomes the choices."""
    for rule in ASK:
        if match := rule.fullmatch(clause):
            written = match["question"].strip()
            listed = OPTIONS.fullmatch(written)
            choices = _listed(listed["choices"], masked) if listed else []
            if listed and choices:
                written = listed["question"].strip()
            arguments: dict[str, Any] = {"question": masked.value(written)}
            choices = choices or _choices(written, masked)
            if choices:
                arguments["choices"] = choices
            return Action(Kind.ASK, (Wanted("clarify", arguments, arguments["question"]),))
    return None


def todo(clause: str, masked: Masked) -> Action | None:
    """Write the todo list, add to it, or show it."""
    for rule in TODO:
        if match := rule.fullmatch(clause):
            found = match.groupdict()
            text = found.get("items") or found.get("more") or ""
            items = [masked.value(item) for item in ITEMS.split(text.rstrip(".。")) if item.strip()]
            todos = [
                {"id": _item_id(n, item, found), "content": item, "status": "pending"}
                for n, item in enumerate(items, 1)
            ]
            return Action(
                Kind.TODO,
                (Wanted("todo", {"todos": todos, "merge": bool(found.get("more"))}, ", ".join(items)),),
            )
    if any(rule.fullmatch(clause) for rule in SHOW_TODO):
        return Action(Kind.TODO, (Wanted("todo", {}, "todo"),))
    return None


def _item_id(number: int, item: str, found: dict[str, str | None]) -> str:
    """Return the item's id: its number in a new list; its own text when it joins one, to clash with none."""
    return item[:40] if found.get("more") else str(number)


def _listed(text: str, masked: Masked) -> list[str]:
    """Return the choices that were listed as such; empty if they are not two to four."""
    items = [
        masked.value(item) for item in ITEMS.split(OR.sub(", ", text.rstrip("?？。.!！"))) if item.strip()
    ]
    return items if 2 <= len(items) <= MOST_CHOICES else []


def _choices(written: str, masked: Masked) -> list[str]:
    """Return the two to four things between which the question lets choose; empty if there are none."""
    text = masked.text_inside(written)
    text = re.split(r"[:：]|[?？](?=.)", text.rstrip("?？。.!！"))[-1].strip()
    *before, last = OR.split(text)
    if not before:
        return []
    items = [item for part in [*before, last] for item in COMMAS.split(part) if item.strip()]
    if len(items) < 2:
        return []
    items[0] = _tail(items[0], items[1])
    found = list(dict.fromkeys(masked.value(item) for item in items if item.strip()))
    return found if 2 <= len(found) <= MOST_CHOICES else []


def _tail(first: str, second: str) -> str:
    """Return the end of the first choice that is as long as the second: the question stands before it."""
    first = first.strip()
    if re.search(r"\s", first):
        return " ".join(first.split()[-max(1, len(second.split())) :])
    if re.search(r"[\u3400-\u9fff]", first) and len(first) > len(second):
        return re.sub(
            r"^[\u3400-\u9fff]+(?=[A-Za-z0-9])", "", first[-len(second) :] if not second.isascii() else first
        )
    return first
