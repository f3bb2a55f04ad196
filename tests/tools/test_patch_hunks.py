from difflib import SequenceMatcher

from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.engine.errors import ToolError
from hermes_tui.tools.patch.grammar import parsed
from hermes_tui.tools.patch.hunks import applied

ends = st.sampled_from(["\n", "\r\n"])


def as_hunks(old: list[str], new: list[str]) -> str:
    """Return a V4A patch that turns `old` into `new`."""
    body: list[str] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for group in matcher.get_grouped_opcodes(2):
        body.append("@@")
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                body += [f" {line}" for line in old[i1:i2]]
            else:
                body += [f"-{line}" for line in old[i1:i2]] + [f"+{line}" for line in new[j1:j2]]
    return "\n".join(["*** Begin Patch", "*** Update File: f", *body, "*** End Patch"])


@given(
    st.integers(2, 30),
    st.sets(st.integers(0, 29)),
    st.lists(st.integers(0, 29), max_size=4),
    ends,
    st.booleans(),
)
def test_any_change_of_unlike_lines_lands_where_it_belongs(
    size: int, gone: set[int], added: list[int], end: str, final: bool
) -> None:
    old = [f"line {number}" for number in range(size)]
    new = [line for number, line in enumerate(old) if number not in gone or number == 0]
    for number, at in enumerate(added):
        new.insert(1 + at % len(new), f"new {number}")
    if old == new:
        return
    tail = end if final else ""
    text, notes = applied(end.join(old) + tail, parsed(as_hunks(old, new))[0].hunks)
    assert (text, notes) == (end.join(new) + tail, [])


@given(st.lists(st.sampled_from(["a", "b", ""]), min_size=1, max_size=12), st.integers(0, 11))
def test_a_change_among_like_lines_lands_right_or_is_refused(lines: list[str], at: int) -> None:
    at %= len(lines)
    new = [*lines[:at], "NEW", *lines[at + 1 :]]
    hunks = parsed(as_hunks(lines, new))[0].hunks
    before = "".join(f"{line}\n" for line in lines)
    try:
        text, _ = applied(before, hunks)
    except ToolError as error:
        if "fits" not in str(error):
            raise
        return
    assert text == "".join(f"{line}\n" for line in new)
