"""The four modes, the rules and the answers, on footprints as tools declare them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hermes_tui.engine.errors import ConfigError
from hermes_tui.engine.footprint import ANYTHING, Access, Footprint, Hazard, Level, Subject, undeclared
from hermes_tui.engine.protocols import Pending, Verdict
from hermes_tui.permissions import MODES, ProjectPermissions, RuleStore

PROJECT, HOME = Path("/w/shop"), Path("/w/home")


@pytest.fixture
def permissions(tmp_path: Path) -> ProjectPermissions:
    store = RuleStore(tmp_path, PROJECT)
    return ProjectPermissions(PROJECT, HOME, store, own=[Path("/w/home/.hermes")])


def path(text: str, access: Access) -> Subject:
    return Subject("path", text, access)


def command(text: str, access: Access = Access.RUN, pattern: str = "", why: str = "") -> Subject:
    return Subject("command", text, access, pattern=pattern, why=why)


def reads(*paths: str) -> Pending:
    return Pending(
        "1", "reader", {}, Footprint(Level.SCOPED, paths, subjects=tuple(path(p, Access.READ) for p in paths))
    )


def writes(*paths: str) -> Pending:
    subjects = tuple(path(p, Access.WRITE) for p in paths)
    return Pending("1", "writer", {}, Footprint(Level.SCOPED, (), paths, Hazard.OVERWRITES, subjects))


def runs(*subjects: Subject) -> Pending:
    return Pending("1", "terminal", {}, undeclared("not known", subjects))


def looks(text: str, *paths: str) -> Pending:
    subjects = (command(text, Access.READ), *(path(p, Access.READ) for p in paths))
    return Pending("1", "terminal", {}, Footprint(Level.SAFE, paths, subjects=subjects))


FETCH = Pending(
    "1", "web", {}, Footprint(Level.SAFE, subjects=(Subject("url", "https://x.y/z", Access.NETWORK),))
)
PLUGIN = Pending("1", "plugin", {}, undeclared("plugin is not known to be safe"))
STATE = Pending("1", "list", {}, Footprint(Level.UNDECLARED, ("state:todo",), ("state:todo",)))
ASKING = Pending("1", "question", {}, Footprint(Level.INTERACTIVE))


@pytest.mark.parametrize(
    ("call", "decisions"),
    [  #                                    plan     ask      edits    all
        (reads("/w/shop/a.py"), ("allow", "allow", "allow", "allow")),
        (reads("/etc/passwd"), ("ask", "ask", "ask", "allow")),
        (reads("/w/shopping/a.py"), ("ask", "ask", "ask", "allow")),
        (writes("/w/shop/a.py"), ("deny", "ask", "allow", "allow")),
        (writes("/w/shop/a.py", "/w/b.py"), ("deny", "ask", "ask", "allow")),
        (writes("/w/other/a.py"), ("deny", "ask", "ask", "allow")),
        (writes("/w/shop/.git/hooks/pre-commit"), ("deny", "ask", "ask", "ask")),
        (writes("/w/home/.bashrc"), ("deny", "ask", "ask", "ask")),
        (reads("/w/home/.ssh/id_rsa"), ("ask", "ask", "ask", "ask")),
        (writes("/w/home/.hermes/config.toml"), ("deny", "ask", "ask", "ask")),
        (looks("git status", "/w/shop"), ("allow", "allow", "allow", "allow")),
        (looks("cat /etc/passwd", "/etc/passwd"), ("ask", "ask", "ask", "allow")),
        (looks("ls", ANYTHING), ("ask", "ask", "ask", "allow")),
        (runs(command("make")), ("deny", "ask", "ask", "allow")),
        (FETCH, ("ask", "ask", "ask", "allow")),
        (PLUGIN, ("deny", "ask", "ask", "allow")),
        (STATE, ("allow", "allow", "allow", "allow")),
        (ASKING, ("allow", "allow", "allow", "allow")),
    ],
)
def test_each_mode_lets_through_what_it_promises(
    permissions: ProjectPermissions, call: Pending, decisions: tuple[str, ...]
) -> None:
    got = []
    for mode in MODES:
        permissions.mode = mode
        got.append(permissions.judge(call).decision)
    assert tuple(got) == decisions


def test_a_question_names_the_mode_that_would_not_ask(permissions: ProjectPermissions) -> None:
    calls = [
        writes("/w/shop/a.py"),
        writes("/w/other/a.py"),
        reads("/etc/passwd"),
        runs(command("make")),
        reads("/w/home/.ssh/id_rsa"),
    ]
    assert [permissions.judge(call).mode for call in calls] == ["edits", "all", "all", "all", ""]
    permissions.configure([], ["writer(secret/**)"], [])
    assert permissions.judge(writes("/w/shop/secret/a")).mode == ""


def test_deny_beats_ask_beats_allow(permissions: ProjectPermissions) -> None:
    call = runs(command("git push origin"))
    permissions.configure(["terminal(git *)"], [], [])
    assert permissions.judge(call).decision == "allow"
    permissions.configure(["terminal(git *)"], ["terminal(git push *)"], [])
    assert permissions.judge(call).decision == "ask"
    permissions.configure(["terminal(git *)"], ["terminal(git push *)"], ["terminal"])
    assert permissions.judge(call).decision == "deny"
    permissions.mode = "all"
    assert permissions.judge(call).decision == "deny"


def test_an_ask_rule_asks_where_the_mode_would_not(permissions: ProjectPermissions) -> None:
    permissions.configure([], ["reader(secret/**)"], [])
    assert permissions.judge(reads("/w/shop/secret/a/b")).why == (
        "a rule of yours asks about /w/shop/secret/a/b",
    )
    assert permissions.judge(reads("/w/shop/other")).decision == "allow"


@pytest.mark.parametrize(
    ("rule", "text", "covered"),
    [
        ("terminal(git commit *)", "git commit", True),
        ("terminal(git commit *)", "git commit -m x", True),
        ("terminal(git commit *)", "git committed", False),
        ("terminal(git commit *)", "git commit -m $(rm y)", False),
        ("terminal(git commit *)", "git commit -m x > y", False),
        ("terminal(make test)", "make test", True),
        ("terminal(make test)", "make testing", False),
        ("terminal(npm run *)", "npm run build", True),
        ("*(make)", "make", True),
        ("other(make)", "make", False),
    ],
)
def test_a_rule_covers_the_command_it_names_and_no_other(
    permissions: ProjectPermissions, rule: str, text: str, covered: bool
) -> None:
    permissions.configure([rule], [], [])
    assert (permissions.judge(runs(command(text))).decision == "allow") is covered


def test_every_part_of_a_line_has_to_be_allowed(permissions: ProjectPermissions) -> None:
    permissions.configure(["terminal(git commit *)"], [], [])
    verdict = permissions.judge(runs(command("git commit -m x"), command("rm y", why="`rm` deletes")))
    assert (verdict.decision, verdict.why) == ("ask", ("`rm` deletes",))
    assert [subject.text for subject in verdict.subjects] == ["rm y"]


@pytest.mark.parametrize(
    ("pattern", "file", "covered"),
    [
        ("src/**", "src/a.py", True),
        ("src/**", "src/deep/a.py", True),
        ("src/*", "src/deep/a.py", False),
        ("src/", "src/deep/a.py", True),
        ("**/*.md", "docs/a.md", True),
        ("**/*.md", "a.md", True),
        ("*.md", "docs/a.md", False),
        ("src/**", "src2/a.py", False),
    ],
)
def test_a_path_rule_reads_like_gitignore(
    permissions: ProjectPermissions, pattern: str, file: str, covered: bool
) -> None:
    permissions.configure([f"writer({pattern})"], [], [])
    assert (permissions.judge(writes(f"/w/shop/{file}")).decision == "allow") is covered


def learn(permissions: ProjectPermissions, call: Pending, scope: str) -> Verdict:
    verdict = permissions.judge(call)
    permissions.learn(call, verdict, scope)
    return verdict


def test_an_answer_for_once_is_used_once(permissions: ProjectPermissions) -> None:
    call = runs(command("make"))
    learn(permissions, call, "once")
    assert permissions.judge(call).decision == "ask"


def test_an_answer_for_the_session_ends_with_it(permissions: ProjectPermissions, tmp_path: Path) -> None:
    call = runs(command("git commit -m a", pattern="git commit *"))
    assert learn(permissions, call, "session").pattern == "terminal(git commit *)"
    assert permissions.judge(runs(command("git commit -m b"))).decision == "allow"
    fresh = ProjectPermissions(PROJECT, HOME, RuleStore(tmp_path, PROJECT))
    assert fresh.judge(call).decision == "ask"


def test_an_answer_for_always_stays_with_the_project_alone(
    permissions: ProjectPermissions, tmp_path: Path
) -> None:
    learn(permissions, writes("/w/shop/a*b.py"), "always")
    fresh = ProjectPermissions(PROJECT, HOME, RuleStore(tmp_path, PROJECT))
    assert fresh.judge(writes("/w/shop/a*b.py")).decision == "allow"
    assert fresh.judge(writes("/w/shop/axb.py")).decision == "ask"
    assert fresh.rules() == [("always", "writer(a\\*b.py)")]
    other = ProjectPermissions(Path("/w/other"), HOME, RuleStore(tmp_path, Path("/w/other")))
    assert other.judge(writes("/w/other/a*b.py")).decision == "ask"
    assert RuleStore(tmp_path, PROJECT).path.stat().st_mode & 0o777 == 0o600


def test_a_wildcard_in_the_command_is_no_wildcard_in_the_rule(permissions: ProjectPermissions) -> None:
    learn(permissions, runs(command("rm *.o", pattern="rm *.o")), "session")
    assert permissions.judge(runs(command("rm *.o"))).decision == "allow"
    assert permissions.judge(runs(command("rm -rf / x.o"))).decision == "ask"


def test_a_protected_place_asks_again_whatever_was_answered(permissions: ProjectPermissions) -> None:
    call = writes("/w/shop/.git/config")
    permissions.configure(["*"], [], [])
    assert learn(permissions, call, "always").pattern == ""
    assert permissions.judge(call).decision == "ask"


@pytest.mark.parametrize("rules", [[], ["writer", "terminal", "plugin", "web", "reader"]])
@pytest.mark.parametrize("scope", ["session", "always"])
@pytest.mark.parametrize(
    "call",
    [
        runs(command("make all")),
        runs(command("rm *.o", pattern="rm *"), command("make", pattern="make")),
        runs(command("make"), path("/w/home/.bashrc", Access.WRITE)),
        writes("/w/shop/a[1].py", "/elsewhere/b"),
        writes("/w/shop/.git/hooks/x"),
        reads("/etc/hosts"),
        FETCH,
        PLUGIN,
        replace(runs(command("make")), written=True),
    ],
)
def test_a_yes_that_is_offered_for_longer_holds(
    permissions: ProjectPermissions, rules: list[str], scope: str, call: Pending
) -> None:
    """A pattern is what makes a question offer it; without one a call asks again."""
    permissions.configure([], rules, [])
    offered = learn(permissions, call, scope).pattern != ""
    assert (permissions.judge(call).decision == "allow") == offered


@pytest.mark.parametrize("text", ["", "terminal(", "terminal()", "two words", "(x)"])
def test_a_rule_that_is_none_is_named(permissions: ProjectPermissions, text: str) -> None:
    with pytest.raises(ConfigError, match="is no rule"):
        permissions.configure([text], [], [])


def test_a_damaged_store_says_which_file_to_delete(tmp_path: Path) -> None:
    store = RuleStore(tmp_path, PROJECT)
    store.path.write_text("{")
    with pytest.raises(ConfigError, match="delete it to be asked again"):
        ProjectPermissions(PROJECT, HOME, store)


def test_shift_tab_goes_round(permissions: ProjectPermissions) -> None:
    assert [permissions.cycle() for _ in MODES] == ["edits", "all", "plan", "ask"]


# -- what the program keeps for the model, and calls that were written as text -------------------------


@pytest.mark.parametrize("mode", MODES)
def test_what_the_program_kept_of_this_session_is_read_unasked_and_nothing_else_of_its_own_is(
    permissions: ProjectPermissions, mode: str
) -> None:
    permissions.mode = mode
    permissions.readable = lambda: [Path("/w/home/.hermes/texts/s1")]
    assert permissions.judge(reads("/w/home/.hermes/texts/s1/c1.txt")).decision == "allow"
    assert permissions.judge(looks("tail c1.txt", "/w/home/.hermes/texts/s1/c1.txt")).decision == "allow"
    for other in (
        "/w/home/.hermes/texts/s2/c1.txt",
        "/w/home/.hermes/texts/s1",
        "/w/home/.hermes/trust.json",
    ):
        assert permissions.judge(reads(other)).decision == "ask"
    assert permissions.judge(writes("/w/home/.hermes/texts/s1/c1.txt")).decision != "allow"


def test_a_deny_rule_holds_for_what_was_kept_too(permissions: ProjectPermissions) -> None:
    permissions.readable = lambda: [Path("/w/home/.hermes/texts/s1")]
    permissions.configure([], [], ["reader"])
    assert permissions.judge(reads("/w/home/.hermes/texts/s1/c1.txt")).decision == "deny"


@pytest.mark.parametrize("mode", ["plan", "ask", "edits"])
def test_a_call_that_was_written_as_text_always_asks(permissions: ProjectPermissions, mode: str) -> None:
    """Whatever a rule or an earlier answer says; only the mode all runs it."""
    permissions.mode = mode
    permissions.configure(["*"], [], [])
    call = replace(reads("/w/shop/a"), written=True)
    verdict = permissions.judge(call)
    assert (verdict.decision, verdict.pattern, verdict.mode) == ("ask", "", "all")
    assert "wrote this call into its text" in verdict.why[0]
    permissions.learn(call, verdict, "session")
    assert permissions.judge(call).decision == "ask"


def test_in_the_mode_all_such_a_call_runs(permissions: ProjectPermissions) -> None:
    permissions.mode = "all"
    assert permissions.judge(replace(reads("/w/shop/a"), written=True)).decision == "allow"
