"""The one place where the parts meet: settings in, a program that a front end can drive out.

Decides which provider answers and which folder is the project; everything else is decided by the parts.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

import msgspec

from hermes_tui.checkpoints.states import Limits
from hermes_tui.checkpoints.store import CheckpointStore
from hermes_tui.config.load import Loaded
from hermes_tui.config.settings import Settings
from hermes_tui.engine.agent import Agent
from hermes_tui.engine.allowance import Limits as TurnLimits
from hermes_tui.engine.errors import UsageError
from hermes_tui.engine.events import Notice
from hermes_tui.engine.messages import Image
from hermes_tui.engine.parts import Options, Parts
from hermes_tui.engine.plan import SCHEDULES
from hermes_tui.engine.protocols import Provider
from hermes_tui.engine.state import (
    Background,
    Inherited,
    Reads,
    SessionSearch,
    Sight,
    StateSource,
    Texts,
    Todo,
    Todos,
)
from hermes_tui.extras import Extras, own_keys, plugins_of, walls_of
from hermes_tui.files.kept import KeptTexts
from hermes_tui.files.pictures import pictures
from hermes_tui.files.reads import ReadLedger
from hermes_tui.files.replace import SafeDisk
from hermes_tui.permissions import MODES, ProjectPermissions, RuleStore
from hermes_tui.plugins.load import Plugins
from hermes_tui.processes import environment
from hermes_tui.processes.run import kill_running
from hermes_tui.processes.table import BackgroundTable
from hermes_tui.project import SystemText, Trust, branch
from hermes_tui.providers.choose import Choice, choose, configured, rehearsal, served
from hermes_tui.providers.endpoint import Endpoint
from hermes_tui.providers.local import find_local_servers
from hermes_tui.providers.menu import Menu
from hermes_tui.providers.sight import ProviderSight
from hermes_tui.sessions.current import CurrentSession
from hermes_tui.sessions.resume import Taken
from hermes_tui.sessions.tool import ToolSearch
from hermes_tui.start import Start, load_settings
from hermes_tui.tools.todo import TodoList

__all__ = ["MODES", "SCHEDULES", "Hermes", "assemble"]

SAVING = 5.0
SAVING_UNSEEN = 15.0
"""Seconds that the end waits for a locked session file: less where somebody watches."""
SERVERS: Final = 10.0
"""Seconds that a headless run waits for its MCP servers: its one prompt may need them."""
MOST_CARRIED: Final = 30
"""Names of files that a compacted conversation still knows."""


class Hermes:
    """The assembled program: what front ends and slash commands drive."""

    def __init__(self, start: Start, loaded: Loaded, choice: Choice, plugins: Plugins) -> None:
        settings = loaded.settings
        self.start = start
        self.settings = settings
        self.origins = dict(loaded.origins)
        """Setting → where its value comes from."""
        self.folder = start.folder
        self.project = start.project
        self.trusted = start.trusted
        self.theme = settings.theme
        self.commands: Any = None
        """The slash commands; the front end that has a prompt sets them."""
        self.history: Any = None
        """The prompt's history; likewise."""
        self.menu = Menu(choice, settings, start.environ, plugins.providers)
        self.kept = KeptTexts(start.places.texts, lambda: self.agent.session)
        self._eyes: Provider | None = None
        self._told: list[tuple[str, str]] = []
        """Notices from before the agent was there."""
        self.reads = ReadLedger()
        self.todos = TodoList(lambda items: self.session.recorder.state({"todos": list(map(asdict, items))}))
        place = start.project or start.folder, start.folder
        self.session = CurrentSession(start.places.sessions_file, place, self.notice)
        self._inherited = environment.Inherited(self._environment(), walls_of(start, settings))
        self.background = BackgroundTable(self._inherited.environment, self._inherited.placed)
        self.extras = Extras(start, settings, plugins, self._inherited.environment, self.notice, self._where)
        self.system = SystemText(start.folder, start.project, self.extras.memory.snapshot)
        self.toolbox = self.extras.toolbox
        self.permissions = self._permissions()
        self.agent = self._agent(self._taken_up())
        for level, text in self._told:
            self.notice(level, text)
        self.extras.begin()

    # -- what the front ends show ---------------------------------------------------------------------

    @property
    def rehearsing(self) -> bool:
        """Whether the rehearsal answers: no model."""
        return self.menu.choice.rehearsing

    @property
    def provider_label(self) -> str:
        """Who answers, as the screen shows it."""
        return self.menu.choice.label

    @property
    def model(self) -> str:
        """The model's name; empty while the endpoint has not said it."""
        return self.menu.choice.provider.model

    @property
    def environment(self) -> Mapping[str, str]:
        """What commands inherit, the user's own too: no editor, no pager, none of the program's keys."""
        return self._inherited.environment

    @property
    def themes(self) -> Mapping[str, Mapping[str, Any]]:
        """The themes of plugins: name → the fields of a theme's file."""
        return self.extras.plugins.themes

    def branch(self) -> str:
        """Return the git branch; empty outside git."""
        return branch(self.project) if self.project else ""

    # -- what the slash commands do -------------------------------------------------------------------

    def models(self) -> list[str]:
        """Return the models that can be switched to. Asks the endpoint: call it off the screen's thread."""
        return self.menu.models()

    def use_model(self, name: str) -> None:
        """Switch to another model, or to the one of another provider, from the next message on."""
        self._use(self.menu.model(name))

    def use_provider(self, name: str) -> None:
        """Switch to another provider from the next message on; `UsageError` when there is none, or no key."""
        self._use(self.menu.provider(name))

    def new_conversation(self) -> None:
        """Begin a new session; waits for the running turn to end. The old one stays where it is."""
        self._go_to(self.session.new)

    def resume(self, wanted: str) -> None:
        """Go on in another session, once the running turn has ended; `SessionError` when that cannot be."""
        self._go_to(lambda: self.session.resume(wanted))

    def fork(self, title: str = "") -> None:
        """Go on in a copy of the session, once the running turn has ended; `SessionError` likewise."""
        self._go_to(lambda: self.session.fork(title))

    def past(self) -> bytes:
        """Return what was shown in the session so far: events, a line each. Not for the screen's thread."""
        return self.session.lines()

    def tell_model(self, text: str) -> None:
        """Let the model know, with the next message, of something the user did himself."""
        self.agent.tell(text)

    def give_trust(self) -> None:
        """Trust the project's own files as they are now."""
        if self.project is not None:
            Trust(self.start.places.trust_file).give(self.project, self.folder)
            self.trusted = True
            self.system.renew()
            self.extras.trust()

    def look_for_servers(self) -> None:
        """Tell, by notice, of model servers on this machine. Takes up to 0.3 s: call it in a thread."""
        self.menu.offers = find_local_servers()
        for server in self.menu.offers:
            self.notice("info", f"{server.name} answers on this machine: /model to use {server.model}")

    def notice(self, level: str, text: str) -> None:
        """Show the user one line."""
        if "agent" in vars(self):
            self.agent.events.put(Notice(level=level, text=text))
        else:
            self._told.append((level, text))

    def close(self) -> None:
        """End what runs, in the background too; returns at once."""
        self.agent.close()
        kill_running()
        self.background.close()
        self.extras.close()
        self.menu.choice.provider.close()
        self.checkpoints.close()
        if not self.session.close(SAVING_UNSEEN if self.start.headless else SAVING):
            print("hermes-tui: the end of this session could not be saved", file=sys.stderr)

    # -- how it is put together -----------------------------------------------------------------------

    def _environment(self) -> Mapping[str, str]:
        return environment.for_commands(self.start.environ, own_keys(self.settings))

    def _permissions(self) -> ProjectPermissions:
        where = self.start.places
        store = RuleStore(where.permissions, self.project or self.folder)
        own = (where.config, where.data, where.state)
        permissions = ProjectPermissions(self.project, self.start.home, store, own, self.settings.permission)
        rules = self.settings.permissions
        permissions.configure(rules.allow, rules.ask, rules.deny)
        permissions.readable = self.kept.readable
        return permissions

    def _taken_up(self) -> Taken:
        """Return the session that the start asks for."""
        start = self.start
        taken = self.session.resume(start.resume) if start.resume else self.session.go_on(start.go_on)
        self._restore(taken)
        return taken

    def _agent(self, taken: Taken) -> Agent:
        limits = self.settings.tools
        options = Options(
            folder=self.folder,
            schedule=self.settings.schedule,
            max_parallel=self.settings.max_parallel,
            unattended=what_would_allow if self.start.headless else None,
            step_limit=limits.max_steps,
            limits=TurnLimits(**msgspec.structs.asdict(self.settings.limits)),
            deadline=limits.deadline,
            result_cap=limits.result_bytes,
            context=self.menu.choice.context,
            compact_at=self.settings.context.compact_at,
            session=taken.position.session,
            messages=taken.messages,
            batches=taken.batches,
        )
        self.checkpoints = open_checkpoints(self.start, self.settings, options.session, self.notice)
        parts = Parts(
            provider=self.menu.choice.provider,
            toolbox=self.toolbox,
            permissions=self.permissions,
            checkpoints=self.checkpoints,
            disk=SafeDisk(),
            system=self._system,
            keep_text=self.kept.keep,
            carry=self._carried,
            news=self.system.news,
            images=self._images,
            foreign=self.permissions.foreign,
            state=self._state(),
            recorder=self.extras.watched(self.session.recorder),
            guards=self.extras.guards(),
            memory=self.extras.remembering.memory,
        )
        return Agent(parts, options)

    def _state(self) -> StateSource:
        """What tools may ask for by protocol; the engine's own desk answers for questions."""
        return StateSource(
            {
                Reads: self.reads,
                Todos: self.todos,
                **self.extras.state(),
                Sight: ProviderSight(self._seeing, self.kept.put),
                Background: self.background,
                Inherited: self._inherited,
                Texts: self.kept,
                SessionSearch: ToolSearch(self.session),
            }
        )

    def _where(self) -> Endpoint | None:
        """The endpoint that answers; None: none is asked."""
        return self.menu.choice.where

    def _seeing(self) -> Provider:
        """Who looks at pictures: the one the user named for it, else the one that answers."""
        name = self.settings.vision
        if not name:
            return self.menu.choice.provider
        if self._eyes is None:
            brought = self.extras.plugins.providers
            self._eyes = configured(self.settings, name, self.start.environ, brought=brought).provider
        return self._eyes

    def _system(self) -> str:
        """The system text; tells, once, what of the project's instructions is not used."""
        text = self.system.text(self.trusted)
        while self.system.left_out:
            self.notice("warning", self.system.left_out.pop(0))
        return text

    def _look_at_trust(self) -> None:
        """End the trust in a folder whose own files have changed since the user gave it."""
        if self.trusted and not self.start.trusted:
            self.trusted = self.extras.trusted = False
            self.notice("warning", "the folder's own files changed and count no more; /trust to trust them")

    def _carried(self) -> str:
        """What a compacted conversation must still know."""
        todos = [f"- {item.content} ({item.status})" for item in self.todos.items()]
        read = [f"- {path}" for path in self.reads.paths()[-MOST_CARRIED:]]
        parts = ("The todo list:", todos), ("Files you have read or written, newest last:", read)
        return "\n\n".join("\n".join([title, *lines]) for title, lines in parts if lines)

    def _images(self, prompt: str) -> tuple[Image, ...]:
        """The pictures that a prompt names."""
        return pictures(prompt, self.folder, self.kept, lambda text: self.notice("warning", text))

    def _use(self, choice: Choice) -> None:
        before = self.menu.take(choice)
        self.agent.set_provider(choice.provider, choice.context)
        self.agent.do(before.provider.close)

    def _go_to(self, take: Callable[[], Taken]) -> None:
        """Go on in another session; waits for the running turn to end."""

        def go() -> None:
            taken = take()
            self.agent.take_up(taken.position.session, taken.messages, taken.batches)
            self.checkpoints.use_session(taken.position.session)
            self._restore(taken)

        self.agent.do(go).result()

    def _restore(self, taken: Taken) -> None:
        """Take up what else belongs to a session. What the model has read it has to read again."""
        self._look_at_trust()
        self.reads.forget()
        self.todos.load([Todo(**item) for item in taken.state.get("todos", ())])
        self.system.renew()
        self.kept.forked_from(*taken.ancestors)
        for text in taken.notices:
            self.notice("info", text)


def open_checkpoints(
    start: Start, settings: Settings, session: str, notice: Callable[[str, str], None]
) -> CheckpointStore:
    """Return the project's checkpoint store; cheap, nothing is read before its first use."""
    caps = settings.checkpoints
    limits = Limits(caps.max_file_bytes, caps.max_files, caps.max_total_bytes, caps.keep, caps.max_age_days)
    data = start.places.data
    return CheckpointStore(start.project, start.places.checkpoints, session, limits, notice, data)


def assemble(start: Start) -> Hermes:
    """Return the program for this start. Raises `ConfigError` and `UsageError`, each one line."""
    loaded = load_settings(start)
    plugins = plugins_of(start)
    choice = choose(loaded.settings, start.environ, plugins.providers)
    looking = False
    if choice is None and start.headless:
        choice = first_local()
    elif choice is None:
        choice, looking = rehearsal(), True
    if start.headless:
        choice.prepare()
    hermes = Hermes(start, loaded, choice, plugins)
    for text in loaded.notices:
        hermes.notice("warning", text)
    if hermes.project is None and not start.headless:
        hermes.notice(
            "warning", "no project here: reading asks and rollback is off; start in a project's folder"
        )
    if start.headless:
        hermes.extras.servers.settle(SERVERS)
    else:
        hermes.checkpoints.warm()  # so that the first command need not wait for the first look at the tree
    threading.Thread(target=hermes.kept.sweep, name="old texts", daemon=True).start()
    if looking:
        threading.Thread(target=hermes.look_for_servers, name="local servers", daemon=True).start()
    return hermes


def what_would_allow(mode: str) -> str:
    """Return what a headless run says of a call that would ask; `mode` would not (empty: every one would)."""
    if not mode:
        return "no flag allows it; start without -p to be asked"
    return f"run with --permission {mode}, or add an allow rule to [permissions] in config.toml"


def first_local() -> Choice:
    """Return a model server of this machine for a headless run; `UsageError` when there is none."""
    servers = find_local_servers()
    if not servers:
        raise UsageError(
            "nobody can answer: set OPENAI_API_KEY, or name an endpoint with --base-url,\n"
            "or take --provider rehearsal (no model; tries the program out)"
        )
    return served(servers[0])
