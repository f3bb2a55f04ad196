"""Random lives of a project: agent, user, commands, rollbacks, crashes. The user never loses a byte.

By hand: HERMES_CHECKPOINT_EXAMPLES=10000 pytest tests/checkpoints/test_machine.py.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from hermes_tui.checkpoints.recording import Recording
from hermes_tui.checkpoints.store import Outcome
from hermes_tui.engine.errors import CheckpointError
from tests.checkpoints.kit import Entry, Project, Tree, edit, footprint

NAMES = st.sampled_from(["a", "b", "d/x", "d/e/y", "f/z", "k", "s.log", "n é\n"])
TEXTS = st.binary(max_size=8)
COMMANDS = st.sampled_from(
    [
        "rm -rf d",
        "rm -f a b",
        "mv a b 2>/dev/null || true",
        "mkdir -p d/e f/g",
        "ln -sfn a k",
        "chmod 755 a 2>/dev/null || true",
        "rm -rf k; mkdir k; echo in >k/z",
        "rm -rf d; echo file >d",
        "rm -rf d; ln -s f d",
        "echo more >>a",
        "printf 'x' | tee b s.log >/dev/null",
        "git add -A >/dev/null; git commit -qm x >/dev/null || true",
        "git reset -q --hard; git clean -qfd",
        "true",
    ]
)


MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""Where syncing costs nothing: it is not the disk that is tried here."""


class Life(RuleBasedStateMachine):
    """One project's life. `mine` is every version that the user wrote and that was never theirs to lose."""

    def __init__(self) -> None:
        super().__init__()
        self.base = Path(tempfile.mkdtemp(prefix="life-", dir=MEMORY))
        self.project = Project(self.base)
        self.numbers: list[int] = []
        self.trees: dict[int, Tree] = {}
        """How the project stood when a number was taken."""
        self.pristine = 0
        """The user wrote nothing since this number was taken."""
        self.covered = True
        """Whether the ignore rules are still those that all that happens here is covered under."""
        self.theirs: Tree = {}
        """What the user wrote and the agent has not touched since."""
        self.wrote: dict[str, tuple[int, Entry | None]] = {}
        """Path → the first number after the user wrote it last, and what he left there."""
        self.versions = 0

    @initialize(git=st.booleans())
    def start(self, git: bool) -> None:
        self.project.put({"a": "1\n", "d/x": "x\n", ".gitignore": "*.log\n", "s.log": "log\n"})
        if git:
            self.project.sh("git init -q -b main; git add .; git commit -qm 0")

    def teardown(self) -> None:
        self.project.store.close(10)
        shutil.rmtree(self.base)

    # -- the agent ----------------------------------------------------------------------------------

    def _begin(self) -> Recording:
        recording = self.project.open()
        self.numbers.append(recording.number)
        self.trees[recording.number] = self.project.tree()
        return recording

    def _end(self, recording: Recording) -> None:
        recording.close()
        self._touched()

    def _touched(self) -> None:
        """Forget those of the user's versions that the agent has worked on since."""
        now = self.project.tree()
        self.theirs = {path: entry for path, entry in self.theirs.items() if now.get(path) == entry}

    @rule(name=NAMES, data=st.none() | TEXTS)
    def agent_edits(self, name: str, data: bytes | None) -> None:
        recording = self._begin()
        # a path that leads through a file, or to a folder, is refused by the tools
        with contextlib.suppress(Exception):
            edit(recording, self.project.root / name, data)
        self._end(recording)

    @rule(command=COMMANDS)
    def agent_runs(self, command: str) -> None:
        recording = self._begin()
        log = str(self.project.root / "s.log")
        with (
            recording.scanned("call", footprint(command, [log])),
            contextlib.suppress(subprocess.CalledProcessError),
        ):
            self.project.sh(command)
        self._end(recording)

    @rule(name=NAMES, data=TEXTS, command=COMMANDS)
    def agent_edits_while_a_command_runs(self, name: str, data: bytes, command: str) -> None:
        recording = self._begin()
        with recording.scanned("call", footprint(command)):
            with contextlib.suppress(subprocess.CalledProcessError):
                self.project.sh(command)
            with contextlib.suppress(Exception):
                edit(recording, self.project.root / name, data)
        self._end(recording)

    @rule(name=NAMES, command=COMMANDS)
    def user_saves_between_the_turns_start_and_the_command(self, name: str, command: str) -> None:
        recording = self._begin()
        self.user_saves(name)
        with (
            recording.scanned("call", footprint(command)),
            contextlib.suppress(subprocess.CalledProcessError),
        ):
            self.project.sh(command)
        self._end(recording)

    # -- the user -----------------------------------------------------------------------------------

    def _wrote(self, before: Tree) -> None:
        """The user may have written through a link: what counts is what differs."""
        now = self.project.tree()
        changed = [path for path in before.keys() | now.keys() if before.get(path) != now.get(path)]
        if changed:
            self.pristine = (self.numbers[-1] if self.numbers else 0) + 1
        for path in changed:
            self.wrote[path] = (self.pristine, now.get(path))
            self.theirs.pop(path, None)
            if path in now:
                self.theirs[path] = now[path]

    @rule(name=NAMES)
    def user_saves(self, name: str) -> None:
        self.versions += 1
        before = self.project.tree()
        with contextlib.suppress(OSError):
            self.project.put({name: f"user {self.versions}\n"})
        self._wrote(before)

    @rule(name=NAMES)
    def user_removes(self, name: str) -> None:
        before = self.project.tree()
        with contextlib.suppress(OSError):
            (self.project.root / name).unlink()
        self._wrote(before)

    @rule(name=NAMES, first=TEXTS, second=TEXTS)
    def they_take_turns(self, name: str, first: bytes, second: bytes) -> None:
        self.agent_edits(name, first)
        self.user_saves(name)
        self.agent_edits(name, second)

    @rule(command=COMMANDS)
    def user_saves_in_what_the_agent_makes(self, command: str) -> None:
        self.agent_runs(command)
        for folder in ("d/e", "f/g", "k"):
            if (self.project.root / folder).is_dir():
                self.user_saves(f"{folder}/mine")

    @rule(text=st.sampled_from(["", "a\nd/\n", "*\n"]))
    def user_ignores(self, text: str) -> None:
        before = self.project.tree()
        self.project.put({".gitignore": text})
        self.covered = False
        self._wrote(before)

    # -- going back ---------------------------------------------------------------------------------

    @precondition(lambda self: self.numbers)
    @rule(data=st.data(), force=st.booleans())
    def roll_back(self, data: st.DataObject, force: bool) -> None:
        number = data.draw(st.sampled_from(self.numbers))
        self._checked(number, None, force)

    @precondition(lambda self: self.numbers)
    @rule(data=st.data(), name=NAMES)
    def roll_back_one(self, data: st.DataObject, name: str) -> None:
        number = data.draw(st.sampled_from(self.numbers))
        with contextlib.suppress(CheckpointError):
            self._checked(number, [name], False)

    @rule()
    def undo(self) -> None:
        with contextlib.suppress(CheckpointError):
            preview = self.project.store.undo_preview()
            before = self.project.tree()
            self._restored(self.project.store.restore(preview), before)

    def _checked(self, number: int, paths: list[str] | None, force: bool) -> None:
        """Restore; see what it did, and that undoing it gives back all that stood there."""
        store, before = self.project.store, self.project.tree()
        outcome = store.restore(store.preview(number, paths, force))
        after = self.project.tree()
        changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
        assert outcome.failed == ()
        assert changed == {*outcome.restored, *outcome.deleted}
        if not force:
            assert {path: after.get(path) for path in self.theirs} == self.theirs
            for path, (since, version) in self.wrote.items():
                # never back beyond what the user wrote: kept, or his version
                assert number >= since or after.get(path) in (before.get(path), version)
            if paths is None and self.covered and number >= self.pristine:
                assert (outcome.kept, after) == ((), self.trees[number])
        if outcome.saved_as is None:
            return
        self._restored(outcome, before)
        undone = store.restore(store.undo_preview())
        assert (undone.number, undone.kept, undone.failed) == (outcome.saved_as, (), ())
        assert self.project.tree() == before
        self._restored(undone, after)
        again = store.restore(store.preview(outcome.saved_as + 1))
        assert (again.kept, again.failed) == ((), ())
        assert self.project.tree() == after
        self._restored(again, before)

    def _restored(self, outcome: Outcome, before: Tree) -> None:
        if outcome.saved_as is not None:
            self.numbers.append(outcome.saved_as)
            self.trees[outcome.saved_as] = before
        self._touched()

    # -- accidents ----------------------------------------------------------------------------------

    @rule()
    def restart(self) -> None:
        self.project.store.close()
        self.project.reopened()

    @rule(name=NAMES, data=TEXTS, landed=st.booleans())
    def crash_in_an_edit(self, name: str, data: bytes, landed: bool) -> None:
        """The program is killed between the journal's line and the rename, or right after it."""

        def life(recording: Recording) -> None:
            with recording.change(self.project.root / name, data):
                if landed:
                    self.project.put({name: data})
                os._exit(0)

        self._killed(life)

    @rule(command=COMMANDS)
    def crash_in_a_command(self, command: str) -> None:
        """The program is killed when the command has run and nobody has looked yet."""

        def life(recording: Recording) -> None:
            log = str(self.project.root / "s.log")
            with recording.scanned("call", footprint(command, [log])):
                self.project.sh(f"{command}; true")
                os._exit(0)

        self._killed(life)

    def _killed(self, life: Callable[[Recording], None]) -> None:
        """Let a child process begin a checkpoint that it does not live to end."""
        before = self.project.tree()
        self.project.store.close(10)  # no thread of ours may be alive when the process is doubled
        child = os.fork()
        if not child:
            try:
                life(self.project.reopened().open("cut off") or Recording.__new__(Recording))
            finally:
                os._exit(1)
        os.waitpid(child, 0)
        store = self.project.reopened()
        number = max((info.number for info in store.list()), default=0)
        if number and number not in self.trees:
            self.numbers.append(number)
            self.trees[number] = before
        self._touched()


EXAMPLES = int(os.environ.get("HERMES_CHECKPOINT_EXAMPLES", "300"))
PARTS = 6
"""Workers can share them."""


@pytest.mark.timeout(0 if EXAMPLES > 300 else 300)
@pytest.mark.parametrize("part", range(PARTS))
def test_the_user_never_loses_a_byte(part: int) -> None:
    budget = settings(
        max_examples=-(-EXAMPLES // PARTS),
        stateful_step_count=16,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    # where runs shall repeat themselves (CI), each part still has lives of its own
    beginning = part if settings.default is not None and settings.default.derandomize else random.random()
    run_state_machine_as_test(seed(beginning)(Life), settings=budget)
