from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.files.diff import counts, summary, unified

texts = st.lists(st.sampled_from("abcdef"), max_size=30).map("\n".join) | st.text("ab\r\n", max_size=30)


def patched(before: str, diff: str) -> str:
    """Apply a unified diff strictly: every context and removed line must be where it says."""
    old = before.split("\n")
    result: list[str] = []
    at = 0
    for line in diff.split("\n")[2:-1]:
        if line.startswith("@@"):
            start, _, size = line.split()[1][1:].partition(",")
            begin = int(start) - (size != "0")
            result += old[at:begin]
            at = begin
        elif line.startswith("\\"):
            result.append("<no newline>")
        else:
            if line[0] in " -":
                assert old[at] == line[1:]
                at += 1
            if line[0] in " +":
                result.append(line[1:])
    return "\n".join([*result, *old[at:]])


@given(texts, texts)
def test_applying_the_diff_gives_the_new_text(before: str, after: str) -> None:
    before, after = before.replace("\r", "") + "\n", after.replace("\r", "") + "\n"
    diff = unified(before, after, "f")
    assert (diff == "") == (before == after)
    if diff:
        assert patched(before, diff) == after
    added, removed = counts(before, after)
    assert after.count("\n") - before.count("\n") == added - removed


@given(texts, texts)
def test_any_two_texts_have_a_diff(before: str, after: str) -> None:
    diff = unified(before, after, "f")
    assert (diff == "") == (before == after)
    added, removed = counts(before, after)
    assert (added, removed) == (0, 0) or before != after


def test_the_diff_looks_as_everybody_knows_it() -> None:
    assert unified("a\nb\nc\n", "a\nB\nc", "x.py") == (
        "--- x.py\n+++ x.py\n@@ -1,3 +1,3 @@\n a\n-b\n-c\n+B\n+c\n\\ No newline at end of file\n"
    )
    assert unified(None, "a\n", "x") == "--- /dev/null\n+++ x\n@@ -0,0 +1 @@\n+a\n"
    assert unified("a\n", None, "x") == "--- x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"


def test_changed_line_ends_are_seen() -> None:
    """cases d/49: a diff that looks clean must be clean."""
    assert unified("a\r\nb\r\n", "a\nb\r\n", "f") == "--- f\n+++ f\n@@ -1,2 +1,2 @@\n-a␍\n+a\n b␍\n"


def test_a_carriage_return_inside_a_line_is_seen() -> None:
    """cases d/50."""
    assert unified("a\rb\r\n", "a\rc\r\n", "f") == "--- f\n+++ f\n@@ -1 +1 @@\n-a␍b\r\n+a␍c\r\n"


def test_only_line_feeds_end_lines() -> None:
    assert summary("a\u2028b\x0cc\n", "a\u2028b\x0cd\n") == "+1 −1"


def test_large_texts_with_nothing_in_common_are_one_block_and_capped() -> None:
    before = "".join(f"{number}\n" for number in range(200_000))
    after = "".join(f"x{number}\n" for number in range(200_000))
    assert counts(before, after) == (200_000, 200_000)
    assert unified(before, after, "f", limit=10).endswith("… 399991 more lines of the diff\n")


def test_one_line_changed_in_a_large_text_is_one_line() -> None:
    before = "x\n" * 500_000
    assert counts(before, before + "y\n") == (1, 0)
    assert counts("a\n" + before, before) == (0, 1)
