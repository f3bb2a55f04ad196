"""How full the model's context is, and what the session has used. Counts; compacts nothing."""

from __future__ import annotations

import json
from typing import Final

from hermes_tui.engine.events import ContextChanged
from hermes_tui.engine.messages import Usage
from hermes_tui.engine.protocols import Answer, Request

CHARACTERS_A_TOKEN: Final = 4


def estimate(request: Request, answer: Answer) -> int:
    """Return about how many tokens a request and its answer are, for servers that do not say."""
    size = len(request.system) + sum(len(json.dumps(dict(tool.parameters))) for tool in request.tools)
    for message in (*request.messages, answer.message):
        size += len(message.content) + len(message.reasoning)
        size += sum(len(call.name) + len(call.arguments) for call in message.calls)
    return -(-size // CHARACTERS_A_TOKEN)


class Meter:
    """Counts tokens over a session. The engine thread counts, anybody reads."""

    def __init__(self) -> None:
        self.usage: Usage | None = None
        """All that servers have counted; None until one did."""

    def count(self, request: Request, answer: Answer, limit: int | None) -> ContextChanged:
        """Note one answer, and return how full the context of `limit` tokens (None: not known) is now."""
        used = answer.usage
        if used is None:
            tokens = estimate(request, answer)
        else:
            tokens = used.input + used.output
            before = self.usage or Usage(0, 0)
            self.usage = Usage(before.input + used.input, before.output + used.output)
        return ContextChanged(tokens=tokens, limit=limit, cost=None, compacted=False)
