"""The table of held footprints and the slots, as several agents of a session share them."""

from __future__ import annotations

import threading

from hermes_tui.engine.footprint import Footprint, Level, undeclared
from hermes_tui.engine.held import Held, Holder
from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.slots import Bell, Gate, Slots
from tests.engine.kit import until


def holder(who: str, *, reads: tuple[str, ...] = (), writes: tuple[str, ...] = ()) -> Holder:
    return Holder(who, "tool, batch 1", Footprint(Level.SCOPED, reads, writes))


def test_what_conflicts_waits_until_the_other_has_ended() -> None:
    held = Held()
    first, second = holder("#1", writes=("/p/a",)), holder("#2", reads=("/p",))
    assert held.enter(first) is None
    assert held.enter(second) is first
    waited = threading.Thread(target=held.wait, args=(first, Token()))
    waited.start()
    held.leave(first)
    waited.join(10)
    assert not waited.is_alive()
    assert held.enter(second) is None


def test_an_undeclared_call_holds_everything() -> None:
    held = Held()
    anything = Holder("#1", "x", undeclared("it may do anything"))
    assert held.enter(anything) is None
    assert held.enter(holder("#2", reads=("/p",))) is anything
    assert held.enter(Holder("#3", "x", Footprint(Level.SAFE))) is anything


def test_an_abandoned_call_holds_until_it_ends_and_nobody_waits_for_it() -> None:
    held = Held()
    stuck = holder("#1", writes=("/p/a",))
    held.enter(stuck)
    held.abandon(stuck)
    held.wait(stuck, Token())  # returns at once
    assert held.abandoned() == [stuck]
    assert held.enter(holder("#2", writes=("/p/a",))) is stuck
    assert held.enter(holder("#3", writes=("/p/b",))) is None
    held.leave(stuck)
    held.leave(stuck)
    assert held.abandoned() == []


def test_a_wait_ends_with_the_interrupt() -> None:
    held = Held()
    running = holder("#1", writes=("/p/a",))
    held.enter(running)
    token = Token()
    waited = threading.Thread(target=held.wait, args=(running, token))
    waited.start()
    token.set()
    waited.join(10)
    assert not waited.is_alive()


def test_a_call_that_comes_back_goes_before_those_that_have_not_begun() -> None:
    slots = Slots(1)
    assert slots.try_take()
    back: list[bool] = []
    returning = threading.Thread(target=lambda: back.append(slots.retake(Token())))
    returning.start()
    until(lambda: slots._returning == 1)
    assert not slots.try_take()
    slots.give()
    returning.join(10)
    assert back == [True]
    assert not slots.try_take()
    slots.give()
    assert slots.try_take()


def test_a_call_that_is_stopped_while_it_waits_for_a_slot_takes_none() -> None:
    slots = Slots(1)
    slots.try_take()
    token = Token()
    back: list[bool] = []
    returning = threading.Thread(target=lambda: back.append(slots.retake(token)))
    returning.start()
    until(lambda: slots._returning == 1)
    token.set()
    returning.join(10)
    assert back == [False]
    slots.give()
    assert slots.try_take()


def test_a_free_slot_is_told_to_those_who_listen() -> None:
    slots, bell = Slots(1), Bell()
    with slots.listening(bell.ring):
        slots.try_take()
        slots.give()
    assert bell.future.done()
    bell.reset()
    slots.try_take()
    slots.give()
    assert not bell.future.done()


def test_the_gate_lets_calls_through_in_order_and_past_those_that_step_aside() -> None:
    gate = Gate()
    through: list[int] = []

    def go(index: int) -> None:
        gate.wait(index)
        through.append(index)
        gate.leave(index)

    for index in range(4):
        gate.join(index)
    later = [threading.Thread(target=go, args=(index,)) for index in (3, 1, 2)]
    for thread in later:
        thread.start()
    assert through == []
    gate.leave(0)
    for thread in later:
        thread.join(10)
    assert through == [1, 2, 3]
