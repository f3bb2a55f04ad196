"""The fallback's patterns against ripgrep's own, on random ones."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_tui.tools.search_files import ripgrep
from hermes_tui.tools.search_files.dialect import PatternError, compiled
from hermes_tui.tools.search_files.scan import matching

RG = ripgrep.binary() or ""

LINES = (
    "foo", "", "bar\rbaz", "a-b&c~d", "[x]{2}|^$", "12 ab  34", "A_é漢", "caf\udce9 x", "::alpha:", "aaa",
    "(a)", "\\d", "\tq", "~~--&&",
)  # fmt: skip
TEXT = "".join(f"{line}\n" for line in LINES).encode("utf-8", "surrogateescape")
PIECES = (
    *"ab.*+?|()[]{}^$\\-dwsWDSBb01,:&~ éx<>i", "(?i)", "(?:", "[[:alpha:]]", "[^", "{2}", "{1,2}", "&&", "--",
    "~~", "(?-m)", "(?U)", "(?i-m:", r"\b", r"\w", r"\d", r"\s", "[a-c", "]", r"\x61", "[:^digit:]", "(?P<n>",
    "??", r"\b{start}",
)  # fmt: skip


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[int] | None]:
    """Return what ripgrep finds in the sample: line numbers, None for a pattern it refuses."""
    file = tmp_path_factory.mktemp("sample") / "sample.txt"
    file.write_bytes(TEXT)

    def found(pattern: str) -> list[int] | None:
        argv = [RG, "--no-config", "-n", "--crlf", "--no-mmap", "-e", pattern, str(file)]
        done = subprocess.run(argv, capture_output=True, check=False)
        if done.returncode == 2:
            return None
        return [int(line.partition(b":")[0]) for line in done.stdout.split(b"\n") if line]

    return found


@settings(max_examples=250, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join))
def test_any_pattern_finds_the_same_lines_in_both_dialects(
    sample: Callable[[str], list[int] | None], pattern: str
) -> None:
    """Cases j/163, the whole kind."""
    try:
        ours = [index + 1 for index, _ in matching(compiled(pattern), TEXT)]
    except PatternError:
        assert sample(pattern) is None
    else:
        assert ours == sample(pattern)
