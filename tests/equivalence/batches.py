"""Random batches for the tree: every kind of call, on few names, so that they meet often.

No command prints a clock, an inode or the order of a folder: the same batch must have one answer.

hypothesis gives each batch a seed and no more: of batches made of its own strategies most were small
changes of the one before. `shrunk` takes its place for making a counterexample small.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from hypothesis import strategies as st

from tests.equivalence.tree import BASE, FILES, HARD, LINKS, TWEAKS


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
    "a", "b", "ab", "A", "h", "aa", "src", "src/a", "src/b", "src/h", "src/l", "src/la", "src/sub",
    "src/sub/c", "srcx/a", "ln", "ln2", "ldir", "ldir/a", "ldir/../a", "dangling", "out",
    "out/x", "../out/x", "out/d/y", "out/back/a", "ldeep/c", "new", "new/x", "new/../a", "none/deep/x",
    "a/x", "./src/../b", ".gitignore", "src/.gitignore", ".ignore", "../.ignore", "list", "src/up/a",
    "loop", ".", "dos",
)  # fmt: skip
"""Everything a path may be: there or not, links, near names, spellings, files that others are ignored by."""

FAMILIES: Final = (
    ("a", "ln", "ln2", "src/la"), ("a", "h", "ab", "A"), ("src/a", "ldir/a", "ldir", "src"),
    ("src/a", "out/back/a", "ldir/../a", "a"), ("new", "new/x", "dangling", "src/l"),
    ("out/x", "../out/x", "src/h"), ("src/sub/c", "ldeep/c", "src/sub", "."), ("aa", "ab", "a", "."),
    ("new/../a", "new/x", "a", "src/up/a"), ("src", "srcx/a", "src/a", "src/sub/c"),
    ("b", "./src/../b", "a/x", "a"), (".gitignore", "src/.gitignore", "src/b", "src"),
    (".ignore", "../.ignore", "list", "src"),
)  # fmt: skip
"""Paths that mean, hold, hide or are near to each other."""

ROOTS: Final = (".", "src", "src/sub", "ldir", "out", "..", "srcx", "a", "new")
GLOBS: Final = (None, "*", "a*", "*b", "src/**", "**/a", "[ab]", "*.none")
CONTENTS: Final = ("x\n", "one\ntwo\n", "z\n", "", "x\ny\nx\n", "*a\n", "!src\nb\n", "x")
PATTERNS: Final = ("x", "o.e", "^", "two|out", "[")

READING: Final = (
    "cat {p}", "cat {p} {q}", "cat < {p}", "head -n1 {p}", "wc -l {p}", "sort {p}", "sha256sum {p}",
    "ls {p}", "ls -a {p}", "ls -F {p}", "ls -AR {p}", "ls -d {p}/*", "cat {p}/*", "cat *a*", "cat src/?",
    "echo *", "echo {p}/*", "ls -L {p}", "ls -lF {p} | awk '{{print $NF}}'",
    "grep -rn x {p} | sort", "grep -R x {p} | sort", "grep -c x {p}", "grep -rl o src | sort",
    "grep -f {p} {q}",
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
    "ln -s {p} {q}", "ln -sfn {p} {q}", "ln {p} {q}", "cp {p} {q}", "cp -P {p} {q}", "cp -r ../out/d {q}",
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


def cases() -> st.SearchStrategy[Case]:
    """A tree with some of the tweaks, and two to six calls around a few paths."""
    return st.randoms(use_true_random=True).map(_case)


def shrunk(case: Case, is_wrong: Callable[[Case], bool]) -> Case:
    """Return a smaller case that is still wrong: no call and no tweak of it can be left out."""
    smaller = True
    while smaller:
        smaller = False
        for attempt in (*_without_one_call(case), *_without_one_tweak(case)):
            if is_wrong(attempt):
                case, smaller = attempt, True
                break
    return case


def _without_one_call(case: Case) -> list[Case]:
    count = len(case.calls)
    return [replace(case, calls=case.calls[:i] + case.calls[i + 1 :]) for i in range(count) if count > 2]


def _without_one_tweak(case: Case) -> list[Case]:
    count = len(case.tweaks)
    return [replace(case, tweaks=case.tweaks[:i] + case.tweaks[i + 1 :]) for i in range(count)]


def _case(random: Random) -> Case:
    hot = random.choice(FAMILIES) if random.random() < 0.5 else random.sample(PATHS, random.randint(2, 4))
    tweaks = set(random.sample(TWEAKS, random.randint(0, 6)))
    if random.random() < 0.7:
        named = (*FILES, *LINKS, *HARD)
        tweaks |= {name for name in named for path in hot if f"p/{path}/".startswith(f"{name}/")}
    calls = tuple(_call(random, hot) for _ in range(random.choice((2, 2, 3, 3, 4, 5, 6))))
    return Case(tuple(name for name in TWEAKS if name in tweaks), calls)


def _call(random: Random, paths: Sequence[str]) -> tuple[str, str]:
    kind = random.choice(KINDS)
    if kind == "bad":
        return random.choice(BAD)
    name, arguments = _MAKERS[kind](random, paths)
    return name, json.dumps(arguments)


Made = tuple[str, dict[str, Any]]


def _read(random: Random, paths: Sequence[str]) -> Made:
    more: dict[str, Any] = random.choice(({}, {}, {"offset": 2}, {"limit": 1}))
    return "read_file", {"path": random.choice(paths), **more}


def _write(random: Random, paths: Sequence[str]) -> Made:
    return "write_file", {"path": random.choice(paths), "content": random.choice(CONTENTS)}


def _replace(random: Random, paths: Sequence[str]) -> Made:
    path = random.choice(paths)
    arguments = {"path": path, "old_string": _line_of(random, path), "new_string": "x two"}
    return "patch", {**arguments, "replace_all": random.random() < 0.5}


def _v4a(random: Random, paths: Sequence[str]) -> Made:
    named = random.sample(paths, min(len(paths), random.randint(1, 3)))
    parts = [_operation(random, path, random.choice((*paths, "moved"))) for path in named]
    text = "\n".join(["*** Begin Patch", *parts, "*** End Patch"])
    decoy: dict[str, Any] = random.choice(({}, {"path": "b"}))
    return "patch", {"mode": "patch", "patch": text, **decoy}


def _operation(random: Random, path: str, target: str) -> str:
    old = _line_of(random, path)
    if f"p/{path}" not in BASE and random.random() < 0.5:
        return f"*** Add File: {path}\n+x\n+new"
    update = f"*** Update File: {path}\n@@\n-{old}\n+{old} w"
    move = f"*** Update File: {path}\n*** Move to: {target}\n@@\n-{old}\n+moved"
    return random.choice(
        (update, update, move, f"*** Delete File: {path}", f"*** Move File: {path} -> {target}")
    )


def _line_of(random: Random, path: str) -> str:
    """Return a line that the file most likely has."""
    return random.choice(BASE.get(f"p/{path}", "x\none\n").splitlines())


def _search(random: Random, paths: Sequence[str]) -> Made:
    root = random.choice((*ROOTS, *paths))
    glob = random.choice(GLOBS)
    if random.random() < 0.4:
        return "search_files", {"pattern": glob or "*", "target": "files", "path": root}
    mode = random.choice(("content", "content", "files_only", "count"))
    pattern = random.choice(PATTERNS)
    return "search_files", {"pattern": pattern, "path": root, "file_glob": glob, "output_mode": mode}


def _command(lines: Sequence[str]) -> Callable[[Random, Sequence[str]], Made]:
    def make(random: Random, paths: Sequence[str]) -> Made:
        line = random.choice(lines).format(p=random.choice(paths), q=random.choice(paths))
        delay = random.choice(("", "", "sleep 0.01; ", "sleep 0.02; "))
        workdir = random.choice((None, None, None, None, None, "src", "ldir", "new"))
        return "terminal", {"command": delay + line, **({"workdir": workdir} if workdir else {})}

    return make


def _clarify(random: Random, paths: Sequence[str]) -> Made:
    return "clarify", {"question": f"Which, {random.choice(paths)}?", "choices": ["this", "that"]}


def _todo(random: Random, paths: Sequence[str]) -> Made:
    items = [{"id": random.choice(("1", "2")), "content": random.choice(paths)}]
    return "todo", random.choice(({}, {"todos": items, "merge": True}, {"todos": items}))


_MAKERS: Final = {
    "read": _read,
    "write": _write,
    "replace": _replace,
    "v4a": _v4a,
    "search": _search,
    "reading": _command(READING),
    "effect": _command(EFFECTS),
    "clarify": _clarify,
    "todo": _todo,
}
