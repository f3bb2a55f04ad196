"""One value as one line of JSON. What UTF-8 cannot hold or a terminal would obey is escaped, never lost."""

from __future__ import annotations

import json
from typing import Any

from hermes_tui.text import escaped


def json_line(value: Any) -> str:
    """Return the line, without its end."""
    return escaped(json.dumps(value, ensure_ascii=False))
