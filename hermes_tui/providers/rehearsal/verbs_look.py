"""Verbs that look and change nothing: compare, read, search."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from hermes_tui.providers.rehearsal.actions import Action, Kind, Wanted
from hermes_tui.providers.rehearsal.words import MASK, Masked

FREE: Final = re.IGNORECASE | re.DOTALL

COMPARE: Final = (
    re.compile(
        r"(?:compare|contrast|diff)(?:\s*[:：]\s*|\s+|(?=[\U000f0000-\U000ffffd]))(?P<items>.+)", FREE
    ),
    re.compile(r"(?:.*\b)?differ(?:s|ent|ence|ences)?\s+(?:between|among|in|of)\s+(?P<items>.+)", FREE),
    re.compile(r"how\s+(?:do|does|is|are)\s+(?P<items>.+?)\s+differ(?:ent)?(?P<more>\s+from\s+.+)?", FREE),
    re.compile(r"(?:比较|对比|比对|比一比|对照)(?:一下|下)?\s*[:：]?\s*(?P<items>.+)", FREE),
    re.compile(
        r"(?P<items>.+?)\s*(?:之间)?(?:有什么|有何|有哪些|的)(?:不同|区别|差别|差异)(?:是什么|吗|在哪里|在哪)?[?？]?",
        FREE,
    ),
)
READ: Final = (
    re.compile(
        r"(?:read|open|view|look\s+at|see|show)(?:\s*[:：]\s*|\s+|(?=[\U000f0000-\U000ffffd]))(?P<items>.+)",
        FREE,
    ),
    re.compile(r"what(?:'s|\s+is)\s+in\s+(?P<items>.+)", FREE),
    re.compile(
        r"(?:读取|阅读|查看|打开|显示|看一下|读一下|看看|读|看)(?:一下)?(?:文件)?\s*[:：]?\s*(?P<items>.+)",
        FREE,
    ),
)
RANGE: Final = (
    re.compile(
        r"\s*(?:from\s+)?lines?\s+(?P<from>\d+)(?:\s*(?:-|–|to|through)\s*(?P<to>\d+))?(?:\s+(?:of|from|in)\b)?",
        FREE,
    ),
    re.compile(r"\s*(?:the\s+)?first\s+(?P<to>\d+)\s+lines?(?:\s+(?:of|from|in)\b)?", FREE),
    re.compile(r"\s*的?第?\s*(?P<from>\d+)\s*(?:-|–|到|至)\s*(?P<to>\d+)\s*行", FREE),
    re.compile(r"\s*的?前\s*(?P<to>\d+)\s*行", FREE),
)
PLACE: Final = re.compile(r"(?P<path>.*\w):(?P<from>[1-9]\d*)(?:-(?P<to>[1-9]\d*))?")
"""One place of a file, as editors and compilers write it."""

_IN: Final = r"(?:\s+(?:in|inside|under|within|below)\s+(?P<where>.+))?"
_OF: Final = rf"(?:\s+(?:all\s+)?(?:occurrences|uses|mentions)\s+of)?(?:\s*[:：]\s*|\s+|(?=[{MASK}]))"
_ZH_FIND: Final = "(?:搜索|查找|检索|寻找|搜一下|找一下|找出|列出|搜|找)"
_ZH_IN: Final = r"在\s*(?P<where>\S+?)\s*(?:文件夹|目录)?\s*(?:中|里面|里|下面|下|内)?\s*"
FILES: Final = (
    re.compile(
        rf"(?:find|list|locate|search\s+for|show)\s+(?:me\s+)?(?:all\s+)?(?:the\s+)?files?\s+(?:named|called|matching|like)\s+(?P<what>\S+){_IN}",
        FREE,
    ),
    re.compile(
        rf"(?:find|list|locate|search\s+for|show)\s+(?:me\s+)?(?:all\s+)?(?:the\s+)?files?\s+"
        rf"(?:ending\s+(?:in|with)\s+(?P<end>\S+)|with\s+(?:the\s+)?extension\s+\.?(?P<extension>\S+)){_IN}",
        FREE,
    ),
    re.compile(
        rf"(?:find|list|locate|show)\s+(?:me\s+)?(?:all\s+)?(?:the\s+)?(?P<what>\*\S+|\.\w+)(?:\s+files?)?{_IN}",
        FREE,
    ),
    re.compile(rf"(?:find|list|show)\s+(?:me\s+)?(?:all\s+)?(?:the\s+)?files{_IN}", FREE),
    re.compile(r"(?:find|locate)\s+(?P<what>[\w-]+\.\w+)", FREE),
    re.compile(
        rf"(?:{_ZH_IN})?{_ZH_FIND}(?:所有)?\s*(?:名为|名字叫|名称为|文件名为|叫做|叫)\s*(?P<what>\S+?)\s*(?:的文件|文件)?",
        FREE,
    ),
    re.compile(rf"(?:{_ZH_IN})?{_ZH_FIND}(?:所有)?\s*以\s*(?P<end>\S+?)\s*(?:结尾|为后缀)的?文件", FREE),
    re.compile(rf"(?:{_ZH_IN})?{_ZH_FIND}(?:所有)?(?:的)?\s*(?P<what>\*\S*?|\.\w+)\s*(?:的)?(?:文件)?", FREE),
    re.compile(
        r"列出\s*(?:(?!所有)(?P<where>\S+?)\s*(?:文件夹|目录)?\s*(?:中|里面|里|下面|下|内)?)?\s*的?(?:所有)?文件",
        FREE,
    ),
)
CONTENT: Final = (
    re.compile(
        r"(?:search|grep|scan|look)\s+(?:in|inside|through)\s+(?P<where>\S+)\s+for\s+(?P<what>.+)", FREE
    ),
    re.compile(
        r"(?:search|grep|scan)\s+(?:(?:the|this|my|whole|entire|all)\s+)*(?P<where>\S+)"
        r"(?:\s+(?:folder|directory|files?))?\s+for\s+(?P<what>.+)",
        FREE,
    ),
    re.compile(
        rf"(?:(?:search|grep|scan)(?:\s+for)?|(?:look|find|search)\s+for){_OF}(?P<what>.+?){_IN}", FREE
    ),
    re.compile(rf"find{_OF}(?P<what>\S+|.+?(?=\s+in\s)){_IN}", FREE),
    re.compile(rf"where\s+(?:is|are)\s+(?P<what>.+?)(?:\s+(?:used|defined|mentioned|called))?{_IN}\??", FREE),
    re.compile(rf"{_ZH_IN}{_ZH_FIND}\s*(?P<what>.+)", FREE),
    re.compile(
        rf"{_ZH_FIND}(?:一下)?(?:关键词|文本|内容|包含)?\s*[:：]?\s*(?P<what>.+?)(?:\s*(?:在|于)\s*(?P<where>\S+?)\s*(?:文件夹|目录)?\s*(?:中|里面|里|下|内)?)?",
        FREE,
    ),
)
MOST_LINES: Final = 2000
"""Lines asked of a file that is to be compared: as many as one call gives."""
HERE: Final = frozenset(
    {
        "here",
        "everywhere",
        "project",
        "repo",
        "repository",
        "folder",
        "directory",
        "code",
        "codebase",
        "files",
        "当前",
        "项目",
        "这里",
    }
)


def compare(clause: str, masked: Masked) -> Action | None:
    """Compare files: one read for each."""
    for rule in COMPARE:
        if match := rule.fullmatch(clause):
            paths = masked.paths(match["items"] + (match.groupdict().get("more") or ""))
            if len(paths) >= 2:
                return Action(
                    Kind.COMPARE, tuple(_whole(path) for path in paths), all(map(masked.surely_path, paths))
                )
    return None


def read(clause: str, masked: Masked) -> Action | None:
    """Read files, whole or some lines of them."""
    for rule in READ:
        match = rule.fullmatch(clause)
        if match is None:
            continue
        items, extra = _take_range(match["items"])
        paths = masked.paths(items)
        sure = all(map(masked.surely_path, paths))
        if paths and (sure or clause[:4].lower() == "read" or not clause[0].isascii()):
            return Action(Kind.READ, tuple(_read_place(path, extra, masked) for path in paths), sure)
    return None


def search(clause: str, masked: Masked) -> Action | None:
    """Search files by name, or their text."""
    if re.match(r"find\s+[.~/-]", clause):
        return None  # the command of that name
    for target, rules in (("files", FILES), ("content", CONTENT)):
        for rule in rules:
            if match := rule.fullmatch(_ended(clause)):
                found = match.groupdict()
                what = _pattern(masked, found, target)
                if what:
                    return Action(Kind.SEARCH, _searches(masked, what, target, found.get("where")))
    return None


def _ended(clause: str) -> str:
    """Return the clause without the mark at its end; a lone dot is the folder."""
    return re.sub(r"(?<=[^\s.])[.。?？!！]+$", "", clause)


def _searches(masked: Masked, what: str, target: str, where: str | None) -> tuple[Wanted, ...]:
    places = [place for place in masked.paths(where or ".") if place.lower() not in HERE] or ["."]
    return tuple(Wanted("search_files", _arguments(what, target, place), what) for place in places)


def _arguments(what: str, target: str, place: str) -> dict[str, Any]:
    arguments: dict[str, Any] = {"pattern": what, "target": target}
    if target == "content" and "*" in place:
        return arguments | {"path": ".", "file_glob": place}
    return arguments | {"path": place}


def _pattern(masked: Masked, found: Mapping[str, str | None], target: str) -> str:
    if end := found.get("end") or found.get("extension"):
        return ("*" if found.get("end") else "*.") + masked.value(end)
    written = found.get("what")
    if written is None:
        return "*"
    what = masked.value(written)
    if target == "content":
        try:
            re.compile(what)
        except re.error:
            return re.sub(r"([\\.+*?()|\[\]{}^$])", r"\\\1", what)
        return what
    if what.startswith(".") and "*" not in what:
        return f"*{what}"
    return what if re.search(r"[*?.\[]", what) else f"*{what}*"


def _whole(path: str) -> Wanted:
    return _read(path, {"limit": MOST_LINES})


def _read(path: str, extra: dict[str, int] | None = None) -> Wanted:
    return Wanted("read_file", {"path": path, **(extra or {})}, path)


def _read_place(path: str, extra: dict[str, int], masked: Masked) -> Wanted:
    """Read a path, or the lines named behind it as in "main.py:10-20"."""
    match = None if extra or masked.has(path) else PLACE.fullmatch(path)
    if match is None:
        return _read(path, extra)
    first, last = int(match["from"]), int(match["to"] or 0)
    return _read(match["path"], {"offset": first} | ({"limit": max(1, last - first + 1)} if last else {}))


def _take_range(items: str) -> tuple[str, dict[str, int]]:
    """Return the items without the line range that is named among them, and the range as arguments."""
    for rule in RANGE:
        if match := rule.search(items):
            found = match.groupdict()
            first = max(1, int(found.get("from") or 1))
            extra = {"offset": first}
            if found.get("to"):
                extra["limit"] = max(1, int(found["to"]) - first + 1)
            return items[: match.start()] + " " + items[match.end() :], extra
    return items, {}
