"""Every setting, with its meaning. Says nothing about where a value comes from (load.py does)."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

Schedule = Literal["batch", "graph", "serial"]
Mode = Literal["plan", "ask", "edits", "all"]
WhileWorking = Literal["queue", "steer"]
Notify = Literal["off", "bell", "osc9", "osc777"]
ProviderName = Literal["openai", "rehearsal"]
Positive = Annotated[int, Meta(ge=1)]
NotNegative = Annotated[int, Meta(ge=0)]
Seconds = Annotated[float, Meta(gt=0)]
Amount = Annotated[float, Meta(ge=0)]
Part = Annotated[float, Meta(ge=0, le=1)]
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


class PriceEntry(Frozen, frozen=True, kw_only=True):
    """`price` of a provider: what a million tokens cost, in dollars. Without it, cost is not known."""

    input: Amount
    """Of what is sent."""
    output: Amount
    """Of what is answered."""
    cached: Amount | None = None
    """Of what is sent and was in the server's cache; None: as `input`."""


class ProviderEntry(Frozen, frozen=True, kw_only=True):
    """`[providers.NAME]`: one endpoint."""

    base_url: Url = ""
    """Where it answers, with its `/v1`; needed unless a plugin answers."""
    plugin: str = ""
    """The name of a provider that a plugin brings: it answers, with what else stands in this table."""
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
    price: PriceEntry | None = None
    """`{ input = 1.25, output = 10 }`; None: not known."""
    written_calls: bool | None = None
    """Whether calls count that the model writes into its text, for a server that reads none; None: until it
    has sent a real one."""
    images: bool = True
    """Whether pictures are sent to it."""

    def __post_init__(self) -> None:
        """Refuse a table that says neither where to ask nor whom."""
        if not (self.base_url.strip() or self.plugin):
            raise ValueError("needs base_url, the address that answers, or plugin")


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
    enabled: tuple[str, ...] = ()
    """The only tools that are there: names, `*` for any text, `@SET` as `/tools` shows it; empty: all."""
    disabled: tuple[str, ...] = ()
    """Tools that are not there, in the same way: `web_*` or `@web` switches that family off."""


class TerminalSettings(Frozen, frozen=True, kw_only=True):
    """`[terminal]`: how the model's commands run; your own `!commands` are not meant."""

    sandbox: bool = False
    """Whether bubblewrap shuts each command in: no network, only the project writable (its `.git` is not),
    an empty /tmp of its own, keys and the program's folders not there. Where that fails, nothing is run."""


class LimitSettings(Frozen, frozen=True, kw_only=True):
    """`[limits]`: what one turn may take, its sub-agents included; it then ends with `limit`. 0: no limit."""

    turn_seconds: Amount = 14_400.0
    """Seconds; what is waited for your answers is not counted."""
    turn_calls: NotNegative = 2_000
    """Calls of tools."""
    turn_cost: Amount = 0.0
    """Dollars, where the provider has a `price`."""
    turn_output: NotNegative = 50_000_000
    """Bytes of all results."""
    turn_written: NotNegative = 2_000_000_000
    """Bytes of the files that tools write; of commands those that the checkpoint sees below the project."""
    same_call: NotNegative = 8
    """How often in a row the model may send the same call and get the same result."""


class ContextSettings(Frozen, frozen=True, kw_only=True):
    """`[context]`: how the conversation is kept within what the model holds."""

    compact_at: Part = 0.8
    """The filled part at which it is compacted by itself; 0: only when the model refuses it as too long."""


class MemorySettings(Frozen, frozen=True, kw_only=True):
    """`[memory]`: an external memory, which finds earlier turns by meaning. Off while `provider` is empty."""

    provider: str = ""
    """`lancedb`, or the name of one that a plugin brings; empty: there is none."""
    embedding_model: str = ""
    """The model that makes vectors of texts; what is kept under one is not found under another."""
    embedding_provider: str = ""
    """The name of a `[providers.NAME]` table that has this model; empty: the endpoint that answers."""
    recall: bool = False
    """Whether the model is told before each turn what earlier sessions said near to your message."""
    store: bool = False
    """Whether each turn that is done is kept: your message and the last answer, shortened, without keys."""
    limit: Positive = 4
    """How many earlier turns the model is told of at most."""
    least: Part = 0.3
    """How near they have to be: 1 is the same text, 0 has nothing to do with it."""
    timeout: Seconds = 5.0
    """Seconds that a turn waits for it, and that its end waits for what is still to be kept."""


class WebSettings(Frozen, frozen=True, kw_only=True):
    """`[web]`: web_search and web_extract."""

    search: Literal["", "searxng", "brave", "tavily", "ddgs"] = ""
    """The search engine; empty: searxng with an address, brave or tavily with a key, else ddgs."""
    searxng_url: Url = ""
    """A SearXNG server that answers in JSON."""
    brave_env_key: str = "BRAVE_API_KEY"
    """Name of the environment variable that holds the key."""
    brave_url: Url = "https://api.search.brave.com/res/v1/web/search"
    """Where its API answers; another for a proxy of your own, which then gets the key."""
    tavily_env_key: str = "TAVILY_API_KEY"
    """Likewise."""
    tavily_url: Url = "https://api.tavily.com/search"
    """Likewise."""
    allow_private: tuple[str, ...] = ()
    """Hosts in this machine's own network that may be read: `host` or `host:port`."""


class HookSettings(Frozen, frozen=True, kw_only=True):
    """`[hooks]`: your own shell commands, given the event as JSON on their standard input."""

    turn_start: tuple[str, ...] = ()
    """When a turn begins."""
    turn_end: tuple[str, ...] = ()
    """When it has ended."""
    before_call: tuple[str, ...] = ()
    """Before each call; a non-zero exit denies it, and what the command prints is the reason."""
    after_call: tuple[str, ...] = ()
    """After each call."""
    timeout: Seconds = 10.0
    """Seconds after which a hook is ended; a call whose hook did not answer is denied."""


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
    headers: dict[str, str] = {}
    """Sent with every request to `url`."""
    parallel: bool = False
    """Whether its calls may run side by side."""
    believe_hints: bool = False
    """Whether those calls may that the server itself says only read."""
    enabled: bool = True
    """False: it is not started."""


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
    vi_keys: bool = False
    """Whether the prompt has vi's keys."""
    while_working: WhileWorking = "queue"
    """What Enter does while the model works: `queue` the message, or `steer`: at its next step."""
    reduced_motion: bool = False
    """Whether nothing turns or glides on the screen."""
    notify: Notify = "bell"
    """How the terminal tells, while it is not in front, that a turn ended or a question waits: `bell`, a
    desktop notification by `osc9` (iTerm2, Windows Terminal, kitty) or `osc777` (foot, Ghostty, urxvt), or
    `off`."""
    window_title: bool = True
    """Whether the terminal's title says what goes on; it is given back at the end."""
    keys: dict[str, str] = {}
    """`[keys]`: action = "key"; F1 shows the actions' names."""
    permissions: PermissionRules = PermissionRules()
    """Rules that beat the mode."""
    providers: dict[str, ProviderEntry] = {}
    """Endpoints by name."""
    fallback: str = ""
    """The name of a `[providers.NAME]` table that answers when the provider cannot; empty: none does."""
    vision: str = ""
    """The name of a `[providers.NAME]` table whose model looks at pictures; empty: the one that answers."""
    context: ContextSettings = ContextSettings()
    """When the conversation is compacted."""
    checkpoints: CheckpointLimits = CheckpointLimits()
    """Limits of the store."""
    tools: ToolSettings = ToolSettings()
    """Limits on calls."""
    terminal: TerminalSettings = TerminalSettings()
    """How commands run."""
    limits: LimitSettings = LimitSettings()
    """What one turn may take."""
    mcp: dict[str, McpServer] = {}
    """MCP servers by name."""
    memory: MemorySettings = MemorySettings()
    """An external memory beside the notes."""
    web: WebSettings = WebSettings()
    """Searching and reading the web."""
    hooks: HookSettings = HookSettings()
    """Commands around calls and turns."""
    api_key: str = ""
    """From OPENAI_API_KEY alone, never from a file; shown as `set`."""
