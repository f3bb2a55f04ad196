"""Random batches for the tree: every kind of call, on few names, so that they meet often.

No command prints a clock, an inode or the order of a folder: the same batch must have one answer.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from hypothesis import strategies as st

from tests.equivalence.tree import TWEAKS

Draw = st.DrawFn


@dataclass(frozen=True)
class Case:
    """A tree and a batch."""

    tweaks: tuple[str, ...]
    calls: tuple[tuple[str, str], ...]
    """For each call its tool and its arguments as raw text."""

    def __str__(self) -> str:
        lines = [f"tree: {', '.join(self.tweaks) or 'base'}"]
        lines += [f"#{number} {name} {raw}" for number, (name, raw) in enumerate(self.calls, 1)]
        return "\n".join(lines)


PATHS: Final = (
    "a", "b", "ab", "A", "h", "aa", "src", "src/a", "src/b", "src/h", "src/l", "src/la", "src/sub", "src/sub/c",
    "srcx/a", "ln", "ln2", "ldir", "ldir/a", "ldir/../a", "dangling", "out", "out/x", "../out/x", "out/d/y",
    "out/back/a", "ldeep/c", "new", "new/x", "new/../a", "none/deep/x", "a/x", "./src/../b", ".gitignore",
    "src/.gitignore", ".ignore", "../.ignore", "list", "src/.ignore", "src/up/a", "loop", ".", "dos",
)  # fmt: skip
"""Everything a path may be: there or not, links, near names, spellings, files that others are ignored by."""

ROOTS: Final = (".", "src", "src/sub", "ldir", "out", "..", "srcx", "a", "new")
GLOBS: Final = (None, "*", "a*", "*b", "src/**", "**/a", "[ab]", "*.none")
CONTENTS: Final = ("x\n", "one\ntwo\n", "z\n", "", "x\ny\nx\n", "*a\n", "!src\nb\n", "x")
PATTERNS: Final = ("x", "o.e", "^", "two|out", "[")
OLD: Final = ("x", "one\n", "two", "x\n", "nothing")

READING: Final = (
    "cat {p}", "cat {p} {q}", "cat < {p}", "head -n1 {p}", "wc -l {p}", "sort {p}", "sha256sum {p}",
    "ls {p}", "ls -a {p}", "ls -F {p}", "ls -AR {p}", "ls -d {p}/*", "cat {p}/*", "cat *a*", "cat src/?",
    "echo *", "echo {p}/*", "ls -L {p}", "ls -lF {p} | awk '{{print $NF}}'",
    "grep -rn x {p} | sort", "grep -R x {p} | sort", "grep -c x {p}", "grep -rl o src | sort", "grep -f {p} {q}",
    "rg --sort path -n x {p}", "rg --sort path --files {p}", "rg -c --sort path x",
    "find {p} -name 'a*' | sort", "find {p} -type f | sort", "find -L {p} -type f | sort",
    "find {p} -xtype f | sort", "find {p} -type l -exec cat {{}} + | sort", "find {p} -empty | sort",
    "test -e {p} && echo yes", "[ -d {p} ] || echo no", "[[ -f {p} && -s {q} ]] && echo both",
    "readlink {p}", "realpath {p}", "stat -c '%F %a %h' {p}", "file {p}", "stat -L -c '%F %a' {p}",
    "diff {p} {q}", "diff -r {p} {q} | sort", "cmp {p} {q}", "comm {p} {q}",
    "cd {p} && ls", "cd {p} && cat ../a", "cd {p} && cd .. && cat a", "cd {p}; cat a", "cd -P {p} && ls ..",
    "sed -n 1p {p}", "awk 'NR==1' {p}", "tail -n +1 {p} | grep x", "cat {p} | cat - {q}",
    "git status --short", "git -C {p} status --short", "git diff -- {p}", "git log --format=%s -- {p}",
    "git ls-files {p}", "git grep -n x", "git show HEAD:a", "git check-ignore -v {p}", "git diff --stat",
    "git diff --no-index {p} {q}", "git ls-files -o --exclude-standard", "git rev-parse --show-toplevel",
    "echo hi", "pwd", "true", "du -a --apparent-size {p} | cut -f2 | sort",
)  # fmt: skip
"""Commands that change nothing; most are proven to, some are not."""

EFFECTS: Final = (
    "echo z > {p}", "echo z >> {p}", "mv {p} {q}", "rm -f {p}", "rm -rf {p}", "mkdir -p {p}", "mkdir {p}",
    "ln -s {p} {q}", "ln -sfn {p} {q}", "ln {p} {q}", "cp {p} {q}", "cp -P {p} {q}", "cp -r src {q}",
    "sed -i s/x/w/ {p}", "touch {p}", "chmod 755 {p}", "chmod 600 {p}", "rm -rf {p} && ln -s {q} {p}",
    "rm -rf {p}; mkdir {p}", "echo '*a' > .gitignore", "printf 'src\\n' > {p}", "rmdir {p}", "tee {p} < {q}",
    "git add {p}", "git commit -qam third", "git mv {p} {q}", "git rm -qf {p}", "git init -q {p}",
    "ln -sfn ../out src", "rm -f a && ln -s src/a a", "rm -rf src/sub; ln -s ../srcx src/sub",
)  # fmt: skip
"""Commands with effects."""

BAD: Final = (
    ("read_file", "not json"), ("write_file", "[1]"), ("patch", ""), ("read_file", '{"path":"a","zzz":1}'),
    ("nope", '{"path":"a"}'), ("write_file", '{"path":""}'), ("read_file", '{"path":7}'),
    ("read_file", '{"path":"a\\u0000b"}'), ("search_files", '{"pattern":"x","limit":0}'), ("terminal", "{}"),
    ("write_file", '{"path":"src","content":"x"}'), (" read_file ", '{"path":"a"}'),
)  # fmt: skip

KINDS: Final = (
    *["read"] * 10, *["write"] * 8, *["replace"] * 5, *["v4a"] * 6, *["search"] * 6, *["reading"] * 14,
    *["effect"] * 6, "clarify", "clarify", "todo", "todo", "bad", "bad",
)  # fmt: skip


@st.composite
def cases(draw: Draw) -> Case:
    """A tree with some of the tweaks, and two to six calls around a few paths."""
    tweaks = draw(st.sets(st.sampled_from(TWEAKS), max_size=8))
    hot = draw(st.lists(st.sampled_from(PATHS), min_size=2, max_size=4, unique=True))
    calls = draw(st.lists(_calls(st.sampled_from(hot)), min_size=2, max_size=6))
    return Case(tuple(name for name in TWEAKS if name in tweaks), tuple(calls))


@st.composite
def _calls(draw: Draw, paths: st.SearchStrategy[str]) -> tuple[str, str]:
    kind = draw(st.sampled_from(KINDS))
    if kind == "bad":
        return draw(st.sampled_from(BAD))
    name, arguments = draw(_MAKERS[kind](paths))
    return name, json.dumps(arguments)


Made = tuple[str, dict[str, Any]]


@st.composite
def _read(draw: Draw, paths: st.SearchStrategy[str]) -> Made:
    more = draw(st.sampled_from(({}, {}, {"offset": 2}, {"limit": 1})))
    return "read_file", {"path": draw(paths), **more}


@st.composite
def _write(draw: Draw, paths: st.SearchStrategy[str]) -> Made:
    return "write_file", {"path": draw(paths), "content": draw(st.sampled_from(CONTENTS))}


@st.composite
def _replace(draw: Draw, paths: st.SearchStrategy[str]) -> Made:
    arguments = {"path": draw(paths), "old_string": draw(st.sampled_from(OLD)), "new_string": "x two"}
    return "patch", {**arguments, "replace_all": draw(st.booleans())}


@st.composite
def _v4a(draw: Draw, paths: st.SearchStrategy[str]) -> Made:
    parts = draw(st.lists(_operation(paths), min_size=1, max_size=3))
    text = "\n".join(["*** Begin Patch", *parts, "*** End Patch"])
    return "patch", {"mode": "patch", "patch": text, **draw(st.sampled_from(({}, {"path": "b"})))}


@st.composite
def _operation(draw: Draw, paths: st.SearchStrategy[str]) -> str:
    path, old = draw(paths), draw(st.sampled_from(("x", "one", "two", "out")))
    return draw(
        st.sampled_from(
            (
                f"*** Update File: {path}\n@@\n-{old}\n+{old} w",
                f"*** Add File: {path}\n+x\n+new",
                f"*** Delete File: {path}",
                f"*** Move File: {path} -> {draw(paths)}",
                f"*** Update File: {path}\n*** Move to: {draw(paths)}\n@@\n-{old}\n+moved",
            )
        )
    )


@st.composite
def _search(draw: Draw, paths: st.SearchStrategy[str]) -> Made:
    root = draw(st.one_of(st.sampled_from(ROOTS), paths))
    glob = draw(st.sampled_from(GLOBS))
    if draw(st.booleans()):
        return "search_files", {"pattern": glob or "*", "target": "files", "path": root}
    mode = draw(st.sampled_from(("content", "content", "files_only", "count")))
    pattern = draw(st.sampled_from(PATTERNS))
    return "search_files", {"pattern": pattern, "path": root, "file_glob": glob, "output_mode": mode}


@st.composite
def _command(draw: Draw, lines: tuple[str, ...], paths: st.SearchStrategy[str]) -> Made:
    line = draw(st.sampled_from(lines)).format(p=draw(paths), q=draw(paths))
    delay = draw(st.sampled_from(("", "", "sleep 0.01; ", "sleep 0.02; ")))
    workdir = draw(st.sampled_from((None, None, None, None, "src", "ldir", "new")))
    return "terminal", {"command": delay + line, **({"workdir": workdir} if workdir else {})}


@st.composite
def _clarify(draw: Draw, paths: st.SearchStrategy[str]) -> Made:
    return "clarify", {"question": f"Which, {draw(paths)}?", "choices": ["this", "that"]}


@st.composite
def _todo(draw: Draw, paths: st.SearchStrategy[str]) -> Made:
    item = {"id": draw(st.sampled_from(("1", "2"))), "content": draw(paths)}
    return "todo", draw(st.sampled_from(({}, {"todos": [item], "merge": True}, {"todos": [item]})))


_MAKERS: Final = {
    "read": _read,
    "write": _write,
    "replace": _replace,
    "v4a": _v4a,
    "search": _search,
    "reading": lambda paths: _command(READING, paths),
    "effect": lambda paths: _command(EFFECTS, paths),
    "clarify": _clarify,
    "todo": _todo,
}
