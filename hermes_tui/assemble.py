"""The one place where the parts meet: settings in, a program that a front end can drive out.

Decides which provider answers and which folder is the project; everything else is decided by the parts.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from hermes_tui.checkpoints.states import Limits
from hermes_tui.checkpoints.store import CheckpointStore
from hermes_tui.config.load import Loaded
from hermes_tui.config.settings import Settings
from hermes_tui.engine.agent import Agent
from hermes_tui.engine.errors import UsageError
from hermes_tui.engine.events import Notice
from hermes_tui.engine.parts import Options, Parts
from hermes_tui.engine.plan import SCHEDULES
from hermes_tui.engine.state import Background, Inherited, Reads, StateSource, Todos
from hermes_tui.files.reads import ReadLedger
from hermes_tui.files.replace import SafeDisk
from hermes_tui.permissions import MODES, ProjectPermissions, RuleStore
from hermes_tui.processes import environment
from hermes_tui.processes.run import kill_running
from hermes_tui.processes.table import BackgroundTable
from hermes_tui.project import Trust, branch, system_text
from hermes_tui.providers.choose import Choice, choose, rehearsal, served
from hermes_tui.providers.local import LocalServer, find_local_servers
from hermes_tui.start import Start, load_settings
from hermes_tui.tools.registry import Registry, discover
from hermes_tui.tools.todo import TodoList

__all__ = ["MODES", "SCHEDULES", "Hermes", "assemble"]


class Hermes:
    """The assembled program: what front ends and slash commands drive."""

    def __init__(self, start: Start, loaded: Loaded, choice: Choice) -> None:
        settings = loaded.settings
        self.start = start
        self.settings = settings
        self.folder = start.folder
        self.project = start.project
        self.trusted = start.trusted
        self.theme = settings.theme
        self.commands: Any = None
        """The slash commands; the front end that has a prompt sets them."""
        self.history: Any = None
        """The prompt's history; likewise."""
        self._choice = choice
        self._offers: list[LocalServer] = []
        self._told: list[str] = []
        self.reads = ReadLedger()
        self.todos = TodoList()
        self._inherited = environment.Inherited(self._environment())
        self.background = BackgroundTable(self._inherited.environment)
        self.toolbox = Registry(discover())
        self.permissions = self._permissions()
        self.agent = self._agent()

    # -- what the front ends show ---------------------------------------------------------------------

    @property
    def rehearsing(self) -> bool:
        """Whether the rehearsal answers: no model."""
        return self._choice.rehearsing

    @property
    def provider_label(self) -> str:
        """Who answers, as the screen shows it."""
        return self._choice.label

    @property
    def model(self) -> str:
        """The model's name; empty while the endpoint has not said it."""
        return self._choice.provider.model

    def branch(self) -> str:
        """Return the git branch; empty outside git."""
        return branch(self.project) if self.project else ""

    # -- what the slash commands do -------------------------------------------------------------------

    def models(self) -> list[str]:
        """Return the models that can be switched to. Asks the endpoint: call it off the screen's thread."""
        return [*self._choice.models(), *(offer(server) for server in self._offers)]

    def use_model(self, name: str) -> None:
        """Switch to another model from the next message on."""
        offered = {offer(server): server for server in self._offers}
        if server := offered.get(name):
            self._use(served(server))
        else:
            self._use(self._choice.with_model(name))

    def new_conversation(self) -> None:
        """Forget the conversation; waits for the running turn to end."""
        self.agent.do(self._forget).result()

    def tell_model(self, text: str) -> None:
        """Let the model know, with the next message, of something the user did himself."""
        self.agent.tell(text)

    def give_trust(self) -> None:
        """Trust the project's own files as they are now."""
        if self.project is not None:
            Trust(self.start.places.trust_file).give(self.project)
            self.trusted = True

    def look_for_servers(self) -> None:
        """Tell, by notice, of model servers on this machine. Takes up to 0.3 s: call it in a thread."""
        self._offers = find_local_servers()
        for server in self._offers:
            self.notice("info", f"{server.name} answers on this machine: /model to use {server.model}")

    def notice(self, level: str, text: str) -> None:
        """Show the user one line."""
        self.agent.events.put(Notice(level=level, text=text))

    def close(self) -> None:
        """End what runs, in the background too; returns at once."""
        self.agent.close()
        kill_running()
        self.background.close()
        self._choice.provider.close()
        self.checkpoints.close()

    # -- how it is put together -----------------------------------------------------------------------

    def _environment(self) -> Mapping[str, str]:
        secrets = {"OPENAI_API_KEY", *(p.env_key for p in self.settings.providers.values() if p.env_key)}
        return environment.for_commands(self.start.environ, secrets)

    def _permissions(self) -> ProjectPermissions:
        where = self.start.places
        store = RuleStore(where.permissions, self.project or self.folder)
        own = (where.config, where.data, where.state)
        permissions = ProjectPermissions(self.project, self.start.home, store, own, self.settings.permission)
        rules = self.settings.permissions
        permissions.configure(rules.allow, rules.ask, rules.deny)
        return permissions

    def _agent(self) -> Agent:
        limits = self.settings.tools
        options = Options(
            folder=self.folder,
            schedule=self.settings.schedule,
            max_parallel=self.settings.max_parallel,
            unattended=what_would_allow if self.start.headless else None,
            step_limit=limits.max_steps,
            deadline=limits.deadline,
            result_cap=limits.result_bytes,
            context=self._choice.context,
        )
        self.checkpoints = open_checkpoints(self.start, self.settings, options.session, self.notice)
        parts = Parts(
            provider=self._choice.provider,
            toolbox=self.toolbox,
            permissions=self.permissions,
            checkpoints=self.checkpoints,
            disk=SafeDisk(),
            system=lambda: system_text(self.folder, self.project, self.trusted),
            state=self._state(),
        )
        return Agent(parts, options)

    def _state(self) -> StateSource:
        """What tools may ask for by protocol; the engine's own desk answers for questions."""
        return StateSource(
            {
                Reads: self.reads,
                Todos: self.todos,
                Background: self.background,
                Inherited: self._inherited,
            }
        )

    def _use(self, choice: Choice) -> None:
        before, self._choice = self._choice, choice
        self.agent.set_provider(choice.provider, choice.context)
        self.agent.do(before.provider.close)

    def _forget(self) -> None:
        self.agent.messages = []
        self.reads.forget()
        self.todos.write([], merge=False)


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
    choice = choose(loaded.settings, start.environ)
    looking = False
    if choice is None and start.headless:
        choice = first_local()
    elif choice is None:
        choice, looking = rehearsal(), True
    if start.headless:
        choice.prepare()
    hermes = Hermes(start, loaded, choice)
    for text in loaded.notices:
        hermes.notice("warning", text)
    if hermes.project is None and not start.headless:
        hermes.notice(
            "warning", "no project here: reading asks and rollback is off; start in a project's folder"
        )
    if not start.headless:
        hermes.checkpoints.warm()  # so that the first command need not wait for the first look at the tree
    if looking:
        threading.Thread(target=hermes.look_for_servers, name="local servers", daemon=True).start()
    return hermes


def what_would_allow(mode: str) -> str:
    """Return what a headless run says of a call that would ask; `mode` would not (empty: every one would)."""
    if not mode:
        return "no flag allows it; start without -p to be asked"
    return f"run with --permission {mode}, or add an allow rule to [permissions] in config.toml"


def offer(server: LocalServer) -> str:
    """Return how a server on this machine is offered by `/model`."""
    return f"{server.model} ({server.name})"


def first_local() -> Choice:
    """Return a model server of this machine for a headless run; `UsageError` when there is none."""
    servers = find_local_servers()
    if not servers:
        raise UsageError(
            "nobody can answer: set OPENAI_API_KEY, or name an endpoint with --base-url,\n"
            "or take --provider rehearsal (no model; tries the program out)"
        )
    return served(servers[0])
