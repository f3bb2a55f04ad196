"""What the tests of the providers share: a sink that remembers, and short ways to ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hermes_tui.engine.interrupt import Token
from hermes_tui.engine.messages import Message, ToolSchema
from hermes_tui.engine.protocols import Answer, Provider, Request
from hermes_tui.providers.endpoint import Endpoint
from hermes_tui.providers.openai import OpenAIProvider
from tests.support.server import ScriptedServer

TOOLS = [
    ToolSchema(name, f"Does {name}.", {"type": "object", "properties": {}})
    for name in ("read_file", "write_file", "patch", "search_files", "terminal", "clarify", "todo")
]


@dataclass
class Recorder:
    """A sink that keeps what it is told."""

    pieces: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    notices: list[tuple[str, str]] = field(default_factory=list)

    def text(self, piece: str) -> None:
        self.pieces.append(piece)

    def thinking(self, piece: str) -> None:
        self.thoughts.append(piece)

    def notice(self, level: str, text: str) -> None:
        self.notices.append((level, text))

    @property
    def said(self) -> str:
        return "".join(self.pieces)


def request(*messages: Message, system: str = "", tools: Sequence[ToolSchema] = ()) -> Request:
    return Request(system, list(messages) or [user("hi")], tools)


def user(text: str) -> Message:
    return Message("user", text)


def results(answer: Answer, *contents: str) -> list[Message]:
    """The answer, with a tool message for each of its calls."""
    calls = answer.message.calls
    told = contents or ("ok",) * len(calls)
    return [
        answer.message,
        *(Message("tool", content, call_id=call.id) for call, content in zip(calls, told, strict=True)),
    ]


def provider(server: ScriptedServer, *, key: str = "", idle_timeout: float = 20.0) -> OpenAIProvider:
    return OpenAIProvider(Endpoint(server.url, key, "scripted-1", idle_timeout=idle_timeout))


def ask(
    who: Provider, *messages: Message, sink: Recorder | None = None, token: Token | None = None
) -> Answer:
    return who.answer(request(*messages), sink or Recorder(), token or Token())
