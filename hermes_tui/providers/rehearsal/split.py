"""Cuts a request into clauses, one for each verb. Decides where; what a clause means is grammar.py."""

from __future__ import annotations

import re
from typing import Final

from hermes_tui.providers.rehearsal.words import MASK

ENGLISH: Final = (
    r"(?:compare|contrast|diff|differences|read|show|open|view|look|see|search|grep|scan|find|locate|list"
    r"|replace|change|substitute|write|create|make|save|put|store|add|delete|remove|move|rename"
    r"|run|execute|exec|start|launch|ask|todos?|to-dos?|tasks|call|use|what|what's|how|where)"
)
CHINESE: Final = (
    "(?:比较|对比|比对|对照|读取|阅读|查看|打开|显示|看看|看一下|读一下|搜索|查找|检索|寻找|列出"
    "|替换|写入|写到|创建|新建|保存|删除|删掉|移除|移动|重命名|运行|执行|跑一下|问我|询问我|待办|任务清单|添加|调用)"
)
CHINESE_SHORT: Final = "读看搜查找写跑把将用在"
"""Verbs of one character; too short to be told from the start of a name unless something else follows."""

_EN: Final = rf"{ENGLISH}(?=[\s:：]|$|[{MASK}])(?!\s+or\b)|\$(?=\s)|\w+\s*[({{]"
_ZH_SHORT: Final = rf"[{CHINESE_SHORT}](?=[\sA-Za-z0-9_./~{MASK}])"
_ZH: Final = rf"{CHINESE}(?=[\s:：A-Za-z0-9_./~*{MASK}]|一下|文件|命令|$)|{_ZH_SHORT}"
_ZH_ANY: Final = rf"{CHINESE}|{_ZH_SHORT}"
_IN: Final = r"in\s+\S+,?\s+(?:replace|change)\s"

FILLER: Final = (
    r"(?:(?:please|pls|kindly|now|also|then|next|finally|first|after\s+that|let'?s|just"
    r"|(?:can|could|would|will)\s+you|i\s+want\s+you\s+to|i'?d\s+like\s+you\s+to|help\s+me(?:\s+to)?)[\s,:]+"
    r"|(?:请你|请帮我|请|帮我|麻烦你|麻烦|再|然后|接着|最后|首先|先|另外|顺便|同时|并行|你能不能|能不能|可以|并且|并)\s*"
    r"(?=\S)"
    r"|(?:[-*•]|\d{1,2}[.)])[ \t]+|\d{1,2}、[ \t]*)"
)
"""What may stand before a verb: politeness, order, the mark of a list's item."""
_LIST: Final = r"(?<!\s)(?:\s*+,\s*+(?:(?:and|&)\s++)?|\s++(?:and|&)\s++|\s*+(?:和|与|以及|还有|、)\s*+)"
_NEXT: Final = (
    r"(?<![ \t\r])(?:[ \t\r]*+(?:\n|[，；。！]|;|[.!](?=\s)"
    r"|,?[ \t]*+\b(?:and\s+then|then|after\s+that,?)(?=\s)"
    r"|然后|接着|并且|同时|另外|最后|并|再))++\s*+"
)
BOUNDARY: Final = re.compile(
    rf"{_NEXT}{FILLER}*(?={_EN}|{_IN}|{_ZH_ANY})|{_LIST}{FILLER}*(?={_EN}|{_IN}|{_ZH})",
    re.IGNORECASE,
)
START: Final = re.compile(rf"^\s*(?:(?:hi|hello|hey|你好)[\s,，!！.。]+)?{FILLER}*", re.IGNORECASE)
_COMMAND: Final = re.compile(r"(?:run|execute|exec|运行|执行)\b|(?:运行|执行|跑)", re.IGNORECASE)


def clauses(text: str) -> list[tuple[str, str]]:
    """Return (separator before it, clause) of a masked request, cut wherever a verb may start a new one.

    The separators are kept so that a piece which turns out to be no request can be put back.
    """
    start = START.match(text)
    position = start.end() if start else 0
    pieces: list[tuple[str, str]] = []
    separator, begin = "", position
    for match in BOUNDARY.finditer(text, position):
        if match.start() < begin or _is_shell(text[begin : match.start()], match[0]):
            continue
        pieces.append((separator, text[begin : match.start()]))
        separator, begin = match[0], match.end()
    return [*pieces, (separator, text[begin:])]


def _is_shell(clause: str, separator: str) -> bool:
    """Whether a semicolon belongs to the command line before it."""
    return ";" in separator and _COMMAND.match(clause) is not None


def is_chinese(text: str) -> bool:
    """Whether a request is in Chinese: it has Chinese characters and does not begin with an English verb."""
    rest = START.sub("", text, count=1)
    if re.match(rf"{ENGLISH}\b", rest, re.IGNORECASE):
        return False
    return bool(re.search(r"[\u3400-\u9fff]", text))
