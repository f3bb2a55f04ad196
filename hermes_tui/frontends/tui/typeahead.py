"""What is typed before the prompt stands: kept in its order, and handled once the prompt has the focus.

Until then a key would go to nobody, or a binding would act on a prompt that has not got the text before it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual import events

Handle = Callable[[events.Event], Awaitable[None]]


class TypeAhead:
    """Keys and pastes from the program's start to its first frame."""

    def __init__(self) -> None:
        self._kept: list[events.Key | events.Paste] | None = []

    def keeps(self, event: events.Event) -> bool:
        """Whether the event was kept for `handle_all`."""
        if self._kept is None or not isinstance(event, events.Key | events.Paste) or event.is_forwarded:
            return False
        self._kept.append(as_meant(event))
        return True

    async def handle_all(self, handle: Handle) -> None:
        """Give `handle` all that was kept, and what comes meanwhile; nothing is kept from then on."""
        kept, done = self._kept or [], 0
        while done < len(kept):
            done += 1
            await handle(kept[done - 1])
        self._kept = None


def as_meant(event: events.Key | events.Paste) -> events.Key | events.Paste:
    """Return the event; a terminal that is not yet raw makes Enter a line feed, here it is Enter again."""
    if isinstance(event, events.Key) and event.key == "ctrl+j":
        meant = events.Key("enter", "\r")
        meant.time = event.time
        return meant
    return event
