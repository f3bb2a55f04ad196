"""Which paths a line reads and writes: complete, or anything."""

from __future__ import annotations

import pytest

from hermes_tui.shell.classify import classify

ANYTHING = ("*",)

READS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("echo a; sleep 0; date; pwd; printf x; true; seq 3", ()),
    ("whoami; id; uname -a", ()),
    ("cat a", ("/w/a",)),
    ("cat ./a", ("/w/a",)),
    ("cat src//a", ("/w/src/a",)),
    ("cat /etc/hosts", ("/etc/hosts",)),
    ("cat ../a", ("/a",)),
    ("cat ~/a", ("/home/u/a",)),
    ("ls ~", ("/home/u",)),
    ("cat 'a b' \"c\"d \\e", ("/w/a b", "/w/cd", "/w/e")),
    ("cat a b a", ("/w/a", "/w/b")),
    ("cat - a", ("/w/a",)),
    ("cat < a", ("/w/a",)),
    ("wc -l < a | cat", ("/w/a",)),
    ("cat -- -n", ("/w/-n",)),
    ("head -n 5 a", ("/w/a",)),
    ("head -5 a", ("/w/a",)),
    ("cat <<< text", ()),
    ("cat <<'E'\n/etc/hosts\nE", ()),
    ("ls", ("/w",)),
    ("ls -la src", ("/w/src",)),
    ("ls -L", ("*",)),
    ("ls *.py", ("/w",)),
    ("cat src/*.py", ("/w/src",)),
    ("cat src/*/a.py", ("/w/src",)),
    ("cat src/a?", ("/w/src",)),
    ("echo *", ("/w",)),
    ("echo src/*", ("/w/src",)),
    ("grep x a", ("/w/a",)),
    ("grep x", ()),
    ("grep -r x", ("/w",)),
    ("grep -rn x src", ("/w/src",)),
    ("grep -R x src", ANYTHING),
    ("grep -e x -e y a", ("/w/a",)),
    ("grep -f patterns a", ("/w/patterns", "/w/a")),
    ("grep --file=patterns a", ("/w/patterns", "/w/a")),
    ("grep x *.py", ("/w",)),
    ("rg x", ("/w",)),
    ("rg x src", ("/w/src",)),
    ("rg -L x src", ANYTHING),
    ("rg --files src", ("/w/src",)),
    ("find", ("/w",)),
    ("find . -name x", ("/w",)),
    ("find src sub -newer a", ("/w/src", "/w/sub", "/w/a")),
    ("find -L src", ANYTHING),
    ("find . -name x | xargs cat", ANYTHING),
    ("diff a b", ("/w/a", "/w/b")),
    ("diff -r a b", ANYTHING),
    ("md5sum -c sums", ANYTHING),
    ("sort a | uniq -c", ("/w/a",)),
    ("sed -n 1p a", ("/w/a",)),
    ("sed -e 1p -e 2p a b", ("/w/a", "/w/b")),
    ("sed '1r other' a", ("/w/other", "/w/a")),
    ("awk '{print}' a", ("/w/a",)),
    ("awk -F: '{print}' a", ("/w/a",)),
    ("awk 'BEGIN{ARGV[1]=\"b\"} 1' a", ANYTHING),
    ("jq . a", ("/w/a",)),
    ("jq --slurpfile x b . a", ("/w/b", "/w/a")),
    ("[ -f a ]", ("/w/a",)),
    ("[ a -nt b ]", ("/w/a", "/w/b")),
    ("[ a = b ]", ()),
    ("[[ -f a && -d src ]]", ("/w/a", "/w/src")),
    ("test -e a || echo none", ("/w/a",)),
    ("du -sh src", ("/w/src",)),
    ("df -h", ANYTHING),
    ("ps aux", ANYTHING),
    ("which git", ANYTHING),
    ("python3 --version", ANYTHING),
    ("tar tf a.tar", ("/w/a.tar",)),
    ("unzip -l z.zip member", ("/w/z.zip",)),
    ("git status", ("/w",)),
    ("git -C sub log", ("/w/sub",)),
    ("git -C sub -C x log", ("/w/sub/x",)),
    ("git -C /r log", ("/r",)),
    ("git diff -- ../other", ("/w", "/other")),
    ("git diff /etc/a /etc/b", ("/w", "/etc/a", "/etc/b")),
    ("git --version", ()),
    # the folder moves
    ("cd src && cat a", ("/w/src/a",)),
    ("cd src && ls", ("/w/src",)),
    ("cd src", ("/w/src",)),
    ("cd src && git log", ("/w/src",)),
    ("cd /x && cat a", ("/x/a",)),
    ("cd ~ && cat a", ("/home/u/a",)),
    ("cd && cat a", ("/home/u/a",)),
    ("cd .. && cat a", ("/a",)),
    ("cd src && cd .. && cat a", ("/w/src", "/w/a")),
    ("cd src/x/.. && cat a", ("/w/src/x/..", "/w/src/a")),
    ("cd src && cat ../a", ("/w/src", "/w/src/../a")),
    ("cat sub/../a", ("/w/sub/../a",)),
    ("cd src; cat a", ("/w/src/a", "/w/a")),
    ("cd src || cat a", ("/w/src", "/w/a")),
    ("cd src || exit 1; cat a", ("/w/src/a", "/w/a")),
    ("(cd src && cat a); cat a", ("/w/src/a", "/w/a")),
    ("cd src && (cd sub && cat a) && cat b", ("/w/src/sub/a", "/w/src/b")),
    ("{ cd src && cat a; } && cat b", ("/w/src/a", "/w/src/b")),
    ("cd src | cat a", ("/w/src", "/w/a")),
    ("! cd src || cat a", ("/w/src/a",)),
    ("if cd src; then cat a; else cat b; fi", ("/w/src/a", "/w/b")),
    ("for d in x y; do (cd $d && cat a); done", ("/w/x/a", "/w/y/a")),
    ("while cd src; do cat a; done", ANYTHING),
    ("cd - && cat a", ANYTHING),
    ("cd -P src && cat a", ANYTHING),
    ("cd $X && cat a", ANYTHING),
    ("cd ${WORK}src && ls", ANYTHING),
    ("cd $X && cat /a", ANYTHING),
    ("cd src* && cat a", ANYTHING),
    ("for f in a b; do cat $f.py; done", ("/w/a.py", "/w/b.py")),
)


@pytest.mark.parametrize(("line", "reads"), READS, ids=[line for line, _ in READS])
def test_a_read_only_line_tells_all_it_reads(line: str, reads: tuple[str, ...]) -> None:
    verdict = classify(line, "/w", "/home/u")
    assert verdict.read_only, verdict.reason
    assert set(verdict.reads) == set(reads)
    assert len(verdict.reads) == len(set(verdict.reads))


WRITES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("rm a src/b", ("/w/a", "/w/src/b")),
    ("rm -rf src", ("/w/src",)),
    ("/bin/rm a", ("/w/a",)),
    ("mv a b", ("/w/a", "/w/b")),
    ("cp a b", ("/w/b",)),
    ("cp a b dir", ("/w/dir",)),
    ("cp -t dir a", ANYTHING),
    ("touch x; mkdir -p d/e", ("/w/x", "/w/d/e")),
    ("echo a | tee x y", ("/w/x", "/w/y")),
    ("echo a > x", ("/w/x",)),
    ("echo a >> /etc/x 2>err", ("/etc/x", "/w/err")),
    ("cd src && echo a > x", ("/w/src/x",)),
    ("cd src; rm x", ("/w/src/x", "/w/x")),
    ("sed -i s/a/b/ f g", ("/w/f", "/w/g")),
    ("sed -i -e s/a/b/ f", ("/w/f",)),
    ("chmod +x a", ("/w/a",)),
    ("rm *.py", ("/w",)),
    ("rm ~/x", ("/home/u/x",)),
    ("rm $X", ANYTHING),
    ("cd $X && rm a", ANYTHING),
    ("make", ANYTHING),
    ("python3 x.py", ANYTHING),
    ("git commit -m x", ANYTHING),
    ("rm a && make", ("/w/a", "*")),
    ("ls &", ANYTHING),
)


@pytest.mark.parametrize(("line", "writes"), WRITES, ids=[line for line, _ in WRITES])
def test_what_a_line_is_seen_to_write_is_told(line: str, writes: tuple[str, ...]) -> None:
    verdict = classify(line, "/w", "/home/u")
    assert not verdict.read_only
    assert verdict.writes == writes


@pytest.mark.parametrize("line", ["make", "rm a", "A=1 cat a", "cat a; \x01", "f() { :; }; cat a", 'cat "'])
def test_nobody_knows_what_an_unproven_line_reads(line: str) -> None:
    assert classify(line, "/w", "/home/u").reads == ANYTHING


def test_a_redirect_alone_leaves_it_known_what_is_read() -> None:
    assert classify("sort a > b", "/w", "/home/u").reads == ("/w/a",)


def test_git_verbs_searches_and_patterns_are_marked_for_who_knows_the_disk() -> None:
    verdict = classify("git -C sub log && rg x src && cat lib/*.py && cd src && git status", "/w", "/home/u")
    assert verdict.git
    assert verdict.repositories == ("/w/sub", "/w/src")
    assert verdict.searches == ("/w/src",)
    assert verdict.globs == ("/w/lib/*.py",)
    assert not classify("cat a", "/w", "/home/u").git


def test_paths_are_shown_as_a_person_writes_them() -> None:
    assert classify("cat sub/../a", "/w", "/home/u").as_dict() == {
        "read_only": True,
        "reason": "`cat` only reads here",
        "rule": "read-only",
        "word": "",
        "span": None,
        "reads": ["/w/a"],
        "writes": [],
    }


def test_the_verdict_of_a_line_that_deletes() -> None:
    assert classify("ls; rm  x", "/w", "/home/u").as_dict() == {
        "read_only": False,
        "reason": "`rm` deletes",
        "rule": "deletes",
        "word": "rm",
        "span": [4, 6],
        "reads": ["*"],
        "writes": ["/w/x"],
    }


def test_a_home_that_nobody_knows_leaves_the_tilde_unproven() -> None:
    assert not classify("cat ~/a", "/w", "").read_only
