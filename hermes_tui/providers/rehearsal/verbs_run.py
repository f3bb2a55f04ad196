"""Verbs that run something: commands, and any tool by its name and arguments."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from hermes_tui.providers.rehearsal.actions import Action, Kind, Wanted
from hermes_tui.providers.rehearsal.words import MASK, NUMBERS, Masked

FREE: Final = re.IGNORECASE | re.DOTALL
RUN: Final = (
    re.compile(
        rf"(?:run|execute|exec|start|launch)(?:\s+the)?(?:\s+(?:shell\s+)?commands?)?(?:\s*[:：]\s*|\s+|(?=[{MASK}]))(?P<command>.+)",
        FREE,
    ),
    re.compile(r"\$\s+(?P<command>.+)", FREE),
    re.compile(r"(?:运行|执行|跑一下|跑)(?:一下)?(?:命令)?\s*[:：]?\s*(?P<command>.+)", FREE),
)
PLAIN: Final = re.compile(
    r"(?P<command>(?:awk|cargo|cat|cp|curl|docker|du|echo|git|grep|ls|mkdir|mv|npm|pip|ps|pwd|pytest|python3?|rg"
    r"|ruff|sed|sleep|uname|wc|whoami)(?:\s.*)?)",
    re.DOTALL,
)
"""A command line typed as it is, by first words that begin no English sentence; the last rule of all."""
_COUNT: Final = "|".join(sorted(map(re.escape, NUMBERS), key=len, reverse=True))
TIMES: Final = (
    re.compile(
        rf"(?P<rest>.+?)(?<!\s)\s*,?\s+(?:(?P<count>{_COUNT})\s*(?:times|x)|x\s*(?P<factor>\d+)|(?P<word>once|twice|thrice))",
        FREE,
    ),
    re.compile(rf"(?P<rest>.+?)\s*[,，]?\s*(?P<count>{_COUNT})\s*(?:次|遍)", FREE),
)
TOGETHER: Final = re.compile(
    r"\s*,?\s*(?:in\s+parallel|side\s+by\s+side|at\s+once|at\s+the\s+same\s+time|together|concurrently|simultaneously|并行|同时)$",
    FREE,
)
BACKGROUND: Final = re.compile(r"\s+(?:in\s+the\s+background)$|\s*(?:在后台|到后台)$", FREE)
FOLDER: Final = re.compile(rf"(?P<rest>[{MASK}])\s+in\s+(?P<folder>\S+)", FREE)
LIST: Final = re.compile(r"(?<!\s)(?:\s*,?\s+(?:and|&)\s+|\s*[,，、]\s*|\s*(?:和|以及|与)\s*)", FREE)
COMMANDS: Final = re.compile(
    "awk|bash|cargo|cat|cd|cmake|cp|curl|cut|date|df|diff|docker|du|echo|env|false|file|find|git|go|grep|head"
    "|hostname|id|jq|kill|ls|make|mkdir|mv|mypy|node|npm|npx|pip|printf|ps|pwd|pytest|python3?|rg|rm|ruff|sed"
    "|seq|sh|sleep|sort|stat|tail|tar|test|touch|tr|true|tree|uname|uniq|uv|wc|wget|which|whoami|xargs|yarn"
)
"""First words by which the parts of "run A, B and C" are known for commands."""
RAW: Final = re.compile(
    rf"(?:(?:call|use)\s+|调用\s*)(?P<named>\w+)\s*\(?\s*(?P<anything>\{{.*?)\)?"
    rf"|(?P<name>\w+)\s*\(?\s*(?P<arguments>\{{\s*[\}}{MASK}].*?)\)?",
    re.DOTALL,
)


def run(clause: str, masked: Masked) -> Action | None:
    """Run commands: several, or one several times, are as many calls."""
    for rule in RUN:
        if match := rule.fullmatch(clause):
            text, background = _strip(match["command"])
            text, times = _times(text)
            commands = [command for part in _parts(text, masked) if (command := part) for _ in range(times)]
            calls = tuple(_terminal(command, masked, background) for command in commands)
            sure = all(masked.quoted(part) or COMMANDS.fullmatch(_first(part, masked)) for part in commands)
            return Action(Kind.RUN, calls, sure) if calls else None
    return None


def plain(clause: str, masked: Masked) -> Action | None:
    """Run one command line that stands alone, as it would be typed in a shell."""
    match = PLAIN.fullmatch(clause)
    return Action(Kind.RUN, (_terminal(match["command"], masked, False),), False) if match else None


def raw_call(clause: str, masked: Masked) -> Action | None:
    """Call any tool by its name, with its arguments as written: `read_file {"path": "a.py"}`."""
    match = RAW.fullmatch(clause)
    if match is None:
        return None
    raw = masked.written(match["arguments"] or match["anything"]).strip()
    name = match["name"] or match["named"]
    name = "terminal" if name.lower() in ("run", "运行", "执行") else name
    try:
        value = json.loads(raw)
    except ValueError:
        value = None
    arguments = value if isinstance(value, dict) else {}
    label = next((str(item) for item in arguments.values() if isinstance(item, str)), name)
    return Action(Kind.RUN if name == "terminal" else Kind.CALL, (Wanted(name, arguments, label, raw),))


def _strip(text: str) -> tuple[str, bool]:
    """Return the command without the words about how to run it; whether it goes to the background."""
    text = TOGETHER.sub("", text.strip().rstrip("。！"))
    bare = BACKGROUND.sub("", text)
    return bare, bare != text


def _times(text: str) -> tuple[str, int]:
    for rule in TIMES:
        if match := rule.fullmatch(text):
            found = {key: value for key, value in match.groupdict().items() if value}
            number = found.get("count") or found.get("factor") or found.get("word") or "1"
            return found["rest"], max(1, min(100, NUMBERS.get(number.lower(), 100)))
    return text, 1


def _parts(text: str, masked: Masked) -> list[str]:
    """Return the commands of "A, B and C"; the text as one command unless each part starts like one."""
    parts = [part.strip() for part in LIST.split(text) if part.strip()]
    first = _first(parts[0], masked) if parts else ""
    each = all(
        masked.quoted(part) or _first(part, masked) == first or COMMANDS.fullmatch(_first(part, masked))
        for part in parts
    )
    return parts if each else [text.strip()]


def _first(part: str, masked: Masked) -> str:
    words = masked.value(part).split()
    return words[0] if words else ""


def _terminal(part: str, masked: Masked, background: bool) -> Wanted:
    arguments: dict[str, Any] = {}
    if match := FOLDER.fullmatch(part):
        part = match["rest"]
        arguments["workdir"] = masked.value(match["folder"])
    command = masked.value(part)
    arguments = {"command": command, **arguments}
    if background:
        arguments["background"] = True
    return Wanted("terminal", arguments, command)
