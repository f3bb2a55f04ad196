"""The token: told once, seen by everyone, also by those who come while it is set."""

from __future__ import annotations

import gc
import threading

import pytest

from hermes_tui.engine.errors import Interrupted
from hermes_tui.engine.interrupt import BY_USER, Token


def test_a_parent_sets_its_children_and_a_child_only_itself() -> None:
    parent = Token()
    one, two = parent.child(), parent.child()
    one.set("stopped alone")
    assert (one.reason, two.is_set, parent.is_set) == ("stopped alone", False, False)
    parent.set()
    assert (one.reason, two.reason) == ("stopped alone", BY_USER)


def test_a_child_of_a_set_token_is_set_from_the_start() -> None:
    parent = Token()
    parent.force()
    child = parent.child()
    assert child.is_set
    assert child.forced
    assert child.hurry.done()


def test_forcing_after_setting_is_seen_by_whoever_waits_for_it() -> None:
    parent = Token()
    child = parent.child()
    parent.set()
    assert not child.hurry.done()
    parent.force()
    assert child.hurry.done()
    assert child.reason == BY_USER


def test_nothing_irrevocable_happens_once_the_token_is_set() -> None:
    token = Token()
    with token.child().commit():
        pass
    token.set()
    with pytest.raises(Interrupted, match="so far"):
        token.raise_if_set("so far")
    with pytest.raises(Interrupted), token.child().commit():
        pytest.fail("the commit was entered")


def test_an_interrupt_waits_for_a_commit_that_has_begun() -> None:
    token = Token()
    order: list[str] = []

    def stop() -> None:
        token.set()
        order.append("set")

    with token.commit():
        stopper = threading.Thread(target=stop)
        stopper.start()
        order.append("renamed")
    stopper.join()
    assert order == ["renamed", "set"]


def test_children_that_are_made_while_the_parent_is_set_are_all_set() -> None:
    for _ in range(50):
        parent = Token()
        made: list[Token] = []
        begun = threading.Event()

        def make(parent: Token = parent, made: list[Token] = made, begun: threading.Event = begun) -> None:
            for number in range(200):
                made.append(parent.child())
                if number == 20:
                    begun.set()

        makers = [threading.Thread(target=make) for _ in range(2)]
        for maker in makers:
            maker.start()
        begun.wait()
        parent.set()
        for maker in makers:
            maker.join()
        assert all(child.is_set for child in made)


def test_a_token_does_not_keep_children_that_are_gone() -> None:
    parent = Token()
    for _ in range(10_000):
        parent.child()
    gc.collect()
    assert len(parent._children) < 100
