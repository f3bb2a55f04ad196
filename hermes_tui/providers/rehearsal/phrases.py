"""What the rehearsal says, in the user's language. Never a claim to be a language model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from hermes_tui.providers.rehearsal.actions import Kind
from hermes_tui.text import one_line

WIDTH: Final = 100
"""Cells of a line that is quoted from a result."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """The sentences of one language; `{…}` is filled in."""

    does: dict[Kind, str]
    """What an action does, before it is done; `{what}` is what it is about."""
    line: tuple[str, str]
    """How one line and how several are counted."""
    character: tuple[str, str]
    joint: str
    end: str
    size: str
    part: str
    same: str
    differ: str
    first: str
    ends: str
    blank: str
    too_few: str
    missing_tool: str
    asked: str
    nothing: str
    more: str
    unknown: str


ENGLISH: Final = Phrases(
    does={
        Kind.COMPARE: "reading {what} to compare them",
        Kind.READ: "reading {what}",
        Kind.SEARCH: "searching for {what}",
        Kind.WRITE: "writing {what}",
        Kind.REPLACE: "replacing text in {what}",
        Kind.DELETE: "deleting {what}",
        Kind.MOVE: "moving {what}",
        Kind.RUN: "running {what}",
        Kind.ASK: "asking you: {what}",
        Kind.TODO: "keeping the todo list: {what}",
        Kind.CALL: "calling the tool as written: {what}",
    },
    line=("{} line", "{} lines"),
    character=("{} character", "{} characters"),
    joint="; ",
    end=".",
    size="- {path}: {lines}, {characters}",
    part=" (only the first {read} read and compared)",
    same="- {one} and {other} are identical.",
    differ="- {one} and {other} differ: {common} in common, {left} only in {one}, {right} only in {other}.",
    first="  The first difference is in line {number}: {left} against {right}.",
    ends="the end of the file",
    blank="a blank line",
    too_few="- A comparison needs two files that could be read.",
    missing_tool="The tool {name} is not available here.",
    asked="- {what}",
    nothing="(no output)",
    more="… {count} more lines",
    unknown=(
        "I am the rehearsal: rules that turn plain requests into real tool calls, not a language model. "
        "I do not understand this one. I know, alone or joined by “and”:\n\n"
        "- `compare a.py b.py c.py`\n"
        "- `read notes.md`\n"
        "- `search TODO in src` · `find files named *.toml`\n"
        "- `replace old with new in a.py`\n"
        "- `write notes.md: some text`\n"
        "- `delete a.txt` · `move a.txt to b.txt`\n"
        "- `run ls -la` · `run sleep 5 three times`\n"
        "- `ask me: red, green or blue?`\n"
        "- `todo: first, second`\n\n"
        "Put names and texts with blanks in quotes. "
        "To talk to a real model, set OPENAI_API_KEY or `base_url`."
    ),
)
CHINESE: Final = Phrases(
    does={
        Kind.COMPARE: "读取 {what} 以便比较",
        Kind.READ: "读取 {what}",
        Kind.SEARCH: "搜索 {what}",
        Kind.WRITE: "写入 {what}",
        Kind.REPLACE: "替换 {what} 中的文字",
        Kind.DELETE: "删除 {what}",
        Kind.MOVE: "移动 {what}",
        Kind.RUN: "运行 {what}",
        Kind.ASK: "向您提问：{what}",
        Kind.TODO: "更新待办：{what}",
        Kind.CALL: "按原样调用工具：{what}",
    },
    line=("{} 行", "{} 行"),
    character=("{} 个字符", "{} 个字符"),
    joint="；",
    end="。",
    size="- {path}：{lines}，{characters}",
    part="（只读取并比较了前 {read}）",
    same="- {one} 和 {other} 完全相同。",
    differ="- {one} 和 {other} 不同：相同的有 {common}，"
    "只在 {one} 中有 {left} 行，只在 {other} 中有 {right} 行。",
    first="  第一处不同在第 {number} 行：{left} 与 {right}。",
    ends="文件结尾",
    blank="空行",
    too_few="- 至少要读到两个文件才能比较。",
    missing_tool="这里没有工具 {name}。",
    asked="- {what}",
    nothing="（无输出）",
    more="… 还有 {count} 行",
    unknown=(
        "我是排练模式：用一组规则把简单的请求变成真实的工具调用，不是语言模型。这句话我不懂。"
        "我会的（可以单独说，也可以用“和”“然后”连起来）：\n\n"
        "- `比较 a.py b.py c.py`\n"
        "- `读取 notes.md`\n"
        "- `在 src 中搜索 TODO` · `查找名为 *.toml 的文件`\n"
        "- `把 a.py 中的 旧文字 替换为 新文字`\n"
        "- `写入 notes.md：一些内容`\n"
        "- `删除 a.txt` · `把 a.txt 移动到 b.txt`\n"
        "- `运行 ls -la` · `运行 sleep 5 三次`\n"
        "- `问我：红色、绿色还是蓝色？`\n"
        "- `待办：第一件、第二件`\n\n"
        "带空格的名字或文字请加引号。要和真正的模型对话，请设置 OPENAI_API_KEY 或 `base_url`。"
    ),
)


def counted(number: int, forms: tuple[str, str]) -> str:
    """Return a number with its noun."""
    return forms[number != 1].format(number)


def code(text: str) -> str:
    """Return one line as a code span that holds any text."""
    line = one_line(text, WIDTH)
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", line)), default=0))
    pad = " " if line.startswith("`") or line.endswith("`") or not line.strip() else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def block(lines: list[str]) -> str:
    """Return lines as a code block that holds any text."""
    body = [one_line(line, WIDTH) for line in lines]
    longest = max((len(run) for line in body for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([fence, *body, fence])
