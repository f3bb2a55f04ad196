"""Sessions and search results as a person, or a program, reads them. Titles and texts are harmless here."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from hermes_tui.sessions.library import SHORT, Session
from hermes_tui.sessions.search import Hit
from hermes_tui.text import one_line

TODAY = 64_800
"""Seconds in which an hour says more than a day."""


def session_json(session: Session) -> dict[str, Any]:
    """Return a session for `--json`."""
    return asdict(session)


def sessions_text(found: Sequence[Session]) -> str:
    """Return one line a session."""
    return "\n".join(line(session) for session in found) or "no sessions yet"


def line(session: Session) -> str:
    """Return id, time, size and title of a session."""
    mark = " (open in another window)" if session.running else ""
    count = f"{session.messages} message{'s' * (session.messages != 1)}"
    return f"{session.short}  {when(session.updated):<12}  {count:>14}  {title(session)}{mark}"


def title(session: Session) -> str:
    """Return the title as it can be shown."""
    return one_line(session.title, 80) or "(untitled)"


def hits_text(hits: Sequence[Hit]) -> str:
    """Return what was found, the place first."""
    lines = []
    for hit in hits:
        head = f"{hit.session[:SHORT]}  {when(hit.time):<12}  {hit.role:<9}  {one_line(hit.title, 50)}"
        lines.append(f"{head}\n    {one_line(hit.snippet, 200)}")
    return "\n".join(lines) or "nothing found"


def when(moment: float) -> str:
    """Return a time as short as it can be read."""
    now = time.time()
    if 0 <= now - moment < TODAY:
        form = "%H:%M"
    else:
        form = "%d %b" if time.localtime(now).tm_year == time.localtime(moment).tm_year else "%d %b %Y"
    return time.strftime(form, time.localtime(moment))
