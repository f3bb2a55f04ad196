"""What a tool may ask of the sessions: `engine.state.SessionSearch`."""

from __future__ import annotations

from collections.abc import Sequence

from hermes_tui.engine.messages import Message
from hermes_tui.engine.state import Said
from hermes_tui.sessions.current import CurrentSession
from hermes_tui.sessions.search import Query


class ToolSearch:
    """Answers for the batch that runs: of the current session it sees what came before that."""

    def __init__(self, current: CurrentSession) -> None:
        self._current = current

    def find(self, query: str, limit: int, session: str | None, roles: Sequence[str]) -> list[Said]:
        """Return the best matches, best first."""
        store = self._current.store
        wanted = store.find(session).id if session else None
        asked = Query(query, limit, wanted, roles=tuple(roles), bound=self._bound())
        hits = store.search(asked)
        return [Said(hit.key, hit.session, hit.title, hit.time, hit.role, hit.snippet) for hit in hits]

    def around(self, session: str, message: int | None, window: int) -> list[Said]:
        """Return a window of a session's messages, oldest first."""
        found = self._current.store.find(session)
        near = self._current.store.around(found.id, message, window, self._bound())
        return [
            Said(each.key, found.id, found.title, each.time, each.message.role, _text(each.message))
            for each in near
        ]

    def _bound(self) -> tuple[str, int]:
        """Return the session and the number from which on nothing is seen: that of the running batch."""
        position = self._current.recorder.position
        return position.session, position.asked or position.number + 1


def _text(message: Message) -> str:
    """Return what a message says, and what it calls."""
    calls = [f"[calls {call.name} {call.arguments}]" for call in message.calls]
    return "\n".join([*([message.content] if message.content else []), *calls])
