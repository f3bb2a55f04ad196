"""/permissions: the rules in force, why a call would ask, and taking an answer back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hermes_tui.assemble import Hermes
from hermes_tui.commands.ui import UI
from hermes_tui.engine.errors import BadArguments, HermesError, UsageError
from hermes_tui.engine.judge import declare
from hermes_tui.engine.protocols import Pending, Tool
from hermes_tui.permissions.rules import parse_rule
from hermes_tui.text import exact

SAYS = {"allow": "runs without a question", "ask": "asks", "deny": "is refused"}


async def permissions(hermes: Hermes, ui: UI, argument: str) -> None:
    """List the permission rules, explain one call, or take an answer back.

    /permissions; /permissions why terminal(git push); /permissions revoke terminal(git push *)
    """
    word, _, rest = argument.partition(" ")
    if not word:
        ui.say("\n".join(listed(hermes)))
    elif word == "why" and rest.strip():
        ui.say("\n".join(why(hermes, rest.strip())))
    elif word == "revoke" and rest.strip():
        revoke(hermes, ui, rest.strip())
    else:
        ui.warn("write /permissions, /permissions why tool(what), or /permissions revoke tool(pattern)")


def complete_permissions(hermes: Hermes) -> Sequence[str]:
    """What can be taken back, and the words."""
    return ["why", *(f"revoke {rule}" for rule in hermes.permissions.learned())]


def listed(hermes: Hermes) -> list[str]:
    """Return the mode and every rule, the one that wins first."""
    rules = [f"{kind}: {exact(rule)}" for kind, rule in hermes.permissions.rules()]
    return [f"mode: {hermes.permissions.mode}", *(rules or ["no rules; the mode alone decides"])]


def why(hermes: Hermes, text: str) -> list[str]:
    """Return what would happen to a call, and why; nothing is run. `UsageError` when it is none."""
    call = pending(hermes, text)
    verdict = hermes.permissions.judge(call)
    lines = [f"{exact(text)} {SAYS[verdict.decision]} in the mode {hermes.permissions.mode}"]
    lines += [f"· {exact(reason)}" for reason in verdict.why or hermes.permissions.because(call)]
    if verdict.pattern:
        lines.append(f"“always” would store {exact(verdict.pattern)}")
    if verdict.decision == "ask":
        lines.append(f"the mode {verdict.mode} would not ask" if verdict.mode else "every mode asks")
    return lines


def pending(hermes: Hermes, text: str) -> Pending:
    """Return the call that a text like `terminal(git push)` means."""
    rule = parse_rule(text)
    tool = hermes.toolbox.get(rule.tool)
    if tool is None:
        raise UsageError(f"no tool {rule.tool}; /tools lists them")
    arguments = arguments_of(tool, rule.pattern or "")
    try:
        footprint = declare(tool, arguments, hermes.folder)
    except BadArguments as error:
        raise UsageError(str(error)) from None
    return Pending("", rule.tool, arguments, footprint)


def arguments_of(tool: Tool, text: str) -> Mapping[str, Any]:
    """Return the arguments that a text stands for: a JSON object, or the tool's first needed one."""
    if text.startswith("{"):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"these arguments are no JSON: {error}") from None
        return found if isinstance(found, dict) else {}
    properties: Mapping[str, Any] = tool.schema.parameters.get("properties", {})
    names = [*tool.schema.parameters.get("required", ()), *properties]
    if not text or not names:
        return {}
    is_list = properties.get(names[0], {}).get("type") == "array"
    return {names[0]: [text] if is_list else text}


def revoke(hermes: Hermes, ui: UI, text: str) -> None:
    """Take an answer of this session, or an "always", back."""
    try:
        gone = hermes.permissions.forget(text)
    except HermesError as error:
        ui.warn(str(error))
        return
    if gone:
        ui.say(f"taken back: {exact(text)}; it asks again")
    else:
        own = any(rule == text for _, rule in hermes.permissions.rules())
        ui.warn("that rule stands in config.toml; remove it there" if own else f"no rule {exact(text)}")
