"""Design.md 3.3, "What makes that true": one batch for each rule, which comes out wrong without it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.equivalence.batches import Case
from tests.equivalence.calls import command, patch, read, search, write
from tests.equivalence.compare import differences, out_of_order
from tests.equivalence.mutants import FIVE, MORE
from tests.equivalence.tree import REPOSITORY, Sandbox
from tests.equivalence.world import World

PLANNERS = FIVE | MORE


@dataclass(frozen=True)
class Rule:
    """A batch that needs a rule."""

    rule: str
    """The planner without it."""
    case: Case


RULES = [
    Rule("reads are ignored", Case((), (read("a"), write("a")))),
    Rule("search roots are ignored", Case((), (search("src"), write("src/a")))),
    Rule(
        "of a patch only the first path counts",
        Case((), (patch("*** Update File: a\n@@\n-x\n+y", "*** Delete File: b"), read("b"))),
    ),
    Rule("links are not resolved", Case(("p/ln",), (read("ln"), write("a")))),
    Rule("links are not resolved", Case(("p/ldir",), (command("cat ldir/a"), write("src/a")))),
    Rule("links are not resolved", Case(("p/dangling",), (write("dangling"), read("new")))),
    Rule("a folder does not hold its files", Case((), (command("ls src"), write("src/new")))),
    Rule(
        "behind an undeclared call",
        Case(
            ("p/ldir",),
            (command("rm src/b && ln -s ../a src/b"), read("src/b"), write("a")),
        ),
    ),
    Rule("missing paths", Case((), (read("aaa"), write("aaab")))),
    Rule("ignore files above", Case(("p/.gitignore",), (search("src"), write(".gitignore", "a\n")))),
    Rule("ignore files above", Case((), (search("src"), write(".gitignore", "a\n")))),
    Rule("ignore files above", Case((), (search("src"), write("../.ignore", "a\n")))),
    Rule("links that go", Case(("p/ldir",), (read("ldir/a"), patch("*** Delete File: ldir")))),
    Rule("repository top", Case((REPOSITORY,), (command("git -C src status --short"), write("a")))),
    Rule("unproven commands", Case(("p/ln",), (command("echo z > ln; cat b"), write("b")))),
]


@pytest.mark.parametrize("row", RULES, ids=lambda row: row.rule)
def test_a_rule_makes_its_batch_come_out_as_in_serial(sandbox: Sandbox, row: Rule) -> None:
    assert differences(row.case, World(sandbox)) == []


@pytest.mark.parametrize("row", RULES, ids=lambda row: row.rule)
def test_without_the_rule_the_batch_comes_out_wrong(sandbox: Sandbox, row: Rule) -> None:
    assert out_of_order(row.case, World(sandbox), "graph", PLANNERS[row.rule])


FOUND = [
    # a component that `..` takes back has to be there
    Case((), (command("cat new/../a"), write("new/x"))),
    Case((), (command("cat b/../a"), patch("*** Delete File: b"))),
    Case((), (command("cd b && cat ../a"), patch("*** Delete File: b"))),
    Case((), (command("cd new/.. && cat a"), write("new/x"))),
    # commands that look at what a link leads to
    Case(("p/src/l",), (command("ls -lF src | awk '{print $NF}'"), write("new/x"))),
    Case(("p/src/l",), (command("ls --group-directories-first src"), write("new/x"))),
    Case(("p/src/l",), (command("find src -name l -printf '%Y\\n'"), write("new"))),
    Case(("p/src/l",), (command("find src -readable -name l"), write("new"))),
    Case(("p/src/l",), (read("src"), write("new/x"))),
    # what decides about ignored files: there or not, and where it is a link, its target
    Case((".rgignore", "p/list"), (search("src"), write("list", "a\n"))),
    Case((".rgignore", "p/list"), (command("rg -n x src --sort path"), write("list", "a\n"))),
    Case((REPOSITORY,), (search("src"), write(".git/info/exclude", "a\n"))),
    # near names of a file that is to be deleted
    Case((), (patch("*** Delete File: aaa"), write("aaab"))),
    # files that git is told to read, behind a link out of the repository
    Case((REPOSITORY, "p/out"), (command("git grep -h -f out/x"), write("../out/x", "one"))),
    Case((REPOSITORY, "p/out"), (command("git ls-files -o -X out/x"), write("../out/x", "ln"))),
    Case((REPOSITORY, "p/out"), (command("git blame -s --contents out/x a"), write("../out/x", "one"))),
    Case((REPOSITORY,), (command("git diff src/../../out/x b"), write("../out/x", "one"))),
    # two names of one file, in another folder too
    Case(("p/h",), (command("cat h"), write("a"))),
    Case(("p/src/h",), (search("src"), write("../out/x"))),
]
"""Batches that once came out wrong, shrunk, or that were made to find out."""


@pytest.mark.parametrize("case", FOUND, ids=lambda case: case.calls[0][1])
@pytest.mark.parametrize("backwards", [False, True], ids=["", "backwards"])
def test_a_batch_that_once_came_out_wrong_comes_out_as_in_serial(
    sandbox: Sandbox, case: Case, backwards: bool
) -> None:
    calls = tuple(reversed(case.calls)) if backwards else case.calls
    assert differences(Case(case.tweaks, calls), World(sandbox)) == []


def test_no_command_changes_the_folder_or_the_environment_of_the_next(sandbox: Sandbox) -> None:
    case = Case((), (command("cd src; export X=1"), command("pwd; echo [$X]")))
    world = World(sandbox)
    assert differences(case, world) == []
    sandbox.build(())
    assert world.serial(case).results[1] == ("ok", f"{sandbox.project}\n[]\n[exit code 0]")
