"""The key ladder, as a table (design.md 3.7)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_tui.frontends.keys import KEYS, WINDOW, Action, Memory, State, decide

INTERRUPTED = Memory(interrupted=True)
KILLED = Memory(interrupted=True, killed=True)
NOW = 100.0

TABLE = [
    # Ctrl-C, from the top of the ladder
    ("ctrl+c", State(selection=True, running=True), Action.COPY),
    ("ctrl+c", State(selection=True, question=True, running=True), Action.COPY),
    ("ctrl+c", State(question=True, running=True), Action.CANCEL_AND_INTERRUPT),
    ("ctrl+c", State(running=True), Action.INTERRUPT),
    ("ctrl+c", State(running=True, empty=False), Action.INTERRUPT),
    ("ctrl+c", State(running=True, screen=True), Action.INTERRUPT),
    ("ctrl+c", State(running=True, memory=INTERRUPTED), Action.KILL),
    ("ctrl+c", State(running=True, memory=KILLED), Action.QUIT),
    ("ctrl+c", State(empty=False), Action.CLEAR_INPUT),
    ("ctrl+c", State(empty=True), Action.ARM_QUIT),
    ("ctrl+c", State(screen=True), Action.CLOSE_SCREEN_AND_ARM),
    ("ctrl+c", State(now=NOW, memory=Memory(quit_armed_at=NOW - WINDOW)), Action.QUIT),
    ("ctrl+c", State(now=NOW, memory=Memory(quit_armed_at=NOW - WINDOW - 0.1)), Action.ARM_QUIT),
    # Esc closes the top-most thing only
    ("escape", State(completion=True, running=True), Action.CLOSE_COMPLETION),
    ("escape", State(question=True, running=True), Action.CANCEL_QUESTION),
    ("escape", State(screen=True, running=True), Action.CLOSE_SCREEN),
    ("escape", State(selection=True, running=True), Action.UNSELECT),
    ("escape", State(panel=True, running=True), Action.LEAVE_PANEL),
    ("escape", State(running=True), Action.INTERRUPT_AND_PAUSE),
    ("escape", State(running=True, memory=INTERRUPTED), Action.NONE),
    ("escape", State(empty=False), Action.ARM_ROLLBACK),
    ("escape", State(now=NOW, memory=Memory(escaped_at=NOW - 1)), Action.ROLLBACK),
    ("escape", State(now=NOW, memory=Memory(escaped_at=NOW - WINDOW - 1)), Action.ARM_ROLLBACK),
    # Ctrl-D
    ("ctrl+d", State(empty=True), Action.QUIT),
    ("ctrl+d", State(empty=False), Action.DELETE_RIGHT),
    ("ctrl+d", State(question=True), Action.NONE),
    ("ctrl+d", State(screen=True), Action.NONE),
    # Shift+Tab
    ("shift+tab", State(), Action.CYCLE_PERMISSION),
    ("shift+tab", State(running=True, empty=False), Action.CYCLE_PERMISSION),
    ("shift+tab", State(question=True), Action.NONE),
    # Enter
    ("enter", State(empty=True), Action.NONE),
    ("enter", State(empty=True, waiting=True), Action.RESUME),
    ("enter", State(empty=True, waiting=True, running=True), Action.NONE),
    ("enter", State(empty=False), Action.SUBMIT),
    ("enter", State(empty=False, running=True), Action.QUEUE),
    ("enter", State(empty=False, command=True, completion=True), Action.RUN_COMMAND),
    ("enter", State(empty=False, command=True, running=True), Action.RUN_COMMAND),
    ("enter", State(empty=False, completion=True), Action.ACCEPT_COMPLETION),
    ("enter", State(empty=False, burst=True), Action.HOLD_ENTER),
    ("enter", State(empty=False, burst=True, command=True), Action.HOLD_ENTER),
    ("enter", State(empty=False, panel=True), Action.NONE),
    ("enter", State(empty=False, question=True), Action.NONE),
    # not of the ladder
    ("a", State(running=True), Action.NONE),
    ("ctrl+t", State(), Action.NONE),
]


@pytest.mark.parametrize(("key", "state", "action"), TABLE)
def test_a_key_does_what_the_table_says(key: str, state: State, action: Action) -> None:
    assert decide(state, key) is action


def flags() -> st.SearchStrategy[State]:
    return st.builds(
        State,
        selection=st.booleans(),
        completion=st.booleans(),
        question=st.booleans(),
        screen=st.booleans(),
        panel=st.booleans(),
        running=st.booleans(),
        empty=st.booleans(),
        command=st.booleans(),
        burst=st.booleans(),
    )


def press(states: list[State], key: str, gap: float) -> Iterator[Action]:
    """Press `key` once in each state, `gap` seconds apart, with the memory a front end keeps."""
    memory, now = Memory(), 0.0
    for state in states:
        now += gap
        if not state.running:
            memory = memory.turn_ended()
        action = decide(_in(state, memory, now), key)
        memory = memory.after(key, action, now)
        yield action


def _in(state: State, memory: Memory, now: float) -> State:
    return State(
        now=now,
        memory=memory,
        selection=state.selection,
        completion=state.completion,
        question=state.question,
        screen=state.screen,
        panel=state.panel,
        running=state.running,
        empty=state.empty,
        command=state.command,
        burst=state.burst,
    )


@given(st.lists(flags(), min_size=3, max_size=3))
def test_three_presses_of_ctrl_c_leave_whatever_is_on_the_screen(states: list[State]) -> None:
    assert Action.QUIT in list(press(states, "ctrl+c", gap=0.2))


@given(st.lists(flags(), min_size=1, max_size=6))
def test_escape_never_leaves(states: list[State]) -> None:
    assert Action.QUIT not in list(press(states, "escape", gap=0.2))


def test_slow_presses_on_a_turn_that_will_not_stop_leave_too() -> None:
    stuck = State(running=True)
    assert list(press([stuck] * 3, "ctrl+c", gap=30)) == [Action.INTERRUPT, Action.KILL, Action.QUIT]


def test_a_double_press_by_habit_stops_the_turn_and_does_not_leave() -> None:
    """Cases c/41: the turn has ended by the second press."""
    assert list(press([State(running=True), State()], "ctrl+c", gap=0.1)) == [
        Action.INTERRUPT,
        Action.ARM_QUIT,
    ]


def test_an_open_screen_does_not_hold_ctrl_c() -> None:
    """Cases c/38: the first press closes it, the second leaves."""
    assert list(press([State(screen=True, empty=False), State(empty=False)], "ctrl+c", gap=0.3)) == [
        Action.CLOSE_SCREEN_AND_ARM,
        Action.QUIT,
    ]


def test_another_key_between_disarms_quit_and_rollback() -> None:
    armed = Memory().after("ctrl+c", Action.ARM_QUIT, 1.0).after("a", Action.NONE, 1.1)
    escaped = Memory().after("escape", Action.ARM_ROLLBACK, 1.0).after("a", Action.NONE, 1.1)
    assert decide(State(now=1.2, memory=armed), "ctrl+c") is Action.ARM_QUIT
    assert decide(State(now=1.2, memory=escaped), "escape") is Action.ARM_ROLLBACK


def test_every_key_of_the_ladder_is_in_the_table() -> None:
    assert set(KEYS) <= {key for key, _, _ in TABLE}
