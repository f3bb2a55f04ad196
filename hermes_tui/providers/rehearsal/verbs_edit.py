"""Verbs that change files: write, replace, delete, move."""

from __future__ import annotations

import re
from typing import Any, Final

from hermes_tui.providers.rehearsal.actions import Action, Kind, Wanted
from hermes_tui.providers.rehearsal.words import MASK, Masked

FREE: Final = re.IGNORECASE | re.DOTALL
_PATH: Final = r"(?P<path>[^\s:：,，]+)"
_ZH_PATH: Final = r"(?P<path>[^\s:：,，]+?)"
_INSIDE: Final = r"(?:\s+(?:中|里面|里|内)的?|(?:中|里面|里|内)的)\s*"
_ZH_BECOMES: Final = r"(?:都|全部)?(?:替换|替|换|改|修改|更改)(?:成|为|作)\s*"

EMPTY: Final = (
    re.compile(rf"(?:create|make|add)\s+(?:an?\s+)?empty\s+(?:file\s+)?(?:called\s+|named\s+)?{_PATH}", FREE),
    re.compile(rf"(?:创建|新建|建立)(?:一个)?空(?:白)?文件\s*[:：]?\s*{_PATH}", FREE),
)
WRITE: Final = (
    re.compile(rf"write\s+(?:(?:to|into)\s+)?(?:the\s+)?(?:file\s+)?{_PATH}\s*[:：]\s*(?P<content>.*)", FREE),
    re.compile(
        rf"write\s+(?:the\s+)?(?:file\s+)?{_PATH}\s+(?:with|containing)\s+(?:(?:the\s+)?(?:contents?|text)\s*)?[:：]?\s*(?P<content>.+)",
        FREE,
    ),
    re.compile(rf"write\s+(?:the\s+)?(?:file\s+)?{_PATH}\s*(?P<content>[{MASK}])", FREE),
    re.compile(
        rf"(?:write|save|put|store)\s*(?P<content>.+)\s+(?:to|into|in|as)\s+(?:the\s+)?(?:file\s+)?{_PATH}",
        FREE,
    ),
    re.compile(
        rf"(?:create|make|add)\s+(?:an?\s+|the\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?{_PATH}"
        r"\s*(?:[:：]|,?\s+(?:with|containing|saying|that\s+says)(?:\s+(?:the\s+)?(?:contents?|text)\b)?\s*[:：]?)\s*(?P<content>.+)",
        FREE,
    ),
    re.compile(
        rf"(?:写入|写到|写进|写|保存到|保存)(?:文件)?\s*{_ZH_PATH}\s*(?:[:：]|[,，]?\s*内容(?:为|是)\s*[:：]?)\s*(?P<content>.*)",
        FREE,
    ),
    re.compile(rf"(?:写入|写到|写进|写)(?:文件)?\s*{_ZH_PATH}\s*(?P<content>[{MASK}])", FREE),
    re.compile(
        rf"(?:把|将)\s*(?P<content>.+?)\s*(?:写入|写到|写进|保存到|存到|保存为)(?:文件)?\s*{_ZH_PATH}\s*(?:中|里面|里)?",
        FREE,
    ),
    re.compile(
        rf"(?:创建|新建|建立|生成)(?:一个)?(?:新)?(?:文件)?\s*{_ZH_PATH}\s*[,，]?\s*(?:并)?"
        r"(?:(?:写入|写上|内容(?:为|是)?|包含)\s*[:：]?|[:：])\s*(?P<content>.+)",
        FREE,
    ),
    re.compile(
        rf"(?:在|往|向)\s*{_ZH_PATH}\s*(?:中|里面|里)?\s*(?:写入|写上|写)\s*[:：]?\s*(?P<content>.+)", FREE
    ),
)
_ALL: Final = r"(?P<all>(?:all|every|each)\s+(?:occurrences?\s+of\s+)?)?"
_EVERYWHERE: Final = r"(?P<everywhere>\s*,?\s*everywhere)?"
_ZH_ALL: Final = r"(?P<all>(?:所有|全部|每个|每一个)的?\s*)?"
REPLACE: Final = (
    re.compile(
        rf"replace\s*{_ALL}(?P<old>.+?)\s*(?:\bwith\b|\bby\b|->|→|=>)\s*(?P<new>.+?)\s*\b(?:in|inside)\s+(?P<paths>\S.*?){_EVERYWHERE}",
        FREE,
    ),
    re.compile(
        rf"change\s*{_ALL}(?P<old>.+?)\s*(?:\bto\b|\binto\b|->|→|=>)\s*(?P<new>.+?)\s*\bin\s+(?P<paths>\S.*?){_EVERYWHERE}",
        FREE,
    ),
    re.compile(
        rf"substitute\s*{_ALL}(?P<old>.+?)\s*\b(?:with|by)\b\s*(?P<new>.+?)\s*\bin\s+(?P<paths>\S.*?){_EVERYWHERE}",
        FREE,
    ),
    re.compile(
        rf"substitute\s*(?P<new>.+?)\s*\bfor\b\s*{_ALL}(?P<old>.+?)\s*\bin\s+(?P<paths>\S.*?){_EVERYWHERE}",
        FREE,
    ),
    re.compile(
        rf"in\s+(?P<paths>\S+?),?\s+(?:replace|change)\s*{_ALL}(?P<old>.+?)\s*(?:\bwith\b|\bby\b|\bto\b|->|→|=>)\s*(?P<new>.+?){_EVERYWHERE}",
        FREE,
    ),
    re.compile(rf"(?:把|将)\s*(?P<paths>\S+){_INSIDE}{_ZH_ALL}(?P<old>.+?)\s*{_ZH_BECOMES}(?P<new>.+)", FREE),
    re.compile(
        rf"(?:把|将)\s*(?P<paths>\S+?)\s*(?:中|里面|里|内)\s*{_ZH_ALL}(?P<old>.+?)\s*{_ZH_BECOMES}(?P<new>.+)",
        FREE,
    ),
    re.compile(
        rf"在\s*(?P<paths>\S+?)\s*(?:中|里面|里|内)?\s*[,，]?\s*(?:把|将)\s*{_ZH_ALL}(?P<old>.+?)\s*{_ZH_BECOMES}(?P<new>.+)",
        FREE,
    ),
    re.compile(
        rf"用\s*(?P<new>.+?)\s*(?:替换|代替|替代)(?:掉)?\s*(?P<paths>\S+?){_INSIDE}{_ZH_ALL}(?P<old>.+)", FREE
    ),
    re.compile(
        rf"(?:替换|修改)\s*(?P<paths>\S+?){_INSIDE}{_ZH_ALL}(?P<old>.+?)\s*(?:为|成)\s*(?P<new>.+)", FREE
    ),
    re.compile(
        rf"在\s*(?P<paths>\S+?)\s*(?:中|里面|里|内)\s*(?:用\s*(?P<new>.+?)\s*)(?:替换|代替)\s*{_ZH_ALL}(?P<old>.+)",
        FREE,
    ),
)
DELETE: Final = (
    re.compile(r"(?:delete|remove)(?:\s+the)?(?:\s+files?)?\s*(?P<items>.+)", FREE),
    re.compile(r"(?:删除|删掉|移除)(?:文件)?\s*[:：]?\s*(?P<items>.+)", FREE),
    re.compile(r"(?:把|将)\s*(?P<items>.+?)\s*(?:删除|删掉|删了)", FREE),
)
MOVE: Final = (
    re.compile(
        r"(?:move|rename)\s+(?:the\s+)?(?:file\s+)?(?P<old>\S+)\s+(?:to|into|as|->|→)\s+(?P<new>\S+)", FREE
    ),
    re.compile(r"(?:移动|重命名|改名)(?:文件)?\s*(?P<old>\S+?)\s*(?:到|为|成|至)\s*(?P<new>\S+)", FREE),
    re.compile(r"(?:把|将)\s*(?P<old>\S+?)\s*(?:移动|移|重命名|改名)(?:到|为|成|至)\s*(?P<new>\S+)", FREE),
)


def write(clause: str, masked: Masked) -> Action | None:
    """Write a file: exactly the content given, without quotes around it and with nothing added."""
    for rule in (*EMPTY, *WRITE):
        if match := rule.fullmatch(clause):
            path = masked.value(match["path"])
            content = masked.value(match.groupdict().get("content") or "")
            return Action(Kind.WRITE, (Wanted("write_file", {"path": path, "content": content}, path),))
    return None


def replace(clause: str, masked: Masked) -> Action | None:
    """Replace text in files: one patch for each."""
    for rule in REPLACE:
        match = rule.fullmatch(clause.rstrip("。！"))
        if match is None:
            continue
        found = match.groupdict()
        change: dict[str, Any] = {
            "old_string": masked.value(found["old"]),
            "new_string": masked.value(found["new"]),
        }
        if found.get("all") or found.get("everywhere"):
            change["replace_all"] = True
        calls = tuple(
            Wanted("patch", {"mode": "replace", "path": path, **change}, path)
            for path in masked.paths(found["paths"])
        )
        if calls:
            return Action(Kind.REPLACE, calls)
    return None


def delete(clause: str, masked: Masked) -> Action | None:
    """Delete files: one patch for each."""
    if re.search(r"\sfrom\s", clause):
        return None  # text out of a file, not a file
    for rule in DELETE:
        if match := rule.fullmatch(clause):
            paths = masked.paths(match["items"])
            if paths:
                calls = tuple(_patch(f"*** Delete File: {path}", path) for path in paths)
                return Action(Kind.DELETE, calls, all(map(masked.surely_path, paths)))
    return None


def move(clause: str, masked: Masked) -> Action | None:
    """Move or rename one file."""
    for rule in MOVE:
        if match := rule.fullmatch(clause.rstrip("。.！!")):
            old, new = masked.value(match["old"]), masked.value(match["new"])
            return Action(Kind.MOVE, (_patch(f"*** Move File: {old} -> {new}", f"{old} → {new}"),))
    return None


def _patch(line: str, label: str) -> Wanted:
    text = f"*** Begin Patch\n{line}\n*** End Patch"
    return Wanted("patch", {"mode": "patch", "patch": text}, label)
