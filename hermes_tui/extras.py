"""What a run has beyond its core: notes, skills, the web, MCP servers, plugins and hooks.

Each is made from the settings and fails alone, with a notice; the core works without any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from hermes_tui.config.settings import Settings
from hermes_tui.engine.events import Event
from hermes_tui.engine.messages import Message
from hermes_tui.engine.protocols import Guard, Recorder, Tool
from hermes_tui.engine.recall import ExternalMemory
from hermes_tui.engine.state import Browser, Memory, Private, Skills, Web
from hermes_tui.mcp.hub import Hub
from hermes_tui.mcp.specs import of_project, of_settings
from hermes_tui.plugins.hooks import Place, ShellHooks
from hermes_tui.plugins.load import Plugins, load_plugins
from hermes_tui.processes.sandbox import Walls, project_walls, secrets
from hermes_tui.providers.endpoint import Endpoint
from hermes_tui.remember import Remembering
from hermes_tui.start import Start
from hermes_tui.tools.browser.driver import Driver
from hermes_tui.tools.memory import MemoryFiles
from hermes_tui.tools.memory_search import MemorySearch
from hermes_tui.tools.registry import Registry, chooses, discover
from hermes_tui.tools.skills.store import SkillStore
from hermes_tui.tools.web.access import WebAccess

Notice = Callable[[str, str], None]


class Extras:
    """Made once a run; `begin` starts what runs by itself."""

    def __init__(
        self,
        start: Start,
        settings: Settings,
        plugins: Plugins,
        environment: Mapping[str, str],
        notice: Notice,
        answering: Callable[[], Endpoint | None],
    ) -> None:
        """`environment`: what commands inherit, without the program's own keys; `answering`: the endpoint."""
        self._start = start
        self._settings = settings
        self._environment = environment
        self._notice = notice
        self.trusted = start.trusted
        places = start.places
        own = discover()
        self.plugins = plugins
        self.memory = MemoryFiles(places.memory, start.project, lambda text: notice("info", text))
        self.skills = SkillStore(lambda: self.folders("skills"))
        self.browser = Driver(settings.web.allow_private)
        self.servers = Hub(start.folder, environment, notice)
        self.hooks = ShellHooks(settings.hooks, Place(start.folder, environment, notice))
        self.remembering = Remembering(start, settings, self.plugins.memories, notice, answering)
        own.append(MemorySearch(self.remembering.lacking))
        self.toolbox = Registry([*own, *self.plugins.tools], self.servers.tools, self._is_off)

    def begin(self) -> None:
        """Start the servers and say what could not be loaded; returns at once."""
        for text in self.plugins.notices:
            self._notice("warning", text)
        self._tell_of_patterns()
        self.remembering.begin()
        self.servers.start(of_settings(self._settings.mcp))
        self._start_project_servers()

    def trust(self) -> None:
        """The project's own files count from now on."""
        self.trusted = True
        self._start_project_servers()

    def folders(self, kind: str) -> list[Path]:
        """Return where `skills` or `commands` lie: the user's folder, then a trusted project's."""
        own = [self._start.places.config / kind]
        project = self._start.project
        return [*own, project / ".hermes-tui" / kind] if project is not None and self.trusted else own

    def state(self) -> dict[type[Any], Any]:
        """Return what tools may ask for by protocol."""
        web = WebAccess(self._settings.web, self._start.environ)
        return {
            Memory: self.memory,
            ExternalMemory: self.remembering.memory,
            Skills: self.skills,
            Web: web,
            Private: private_places(self._start),
            Browser: self.browser,
        }

    def guards(self) -> Sequence[Guard]:
        """Return who is asked before every call."""
        own = [self.hooks] if self._settings.hooks.before_call else []
        return [*own, *self.plugins.guards]

    def watched(self, recorder: Recorder) -> Recorder:
        """Return a recorder that also tells the hooks of each event."""
        return Watched(recorder, self.hooks)

    def close(self) -> None:
        """End what runs; waits a little for what external memory has still to keep."""
        self.remembering.close()
        self.hooks.close()
        self.servers.close()
        self.browser.close()

    def _is_off(self, tool: Tool) -> bool:
        chosen = self._settings.tools
        return chooses(chosen.disabled, tool) or bool(chosen.enabled and not chooses(chosen.enabled, tool))

    def _tell_of_patterns(self) -> None:
        """Tell of a setting that means no tool; those of servers may still come."""
        tools = [*self.toolbox, *self.toolbox.off()]
        for setting in ("enabled", "disabled"):
            for pattern in getattr(self._settings.tools, setting):
                if not pattern.startswith(("mcp", "@mcp")) and not any(chooses([pattern], t) for t in tools):
                    self._notice("warning", f"[tools] {setting}: no tool is meant by {pattern!r}; see /tools")

    def _start_project_servers(self) -> None:
        project = self._start.project
        if project is None or not self.trusted:
            return
        specs, notices = of_project(project, self._environment, own_keys(self._settings))
        for text in notices:
            self._notice("warning", text)
        self.servers.start(specs)


class Watched:
    """Implements `engine.protocols.Recorder`: keeps, then tells the hooks."""

    def __init__(self, recorder: Recorder, hooks: ShellHooks) -> None:
        self._recorder = recorder
        self._hooks = hooks
        self.message: Callable[[Message], None] = recorder.message
        self.cut: Callable[[int], None] = recorder.cut
        self.replaced: Callable[[Sequence[Message]], None] = recorder.replaced

    def event(self, event: Event) -> None:
        """Keep an event, then tell the hooks."""
        self._recorder.event(event)
        self._hooks.event(event)


def own_keys(settings: Settings) -> Collection[str]:
    """Return the names of the variables from which the program takes keys of its own."""
    named = (entry.env_key for entry in settings.providers.values())
    web = (settings.web.brave_env_key, settings.web.tavily_env_key)
    return {name for name in ("OPENAI_API_KEY", "HASS_TOKEN", *web, *named) if name}


def private_places(start: Start) -> Private:
    """Return what code that a model wrote has no business with."""
    return Private(start.project, start.home, (start.places.config, start.places.data, start.places.state))


def plugins_of(start: Start) -> Plugins:
    """Return the user's plugins; what is broken of them is a notice of theirs."""
    return load_plugins(start.places.plugins, [tool.schema.name for tool in discover()])


def walls_of(start: Start, settings: Settings) -> Walls | None:
    """Return what the model's commands run behind, if the user wants that."""
    if not settings.terminal.sandbox:
        return None
    private = private_places(start)
    return project_walls(start.project or start.folder, (*private.places, *secrets(private.home)))
