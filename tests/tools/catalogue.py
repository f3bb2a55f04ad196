"""What is promised of each tool, a row a tool: level, answer to bad input, long output, end.

A tool without a row fails test_catalogue.py: who adds a tool adds a row. `NOWHERE` stands for the address of
a server that never answers; `LONG` for one whose page is long.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

NOWHERE: Final = "http://nowhere.invalid"
LONG: Final = "http://long.invalid"
SHORT: Final = "its answer is a line or two"
QUICK: Final = "it waits for nothing: files, memory and databases of this machine"
PAGE: Final = (
    "on a page that hangs: test_browser_trouble.py, for each way to the driver; a snapshot is cut by itself"
)

Arguments = Mapping[str, Any]


@dataclass(frozen=True)
class Row:
    """What is promised of one tool."""

    level: str
    """Of the input that its schema's examples make."""
    wrong: tuple[Arguments, str] | str
    """Input of the right types that makes no sense and what is said to it; or why there is none such."""
    long: Arguments | str
    """Input with a long output; or why its output is never long."""
    slow: Arguments | str
    """Input on which it would wait for a minute; or why there is none."""
    before: tuple[str, Arguments] | None = None
    """A call that comes before the slow one."""


ANY: Final = "every input of its types makes sense"

ROWS: Final[dict[str, Row]] = {
    "browser_navigate": Row(
        "undeclared", ({"url": "ftp://x"}, "begin it with https://"), SHORT, {"url": NOWHERE}
    ),
    "browser_snapshot": Row("safe", ANY, PAGE, PAGE),
    "browser_click": Row("undeclared", ({"ref": "button"}, "look at it with browser_snapshot"), SHORT, PAGE),
    "browser_type": Row(
        "undeclared", ({"ref": "x", "text": "a"}, "look at it with browser_snapshot"), SHORT, PAGE
    ),
    "browser_scroll": Row("undeclared", ANY, SHORT, PAGE),
    "browser_back": Row("undeclared", ANY, SHORT, PAGE),
    "browser_press": Row("undeclared", ANY, SHORT, PAGE),
    "browser_get_images": Row("safe", ANY, PAGE, PAGE),
    "browser_vision": Row("safe", ({"question": " "}, "say what to look for"), PAGE, PAGE),
    "browser_console": Row("safe", ANY, PAGE, PAGE),
    "clarify": Row(
        "interactive", ({"question": " "}, "send one full sentence"), SHORT, {"question": "Which one?"}
    ),
    "delegate_task": Row(
        "undeclared", ({"goal": " "}, "say in full what"), "the agent's last message", {"goal": "wait"}
    ),
    "execute_code": Row(
        "undeclared",
        ({"code": " "}, "send a Python program"),
        {"code": "print('x' * 9000)"},
        {"code": "print('begun', flush=True)\nimport threading\nthreading.Event().wait(60)"},
    ),
    "ha_list_entities": Row("safe", ANY, "it ends after 200 entities", {}),
    "ha_get_state": Row(
        "safe", ({"entity_id": "kitchen"}, "it looks like light.kitchen"), SHORT, {"entity_id": "a.b"}
    ),
    "ha_list_services": Row("safe", ANY, "tested on a real house's answer", {}),
    "ha_call_service": Row(
        "undeclared",
        ({"domain": "hassio", "service": "host_reboot"}, "are refused here"),
        SHORT,
        {"domain": "light", "service": "turn_on"},
    ),
    "memory": Row("undeclared", ({"action": "add"}, "needs content"), "its notes are capped", QUICK),
    "memory_search": Row(
        "safe",
        ({"query": " "}, "say in a sentence"),
        "at most 20 shortened turns",
        "tests/plugins/test_external.py ends one that hangs",
    ),
    "patch": Row("scoped", ({"path": "a"}, "is missing"), SHORT, QUICK),
    "process": Row(
        "safe",
        ({"action": "kill"}, "needs a process_id, for example p1"),
        SHORT,
        {"action": "wait", "process_id": "p1"},
        ("terminal", {"command": "sleep 60", "background": True}),
    ),
    "read_file": Row("scoped", ({"path": ""}, "path"), {"path": "long.txt"}, QUICK),
    "search_files": Row("safe", ({"pattern": "("}, "pattern"), {"pattern": "x", "limit": 500}, QUICK),
    "session_search": Row(
        "safe", ({"limit": 5}, "give a query, or the session_id"), "50 short matches", QUICK
    ),
    "skills_list": Row("safe", ANY, "one line a skill", QUICK),
    "skill_view": Row("safe", ({"name": "none"}, "no skill"), {"name": "long"}, QUICK),
    "terminal": Row(
        "safe",
        ({"command": " "}, "the command is empty"),
        {"command": "seq 9000"},
        {"command": "echo begun; sleep 60"},
    ),
    "todo": Row(
        "undeclared",
        ({"todos": [{"id": "1", "content": ""}]}, "say what is to be done"),
        {"todos": [{"id": str(n), "content": "x" * 90} for n in range(90)]},
        QUICK,
    ),
    "vision_analyze": Row(
        "safe",
        ({"image_url": "x.png", "question": " "}, "give both"),
        SHORT,
        {"image_url": f"{NOWHERE}/a.png", "question": "What is it?"},
    ),
    "web_search": Row(
        "safe", ({"query": " "}, "say what to look for"), "20 hits of 400 characters", {"query": "x"}
    ),
    "web_extract": Row(
        "safe", ({"urls": ["ftp://x"]}, "begin it with https://"), {"urls": [LONG]}, {"urls": [NOWHERE]}
    ),
    "write_file": Row("scoped", ({"path": "", "content": "x"}, "path"), SHORT, QUICK),
}
"""By name."""
