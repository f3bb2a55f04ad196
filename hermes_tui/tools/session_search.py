"""session_search: finds what was said in this and in earlier sessions. Reads only; never its own batch."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from hermes_tui.engine.errors import BadArguments, SessionError, ToolError
from hermes_tui.engine.footprint import Access, Footprint, Level, Subject
from hermes_tui.engine.protocols import Call, Result
from hermes_tui.engine.state import Said, SessionSearch
from hermes_tui.text import harmless
from hermes_tui.tools.base import TypedTool

STATE: Final = "state:sessions"
EARLIER: Final = Subject("session", "earlier sessions", Access.READ)
"""What others wrote may stand in them: it is read as data."""
LONGEST: Final = 4_000
"""Characters of one message in a window; of a longer one the start."""

Role = Literal["user", "assistant", "tool"]


class SearchArguments(msgspec.Struct):
    """What session_search takes."""

    query: Annotated[
        str,
        msgspec.Meta(
            description="Words or pieces of text that the message holds, all of them; operators are text. "
            "Leave it out to read a session.",
            examples=["csv loader"],
        ),
    ] = ""
    limit: Annotated[int, msgspec.Meta(description="Matches at most.", ge=1, le=50)] = 10
    session_id: Annotated[
        str | None, msgspec.Meta(description="Only this session, by its id or the start of it.")
    ] = None
    around_message_id: Annotated[
        int | None,
        msgspec.Meta(description="Read the messages around this one; needs session_id.", examples=[42]),
    ] = None
    window: Annotated[int, msgspec.Meta(description="How many messages on each side of it.", ge=1, le=50)] = 5
    role_filter: Annotated[list[Role] | None, msgspec.Meta(description="Only messages of these roles.")] = (
        None
    )


class SessionSearchTool(TypedTool[SearchArguments]):
    """Searches the sessions."""

    name = "session_search"
    description = (
        "Search what was said in this and in earlier sessions: prompts, answers, calls and their results. "
        "A match comes with its session_id and message_id; give both (around_message_id) to read around it."
    )
    Arguments = SearchArguments

    def declare(self, args: SearchArguments, folder: Path) -> Footprint:
        """Return that it reads the sessions, and no file."""
        return Footprint(Level.SAFE, (STATE,), subjects=(EARLIER,))

    def act(self, args: SearchArguments, call: Call) -> Result:
        """Return the matches, or the messages of a window."""
        sessions = call.state(SessionSearch)
        try:
            if args.query.strip() and args.around_message_id is None:
                found = sessions.find(args.query, args.limit, args.session_id, args.role_filter or ())
                return _harmless(_matches(args.query, found))
            if args.session_id is None:
                raise BadArguments("session_search: give a query, or the session_id of a session to read")
            return _harmless(_window(sessions.around(args.session_id, args.around_message_id, args.window)))
        except SessionError as error:
            raise ToolError(f"session_search: {error}") from None


def _harmless(result: Result) -> Result:
    return replace(result, content=harmless(result.content))


def _matches(query: str, found: Sequence[Said]) -> Result:
    if not found:
        return Result(f"no message holds {query!r}; try fewer or other words", display="nothing found")
    lines = [f"{_place(said)} in “{said.title}”\n  {said.text}" for said in found]
    return Result("\n".join(lines), display=f"{len(found)} found")


def _window(messages: Sequence[Said]) -> Result:
    parts = [f"{_place(said)}\n{_cut(said.text)}" for said in messages]
    return Result("\n\n".join(parts) or "this session is empty", display=f"{len(messages)} messages")


def _place(said: Said) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(said.time))
    return f"[session_id {said.session[:8]}, message_id {said.id}] {when} {said.role}"


def _cut(text: str) -> str:
    left = len(text) - LONGEST
    return text if left <= 0 else f"{text[:LONGEST]}\n[… {left} characters more …]"


TOOL = SessionSearchTool()
