"""One value as one line of JSON. Text that UTF-8 cannot hold is escaped, never lost."""

from __future__ import annotations

import json
from typing import Any


def json_line(value: Any) -> str:
    """Return the line, without its end."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text
