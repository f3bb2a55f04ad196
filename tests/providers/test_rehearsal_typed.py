"""What people really type to the rehearsal: lists, editor notations, all lower-case names, fenced text."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hermes_tui.providers.rehearsal.grammar import read_request

Calls = list[tuple[str, dict[str, Any]]]


def wanted(text: str) -> Calls:
    return [(call.name, json.loads(call.text)) for action in read_request(text) for call in action.calls]


def reads(*paths: str, **more: int) -> Calls:
    return [("read_file", {"path": path, **more}) for path in paths]


def search(pattern: str, path: str = ".", target: str = "content") -> Calls:
    return [("search_files", {"pattern": pattern, "target": target, "path": path})]


def run(command: str) -> Calls:
    return [("terminal", {"command": command})]


def write(path: str, content: str) -> Calls:
    return [("write_file", {"path": path, "content": content})]


def ask(question: str, *choices: str) -> Calls:
    return [("clarify", {"question": question, "choices": list(choices)})]


def delete(path: str) -> Calls:
    return [("patch", {"mode": "patch", "patch": f"*** Begin Patch\n*** Delete File: {path}\n*** End Patch"})]


TABLE: list[tuple[str, Calls]] = [
    # a command line as it would be typed in a shell
    ("ls", run("ls")),
    ("git status", run("git status")),
    ("cat Makefile | wc -l", run("cat Makefile | wc -l")),
    ('git commit -m "read a and b"', run('git commit -m "read a and b"')),
    ("echo hi and run pwd", [*run("echo hi"), *run("pwd")]),
    ("Cats are nice", []),
    # what is said behind a list names no file
    ("read a.txt and tell me what it does", reads("a.txt")),
    ("read README.md, b.c and summarize them", reads("README.md", "b.c")),
    ("Read README.md, then explain how it works.", reads("README.md")),
    ("compare a.py and b.py and tell me which is better", reads("a.py", "b.py", limit=2000)),
    ("delete a.txt and show me what is left", delete("a.txt")),
    ("读取 README.md 并总结一下", reads("README.md")),
    ("读取 README.md，告诉我它是做什么的", reads("README.md")),
    ("看看 README.md 写了什么", reads("README.md")),
    ("请读取 a.md，然后把其中的 x 换成 y", reads("a.md")),
    ("帮我看看 README.md 里写了什么", reads("README.md")),
    ("列出所有文件", search("*", target="files")),
    ("列出 src 目录下的所有文件", search("*", "src", "files")),
    # but these are names
    ("read check.py and explain/how.md", reads("check.py", "explain/how.md")),
    ('read a.txt and "tell"', reads("a.txt", "tell")),
    ("读取 说明.md 和 总结.md", reads("说明.md", "总结.md")),
    ("读取 a.md，分析.md", reads("a.md", "分析.md")),
    # a quoted name is a name, whatever it looks like; so is a lower-case word behind a Chinese verb
    ('读取 ":" "b" "a"', reads(":", "b", "a")),
    ('读取 "a" "b"，然后运行 pwd', [*reads("a", "b"), *run("pwd")]),
    ("读取 makefile", reads("makefile")),
    ("看看 license 和 readme", reads("license", "readme")),
    ('open "license"', reads("license")),
    ('write a.txt: x and delete "old"', [*write("a.txt", "x"), *delete("old")]),
    # lists
    ("- read a.txt\n- read b.txt", reads("a.txt", "b.txt")),
    ("1. read a.txt\n2. run ls\n3) search TODO", [*reads("a.txt"), *run("ls"), *search("TODO")]),
    ("* 读取 a.txt\n* 运行 ls", [*reads("a.txt"), *run("ls")]),
    ("1、读取 a.txt\n2、读取 b.txt", reads("a.txt", "b.txt")),
    ("Please:\n• compare x.c y.c\n• run make", [*reads("x.c", "y.c", limit=2000), *run("make")]),
    # one place of a file, as editors and compilers write it
    ("read main.py:10-20", reads("main.py", offset=10, limit=11)),
    ("open src/app.tsx:7", reads("src/app.tsx", offset=7)),
    ("读取 main.go:3-4 和 b.go", [*reads("main.go", offset=3, limit=2), *reads("b.go")]),
    ('read "odd:10"', reads("odd:10")),
    # searches
    ("search the code for FIXME", search("FIXME")),
    ("search the whole repo for FIXME", search("FIXME")),
    ("grep the docs folder for FIXME", search("FIXME", "docs")),
    ("find all files ending in .rs", search("*.rs", ".", "files")),
    ("find files ending with _test.go in pkg", search("*_test.go", "pkg", "files")),
    ("list all files with extension toml", search("*.toml", ".", "files")),
    ("查找所有以 .rs 结尾的文件", search("*.rs", ".", "files")),
    # questions with their choices behind them
    ('ask me "Deploy now?" with choices yes and no', ask("Deploy now?", "yes", "no")),
    ("ask me which db, options: red, big or old", ask("which db", "red", "big", "old")),
    ("问我：用哪个数据库？选项：sqlite、postgres", ask("用哪个数据库？", "sqlite", "postgres")),
    ("ask me about the options: red or blue", ask("about the options: red or blue", "red", "blue")),
    # fenced text is the content, and what stands behind it is a request again
    (
        "Write `x.py`:\n```python\nprint(1)\n```\nand run python3 x.py",
        [*write("x.py", "print(1)"), *run("python3 x.py")],
    ),
    ("write a.md:\n# T\n```\ncode\n```\nand run x", write("a.md", "# T\n```\ncode\n```\nand run x")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), TABLE, ids=[text for text, _ in TABLE])
def test_a_typed_request_becomes_its_calls(text: str, expected: Calls) -> None:
    assert wanted(text) == expected
