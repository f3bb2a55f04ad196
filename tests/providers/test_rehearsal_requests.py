"""Plain requests become the calls they ask for: every verb, alone and joined, in English and Chinese."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.engine.messages import parse_arguments
from hermes_tui.providers.rehearsal.grammar import read_request

Calls = list[tuple[str, dict[str, Any]]]


def wanted(text: str) -> Calls:
    return [(call.name, parse_arguments(call.text)) for action in read_request(text) for call in action.calls]


def reads(*paths: str) -> Calls:
    return [("read_file", {"path": path}) for path in paths]


def compared(*paths: str) -> Calls:
    return [("read_file", {"path": path, "limit": 2000}) for path in paths]


def write(path: str, content: str) -> Calls:
    return [("write_file", {"path": path, "content": content})]


def patch(path: str, old: str, new: str, **more: Any) -> Calls:
    return [("patch", {"mode": "replace", "path": path, "old_string": old, "new_string": new, **more})]


def v4a(line: str) -> Calls:
    return [("patch", {"mode": "patch", "patch": f"*** Begin Patch\n{line}\n*** End Patch"})]


def search(pattern: str, path: str = ".", target: str = "content", **more: Any) -> Calls:
    return [("search_files", {"pattern": pattern, "target": target, "path": path, **more})]


def run(*commands: str, **more: Any) -> Calls:
    return [("terminal", {"command": command, **more}) for command in commands]


def ask(question: str, *choices: str) -> Calls:
    return [("clarify", {"question": question, **({"choices": list(choices)} if choices else {})})]


def todos(*items: str) -> Calls:
    listed = [{"id": str(n), "content": item, "status": "pending"} for n, item in enumerate(items, 1)]
    return [("todo", {"todos": listed, "merge": False})]


TABLE: list[tuple[str, Calls]] = [
    # compare
    (
        "compare README.md CHANGELOG.md pyproject.toml",
        compared("README.md", "CHANGELOG.md", "pyproject.toml"),
    ),
    ("compare a b c", compared("a", "b", "c")),
    ("Please compare the files x1.py, y2.py and z3.py.", compared("x1.py", "y2.py", "z3.py")),
    ("compare zig.py with zag.py", compared("zig.py", "zag.py")),
    (
        "compare 'my file.txt' \"other file.txt\" `third one.txt`",
        compared("my file.txt", "other file.txt", "third one.txt"),
    ),
    ("Could you compare src/a.rs to ../b.rs, please", compared("src/a.rs", "../b.rs")),
    ("diff old.cfg new.cfg", compared("old.cfg", "new.cfg")),
    ("what differs between q.go and r.go?", compared("q.go", "r.go")),
    ("What is the difference between q.go and r.go", compared("q.go", "r.go")),
    ("show me the differences between q.go, r.go and s.go", compared("q.go", "r.go", "s.go")),
    ("how does q.go differ from r.go?", compared("q.go", "r.go")),
    ("compare 数据.txt and 结果.txt", compared("数据.txt", "结果.txt")),
    ("比较 a.py b.py c.py", compared("a.py", "b.py", "c.py")),
    ("请比较一下 甲.txt、乙.txt 和 丙.txt", compared("甲.txt", "乙.txt", "丙.txt")),
    ("对比 a.py和b.py", compared("a.py", "b.py")),
    ("比较战争.txt和和平.txt", compared("战争.txt", "和平.txt")),
    ("比较“我的 文件.txt”与「另一个.txt」", compared("我的 文件.txt", "另一个.txt")),
    ("a.py 和 b.py 有什么区别？", compared("a.py", "b.py")),
    ("帮我比较这三个文件：x.c y.c z.c", compared("x.c", "y.c", "z.c")),
    # read
    ("read notes.md", reads("notes.md")),
    ("Read the file notes.md.", reads("notes.md")),
    ("read a.txt, b.txt and c.txt", reads("a.txt", "b.txt", "c.txt")),
    ("show me README", reads("README")),
    ("what is in setup.cfg?", reads("setup.cfg")),
    ("read lines 10-20 of big.log", [("read_file", {"path": "big.log", "offset": 10, "limit": 11})]),
    ("read the first 5 lines of big.log", [("read_file", {"path": "big.log", "offset": 1, "limit": 5})]),
    ("读取 notes.md", reads("notes.md")),
    ("请帮我读一下 笔记.md 和 notes.md", reads("笔记.md", "notes.md")),
    ("查看a.txt", reads("a.txt")),
    ("读取 big.log 第 10-20 行", [("read_file", {"path": "big.log", "offset": 10, "limit": 11})]),
    # search
    ("search TODO", search("TODO")),
    ("search for TODO in src", search("TODO", "src")),
    ('search "def main(" in src and lib', [*search(r"def main\(", "src"), *search(r"def main\(", "lib")]),
    ("search src for TODO", search("TODO", "src")),
    ("grep foo|bar in .", search("foo|bar", ".")),
    ("where is parse_arguments defined?", search("parse_arguments")),
    ("search import in *.py", search("import", ".", file_glob="*.py")),
    ("find files named *.toml", search("*.toml", ".", "files")),
    ("find files named conf in etc", search("*conf*", "etc", "files")),
    ("find all *.py files in src", search("*.py", "src", "files")),
    ("list files in docs", search("*", "docs", "files")),
    ("find config.toml", search("config.toml", ".", "files")),
    ("搜索 TODO", search("TODO")),
    ("在 src 中搜索 TODO", search("TODO", "src")),
    ("在src里查找“def main”", search("def main", "src")),
    ("查找名为 *.toml 的文件", search("*.toml", ".", "files")),
    ("列出 docs 下的文件", search("*", "docs", "files")),
    # replace
    ("replace foo with bar in a.py", patch("a.py", "foo", "bar")),
    (
        'replace "two words" with "three more words" in "my file.txt"',
        patch("my file.txt", "two words", "three more words"),
    ),
    ("replace all foo with bar in a.py", patch("a.py", "foo", "bar", replace_all=True)),
    ("change x = 1 to x = 2 in conf.ini", patch("conf.ini", "x = 1", "x = 2")),
    ("in a.py replace foo with bar", patch("a.py", "foo", "bar")),
    ("replace foo with bar in a.py and b.py", [*patch("a.py", "foo", "bar"), *patch("b.py", "foo", "bar")]),
    ("把 a.py 中的 foo 替换为 bar", patch("a.py", "foo", "bar")),
    ("把a.py中的foo替换为bar", patch("a.py", "foo", "bar")),
    ("将 数据中心.txt 里的“旧 文字”改成“新 文字”", patch("数据中心.txt", "旧 文字", "新 文字")),
    ("把 a.py 中所有的 foo 替换为 bar", patch("a.py", "foo", "bar", replace_all=True)),
    ("在 a.py 中把 foo 换成 bar", patch("a.py", "foo", "bar")),
    ("替换 a.py 中的 foo 为 bar", patch("a.py", "foo", "bar")),
    ("用 bar 替换 a.py 中的 foo", patch("a.py", "foo", "bar")),
    # write
    ("write notes.txt: hello there", write("notes.txt", "hello there")),
    ("write 'my notes.txt': hello", write("my notes.txt", "hello")),
    ('write "some text" to notes.txt', write("notes.txt", "some text")),
    ("create new.md with hello", write("new.md", "hello")),
    ("create a file called new.md containing: hello", write("new.md", "hello")),
    ("create an empty file empty.txt", write("empty.txt", "")),
    ("write a.txt:\nread b.txt and\nrun ls", write("a.txt", "read b.txt and\nrun ls")),
    ("write a.py: ```python\nx = 1\nprint(x)\n```", write("a.py", "x = 1\nprint(x)")),
    ("write a.txt: read the docs and run the tests", write("a.txt", "read the docs and run the tests")),
    ("写入 d.txt：你好，世界", write("d.txt", "你好，世界")),
    ("写入 d.txt: “读取 a.txt”", write("d.txt", "读取 a.txt")),
    ("把“你好”写入 d.txt", write("d.txt", "你好")),
    ("创建文件 数据/新.txt，内容为 你好", write("数据/新.txt", "你好")),
    ("新建空文件 空.txt", write("空.txt", "")),
    # delete, move
    ("delete old.txt", v4a("*** Delete File: old.txt")),
    ("remove the file old.txt", v4a("*** Delete File: old.txt")),
    ("删除 旧.txt", v4a("*** Delete File: 旧.txt")),
    ("把 旧.txt 删掉", v4a("*** Delete File: 旧.txt")),
    ("move a.txt to sub/b.txt", v4a("*** Move File: a.txt -> sub/b.txt")),
    ("rename 'a b.txt' to c.txt", v4a("*** Move File: a b.txt -> c.txt")),
    ("把 a.txt 移动到 sub/a.txt", v4a("*** Move File: a.txt -> sub/a.txt")),
    ("重命名 a.txt 为 b.txt", v4a("*** Move File: a.txt -> b.txt")),
    # run
    ("run `make test`", run("make test")),
    ("run ls -la | head -3 && echo done; pwd", run("ls -la | head -3 && echo done; pwd")),
    ('run git commit -m "read a and run b"', run('git commit -m "read a and run b"')),
    ('run "sleep 60" three times', run(*["sleep 60"] * 3)),
    ("run sleep 60 3 times in parallel", run(*["sleep 60"] * 3)),
    ("run sleep 5 twice", run(*["sleep 5"] * 2)),
    ("run sleep 5 and sleep 6 and sleep 7", run("sleep 5", "sleep 6", "sleep 7")),
    ("run ls, pwd and date", run("ls", "pwd", "date")),
    ("run ls and run pwd", run("ls", "pwd")),
    ("run echo bread and butter", run("echo bread and butter")),
    ("run `npm test` in web", run("npm test", workdir="web")),
    ("run sleep 30 in the background", run("sleep 30", background=True)),
    ("$ ls -l", run("ls -l")),
    ("运行 ls -la", run("ls -la")),
    ("执行命令：`make test`", run("make test")),
    ("同时运行 sleep 5 三次", run(*["sleep 5"] * 3)),
    ("运行 sleep 1 和 sleep 2", run("sleep 1", "sleep 2")),
    # ask
    (
        "ask me which colour: red, green or blue?",
        ask("which colour: red, green or blue?", "red", "green", "blue"),
    ),
    ("ask me whether to use tabs or spaces", ask("whether to use tabs or spaces", "tabs", "spaces")),
    ("ask me: build, run or test?", ask("build, run or test?", "build", "run", "test")),
    ("ask me for a name", ask("for a name")),
    ("ask me A or B and ask me C or D", [*ask("A or B", "A", "B"), *ask("C or D", "C", "D")]),
    ("问我用红色还是蓝色", ask("用红色还是蓝色", "红色", "蓝色")),
    ("问我：苹果、香蕉还是橘子？", ask("苹果、香蕉还是橘子？", "苹果", "香蕉", "橘子")),
    ("问我叫什么名字", ask("叫什么名字")),
    # todo
    ("todo: buy milk, write code", todos("buy milk", "write code")),
    ("make a todo list: one; two and three", todos("one", "two", "three")),
    ("show todos", [("todo", {})]),
    ("待办：买菜、做饭", todos("买菜", "做饭")),
    ("查看待办", [("todo", {})]),
    # a tool by its name
    ('read_file {"path": "a and b", "limit": 3}', [("read_file", {"path": "a and b", "limit": 3})]),
    ('call no_such_tool {"x": 1}', [("no_such_tool", {"x": 1})]),
    ('run {"command": "ls", "timeout": 5}', run("ls", timeout=5)),
    # joined
    ("compare a b c and write d: hello", [*compared("a", "b", "c"), *write("d", "hello")]),
    (
        "compare x.md y.md z.md and write x.md: new text",
        [*compared("x.md", "y.md", "z.md"), *write("x.md", "new text")],
    ),
    (
        "read a.txt then replace foo with bar in a.txt and read a.txt",
        [*reads("a.txt"), *patch("a.txt", "foo", "bar"), *reads("a.txt")],
    ),
    ("write a.txt: hello and compare a.txt b.txt", [*write("a.txt", "hello"), *compared("a.txt", "b.txt")]),
    ("search TODO in src, read a.py, and run `ls`", [*search("TODO", "src"), *reads("a.py"), *run("ls")]),
    (
        "First, read a.py. Then run pytest. Finally, ask me: yes or no?",
        [*reads("a.py"), *run("pytest"), *ask("yes or no?", "yes", "no")],
    ),
    ("read a.py\nrun ls\nsearch x1 in b.py", [*reads("a.py"), *run("ls"), *search("x1", "b.py")]),
    ("比较 a.py b.py c.py 并写入 d.txt：你好", [*compared("a.py", "b.py", "c.py"), *write("d.txt", "你好")]),
    ("读取 a.txt，然后运行 `ls`，再搜索 TODO", [*reads("a.txt"), *run("ls"), *search("TODO")]),
    ("读取 a.txt 和运行 ls", [*reads("a.txt"), *run("ls")]),
    ("把 a.txt 中的 x 替换为 y，然后读取 a.txt", [*patch("a.txt", "x", "y"), *reads("a.txt")]),
    ("问我 A 还是 B，并且问我 C 还是 D", [*ask("A 还是 B", "A", "B"), *ask("C 还是 D", "C", "D")]),
    ("请读取 a.txt；删除 b.txt；运行 pwd。", [*reads("a.txt"), *v4a("*** Delete File: b.txt"), *run("pwd")]),
]


@pytest.mark.parametrize(("text", "expected"), TABLE, ids=[text for text, _ in TABLE])
def test_a_request_becomes_its_calls(text: str, expected: Calls) -> None:
    assert wanted(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "thanks!",
        "what can you do?",
        "write a poem",
        "你好",
        "今天天气怎么样",
        "compare",
        "explain monads",
        "yes",
    ],
)
def test_what_no_rule_knows_becomes_no_call(text: str) -> None:
    assert wanted(text) == []


def test_arguments_that_are_no_json_are_passed_on_as_written() -> None:
    (first, second) = read_request('read_file {"path": "a"} and read_file {"path": ')
    assert [call.text for action in (first, second) for call in action.calls] == ['{"path": "a"}', '{"path":']


plain = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,8}(/[a-z]{1,3})?\.[a-z]{1,4}", fullmatch=True)
quoted = st.text("ab. _-/中文字和把读and,，:：", min_size=1, max_size=12).map(str.strip).filter(bool)
names = st.lists(plain | quoted.map(lambda name: f'"{name}"'), min_size=3, max_size=3)
JOINED = [
    ("compare {0} {1} {2}", compared, []),
    ("please compare {0}, {1} and {2}", compared, []),
    ("比较 {0} {1} {2}", compared, []),
    ("比较 {0}、{1} 和 {2}", compared, []),
    ("read {0} {1} {2} and run pwd", reads, run("pwd")),
    ("读取 {0} {1} {2}，然后运行 pwd", reads, run("pwd")),
    ("compare {0} {1} {2} then write out.bin: 1", compared, write("out.bin", "1")),
    ("比较 {0} {1} {2} 并写入 out.bin：1", compared, write("out.bin", "1")),
]


@given(names, st.sampled_from(JOINED))
def test_names_never_seen_before_are_taken_as_they_are(
    files: list[str], form: tuple[str, Any, Calls]
) -> None:
    template, first, rest = form
    assert wanted(template.format(*files)) == first(*(name.strip('"') for name in files)) + rest


@given(st.text(max_size=300))
def test_no_text_breaks_it(text: str) -> None:
    for action in read_request(text):
        assert action.calls


def test_a_long_text_is_no_request_and_costs_no_time() -> None:
    for text in ("\n" * 9000, "and then " * 2000, "run x" + " " * 9000 + "y", "compare " + "a, " * 3000):
        assert wanted(text) == []
    assert wanted("write a.txt: `" + "x" * 100_000 + "`") == write("a.txt", "x" * 100_000)
