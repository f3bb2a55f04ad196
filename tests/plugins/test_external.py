"""External memory: a provider that fails, hangs or lies is one notice, and nothing waits for it for long."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from hermes_tui.config.settings import MemorySettings
from hermes_tui.engine.errors import Interrupted, ToolError
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.recall import Remembered
from hermes_tui.plugins.external import External


class Kept:
    """A provider that keeps turns in a list; `work` runs before each thing it does."""

    def __init__(self, work: Callable[[], object] = lambda: None) -> None:
        self.turns: list[Remembered] = []
        self.work = work
        self.closed = threading.Event()

    def recall(self, query: str, limit: int) -> Sequence[Remembered]:
        self.work()
        return self.turns[:limit]

    def store(self, turn: Remembered) -> None:
        self.work()
        self.turns.append(turn)

    def close(self) -> None:
        self.closed.set()


class Outside:
    """A memory with its notices."""

    def __init__(self, provider: Kept, timeout: float = 20) -> None:
        settings = MemorySettings(provider="kept", recall=True, store=True, timeout=timeout, limit=2)
        self.notices: list[str] = []
        self.provider = provider
        self.memory = External(settings, lambda: provider, lambda level, text: self.notices.append(text))

    def before(self, prompt: str = "go") -> Sequence[Remembered]:
        return self.memory.before(prompt, "mine", Token())

    def opened(self) -> Outside:
        """Use it once."""
        self.before()
        return self


def turn(text: str, session: str = "theirs", score: float = 1.0) -> Remembered:
    return Remembered(text, 1.0, session, score)


def test_only_what_is_near_and_of_other_sessions_is_told() -> None:
    provider = Kept()
    provider.turns = [turn("a"), turn("b", "mine"), turn("c", score=0.1), turn("d"), turn("e")]
    assert Outside(provider).before() == [turn("a"), turn("d")]


def test_a_turn_is_kept_shortened_and_the_end_waits_for_it() -> None:
    gate = threading.Event()
    outside = Outside(Kept(lambda: gate.wait(20)))
    outside.memory.after("p" * 9_000, "short", "mine")
    gate.set()
    outside.memory.close()
    assert outside.provider.closed.wait(20)
    (kept,) = outside.provider.turns
    asked, answered = kept.text.splitlines()
    assert (len(asked) < 2_100, asked[-3:], answered) == (True, "ppp", "Answered: short")


def test_a_provider_that_raises_is_one_notice_until_it_works_again() -> None:
    broken = True

    def work() -> None:
        if broken:
            raise SystemExit(3)

    outside = Outside(Kept(work))
    assert [outside.before(), outside.before()] == [(), ()]
    assert outside.notices == ["external memory failed: it tried to exit; turns go on without it"]
    broken = False
    assert outside.before() == []
    assert outside.memory.trouble == ""
    broken = True
    outside.before()
    assert len(outside.notices) == 2


def test_one_that_hangs_costs_a_turn_its_timeout_once() -> None:
    gate = threading.Event()
    outside = Outside(Kept(), timeout=0.05).opened()
    outside.provider.work = lambda: gate.wait(20)
    assert [outside.before(), outside.before()] == [(), ()]
    assert outside.notices == ["external memory did not answer within 0.05 s; turns go on without it"]
    with pytest.raises(ToolError, match="still does not answer"):
        outside.memory.search("x", 1, Token())
    gate.set()


def test_an_interrupt_does_not_wait_for_it() -> None:
    gate, token = threading.Event(), Token()
    outside = Outside(Kept()).opened()

    def work() -> None:
        token.set()
        gate.wait(20)

    outside.provider.work = work
    with ThreadPoolExecutor() as pool:
        found = pool.submit(outside.memory.before, "go", "mine", token).result(timeout=10)
        assert (found, outside.notices) == ((), [])
        with pytest.raises(Interrupted):
            pool.submit(outside.memory.search, "go", 1, token).result(timeout=10)
        gate.set()


def test_nothing_runs_before_it_is_used() -> None:
    before = threading.active_count()
    outside = Outside(Kept())
    outside.memory.close()
    assert (threading.active_count(), outside.provider.closed.is_set()) == (before, False)
