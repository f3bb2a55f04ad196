"""The sessions: search and pick one; rename and delete in place. The one that is taken up is the result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from hermes_tui.engine.errors import HermesError
from hermes_tui.frontends.offthread import off_thread
from hermes_tui.frontends.tui.screens.confirm import ConfirmScreen
from hermes_tui.frontends.tui.screens.dialog import Dialog
from hermes_tui.frontends.tui.widgets.topbar import tilde
from hermes_tui.sessions import report
from hermes_tui.sessions.current import CurrentSession
from hermes_tui.sessions.library import Session
from hermes_tui.sessions.search import Hit, Query
from hermes_tui.sessions.title import WIDTH
from hermes_tui.text import one_line

MOST: Final = 200
"""Sessions, and matches, that are shown."""
KEYS: Final = (
    "type to search · ↑↓ choose · Enter take up · Ctrl-R rename · Ctrl-D delete"
    " · Ctrl-G all projects · Esc back"
)


class SessionsScreen(Dialog[str]):
    """Its result is the id of the session to take up."""

    DEFAULT_CSS = """
    SessionsScreen > .box { width: 100%; max-width: 100%; height: 100%; max-height: 100%; }
    SessionsScreen {
        & Input { border: none; height: 1; margin: 0 0 1 0; padding: 0; background: $surface; }
        & OptionList { height: 1fr; max-height: 100%; }
        & .hint { margin: 0; }
    }
    """
    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", show=False, priority=True),
        Binding("up", "move(-1)", show=False, priority=True),
        Binding("pagedown", "move(10)", show=False, priority=True),
        Binding("pageup", "move(-10)", show=False, priority=True),
        Binding("ctrl+r", "rename", show=False, priority=True),
        Binding("ctrl+d", "delete", show=False, priority=True),
        Binding("ctrl+g", "scope", show=False, priority=True),
    ]

    def __init__(self, current: CurrentSession, project: Path, text: str = "") -> None:
        super().__init__()
        self._current, self._project, self._first = current, project, text
        self._everywhere = False
        self._rows: Sequence[Session | Hit] = ()
        self._renaming: Session | None = None

    def content(self) -> ComposeResult:
        """Search line, list, keys."""
        yield Input(self._first, placeholder="search what was said", compact=True)
        yield OptionList(compact=True)
        yield Static(KEYS, markup=False, classes="hint")

    def flexible(self) -> Widget | None:
        """The list fills what is left."""
        return None

    def on_mount(self) -> None:
        """Show them."""
        self._reload()

    # what is typed

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self._renaming is None:
            self._reload()

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        if self._renaming is not None:
            session, title = self._renaming, event.value
            self.run_worker(self._done(lambda: self._rename(session, title)), group="act")
        elif (picked := self._picked()) is not None:
            self.dismiss(picked)

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if (picked := self._picked()) is not None:
            self.dismiss(picked)

    def action_move(self, by: int) -> None:
        """Move the highlight."""
        rows = self.query_one(OptionList)
        if self._rows:
            rows.highlighted = min(max((rows.highlighted or 0) + by, 0), len(self._rows) - 1)

    def action_scope(self) -> None:
        """Look into all projects, or only into this one."""
        self._everywhere = not self._everywhere
        self._reload()

    def action_rename(self) -> None:
        """Write a new title in the search line."""
        if self._renaming is None and (picked := self._picked()) is not None:
            self.run_worker(self._done(lambda: self._begin_renaming(picked)), group="act")

    def action_delete(self) -> None:
        """Delete the session, after a question."""
        if (picked := self._picked()) == self._current.id:
            self.notify("this is the session you are in", severity="warning", markup=False)
        elif self._renaming is None and picked is not None:
            self.run_worker(self._done(lambda: self._delete(picked)), group="act")

    # what is shown

    def _reload(self) -> None:
        self.box.border_title = "Sessions"
        scope = "all projects" if self._everywhere else tilde(self._project)
        self.box.border_subtitle = Content(one_line(scope, 60))
        self.run_worker(self._load(self.query_one(Input).value), exclusive=True, group="load")

    async def _load(self, text: str) -> None:
        store, project = self._current.store, None if self._everywhere else self._project

        def look() -> Sequence[Session | Hit]:
            if not text.strip():
                return store.recent(project, MOST)
            where = str(project) if project is not None else None
            return store.search(Query(text, MOST, project=where))

        try:
            self._rows = await off_thread(look)
        except HermesError as error:
            self._rows = ()
            self.box.border_title = Content(one_line(str(error), 200))
        rows = self.query_one(OptionList)
        rows.clear_options()
        rows.add_options([Option(_label(row, self._current.id)) for row in self._rows])
        rows.highlighted = 0 if self._rows else None

    def _picked(self) -> str | None:
        """Return the id of the session that is highlighted, or in which the highlighted match is."""
        at = self.query_one(OptionList).highlighted
        if at is None or at >= len(self._rows):
            return None
        row = self._rows[at]
        return row.id if isinstance(row, Session) else row.session

    # what is done

    async def _done(self, act: Callable[[], Awaitable[None]]) -> None:
        """Do it, and say why if that cannot be."""
        try:
            await act()
        except HermesError as error:
            self.notify(str(error), severity="error", markup=False)
            self._reload()

    async def _begin_renaming(self, picked: str) -> None:
        session = self._renaming = await off_thread(lambda: self._current.store.find(picked))
        line = self.query_one(Input)
        line.value, line.placeholder = session.title, "a new title"
        self.box.border_title = "Rename: Enter takes the title, Esc leaves it"

    async def _rename(self, session: Session, title: str) -> None:
        self._end_renaming()
        if name := one_line(title.strip(), WIDTH):
            await off_thread(lambda: self._current.store.rename(session.id, name))
        self._reload()

    def _end_renaming(self) -> None:
        self._renaming = None
        line = self.query_one(Input)
        line.value, line.placeholder = "", "search what was said"
        self._reload()

    async def _delete(self, picked: str) -> None:
        session = await off_thread(lambda: self._current.store.find(picked))
        question = f"{report.title(session)}\n{session.messages} messages, {report.when(session.updated)}"
        if await self.app.push_screen_wait(ConfirmScreen("Delete for good?", question, "delete")):
            await off_thread(lambda: self._current.store.delete(session.id))
            self._reload()

    def close(self) -> None:
        """Leave the title alone, or close without a result."""
        if self._renaming is not None:
            self._end_renaming()
        else:
            self.dismiss(None)


def _label(row: Any, current: str) -> Content:
    """Return a line of the list."""
    if isinstance(row, Hit):
        place = f"{report.when(row.time):<12} {row.role:<9} "
        return Content.assemble((place, "$text-muted"), one_line(row.snippet, 200))
    here = " · this one" if row.id == current else " · open in another window" if row.running else ""
    facts = f"{report.when(row.updated):<12} {row.messages:>5} messages{here}  "
    return Content.assemble((facts, "$text-muted"), report.title(row))
