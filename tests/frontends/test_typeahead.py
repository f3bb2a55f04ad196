"""Keys that come before the prompt has the focus: kept in order, handled once, Enter meant as Enter."""

from __future__ import annotations

import asyncio

from textual import events

from hermes_tui.frontends.tui.typeahead import TypeAhead


def test_keys_and_pastes_are_handled_in_their_order_and_only_once() -> None:
    ahead, handled = TypeAhead(), list[str]()

    async def handle(event: events.Event) -> None:
        handled.append(event.key if isinstance(event, events.Key) else "paste")
        if len(handled) == 1:
            assert ahead.keeps(events.Key("z", "z")), "it came meanwhile: after what was there before"

    assert ahead.keeps(events.Key("a", "a"))
    assert ahead.keeps(events.Paste("b"))
    assert ahead.keeps(events.Key("ctrl+j", "\n"))
    assert not ahead.keeps(events.Focus())
    asyncio.run(ahead.handle_all(handle))
    assert handled == ["a", "paste", "enter", "z"]
    assert not ahead.keeps(events.Key("a", "a"))


def test_the_time_of_a_key_stays_for_the_guard_against_bursts() -> None:
    ahead, key = TypeAhead(), events.Key("ctrl+j", "\n")
    seen: list[float] = []

    async def handle(event: events.Event) -> None:
        seen.append(event.time)

    assert ahead.keeps(key)
    asyncio.run(ahead.handle_all(handle))
    assert seen == [key.time]
