"""Every setting, with its meaning. Says nothing about where a value comes from (load.py does)."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

Schedule = Literal["batch", "graph", "serial"]
Mode = Literal["plan", "ask", "edits", "all"]
ProviderName = Literal["openai", "rehearsal"]
Positive = Annotated[int, Meta(ge=1)]
NotNegative = Annotated[int, Meta(ge=0)]
Seconds = Annotated[float, Meta(gt=0)]
RULE_FORM: Final = r"(?s)^\s*(?P<tool>\*|[A-Za-z0-9_][A-Za-z0-9_.:-]*)(?:\((?P<pattern>.+)\))?\s*$"
URL_FORM: Final = r"^\s*(https?://.*)?$"
FORMS: Final = {
    RULE_FORM: "a rule: tool(pattern), for example terminal(git commit *)",
    URL_FORM: "an http:// or https:// address",
}
"""What a text has to look like → in words."""
Rule = Annotated[str, Meta(pattern=RULE_FORM)]
Url = Annotated[str, Meta(pattern=URL_FORM)]


class Frozen(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all tables share: an unknown key is an error, never ignored."""


class PermissionRules(Frozen, frozen=True, kw_only=True):
    """`[permissions]`: rules as `tool(pattern)`, `tool` or `*`; deny beats ask beats allow."""

    allow: tuple[Rule, ...] = ()
    """Run without asking."""
    ask: tuple[Rule, ...] = ()
    """Ask, also where the mode would not."""
    deny: tuple[Rule, ...] = ()
    """Refuse without asking."""


class ProviderEntry(Frozen, frozen=True, kw_only=True):
    """`[providers.NAME]`: one endpoint."""

    base_url: Url
    """Where it answers, with its `/v1`."""
    model: str = ""
    """Empty: the first that the endpoint lists."""
    env_key: str = ""
    """Name of the environment variable that holds its key; empty: it needs none."""
    headers: dict[str, str] = {}
    """Sent with every request."""
    context: NotNegative = 0
    """Tokens its context holds; 0: not known."""
    idle_timeout: Seconds = 120.0
    """Seconds of silence after which a request is given up."""


class CheckpointLimits(Frozen, frozen=True, kw_only=True):
    """`[checkpoints]`: what is left out, and when old ones go."""

    max_file_bytes: Positive = 10_000_000
    """A larger file is not covered (said each time)."""
    max_files: Positive = 100_000
    """A tree with more files is not scanned; edits by tools stay covered."""
    max_total_bytes: Positive = 2_000_000_000
    """Size of a project's store above which `prune` takes the oldest."""
    keep: Positive = 1_000
    """How many checkpoints `prune` leaves."""
    max_age_days: Positive = 90
    """Older ones go with `prune`."""


class ToolSettings(Frozen, frozen=True, kw_only=True):
    """`[tools]`: limits on calls."""

    deadline: Seconds | None = None
    """Seconds after which a call is stopped; None: never (a command has its own timeout)."""
    result_bytes: Positive = 100_000
    """A longer result is cut before the model sees it."""
    max_steps: Positive = 100
    """Requests to the model in one turn; the turn then ends with `limit`."""
    disabled: tuple[str, ...] = ()
    """Tools hidden from the model."""


class McpServer(Frozen, frozen=True, kw_only=True):
    """`[mcp.NAME]`: one MCP server, by command or by URL."""

    command: str = ""
    """Started with its standard streams; empty: `url` is used."""
    args: tuple[str, ...] = ()
    """Arguments of the command."""
    url: str = ""
    """A streamable HTTP endpoint."""
    env: dict[str, str] = {}
    """Added to the server's environment."""
    parallel: bool = False
    """Whether its calls may run side by side."""


class Settings(Frozen, frozen=True, kw_only=True):
    """All settings of a run. The keys of config.toml are these names."""

    model: str = ""
    """Empty: the first that the endpoint lists."""
    base_url: Url = ""
    """Empty: the SDK's default if there is a key, else a local server, else the rehearsal."""
    provider: ProviderName | str | None = None
    """`openai`, `rehearsal`, the name of a `[providers.NAME]` table, or None: whichever can answer."""
    schedule: Schedule = "batch"
    """How a batch is planned (README, "How scheduling decides")."""
    max_parallel: Positive = 8
    """How many calls run at once."""
    permission: Mode = "ask"
    """What runs without a question (README, "Permissions")."""
    theme: str = "hermes-dark"
    """A file of themes/, without `.toml`."""
    permissions: PermissionRules = PermissionRules()
    """Rules that beat the mode."""
    providers: dict[str, ProviderEntry] = {}
    """Endpoints by name."""
    checkpoints: CheckpointLimits = CheckpointLimits()
    """Limits of the store."""
    tools: ToolSettings = ToolSettings()
    """Limits on calls."""
    mcp: dict[str, McpServer] = {}
    """MCP servers by name."""
    api_key: str = ""
    """From OPENAI_API_KEY alone, never from a file; shown as `set`."""
