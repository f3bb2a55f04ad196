"""How a process ended, in words."""

import pytest

from hermes_tui.processes.ending import ending


@pytest.mark.parametrize(
    ("exit_code", "words"),
    [
        (0, "exit code 0"),
        (3, "exit code 3"),
        (-9, "ended by SIGKILL"),
        (-99, "ended by signal 99"),
        (130, "exit code 130, SIGINT"),
        (255, "exit code 255"),
    ],
)
def test_an_ending_is_a_code_or_a_signal(exit_code: int, words: str) -> None:
    assert ending(exit_code) == words
